"""Wide delimited text whose votes are single digits at the end of each line: read as bytes, many times faster than cells.

A line is its keys, then "0,1,1" of fixed width. Every pair of bytes is checked; lines of another form go through the
reader of any delimited text, a block at a time, so that the answer is the same.
"""

import mmap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from benchkit.errors import BenchkitError
from benchkit.formats.content import Content, Raw
from benchkit.formats.delimited import scan
from benchkit.formats.reading import INDEX
from benchkit.formats.votes.batch import MOST_ROWS, Batch, Bytes, keys_of
from benchkit.formats.votes.voters import vote_rows

# with fewer voters, lines are too short for this to pay
FEWEST = 64
BLOCK = 1 << 25
# pairs of bytes that are checked at a time, while they are in the cache
CHECKED = 1 << 18
ZERO = ord("0")


@dataclass(frozen=True)
class Digits:
    """A text of votes in digits: its separator, the names of its first columns ("" for none), and of its voters."""

    content: Content
    separator: str
    header: bytes
    keys: tuple[str, ...]
    voters: tuple[str, ...]
    rename: Callable[[Raw], Raw]

    @property
    def width(self) -> int:
        """The bytes of a line that hold votes, with the line feed."""
        return 2 * len(self.voters)


def digits(content: Content, separator: str, head: Raw, voters: Sequence[str], rename: Callable[[Raw], Raw]) -> Digits | None:
    """Return the text for reading as digits if its lines may be so; None if they cannot.

    head: the beginning of the text as a table, columns renamed; rename: renames the columns of such a table.
    """
    data = content.data
    end = data.find(b"\n", content.start)
    if len(voters) < FEWEST or data.find(b'"') >= 0 or data.find(b"\r") >= 0 or end < 0:
        return None
    header = data[content.start : end + 1]
    names = header.decode(errors="replace").rstrip("\n").split(separator)
    first = len(names) - len(voters)
    columns = head.columns
    named = [name for name in names if not INDEX.fullmatch(name.strip())]
    if first < 0 or len(named) != len(columns) or columns[len(columns) - len(voters) :] != list(voters):
        return None
    renamed = iter(columns)
    keys = tuple("" if INDEX.fullmatch(name.strip()) else next(renamed) for name in names[:first])
    return Digits(content, separator, header, keys, tuple(voters), rename)


def digit_batches(text: Digits) -> Iterator[Batch]:
    """Yield the rows, as `vote_batches` would."""
    data, line = text.content.data, 0
    array = np.frombuffer(data, np.uint8)
    position, end = text.content.start + len(text.header), len(data)
    while position < end:
        starts, stop = _lines(data, position, text.width)
        batch = _read(text, array, starts, stop, line) or _slowly(text, position, stop, line)
        if len(batch.rows):
            yield batch
        line += len(starts) if batch.absent is None else data[position:stop].count(b"\n")
        position = stop


def _lines(data: bytes | mmap.mmap, position: int, width: int) -> tuple[list[int], int]:
    """Return where the lines of the next block begin if each has its votes, and where the block ends."""
    starts: list[int] = []
    most = position + BLOCK
    while position < len(data) and position < most and len(starts) < MOST_ROWS:
        starts.append(position)
        found = data.find(b"\n", position + width - 1)
        position = len(data) if found < 0 else found + 1
    return starts, position


def _read(text: Digits, array: Bytes, starts: Sequence[int], stop: int, line: int) -> Batch | None:
    """Return the lines as votes; None if one is of another form."""
    width, edges = text.width, np.array([*starts, stop])
    if array[stop - 1] != ord("\n"):
        return None  # the last line lacks its end
    lengths = np.diff(edges)
    if (lengths == lengths[0]).all():
        tails = array[starts[0] : stop].reshape(len(starts), -1)[:, lengths[0] - width :]
    else:
        tails = np.empty((len(starts), width), np.uint8)
        for row, high in enumerate(edges[1:].tolist()):
            tails[row] = array[high - width : high]
    packed = np.empty((len(starts), -(-width // 16)), np.uint8)
    step = max(1, CHECKED // width)
    for low in range(0, len(starts), step):
        pairs = np.ascontiguousarray(tails[low : low + step])
        if not (pairs[:, -1] == ord("\n")).all():
            return None
        pairs[:, -1] = ord(text.separator)
        votes = pairs.view("<u2") ^ np.uint16(ord(text.separator) << 8 | ZERO)
        if votes.max() > 1:
            return None
        packed[low : low + step] = np.packbits(votes.astype(np.uint8), axis=1)
    data, separator = text.content.data, text.separator.encode()
    prefixes = [data[start : high - width] for start, high in zip(starts, edges[1:].tolist(), strict=True)]
    if any(prefix.count(separator) != len(text.keys) for prefix in prefixes):
        return None
    rows = np.arange(line, line + len(starts))
    keys = _keys(text, prefixes)
    return None if keys is None else Batch(keys, rows, packed=packed)


def _keys(text: Digits, prefixes: Sequence[bytes]) -> pl.DataFrame | None:
    if not text.keys:
        return pl.DataFrame(height=len(prefixes))
    schema = {f"column {index}": pl.String for index in range(len(text.keys))}
    body = b"\n".join(prefix[:-1] for prefix in prefixes)
    try:
        frame = pl.read_csv(body, has_header=False, schema=schema, separator=text.separator, quote_char=None)
    except pl.exceptions.PolarsError:
        return None
    if frame.height != len(prefixes):
        return None
    return keys_of(frame.select(pl.col(f"column {index}").alias(name) for index, name in enumerate(text.keys) if name), True)


def _slowly(text: Digits, start: int, stop: int, line: int) -> Batch:
    """Return the same of lines of any form, errors with their place in the whole text."""
    content = text.content
    part = Content(content.name, text.header + content.data[start:stop])
    if not part.data[len(text.header) :].strip():
        return Batch(pl.DataFrame(), np.arange(0), packed=np.empty((0, 1), np.uint8))
    try:
        raw = scan(part, text.separator).tables[""]
    except BenchkitError:
        scan(content, text.separator)  # the same fault with its line in the whole text
        raise
    place = raw.place
    raw = text.rename(replace(raw, place=lambda index: f"line {int(place(index).removeprefix('line ')) + line}"))
    frame = raw.frame.collect()
    rows = np.arange(frame.height)
    packed, absent = vote_rows(frame.select(pl.col(text.voters)), raw, rows)
    return Batch(keys_of(frame, True), rows + line, packed=packed, absent=np.zeros_like(packed) if absent is None else absent)
