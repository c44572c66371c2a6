"""Notes, complaints and errors on standard error, with text from files made harmless."""

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchkit.tables.result import Note


def say(prefix: str, message: str) -> None:
    """Print one message on standard error, wrapped to the terminal where there is one."""
    from benchkit.formats.escaping import terminal

    text = terminal(message)
    if sys.stderr is None:
        return
    if sys.stderr.isatty():
        width = max(40, shutil.get_terminal_size().columns)
        indent = " " * len(prefix)
        text = textwrap.fill(
            text, width, initial_indent=prefix, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )
    else:
        text = prefix + text
    try:
        print(text, file=sys.stderr)
    except UnicodeEncodeError:
        print(text.encode("ascii", "backslashreplace").decode(), file=sys.stderr)
    except OSError:
        os._exit(1)


def show_notes(notes: "Sequence[Note]", hidden: Sequence[str] = ()) -> None:
    """Print the notes; those with equal codes are counted, the first of them in full."""
    groups = {(note.metric, note.dataset) for note in notes if note.code == "read"}
    noun = "data sets" if len({dataset for _, dataset in groups}) > 1 else "metrics"
    by_code: dict[str, list[Note]] = {}
    for note in notes:
        by_code.setdefault(note.code, []).append(note)
    for code, same in by_code.items():
        if code in hidden:
            continue
        first = same[0]
        texts = list(dict.fromkeys(note.message for note in same))
        if len(texts) == 1:
            say("note: ", texts[0])
        elif code == "read":
            say("note: ", f"{len(same)} {noun}, the first of them {first.message}")
        else:
            where = first.dataset or first.metric or ""
            of = f" of {len(groups)}" if groups else ""
            say("note: ", f"{code}: {len(same)}{of} {noun}; {where}: {first.message}")
