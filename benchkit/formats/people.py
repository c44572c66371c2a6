"""What a person sees of a table: which columns, under which headings, with how many digits."""

from dataclasses import dataclass, replace
from typing import Literal

import polars as pl

from benchkit.formats.numbers import percent
from benchkit.formats.rounding import number_cells
from benchkit.formats.style import Style
from benchkit.tables.columns import COLUMNS, Column

Kind = Literal["text", "order", "letters", "number", "interval"]

# left out where all rows share one value, which the headline says
_SAID_BEFORE = frozenset(("metric", "dataset", "method", "n"))


@dataclass(frozen=True)
class Shown:
    """One column for people. An interval shows two columns: `cells` are its lower ends, `ends` its upper ends.

    Texts are as they came: whoever lays them out escapes them. An empty cell is a missing value.
    """

    names: tuple[str, ...]
    heading: str
    kind: Kind
    importance: int
    cells: list[str]
    ends: list[str]

    def texts(self) -> list[str]:
        """Return one text for each row: an interval as [low, high]."""
        if self.kind != "interval":
            return self.cells
        return [f"[{low}, {high}]" if low or high else "" for low, high in zip(self.cells, self.ends, strict=True)]


def shown_columns(table: str, frame: pl.DataFrame, style: Style) -> list[Shown]:
    """Return the columns of `frame`, the table named `table`, that people see, in the table's order.

    They are those with an importance in the glossary and a method's own (importance 7), without columns that are null
    throughout, without df where these are infinite (a normal or a chi-square statistic has none to show) and without metric,
    dataset, method and n where these hold one value.
    """
    names = [name for name in frame.columns if _column(frame, name).importance]
    wanted = [name for name in names if not _is_left_out(frame, _column(frame, name))]
    return [_shown(table, frame, _column(frame, name), style) for name in wanted or names]


def _shown(table: str, frame: pl.DataFrame, column: Column, style: Style) -> Shown:
    if column.until in frame.columns:
        heading = _interval_heading(table, frame, column)
        low, high = (number_cells(frame, name, style.digits) for name in (column.name, column.until))
        return Shown((column.name, column.until), heading, "interval", column.importance, low, high)
    kind, cells = _cells(frame, column, style)
    return Shown((column.name,), column.heading, kind, column.importance, cells, [])


def _column(frame: pl.DataFrame, name: str) -> Column:
    """Return the glossary's column as this table needs it, or one of importance 7 for a name that it does not have.

    A method or a level that varies tells rows apart; a p-value that is not shown adjusted is wanted as it is.
    """
    column = COLUMNS.get(name, Column(name, "text", "a method's own column", importance=7))
    if name in ("method", "ci_level") and frame[name].drop_nulls().n_unique() > 1:
        return replace(column, importance=1)
    if name == "p_value" and "p_adjusted" not in frame.columns:
        return replace(column, importance=2)
    return column


def _is_left_out(frame: pl.DataFrame, column: Column) -> bool:
    if not frame.height:
        return False
    names = (column.name, column.until) if column.until in frame.columns else (column.name,)
    if all(not _has_value(frame[name]) for name in names):
        return True
    if column.name == "df" and not _is_finite_somewhere(frame["df"]):
        return True
    return column.name in _SAID_BEFORE and frame[column.name].n_unique() == 1


def _has_value(series: pl.Series) -> bool:
    return bool((series.is_not_nan() if series.dtype.is_float() else series.is_not_null()).any())


def _is_finite_somewhere(series: pl.Series) -> bool:
    return bool(series.cast(pl.Float64).is_finite().any())


def _interval_heading(table: str, frame: pl.DataFrame, column: Column) -> str:
    level = _level(frame)
    heading = column.label if level is None else f"{percent(level)} {column.label}"
    return f"{heading} of the mean" if table == "algorithms" and column.name == "ci_low" else heading


def _level(frame: pl.DataFrame) -> float | None:
    """Return the one confidence level of the table, or None."""
    levels = set(frame["ci_level"].drop_nulls().to_list()) if "ci_level" in frame.columns else set()
    return float(levels.pop()) if len(levels) == 1 else None


def _cells(frame: pl.DataFrame, column: Column, style: Style) -> tuple[Kind, list[str]]:
    """Return how a column of one value per cell is laid out, and its texts."""
    series = frame[column.name]
    if series.dtype.is_numeric():
        return "number", number_cells(frame, column.name, style.digits)
    if series.dtype == pl.Boolean:
        return "text", [_truth(value) for value in series.to_list()]
    texts = ["" if value is None else str(value) for value in series.to_list()]
    return ("order" if column.name == "order" else "letters" if column.name == "letters" else "text"), texts


def _truth(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"
