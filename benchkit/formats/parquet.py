"""Apache Parquet: scanned lazily, so that only the columns and row groups in use are read."""

import io

import polars as pl

from benchkit.errors import BenchkitError
from benchkit.formats.content import Content, Document, plain
from benchkit.formats.selection import select_table
from benchkit.formats.style import Style
from benchkit.tables.result import Result


def read(content: Content) -> Document:
    """Return the table of a Parquet file; BenchkitError if its footer cannot be read."""
    source = content.source
    try:
        frame = pl.scan_parquet(io.BytesIO(source) if isinstance(source, bytes) else source, glob=False)
        frame.collect_schema()
    except (pl.exceptions.PolarsError, OSError) as problem:
        raise BenchkitError(f"{content.name} is not a readable Parquet file", "it may be cut off; write it again") from problem
    return plain(content.name, frame, stored=True)


def write(result: Result, table: str, _style: Style) -> bytes:
    """Return a table of the result with all its columns and types; BenchkitError if it has no such table."""
    stream = io.BytesIO()
    select_table(result, table).write_parquet(stream)
    return stream.getvalue()
