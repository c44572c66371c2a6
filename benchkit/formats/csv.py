"""Comma-separated values, and their cousins with semicolons, tabs or bars between the fields."""

import io

import polars as pl

from benchkit.formats.content import Content, Document
from benchkit.formats.delimited import scan, sniff
from benchkit.formats.selection import select_table
from benchkit.formats.style import Style
from benchkit.tables.result import Result


def read(content: Content) -> Document:
    """Return the table of a delimited text whose separator is found from its first lines."""
    return scan(content, sniff(content))


def write(result: Result, table: str, _style: Style) -> bytes:
    """Return a table of the result with all its columns; BenchkitError if it has no such table."""
    return separated(select_table(result, table), ",")


def separated(frame: pl.DataFrame, separator: str, header: bool = True) -> bytes:
    r"""Return UTF-8 text quoted as in RFC 4180, lines ending in \n, numbers as the shortest text that reads back.

    Missing values and NaN are empty, infinities inf and -inf; an empty text is "".
    """
    stream = io.BytesIO()
    frame.with_columns(pl.col(pl.Float64, pl.Float32).fill_nan(None)).write_csv(
        stream, separator=separator, include_header=header
    )
    return stream.getvalue()
