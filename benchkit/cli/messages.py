"""Notes, complaints and errors on standard error, with text from files made harmless."""

import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchkit.tables.result import Note


def say(prefix: str, message: str) -> None:
    """Print one message on standard error, wrapped to the terminal where there is one."""
    from benchkit.tables.wording import terminal

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
        return  # standard error takes nothing more: nobody can be told


def show_notes(notes: "Sequence[Note]", hidden: Sequence[str] = ()) -> None:
    """Print the notes; those with equal codes are counted, the first of them in full with its place.

    Explanations are for --explain and machine formats, not for standard error.
    """
    from benchkit.tables.result import EXPLAINED

    groups = {(note.metric, note.dataset) for note in notes if note.code == "read"}
    by_code: dict[str, list[Note]] = {}
    for note in notes:
        if note.code not in (EXPLAINED, *hidden):
            by_code.setdefault(note.code, []).append(note)
    for code, same in by_code.items():
        texts = {note.message for note in same}
        first = same[0]
        if len(groups) < 2 or (len(texts) == 1 and len(same) in (1, len(groups)) and first.dataset is first.metric is None):
            say("note: ", first.message)
        elif len(texts) == 1 and len(same) == len(groups):
            say("note: ", f"{first.message} (all {len(groups)})")
        else:
            where = ", ".join(filter(None, (first.dataset, first.metric)))
            of = f" (one of {len(same)} such notes)" if len(same) > 1 else ""
            say("note: ", f"{where + ': ' if where and code != 'read' else ''}{first.message}{of}")
