"""Gives a command the output options and writes the Result that it returns."""

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass, replace
from typing import TYPE_CHECKING, Any

import typer

from benchkit import __version__
from benchkit.cli.groups import flattened, typed
from benchkit.cli.options import Chance, Output, find, is_terminal, standard_output
from benchkit.errors import CHECK_FAILED, BenchkitError
from benchkit.formats import FORMATS, SUFFIXES

BINARY = ("parquet", "arrow")

if TYPE_CHECKING:
    from benchkit.formats.style import Style
    from benchkit.formats.writing import Writer
    from benchkit.tables.result import Result


@dataclass(frozen=True)
class Outcome:
    """What a command made: a result, the digests of what it read, and a check that is made once all is written.

    The sentences of the check are complaints: they go to standard error and make the exit status 1. report: sentences
    stand instead of the table; explain: what was chosen, and why, and what the columns mean, stands below.
    """

    result: "Result"
    digests: Callable[[], Mapping[str, str]] = dict
    check: Callable[[], list[str]] = list
    report: bool = False
    explain: bool = False

    @property
    def prose(self) -> str:
        """The option that asks for sentences, empty without."""
        return "--report" if self.report else "--explain" if self.explain else ""


def emitted(command: Callable[..., Outcome]) -> Callable[..., None]:
    """Return the command for typer: its own options and the output options; it writes what the command returns."""

    def emitting(output: Output, **arguments: Any) -> None:
        outcome = command(output=output, **arguments)
        write(outcome, output, arguments)
        complain(outcome.check())

    emitting.__doc__ = command.__doc__
    emitting.__name__ = command.__name__
    emitting.__annotations__ = {**command.__annotations__, "output": Output, "return": None}
    return flattened(emitting, like=command)


def write(outcome: Outcome, output: Output, arguments: Mapping[str, Any], unsaid: Sequence[str] = ()) -> None:
    """Write the result where and how the output options say; notes go to standard error, but for the codes `unsaid`."""
    from benchkit.cli.messages import show_notes
    from benchkit.formats.writing import deliver

    to_terminal = output.output is None and is_terminal()
    usual = "table" if to_terminal or outcome.prose else "csv"
    name = output.format or (named_format(output.output) if output.output else None) or usual
    writer = find(FORMATS, name, "format").load()
    if to_terminal and name in BINARY:
        raise BenchkitError(f"{name} is no text for a terminal", f"add -o out.{name}")
    if outcome.prose:
        writer = _with_prose(writer, name, outcome, output)
    result = outcome.result
    if output.mark:
        _check_marks(result, name, output, outcome.report)
    if name == "json" or output.output or output.table == "provenance":
        result = with_provenance(outcome, arguments)
    deliver(result, writer, name, output.output, output.table, style_of(output, to_terminal), standard_output)
    if not output.quiet:
        headed = ("read", "plan") if name in ("table", "markdown") else ()
        show_notes(result.notes, hidden=(*headed, *unsaid))


def _with_prose(writer: "Writer", name: str, outcome: Outcome, output: Output) -> "Writer":
    """Return the writer of the sentences that were asked for. BenchkitError for a format or a place that holds none."""
    from benchkit.formats.prose import TEXTS, with_prose
    from benchkit.formats.writing import to_folder

    option = outcome.prose
    if name not in TEXTS:
        hint = f"leave out -f {name}, or choose {', '.join(TEXTS)}" if output.format else "end the name in .txt, .md or .tex"
        more = "; the json notes hold the explanation" if name == "json" and not outcome.report else ""
        raise BenchkitError(f"{option} is text, which {name} does not hold", hint + more)
    if output.output and to_folder(output.output):
        raise BenchkitError(f"{option} is one text, not a folder of tables", f"name a file: -o {option[2:]}.txt")
    if outcome.report and output.table:
        raise BenchkitError("--report shows no table", "leave out --table or --report")
    return with_prose(writer, name, outcome.report, outcome.explain)


def _check_marks(result: "Result", name: str, output: Output, report: bool) -> None:
    """Raise BenchkitError if the format or the table cannot bear the marks that were asked for."""
    from benchkit.formats.marks import check
    from benchkit.formats.writing import to_folder

    if report:
        raise BenchkitError("--report shows no table to mark", "leave out --mark or --report")
    folder = output.output is not None and to_folder(output.output)
    tables = list(result.tables) if folder and output.table is None else [output.table or result.primary]
    check(output.mark, name, tables)


def named_format(path: str) -> str | None:
    """Return the format that the suffix of a path names, or None where it has no suffix.

    Raises BenchkitError for a suffix that names no format: a file that says one thing and holds another helps nobody.
    """
    from benchkit.formats.writing import format_for

    known = format_for(path)
    stem, dot, suffix = path.rpartition("/")[2].rpartition(".")
    if known is None and dot and stem and not path.endswith("/"):
        raise BenchkitError(f"the suffix .{suffix} names no format", "add -f, or end the name in " + ", ".join(SUFFIXES))
    return known


def style_of(output: Output, to_terminal: bool) -> "Style":
    """Return how tables for people are written."""
    from benchkit.formats.style import Style

    width = shutil.get_terminal_size().columns if to_terminal else None
    marks = tuple(dict.fromkeys(output.mark))
    return Style(output.digits, width, output.ascii, to_terminal and not os.environ.get("NO_COLOR"), marks)


def complain(complaints: list[str]) -> None:
    """Print the complaints; end with status 1 if there are any."""
    if complaints:
        from benchkit.cli.messages import say

        for complaint in complaints:
            say("", complaint)
        raise typer.Exit(CHECK_FAILED)


def with_provenance(outcome: Outcome, arguments: Mapping[str, Any]) -> "Result":
    """Return the result with where it came from: version, command, what was typed, seed and digests of the inputs."""
    provenance: dict[str, object] = {"version": __version__, "command": outcome.result.command}
    options: dict[str, object] = {}
    for name, value in arguments.items():
        if isinstance(value, Chance):
            provenance["seed"] = value.seed
        elif is_dataclass(value):
            options |= typed(value)
        elif value:
            options[name] = value
    return replace(outcome.result, provenance={**provenance, "options": options, "inputs": dict(outcome.digests())})
