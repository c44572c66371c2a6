"""What stands between the bytes of an input and its tables: the content, a raw table, and a document of several."""

import mmap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property

import polars as pl

from benchkit.errors import BenchkitError
from benchkit.tables.result import Note

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Content:
    """The unpacked bytes of one input.

    name: how messages call it. data: its bytes; text is UTF-8, perhaps after a byte order mark. path: the file that
    holds exactly these bytes, or None (standard input, unpacked or recoded bytes). kind: the format that was detected.
    """

    name: str
    data: bytes | mmap.mmap
    path: str | None = None
    kind: str = ""

    @property
    def source(self) -> str | bytes:
        """What polars scans: the file itself where possible, so that it need not lie in memory."""
        return self.path if self.path is not None else bytes(self.data)

    @property
    def start(self) -> int:
        """Where the text begins, after a byte order mark."""
        return len(BYTE_ORDER_MARK) if self.data[: len(BYTE_ORDER_MARK)] == BYTE_ORDER_MARK else 0

    def text(self) -> str:
        """Return the whole text; BenchkitError names the line that is not UTF-8."""
        data = self.data[self.start :]
        try:
            return data.decode()
        except UnicodeDecodeError as problem:
            line = data.count(b"\n", 0, problem.start) + 1
            raise not_utf8(f"{self.name} line {line}", data[problem.start]) from problem


def not_utf8(place: str, byte: int) -> BenchkitError:
    """Return the error for a byte that is no UTF-8."""
    return BenchkitError(f"{place}: the byte 0x{byte:02x} is not UTF-8 text", "save the file as UTF-8")


@dataclass(frozen=True)
class Raw:
    """One table as it stands in its input, with the names of its columns but before the border.

    place(i) says where row i (from 0) stands, as "line 17" or "row 16". decimal_comma: numbers may be written 0,5.
    delimited: the cells are text from a delimited file, whose outer blanks mean nothing. algorithm: the name that was
    given for its rows, stem: the one that the file's name suggests. table: its name within a document. stored: its cells
    still lie in a binary file that may be damaged.
    """

    name: str
    frame: pl.LazyFrame
    place: Callable[[int], str]
    delimited: bool = False
    decimal_comma: bool = False
    algorithm: str | None = None
    stem: str | None = None
    table: str = ""
    stored: bool = False

    @cached_property
    def schema(self) -> pl.Schema:
        """The types of the columns; of thousands of columns, asking polars again and again would take seconds."""
        return self.frame.collect_schema()

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self.schema.names()

    def called(self, algorithm: str) -> str:
        """Return what an algorithm of the table is called behind the border: new/rf if the table was given as new=path."""
        return algorithm if self.algorithm is None else f"{self.algorithm}/{algorithm}"

    def with_frame(self, frame: pl.LazyFrame) -> "Raw":
        """Return the same table with other columns and the same rows."""
        return replace(self, frame=frame)


@dataclass(frozen=True)
class Document:
    """The tables of one input: a single one called "" in a plain file, or those of a result document by name."""

    name: str
    tables: Mapping[str, Raw]
    notes: Sequence[Note] = field(default_factory=tuple)
    command: str = ""


@contextmanager
def intact(raw: Raw) -> Iterator[None]:
    """Turn the error of polars about a damaged binary file into ours; for tables of another origin it would be a bug."""
    try:
        yield
    except pl.exceptions.PolarsError as problem:
        if not raw.stored:
            raise
        raise BenchkitError(f"{raw.name} is damaged, its cells cannot be read", "write the file again") from problem


def row_place(index: int) -> str:
    """Say where row `index` (from 0) stands in a file that has no lines."""
    return f"row {index + 1}"


def plain(name: str, frame: pl.LazyFrame, place: Callable[[int], str] = row_place, stored: bool = False) -> Document:
    """Return the document of an input that is one table."""
    return Document(name, {"": Raw(name, frame, place, stored=stored)})
