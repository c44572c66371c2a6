"""Which columns are voters, and what their cells say."""

import fnmatch
import re
from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchkit.errors import BenchkitError
from benchkit.formats import cells
from benchkit.formats.content import Raw, intact
from benchkit.formats.votes.batch import ROW, Bytes, no_vote
from benchkit.formats.votes.memory import boolean_rows
from benchkit.formats.wording import listed

NO_VOTERS = frozenset(
    "metric dataset replicate repeat fold ensemble algorithm item label prediction score seed votes voters packed".split()
)
OURS = re.compile(r"voter\d+")
SAMPLE = 100
PLAIN = frozenset((0, 1, "0", "1", None))


def named_voters(raw: Raw, pattern: str | None) -> list[str]:
    """Return the columns that --voters names, else those that are called as `benchkit run` calls voters; perhaps none."""
    if pattern is None:
        return [name for name in raw.columns if OURS.fullmatch(name)]
    found = matching(raw, pattern)
    if not found:
        message = f"--voters {pattern}: {raw.name} has no such column (it has: {listed(raw.columns)})"
        raise BenchkitError(message, "give a pattern such as tree_*, in quotes")
    return found


def matching(raw: Raw, pattern: str) -> list[str]:
    """Return the columns, keys and those of other forms of votes left out, that the pattern of --voters fits."""
    return [name for name in raw.columns if name not in NO_VOTERS and name != ROW and fnmatch.fnmatchcase(name, pattern)]


def likely_voters(raw: Raw, numbers: bool) -> list[str]:
    """Return the columns that are no keys and hold nothing but votes in the first rows; with `numbers`, any numbers.

    Without a column of votes, columns of numbers with fractions are taken: members that give probabilities.
    """
    schema = raw.schema
    columns = [name for name in schema if name not in NO_VOTERS and name != ROW]
    head = _head(raw, [name for name in columns if schema[name] != pl.Boolean])
    kinds = {name: "vote" if schema[name] == pl.Boolean else _kind(head[name], raw) for name in columns}
    wanted = ("vote", "whole", "fraction") if numbers else ("vote",)
    found = [name for name, kind in kinds.items() if kind in wanted]
    return found or [name for name, kind in kinds.items() if kind in ("whole", "fraction")] * ("fraction" in kinds.values())


def holds_values(raw: Raw, voters: Sequence[str]) -> bool:
    """Say whether the first rows hold a number with a fraction: what members say is then no vote."""
    schema = raw.schema
    unsure = [name for name in voters if schema[name].is_float() or schema[name] == pl.String]
    if not unsure:
        return False
    head = _head(raw, unsure)
    unsure = [column.name for column in head if not PLAIN.issuperset(column.to_list())]
    numbers = head.select(cells.number_or_null(name, schema[name], raw.decimal_comma).fill_nan(None) for name in unsure)
    return any((column != column.floor()).any() for column in numbers)


def _head(raw: Raw, columns: Sequence[str]) -> pl.DataFrame:
    with intact(raw):
        return raw.frame.select(pl.col(columns)).head(SAMPLE).collect()


def _kind(column: pl.Series, raw: Raw) -> str:
    """Return vote (0, 1, true, false), whole or fraction for numbers, "" for anything else or nothing at all."""
    kind = column.dtype
    if column.null_count() == len(column):
        return ""
    if (kind == pl.String or kind.is_numeric()) and PLAIN.issuperset(column.to_list()):
        return "vote"  # the usual case, many times as fast as what follows
    frame = column.to_frame()
    if kind == pl.String:
        if not frame.select(cells.no_truth(column.name).any()).item():
            return "vote" if frame.select(cells.truth(column.name).is_not_null().any()).item() else ""
        if frame.select(cells.no_number(column.name, raw.decimal_comma).any()).item():
            return ""
        column = frame.select(cells.number(column.name, raw.decimal_comma)).to_series()
    elif not kind.is_numeric():
        return ""
    column = column.drop_nulls().cast(pl.Float64).drop_nans()
    if not len(column):
        return ""
    if column.is_in([0.0, 1.0]).all():
        return "vote"
    return "whole" if (column == column.floor()).all() else "fraction"


def vote_rows(frame: pl.DataFrame, raw: Raw, rows: NDArray[np.int64]) -> tuple[Bytes, Bytes | None]:
    """Return the votes of the frame's columns as packed bits of its rows, and which are missing (None: none is).

    BenchkitError names the first cell that is neither a vote nor missing.
    """
    return boolean_rows(truths(frame, raw, rows))


def truths(frame: pl.DataFrame, raw: Raw, rows: NDArray[np.int64]) -> pl.DataFrame:
    """Return columns of votes as truth values, null where missing; BenchkitError as in `vote_rows`."""
    if set(frame.dtypes) == {pl.Boolean()}:
        return frame
    votes = frame.select(_vote(name, kind, raw) for name, kind in frame.schema.items())
    if votes.null_count().row(0) != _missing(frame).row(0):
        raise _first_fault(frame, votes, raw, rows)
    return votes


def _vote(name: str, kind: pl.DataType, raw: Raw) -> pl.Expr:
    """Return the column as truth values, null for whatever is no vote."""
    if kind == pl.Boolean:
        return pl.col(name)
    if kind == pl.String:
        number = cells.number(name, raw.decimal_comma)
        return pl.coalesce(_truth(number), cells.truth(name)).alias(name)
    if kind.is_numeric():
        return _truth(pl.col(name)).alias(name)
    return pl.lit(None).cast(pl.Boolean).alias(name)


def _truth(number: pl.Expr) -> pl.Expr:
    return pl.when(number == 1).then(True).when(number == 0).then(False)


def _missing(frame: pl.DataFrame) -> pl.DataFrame:
    """Return one row: how many cells of each column are missing."""
    return frame.select(absent(name, kind).sum() for name, kind in frame.schema.items())


def absent(name: str, kind: pl.DataType) -> pl.Expr:
    """Say for each cell of the column whether it is missing."""
    if kind == pl.String:
        return cells.stripped(name).str.to_lowercase().is_in(cells.MISSING).fill_null(True).alias(name)
    return (pl.col(name).is_null() | pl.col(name).is_nan() if kind.is_float() else pl.col(name).is_null()).alias(name)


def _first_fault(frame: pl.DataFrame, votes: pl.DataFrame, raw: Raw, rows: NDArray[np.int64]) -> BenchkitError:
    """Return the error for the first row with a cell that is neither a vote nor missing."""
    gaps = frame.select(absent(name, kind) for name, kind in frame.schema.items())
    faults = ((name, (votes[name].is_null() & ~gaps[name]).arg_true()) for name in frame.columns)
    row, name = min((int(found[0]), name) for name, found in faults if len(found))
    return no_vote(raw.name, raw.place(int(rows[row])), name, str(frame[name][row]).strip())


def value_rows(frame: pl.DataFrame, raw: Raw, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the numbers of the frame's columns, NaN where missing; BenchkitError names the first cell that is none."""
    numbers = frame.select(cells.number_or_null(name, kind, raw.decimal_comma) for name, kind in frame.schema.items())
    for name, kind in frame.schema.items():
        faults = frame.select(numbers[name].is_null() & ~absent(name, kind)).to_series().arg_true()
        if len(faults):
            place = f"{raw.name} {raw.place(int(rows[faults[0]]))}, column {name}"
            cell = str(frame[name][int(faults[0])])
            raise BenchkitError(f"{place}: {cells.not_a_number(cell)}", cells.number_hint(cell))
    return numbers.to_numpy().astype(np.float64, copy=False)
