"""Rows of long texts on a narrow terminal: the name, and below it one wrapped line for each of its columns."""

import textwrap
from collections.abc import Sequence

INDENT = "  "
NARROWEST = 40
Cells = tuple[str, Sequence[str]]


def listing(columns: Sequence[Cells], width: int) -> list[str]:
    """Return the lines of a table whose columns are (heading, cells), the first of them the name; empty cells are left out.

    The second column stands without its heading, since it says what the name is.
    """
    lines: list[str] = []
    for row, name in enumerate(columns[0][1]):
        lines.append(name)
        for place, (heading, cells) in enumerate(columns[1:]):
            if cells[row]:
                text = cells[row] if place == 0 else f"{heading}: {cells[row]}"
                lines += _wrapped(text, max(width, NARROWEST))
    return lines


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(
        text, width, initial_indent=INDENT, subsequent_indent=2 * INDENT, break_long_words=False, break_on_hyphens=False
    )
