"""Tables with a row for each item: a column for each voter, a column of packed bits, or the number of votes."""

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchkit.errors import BenchkitError
from benchkit.formats.content import Raw
from benchkit.formats.votes.batch import KEYS, MOST_ROWS, MOST_VALUES, Batch, Bytes, frames, keys_of
from benchkit.formats.votes.memory import binary_rows
from benchkit.formats.votes.voters import value_rows, vote_rows

# a number of votes has as many rows of tables as there are voters
MOST_VOTERS = 1_000_000


def present_keys(raw: Raw) -> list[str]:
    """Return the key columns that the table has."""
    columns = raw.columns
    return [name for name in KEYS if name in columns]


def vote_batches(raw: Raw, voters: Sequence[str]) -> Iterator[Batch]:
    """Yield the rows of a table with a column of votes for each voter."""
    schema = raw.schema
    plain = {schema[name] for name in voters} == {pl.Boolean()}
    rows = MOST_ROWS if plain else _rows(len(voters))
    for frame, numbers in frames(raw, [*present_keys(raw), *voters], rows):
        packed, absent = vote_rows(frame.select(pl.col(voters)), raw, numbers)
        yield Batch(keys_of(frame, raw.delimited), numbers, packed=packed, absent=absent)


def value_batches(raw: Raw, voters: Sequence[str]) -> Iterator[Batch]:
    """Yield the rows of a table with a column of numbers for each voter."""
    for frame, numbers in frames(raw, [*present_keys(raw), *voters], _rows(len(voters))):
        yield Batch(keys_of(frame, raw.delimited), numbers, values=value_rows(frame.select(pl.col(voters)), raw, numbers))


def _rows(width: int) -> int:
    return max(1, min(MOST_ROWS, MOST_VALUES // width))


def packed_width(raw: Raw, column: str) -> tuple[int, int]:
    """Return the number of voters and of bytes of a column of packed bits; voters from that column, else 8 x bytes."""
    names = [column, *(["voters"] if "voters" in raw.columns else [])]
    head = raw.frame.select(names).head(1).collect()  # without reading on, unless the first cell is empty
    if head[column].null_count():
        head = raw.frame.select(names).drop_nulls(column).head(1).collect()
    if not head.height:
        raise BenchkitError(f"{raw.name}, column {column}: every cell is empty", "a cell holds the packed votes on one item")
    width = len(head[column][0])
    voters = int(head["voters"][0]) if "voters" in names else 8 * width
    if width == 0 or -(-voters // 8) != width:
        message = f"{raw.name}, column {column}: {voters} voters need {-(-voters // 8)} bytes, but a cell has {width}"
        raise BenchkitError(message, "pack the votes on each item with numpy.packbits")
    return voters, width


def packed_batches(raw: Raw, column: str, voters: int, width: int) -> Iterator[Batch]:
    """Yield the rows of a table with a column of packed bits."""
    further = ["voters"] if "voters" in raw.columns else []
    for frame, numbers in frames(raw, [*present_keys(raw), column, *further], MOST_ROWS):
        if further:
            _refuse_other(raw, frame["voters"], voters, numbers)
        cells, absent = frame[column], None
        if cells.null_count():
            null = cells.is_null().to_numpy()
            absent = np.where(null[:, None], _full(voters, width), np.uint8(0))
            cells = cells.fill_null(bytes(width))
        lengths = cells.bin.size()
        if lengths.min() != width or lengths.max() != width:
            row = int((lengths != width).arg_max() or 0)
            place = f"{raw.name} {raw.place(int(numbers[row]))}, column {column}"
            raise BenchkitError(
                f"{place}: it has {lengths[row]} bytes, others have {width}", "pack the same voters for every item"
            )
        packed = binary_rows(cells, width)
        _refuse_padding(raw, packed, column, voters, numbers)
        yield Batch(keys_of(frame, raw.delimited), numbers, packed=packed, absent=absent)


def _full(voters: int, width: int) -> Bytes:
    return np.packbits(np.arange(8 * width) < voters)


def _refuse_other(raw: Raw, column: pl.Series, voters: int, numbers: NDArray[np.int64]) -> None:
    others = (column.cast(pl.Float64, strict=False) != voters).fill_null(True)
    if others.any():
        row = int(others.arg_max() or 0)
        cell = column[row]
        cell = f"{cell:g}" if isinstance(cell, float) else cell
        message = f"{raw.name} {raw.place(int(numbers[row]))}, column voters: {cell}, but others have {voters}"
        raise BenchkitError(
            message, "give ensembles of different sizes in files of their own, and every item the votes of all voters"
        )


def _refuse_padding(raw: Raw, packed: Bytes, column: str, voters: int, numbers: NDArray[np.int64]) -> None:
    spare = -voters % 8
    if spare and (packed[:, -1] & ((1 << spare) - 1)).any():
        row = int(np.flatnonzero(packed[:, -1] & ((1 << spare) - 1))[0])
        place = f"{raw.name} {raw.place(int(numbers[row]))}, column {column}"
        raise BenchkitError(
            f"{place}: a bit beyond the last of {voters} voters is set", "the first voter is the first byte's highest bit"
        )


def count_size(raw: Raw) -> int:
    """Return the number of voters of a table of counts."""
    head = raw.frame.select(pl.col("voters").cast(pl.Float64, strict=False)).drop_nulls().head(1).collect()
    if not head.height or head.item() < 1 or head.item() != int(head.item()):
        raise BenchkitError(
            f"{raw.name}, column voters: it does not say how many voters there are", "give a whole number from 1 on"
        )
    if head.item() > MOST_VOTERS:
        message = (
            f"{raw.name}, column voters: {head.item():.15g} voters are more than {MOST_VOTERS}, up to which they are counted"
        )
        raise BenchkitError(
            message, "is it the number of voters of one item? columns item, algorithm, label and score hold scores"
        )
    return int(head.item())


def count_batches(raw: Raw, voters: int) -> Iterator[Batch]:
    """Yield the rows of a table with the number of votes for the positive class, and of voters."""
    for frame, numbers in frames(raw, [*present_keys(raw), "votes", "voters"], MOST_ROWS):
        counts = value_rows(frame.select("votes", "voters"), raw, numbers)
        taken, size = counts[:, 0], counts[:, 1]
        _refuse_other(raw, pl.Series(np.where(np.isnan(taken), voters, size)), voters, numbers)
        wrong = (taken < 0) | (taken > voters) | (np.floor(taken) != taken) & ~np.isnan(taken)
        if wrong.any():
            row = int(wrong.argmax())
            place = f"{raw.name} {raw.place(int(numbers[row]))}, column votes"
            raise BenchkitError(
                f"{place}: {taken[row]:g} of {voters} voters cannot be", "votes are counted for the positive class"
            )
        whole = np.where(np.isnan(taken), -1, taken).astype(np.int64)
        yield Batch(keys_of(frame, raw.delimited), numbers, taken=whole)
