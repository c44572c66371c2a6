"""Long tables: one row for each item and voter. They are put together in memory, as packed bits or numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchkit.errors import BenchkitError
from benchkit.formats import cells
from benchkit.formats.content import Raw, row_place
from benchkit.formats.votes.batch import KEYS, MOST_ROWS, MOST_VALUES, Batch, Part, frames, keys_of
from benchkit.formats.votes.seen import Seen
from benchkit.formats.votes.voters import truths, value_rows
from benchkit.tables.naming import natural_sort
from benchkit.tables.wording import shown


@dataclass(frozen=True)
class Long:
    """A long table, and its ensemble for rows without one in a column, or before it if `given`."""

    raw: Raw
    ensemble: str
    given: bool


def long_parts(tables: Sequence[Long], kind: str) -> list[Part]:
    """Return each ensemble as a part, whatever tables its rows lie in; voters in natural order.

    A voter without a row for an item has a missing vote. BenchkitError for a row twice, or an item with several labels.
    """
    every = pl.concat([frame for table in tables for frame in _rows(table, kind)], how="diagonal")
    name = tables[0].raw.name
    return [_part(name, key[0], rows, kind) for key, rows in every.group_by(["ensemble"], maintain_order=True)]


def _rows(table: Long, kind: str) -> Iterator[pl.DataFrame]:
    """Yield the keys, voter and vote of the rows, those without a vote left out."""
    raw = table.raw
    present = [name for name in KEYS if name in raw.columns]
    for frame, numbers in frames(raw, [*present, "voter", "vote"], MOST_ROWS):
        voters = cells.text("voter", frame.schema["voter"]).str.strip_chars()
        keys = keys_of(frame, raw.delimited).with_columns(frame.select(voters).to_series())
        for name in ("item", "voter", *(["ensemble"] if "ensemble" in present else [])):
            empty = keys[name].fill_null("") == ""
            if empty.any():
                place = raw.place(int(numbers[int(empty.arg_max() or 0)]))
                raise BenchkitError(f"{raw.name} {place}, column {name}: it is empty", "every row names its item and its voter")
        own = pl.col("ensemble") if "ensemble" in present else pl.lit(table.ensemble)
        prefix = pl.lit(f"{table.ensemble}/") if table.given and "ensemble" in present else pl.lit("")
        votes = frame.select("vote")
        if kind == "values":
            column = pl.Series("vote", value_rows(votes, raw, numbers)[:, 0]).fill_nan(None)
        else:
            column = truths(votes, raw, numbers)["vote"].cast(pl.Float64)
        yield keys.with_columns((prefix + own).alias("ensemble"), column)


def _part(name: str, ensemble: str, rows: pl.DataFrame, kind: str) -> Part:
    Seen().group(rows, name)
    twice = rows.filter(pl.struct("item", "voter").is_duplicated())
    if twice.height:
        item, voter = twice.select("item", "voter").row(0)
        message = f"{name} has several votes of the voter {shown(voter)} on the item {shown(item)} (ensemble {ensemble})"
        raise BenchkitError(message, "give one row for each item and voter; --where chooses, and a column 'ensemble' tells apart")
    named = [column for column in KEYS if column in rows.columns and column not in ("ensemble", "item")]
    keys = rows.group_by("item", maintain_order=True).agg(pl.col(column).drop_nulls().unique() for column in named)
    for column in named:
        several = keys.filter(pl.col(column).list.len() > 1)
        if several.height:
            item = str(several["item"][0])
            message = (
                f"{name}: the item {shown(item)} has several labels ({', '.join(natural_sort(several[column][0].to_list()))})"
            )
            raise BenchkitError(message, "every item has one true label")
    keys = keys.with_columns(pl.col(column).list.first() for column in named)
    voters = tuple(natural_sort(rows["voter"].unique().to_list()))
    places = pl.DataFrame({"voter": voters}).with_row_index("column")
    numbered = rows.select("item", "voter", "vote").join(keys.select("item").with_row_index("line"), on="item", how="left")
    numbered = numbered.join(places, on="voter", how="left").drop_nulls("vote")
    line, column_of = numbered["line"].to_numpy().astype(np.int64), numbered["column"].to_numpy().astype(np.int64)
    order = np.argsort(line, kind="stable")
    votes = numbered["vote"].to_numpy()[order]
    lines, columns = line[order], column_of[order]
    made = partial(_batches, keys, lines, columns, votes, len(voters), kind)
    return Part(name, row_place, made, voters, kind, ensemble)


def _batches(
    keys: pl.DataFrame,
    line: NDArray[np.int64],
    column: NDArray[np.int64],
    votes: NDArray[np.float64],
    width: int,
    kind: str,
) -> Iterator[Batch]:
    """Yield the items, at most about 64 MB of numbers at a time."""
    step = max(1, min(MOST_ROWS, MOST_VALUES // width))
    for start in range(0, keys.height, step):
        some = keys.slice(start, step)
        low, high = np.searchsorted(line, (start, start + step)).tolist()
        table = np.full((some.height, width), np.nan)
        table[line[low:high] - start, column[low:high]] = votes[low:high]
        rows = np.arange(start, start + some.height)
        if kind == "values":
            yield Batch(some, rows, values=table)
        else:
            gaps = np.isnan(table)
            absent = np.packbits(gaps, axis=1) if gaps.any() else None
            yield Batch(some, rows, packed=np.packbits(table == 1, axis=1), absent=absent)
