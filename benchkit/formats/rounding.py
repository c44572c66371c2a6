"""The digits of a numeric column: one number of decimals wherever the values allow it."""

from collections.abc import Sequence

import polars as pl

from benchkit.formats import numbers
from benchkit.formats.numbers import Number
from benchkit.tables.columns import COLUMNS, Column

# an interval and the number in its middle have the same decimals: those of its standard error, else of the middle,
# else, where the middle is a whole number, of the ends
_MIDDLES = ("estimate", "mean")
_INTERVAL = ("ci_low", "ci_high")
_INTERVALS = (*_INTERVAL, "new_data_low", "new_data_high")
# may be close to zero by chance, which is no reason for more decimals
_DIFFERENCES = frozenset(("estimate", "effect", "statistic"))


def number_cells(frame: pl.DataFrame, name: str, digits: int | None) -> list[str]:
    """Return a numeric column of `frame` as texts; `digits` significant digits or the usual number of them."""
    column = COLUMNS.get(name, Column(name, "number", ""))
    values = frame[name].to_list()
    if frame[name].dtype.is_integer():
        return ["" if value is None else str(value) for value in values]
    if column.style == "p_value":
        return [numbers.p_value(value, digits) for value in values]
    if column.style == "share":
        return [numbers.percent(value) for value in values]
    if column.unit in ("replicates", "rows"):
        decimals = numbers.needed_decimals(values)
        return [numbers.fixed(value, decimals) for value in values]
    short = column.unit == "places" or column.name == "effect"
    wanted = numbers.digits_of(digits, numbers.SHORT_DIGITS if short else numbers.DIGITS)
    places = (_decimals_by_error if digits is None else _decimals_by_row)(frame, column, wanted)
    places = _e_notation_of_zeros(frame, column, places)
    return [numbers.number(value, decimals, wanted) for value, decimals in zip(values, places, strict=True)]


def _decimals_by_error(frame: pl.DataFrame, column: Column, digits: int) -> list[int | None]:
    """Return the decimals of each cell of an estimate or of an end of its interval, from the standard errors.

    Each data set of a metric has the decimals of its smallest standard error; where these differ by one at most, all have
    the larger number. A metric or a data set without a standard error that tells has those that its values need.
    """
    places = _decimals_by_row(frame, column, digits)
    if "std_error" not in frame.columns or column.name not in (*_MIDDLES, *_INTERVALS):
        return places
    basis = _basis(frame, column.name)
    errors = frame["std_error"].to_list()
    for rows in _groups(frame, "metric", range(frame.height)):
        parts = _groups(frame, "dataset", rows)
        found = [numbers.decimals_for_errors([errors[row] for row in part], _of(basis, part)) for part in parts]
        told = [decimals for decimals in found if decimals is not None]
        alike = max(told) if told and max(told) - min(told) <= 1 else None
        for part, decimals in zip(parts, found, strict=True):
            for row in part if decimals is not None else ():
                places[row] = decimals if alike is None else alike
    return places


def _e_notation_of_zeros(frame: pl.DataFrame, column: Column, places: list[int | None]) -> list[int | None]:
    """Take the decimals from rows whose estimate and interval would all read as 0 though they are not."""
    if column.name not in (*_MIDDLES, *_INTERVALS):
        return places
    basis = _basis(frame, column.name)
    return [None if _reads_as_zero(_of(basis, [row]), decimals) else decimals for row, decimals in enumerate(places)]


def _reads_as_zero(values: Sequence[Number], decimals: int | None) -> bool:
    known = numbers.known(values)
    return decimals is not None and any(known) and not any(float(numbers.fixed(value, decimals)) for value in known)


def _decimals_by_row(frame: pl.DataFrame, column: Column, digits: int) -> list[int | None]:
    """Return the decimals of each cell: one number for a metric or, where its data sets differ too much, a data set."""
    everything = range(frame.height)
    basis = _basis(frame, column.name)
    differences = _middle(frame, column.name) in _DIFFERENCES
    if column.style != "metric":
        return [_decimals(basis, everything, digits, differences)] * frame.height
    places: list[int | None] = [None] * frame.height
    for rows in _groups(frame, "metric", everything):
        fits = _decimals(basis, rows, digits, differences) is not None
        for part in [rows] if fits else _groups(frame, "dataset", rows):
            decimals = _decimals(basis, part, digits, differences)
            for row in part:
                places[row] = decimals
    return places


def _basis(frame: pl.DataFrame, name: str) -> list[list[Number]]:
    """Return the columns that decide about decimals: first the number in the middle, then the ends of its intervals.

    They are the same for the middle and for each end, so that all have the same decimals.
    """
    if name not in (*_MIDDLES, *_INTERVALS):
        return [frame[name].to_list()]
    names = dict.fromkeys((_middle(frame, name), *_INTERVAL))
    return [frame[column].to_list() for column in names if column in frame.columns]


def _middle(frame: pl.DataFrame, name: str) -> str:
    """Return the column in the middle of the interval that `name` belongs to; `name` itself where there is none."""
    if name not in _INTERVALS:
        return name
    return next((middle for middle in _MIDDLES if middle in frame.columns), name)


def _of(basis: list[list[Number]], rows: Sequence[int]) -> list[Number]:
    """Return the numbers of all columns of the basis in these rows."""
    return [values[row] for values in basis for row in rows]


def _decimals(basis: list[list[Number]], rows: Sequence[int], digits: int, differences: bool) -> int | None:
    """Return the decimals of the middle; if that holds whole numbers only, those that its interval needs."""
    middle = [basis[0][row] for row in rows]
    if len(basis) == 1 or not numbers.are_whole(middle):
        return numbers.decimals_for(middle, digits, differences)
    return numbers.decimals_for(_of(basis, rows), digits, differences=True)


def _groups(frame: pl.DataFrame, name: str, rows: Sequence[int]) -> list[Sequence[int]]:
    """Return the rows parted by their value in the column `name`."""
    if name not in frame.columns:
        return [rows]
    values = frame[name].to_list()
    groups: dict[object, list[int]] = {}
    for row in rows:
        groups.setdefault(values[row], []).append(row)
    return list(groups.values())
