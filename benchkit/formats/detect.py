"""What an input is: unpacked and recognised by its content, not by its suffix alone."""

import codecs
import gzip
import mmap
import re
import zlib
from dataclasses import replace
from pathlib import PurePath

import polars as pl

from benchkit.errors import BenchkitError
from benchkit.formats.content import Content

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
PARQUET, ARROW_FILE, ARROW_STREAM = b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"

REFUSED: tuple[tuple[bytes, str, str], ...] = (
    (b"PK\x03\x04", "a zip archive or an Excel workbook", "unpack it, or save the sheet as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook", "save the sheet as CSV"),
    (b"\x89HDF", "an HDF5 file", "write the table as Parquet or CSV"),
    (b"BZh", "a bzip2 file", "unpack it with bunzip2"),
    (b"\xfd7zXZ", "an xz file", "unpack it with unxz"),
    (b"SQLite format 3", "a SQLite database", "export the table as CSV"),
    (b"X\n\x00\x00", "an R data file", "in R, write the table with write.csv(..., row.names = FALSE)"),
    (b"RDX", "an R data file", "in R, write the table with write.csv(..., row.names = FALSE)"),
    (b"FEA1", "a Feather 1 file", "write the table as Parquet, CSV or Arrow"),
    *(
        (bytes((0x80, protocol)), "a pickle, which is never read", "write the table as Parquet or CSV")
        for protocol in range(2, 6)
    ),
)
ENCODINGS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
JSON_START = re.compile(rb'\s*(\{\s*["}]|\[\s*[\[\]{])')
HEAD = 1 << 13


def detect(content: Content) -> Content:
    """Return the content unpacked, as UTF-8 if it is text, with its kind; BenchkitError if it cannot be read."""
    content = _recoded(unpacked(content))
    head = content.data[:HEAD]
    for magic, what, hint in REFUSED:
        if head.startswith(magic):
            raise BenchkitError(f"{content.name} is {what}", hint)
    if head.startswith(PARQUET):
        return replace(content, kind="parquet")
    if head.startswith((ARROW_FILE, ARROW_STREAM)):
        return replace(content, kind="arrow")
    if b"\0" in head:
        raise BenchkitError(
            f"{content.name} is neither text nor a binary format that is read",
            "give CSV, TSV, JSON, NDJSON, Parquet or Arrow; text is UTF-8, or UTF-16 with a byte order mark",
        )
    return replace(content, kind=_kind_of_text(content))


def unpacked(content: Content) -> Content:
    """Return the content out of its gzip or zstd; BenchkitError if that is broken."""
    while True:
        if content.data[: len(GZIP)] == GZIP:
            try:
                content = replace(content, data=gzip.decompress(content.data), path=None)
            except (EOFError, gzip.BadGzipFile, zlib.error) as problem:
                raise BenchkitError(f"{content.name} is a broken gzip file", "it may be cut off; pack it again") from problem
        elif content.data[: len(ZSTD)] == ZSTD:
            content = replace(content, data=_zstd_text(content), path=None)
        else:
            return content


def _zstd_text(content: Content) -> bytes:
    """Unpack text through polars, as Python has no zstd of its own before 3.14; binary data inside is refused."""
    try:
        lines = pl.scan_lines(content.source, glob=False).collect()
    except (pl.exceptions.PolarsError, OSError) as problem:
        message = f"{content.name} is a zstd file that is broken or does not hold UTF-8 text"
        raise BenchkitError(message, "unpack it with unzstd; inside zstd only text is read") from problem
    return "\n".join([*lines.to_series().to_list(), ""]).encode()


def _recoded(content: Content) -> Content:
    for mark, encoding in ENCODINGS:
        if content.data[: len(mark)] == mark:
            try:
                text = bytes(content.data).decode(encoding)
            except UnicodeDecodeError as problem:
                message = f"{content.name} begins like {encoding.upper()} text, but is broken at byte {problem.start}"
                raise BenchkitError(message, "save the file as UTF-8") from problem
            return replace(content, data=text.encode(errors="surrogatepass"), path=None)
    return content


def _kind_of_text(content: Content) -> str:
    """Return csv (delimited by whatever), tsv, json or ndjson."""
    suffixes = [suffix.lower() for suffix in PurePath(content.name).suffixes]
    if ".tsv" in suffixes and b"\t" in content.data[: max(content.data.find(b"\n"), 0)]:
        return "tsv"
    if not JSON_START.match(content.data, content.start):
        return "csv"
    return "ndjson" if _first_line_is_row(content.data, content.start) else "json"


def _first_line_is_row(data: bytes | mmap.mmap, start: int) -> bool:
    """Tell rows from a document: an object that ends with its line is a row, unless it is a result document."""
    while data[start : start + 1] in (b" ", b"\n", b"\r", b"\t"):
        start += 1
    end = data.find(b"\n", start)
    line = data[start : len(data) if end < 0 else end].strip()
    return line.startswith(b"{") and line.endswith(b"}") and b'"tables"' not in line
