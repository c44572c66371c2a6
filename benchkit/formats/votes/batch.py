"""Rows of one input on their way to blocks: their keys as text, and the votes in whichever form the input has."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchkit.errors import BenchkitError
from benchkit.formats import cells
from benchkit.formats.content import Raw, intact
from benchkit.tables.wording import shown

KEYS = ("dataset", "replicate", "ensemble", "item", "label")
ROW = "row of the input"
# rows of packed votes, and numbers in all, that are held at a time
MOST_ROWS = 1 << 16
MOST_VALUES = 1 << 23

Bytes = NDArray[np.uint8]


@dataclass(frozen=True)
class Batch:
    """Some rows: keys (those of KEYS that the input has, text, null where missing) and one of four forms of votes.

    rows: where each row stands in its input, from 0. packed, votes, taken, values: as in VoteBlock; a missing number is NaN,
    a missing count -1; taken may stand beside votes. absent: packed bits, 1 where a vote is missing; None where none is.
    """

    keys: pl.DataFrame
    rows: NDArray[np.int64]
    packed: Bytes | None = None
    votes: Bytes | None = None
    taken: NDArray[np.int64] | None = None
    values: NDArray[np.float64] | None = None
    absent: Bytes | None = None


@dataclass(frozen=True)
class Part:
    """One input as batches, which can be had again and again.

    ensemble: the name for rows without one in a column, or before it if `given`. voters: the voters' names, None for counts
    (then `size` of a batch's rows tells). kind: votes or values. uneven: some voters may be missing in some ensembles
    altogether, so that it must be looked which ones an ensemble has.
    """

    name: str
    place: Callable[[int], str]
    batches: Callable[[], Iterator[Batch]]
    voters: tuple[str, ...]
    kind: str = "votes"
    ensemble: str = "votes"
    given: bool = False
    uneven: bool = False


def frames(raw: Raw, columns: list[str], rows: int) -> Iterator[tuple[pl.DataFrame, NDArray[np.int64]]]:
    """Yield the columns of a table, at most `rows` rows at a time, with the numbers of the rows (column ROW if it is there)."""
    numbered = ROW in raw.columns
    wanted = [*columns, ROW] if numbered else list(columns)
    start = 0
    with intact(raw):
        batches = raw.frame.select(pl.col(wanted)).collect_batches(chunk_size=rows, maintain_order=True, lazy=True)
        for frame in batches:
            numbers = frame[ROW].to_numpy().astype(np.int64) if numbered else np.arange(start, start + frame.height)
            start += frame.height
            if frame.height:
                yield frame, numbers


def keys_of(frame: pl.DataFrame, delimited: bool) -> pl.DataFrame:
    """Return the key columns of the frame as text without outer blanks in delimited text, null for an empty cell."""
    columns = []
    for name in KEYS:
        if name in frame.columns:
            kind = frame.schema[name]
            if kind.is_nested() or kind == pl.Binary:
                raise BenchkitError(f"column {name}: its cells are lists or bytes, not single values", "unnest them first")
            text = cells.stripped(name) if delimited and kind == pl.String else cells.text(name, kind)
            columns.append(pl.when(text != "").then(text).alias(name))
    return frame.select(columns)


def no_vote(name: str, place: str, column: str, cell: object) -> BenchkitError:
    """Return the error for a cell that is no vote."""
    return BenchkitError(
        f"{name} {place}, column {column}: {shown(str(cell))} is not a vote",
        "votes are 0 or 1, true or false, or empty where missing; --voters PATTERN names the columns of the voters",
    )
