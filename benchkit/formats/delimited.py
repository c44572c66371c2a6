"""Delimited text of any separator as a lazy table of text: scanned by polars when regular, else record by record."""

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import polars as pl

from benchkit.errors import BenchkitError
from benchkit.formats import records
from benchkit.formats.content import Content, Document, Raw
from benchkit.formats.structure import is_regular

SEPARATORS = ",;\t|"
HEAD = 1 << 20
SAMPLE = 20
# a first line that is alone, ends with a full stop and has more words than this is no header
PROSE = 12
# what Excel writes before the header to name the separator
ANNOUNCED = re.compile(r"sep=([,;\t|])\r?\n")


def sniff(content: Content) -> str:
    """Return the separator that parts the first lines most evenly; a comma if nothing parts them."""
    head = _decoded(content, HEAD)
    if announced := ANNOUNCED.match(head):
        return announced[1]
    lines = [line for line, _ in zip(io.StringIO(head, newline=""), range(SAMPLE), strict=False) if line.strip()]
    best, separator = (0.0, 0), ","
    for candidate in SEPARATORS:
        counts = [len(fields) - 1 for fields in csv.reader(lines, delimiter=candidate, skipinitialspace=True) if fields]
        if counts and counts[0]:
            score = (sum(count == counts[0] for count in counts) / len(counts), counts[0])
            if score > best:
                best, separator = score, candidate
    return separator


def scan(content: Content, separator: str) -> Document:
    """Return the table of text columns without the nameless ones; BenchkitError for any fault of structure."""
    if not content.data[content.start :].strip():
        raise BenchkitError(f"{content.name} is empty", "the command that wrote it may have failed")
    content = _trimmed(content)
    first = next(_records(content, separator, HEAD), None)
    if first is None:
        raise BenchkitError(f"{content.name} holds no row", "a table begins with a line of column names")
    line, fields = first
    header = records.header_names(content.name, line, fields)
    place: Callable[[int], str]
    if line == 1 and len(header) > 1 and is_regular(content.data, content.start, len(header), separator):
        frame = _scan_regular(content, separator, header)
        place = _Lines(content, separator)
    else:
        frame, place = _read_records(content, separator, header)
    if not frame.head(1).collect().height:
        if len(" ".join(header).split()) > PROSE and header[-1].endswith("."):
            hint = "if it comes from benchkit, leave out --report or --explain there"
            raise BenchkitError(f"{content.name} is prose, not a table", hint)
        raise BenchkitError(f"{content.name} has a header but no rows", "the command that wrote it may have failed")
    return Document(content.name, {"": Raw(content.name, frame, place, delimited=True, decimal_comma=separator != ",")})


def _trimmed(content: Content) -> Content:
    """Return the content without blank lines at its end, which are common and would cost the quick way."""
    if content.data[-2:] == b"\n\n" or content.data[-4:] == b"\r\n\r\n":
        return replace(content, data=bytes(content.data[:]).rstrip(b"\r\n") + b"\n", path=None)
    return content


def _scan_regular(content: Content, separator: str, header: list[str]) -> pl.LazyFrame:
    schema = {f"column {index}": pl.String for index in range(len(header))}
    frame = pl.scan_csv(content.source, has_header=False, skip_rows=1, schema=schema, separator=separator, glob=False)
    return _named(frame, header)


def _named(frame: pl.LazyFrame, header: list[str]) -> pl.LazyFrame:
    """Give the columns their names; one without a name (an index that was written along) is left out."""
    return frame.select(pl.col(f"column {index}").alias(name) for index, name in enumerate(header) if name)


def _decoded(content: Content, limit: int | None = None) -> str:
    """Return the text, bytes that are not UTF-8 hidden in surrogates."""
    end = None if limit is None else content.start + limit
    return bytes(content.data[content.start : end]).decode(errors="surrogateescape")


def _records(content: Content, separator: str, limit: int | None = None) -> Iterator[records.Record]:
    text = _decoded(content, limit)
    announced = ANNOUNCED.match(text)
    return records.records(content.name, text[announced.end() :] if announced else text, separator, 2 if announced else 1)


def _body(content: Content, separator: str) -> Iterator[records.Record]:
    every = _records(content, separator)
    line, fields = next(every)
    header = records.header_names(content.name, line, fields)
    return records.checked(content.name, every, header, separator)


def _read_records(content: Content, separator: str, header: list[str]) -> tuple[pl.LazyFrame, Callable[[int], str]]:
    lines: list[int] = []
    rows: list[list[str]] = []
    for line, fields in _body(content, separator):
        lines.append(line)
        rows.append(fields)
    columns = {f"column {index}": [row[index] for row in rows] for index in range(len(header))}
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)).lazy()
    return _named(frame, header), lambda index: f"line {lines[index]}"


class _Lines:
    """Finds the line of a row by reading again: only a fault asks for it."""

    def __init__(self, content: Content, separator: str) -> None:
        self._content, self._separator = content, separator

    def __call__(self, index: int) -> str:
        return next(f"line {line}" for row, (line, _) in enumerate(_body(self._content, self._separator)) if row == index)
