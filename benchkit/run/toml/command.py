"""The key command of an algorithm: a program and its arguments, with placeholders."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from benchkit.run.toml.section import Section
from benchkit.run.toml.wording import listed, shown
from benchkit.tables.wording import terminal

# what every command may ask for; the keys of its params and of its search come on top
KNOWN = ("train", "test", "validation", "predictions", "seed", "dataset", "replicate")
NEEDED = ("test", "predictions")

_PART = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_EXAMPLE = 'write command = ["Rscript", "fit.R", "{train}", "{test}", "{predictions}"]'


def read_command(section: Section) -> tuple[str, ...]:
    """Return the texts of the command, the program first; () if the key is absent."""
    texts = section.entries("command")
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str):
            raise section.fault("command", f"entry {number}: {shown(text)} is no text", f'write "{text}"')
        if "\0" in text:
            raise section.fault("command", f"entry {number}: {shown(text)} holds a NUL character", "remove it")
    if texts and not texts[0].strip():
        raise section.fault("command", "the program is empty", _EXAMPLE)
    return tuple(texts)


def check_command(
    section: Section, command: Sequence[str], params: Mapping[str, Any], tuned: Sequence[str], validation: bool
) -> None:
    """Refuse placeholders that nothing fills, and parameters that the command does not use.

    tuned: the keys of the search. validation: whether the resampling can make validation rows.
    """
    for key in (*params, *tuned):
        if key in KNOWN:
            raise section.fault("params" if key in params else "tune", f"{{{key}}} is filled by benchkit", "choose another name")
    for key, value in params.items():
        if isinstance(value, list | dict):
            raise section.fault(f"params.{key}", f"{shown(value)} cannot stand in a command", "write a text or a number")
    used = _used(section, command, (*KNOWN, *params, *tuned))
    if "validation" in used and not validation:
        problem = "{validation} is never there: the resampling makes no validation rows"
        raise section.fault("command", problem, 'remove it, or add validation to method = "holdout"')
    for name in NEEDED:
        if name not in used:
            raise section.fault("command", f"it lacks {{{name}}}", _EXAMPLE)
    for key in (*params, *tuned):
        if key not in used:
            problem = f"{{{key}}} does not stand in the command"
            raise section.fault("params" if key in params else "tune", problem, "add it to the command, or remove the parameter")


def _used(section: Section, command: Sequence[str], known: Sequence[str]) -> set[str]:
    """Return the placeholders of the command, all of them known."""
    used: set[str] = set()
    for number, text in enumerate(command, start=1):
        for part in _PART.finditer(text):
            if part[0] in ("{", "}"):
                problem = f"entry {number}: {shown(text)} has a single {part[0]}"
                raise section.fault("command", problem, f"write {part[0] * 2} for a brace, {{NAME}} for a placeholder")
            if part[1] is not None and part[1] not in known:
                hint = f"known: {listed(f'{{{each}}}' for each in known)}; {{{{ and }}}} are braces"
                raise section.fault("command", f"entry {number}: there is no placeholder {{{terminal(part[1])}}}", hint)
            used.update(filter(None, part.groups()))
    return used
