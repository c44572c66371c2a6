"""Arrow IPC: the file format (also called Feather 2) and the stream format."""

import io

import polars as pl

from benchkit.errors import BenchkitError
from benchkit.formats.content import Content, Document, plain
from benchkit.formats.selection import select_table
from benchkit.formats.style import Style
from benchkit.tables.result import Result

FILE_MAGIC = b"ARROW1"


def read(content: Content) -> Document:
    """Return the table of an Arrow file or stream; BenchkitError if it cannot be read."""
    source = content.source
    try:
        if content.data[: len(FILE_MAGIC)] == FILE_MAGIC:
            frame = pl.scan_ipc(io.BytesIO(source) if isinstance(source, bytes) else source, glob=False)
            frame.collect_schema()
        else:
            frame = pl.read_ipc_stream(io.BytesIO(content.data[:])).lazy()
    except (pl.exceptions.PolarsError, OSError) as problem:
        raise BenchkitError(f"{content.name} is not a readable Arrow file", "it may be cut off; write it again") from problem
    return plain(content.name, frame, stored=True)


def write(result: Result, table: str, _style: Style) -> bytes:
    """Return a table of the result as an Arrow file that old readers know, too; BenchkitError if it has no such table."""
    stream = io.BytesIO()
    select_table(result, table).write_ipc(stream, compat_level=pl.CompatLevel.oldest())
    return stream.getvalue()
