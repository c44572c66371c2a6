"""Tab-separated values."""

from benchkit.formats.content import Content, Document
from benchkit.formats.csv import separated
from benchkit.formats.delimited import scan
from benchkit.formats.selection import select_table
from benchkit.formats.style import Style
from benchkit.tables.result import Result


def read(content: Content) -> Document:
    """Return the table of a text with tabs between the fields; decimal commas are read."""
    return scan(content, "\t")


def write(result: Result, table: str, _style: Style) -> bytes:
    """Return a table of the result with all its columns; BenchkitError if it has no such table."""
    return separated(select_table(result, table), "\t")
