"""The table for people: what the answer is, then columns aligned with blanks, as wide as the terminal allows."""

import textwrap
from collections.abc import Sequence

from benchkit.formats import alignment
from benchkit.formats.escaping import ascii_glyphs
from benchkit.formats.listing import listing
from benchkit.formats.people import Shown, shown_columns
from benchkit.formats.selection import select_table
from benchkit.formats.style import Style
from benchkit.tables.result import Result
from benchkit.tables.wording import terminal

GUTTER = "  "
NARROWEST = 40
_NEVER_DROPPED = 1
# a table of long texts: on a narrow terminal it is a list, since nothing of it is less important
_OF_TEXTS = "entries"


def write(result: Result, table: str, style: Style) -> bytes:
    """Return headlines, a blank line, the table and how many columns are not shown; UTF-8.

    Columns of the least importance go first when the terminal is too narrow, of two the right one; those of
    importance 1 stay, and no name or number is cut. Raise BenchkitError for an unknown table.
    """
    frame = select_table(result, table)
    everything = [_Laid(shown, style) for shown in shown_columns(table, frame, style)]
    columns = _fit(everything, style.width)
    if table == _OF_TEXTS and len(columns) < len(everything) and style.width is not None:
        cells = [(column.heading.strip(), [cell.rstrip() for cell in column.cells]) for column in everything]
        return "".join(f"{line}\n" for line in listing(cells, style.width)).encode()
    lines = [line for sentence in result.sentences(table) for line in _wrapped(_text(sentence, "order", style), style.width)]
    lines += [""] if lines else []
    lines += _lines(columns, frame.height, style)
    hidden = len(frame.columns) - sum(len(column.shown.names) for column in columns)
    if hidden:
        lines.append(f"{hidden} more column{'s' if hidden > 1 else ''}: -f csv")
    return "".join(f"{line}\n" for line in lines).encode()


def shown_in(result: Result, table: str, style: Style) -> list[Shown]:
    """Return the columns that the terminal has room for."""
    columns = [_Laid(shown, style) for shown in shown_columns(table, select_table(result, table), style)]
    return [column.shown for column in _fit(columns, style.width)]


class _Laid:
    """A column whose cells are escaped and padded to one width."""

    def __init__(self, shown: Shown, style: Style) -> None:
        self.shown = shown
        heading = terminal(shown.heading)
        if shown.kind == "interval":
            cells = alignment.align_intervals(shown.cells, shown.ends)
        elif shown.kind == "number":
            cells = alignment.align_points(shown.cells)
        elif shown.kind == "letters":
            cells = alignment.align_letters([_text(cell, shown.kind, style) for cell in shown.cells])
        else:
            cells = [_text(cell, shown.kind, style) for cell in shown.cells]
        self.width = max(map(alignment.display_width, [heading, *cells]))
        pad = alignment.pad_left if shown.kind in ("number", "interval") else alignment.pad_right
        self.heading = pad(heading, self.width)
        self.cells = [pad(cell, self.width) for cell in cells]


def _text(text: str, kind: str, style: Style) -> str:
    """Return escaped text; in orders and headlines our own glyphs are ASCII if asked for."""
    return terminal(ascii_glyphs(text) if style.ascii and kind == "order" else text)


def _wrapped(text: str, width: int | None) -> list[str]:
    """Break a sentence that is wider than the terminal at blanks; no name is cut."""
    if width is None or alignment.display_width(text) <= width:
        return [text]
    return textwrap.wrap(text, max(width, NARROWEST), subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def _fit(columns: Sequence[_Laid], width: int | None) -> list[_Laid]:
    """Return the columns that fit into `width`: those of the least importance go, from the right."""
    kept = list(columns)
    while width is not None and sum(column.width for column in kept) + len(GUTTER) * (len(kept) - 1) > width:
        least = max((column.shown.importance for column in kept), default=_NEVER_DROPPED)
        if least <= _NEVER_DROPPED:
            break
        kept.remove([column for column in kept if column.shown.importance == least][-1])
    return kept


def _lines(columns: Sequence[_Laid], height: int, style: Style) -> list[str]:
    heading = GUTTER.join(column.heading for column in columns).rstrip(" ")
    rows = [GUTTER.join(cells).rstrip(" ") for cells in zip(*(column.cells for column in columns), strict=True)]
    return [f"\x1b[1m{heading}\x1b[0m" if style.color else heading, *(rows if height else ["(no rows)"])]
