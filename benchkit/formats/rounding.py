"""The digits of a numeric column: one number of decimals wherever the values allow it."""

from collections.abc import Sequence

import polars as pl

from benchkit.formats import numbers
from benchkit.formats.numbers import Number
from benchkit.tables.columns import COLUMNS, Column

# an interval takes the decimals of the number in its middle, and the other way round where that is a whole number
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
    places = _decimals_by_row(frame, column, wanted)
    return [numbers.number(value, decimals, wanted) for value, decimals in zip(values, places, strict=True)]


def _decimals_by_row(frame: pl.DataFrame, column: Column, digits: int) -> list[int | None]:
    """Return the decimals of each cell: one number for a metric or, where its data sets differ too much, a data set."""
    everything = range(frame.height)
    basis = _basis(frame, column.name)
    differences = column.name in _DIFFERENCES
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
    """Return the columns that decide about decimals: first the number in the middle, then the ends of its interval."""
    if name not in (*_MIDDLES, *_INTERVALS):
        return [frame[name].to_list()]
    middle = next((candidate for candidate in _MIDDLES if candidate in frame.columns), name)
    return [frame[column].to_list() for column in dict.fromkeys((middle, *_INTERVAL, name)) if column in frame.columns]


def _decimals(basis: list[list[Number]], rows: Sequence[int], digits: int, differences: bool) -> int | None:
    """Return the decimals of the middle; if that holds whole numbers only, those that its interval needs."""
    middle = [basis[0][row] for row in rows]
    if len(basis) == 1 or not numbers.are_whole(middle):
        return numbers.decimals_for(middle, digits, differences)
    return numbers.decimals_for([values[row] for values in basis for row in rows], digits, differences=True)


def _groups(frame: pl.DataFrame, name: str, rows: Sequence[int]) -> list[Sequence[int]]:
    """Return the rows parted by their value in the column `name`."""
    if name not in frame.columns:
        return [rows]
    values = frame[name].to_list()
    groups: dict[object, list[int]] = {}
    for row in rows:
        groups.setdefault(values[row], []).append(row)
    return list(groups.values())
