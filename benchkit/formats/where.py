"""--where: keeps the rows whose cells, as text, are (or are not) among the given values."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import polars as pl

from benchkit.errors import BenchkitError
from benchkit.formats import cells
from benchkit.formats.border import joined_names, split_names, unknown_column
from benchkit.formats.wording import listed, nearest, option_value
from benchkit.tables.naming import natural_sort
from benchkit.tables.wording import shown

FORM = "such as --where dataset=iris,wine or 'algorithm!=dummy'"


@dataclass(frozen=True)
class Condition:
    """A column, whether its cells must be among the values or must not, and the values; "" stands for missing.

    whole: the values as they were typed.
    """

    column: str
    keep: bool
    values: tuple[str, ...]
    whole: str

    def spelled(self, values: Iterable[str]) -> str:
        """Return the option that states the same of other values, as one would type it in a shell."""
        sign = "=" if self.keep else "!="
        return f"--where {option_value(f'{self.column}{sign}{joined_names(values)}')}"


def readings(text: str) -> list[Condition]:
    """Return the conditions that `text` may state, one for each sign in it."""
    cuts = [index for index, letter in enumerate(text) if letter == "="]
    options = []
    for cut in cuts:
        keep = text[cut - 1 : cut] != "!"
        whole = text[cut + 1 :].strip()
        options.append(Condition(text[: cut if keep else cut - 1].strip(), keep, tuple(split_names(whole) or [""]), whole))
    return options


def parse(text: str, columns: Sequence[str], file: str) -> Condition:
    """Return the condition that `text` states; BenchkitError for a column that is not there."""
    options = readings(text)
    if not options or not options[0].column:
        raise BenchkitError(f"--where {text} is not of the form column=value", FORM)
    found = next((option for option in options if option.column in columns), None)
    if found is None:
        raise unknown_column("--where", options[0].column, columns, file)
    return found


def without(algorithms: Iterable[str]) -> str:
    """Return the option that leaves out the rows of these algorithms."""
    return Condition("algorithm", False, (), "").spelled(algorithms)


def excluded(texts: Iterable[str], algorithms: Iterable[str]) -> list[str]:
    """Return those of the algorithms whose rows the conditions leave out."""
    conditions = [condition for text in texts for condition in readings(text)[:1] if condition.column == "algorithm"]
    return [name for name in algorithms if any((name in condition.values) != condition.keep for condition in conditions)]


def select(frame: pl.LazyFrame, texts: Iterable[str], file: str) -> pl.LazyFrame:
    """Return the rows for which every condition holds; BenchkitError for a value that never occurs.

    Cells are compared as text, number columns also by value (n_train=100 finds 100.0).
    """
    schema = frame.collect_schema()
    result = frame
    for text in texts:
        condition = parse(text, schema.names(), file)
        column = cells.text(condition.column, schema[condition.column]).fill_null("")
        present = frame.select(column.unique()).collect().to_series().to_list()
        wanted = [_occurring(value, present, condition, schema[condition.column]) for value in condition.values]
        hit = column.is_in(wanted)
        result = result.filter(hit if condition.keep else ~hit)
    return result


def _occurring(value: str, present: Sequence[str], condition: Condition, kind: pl.DataType) -> str:
    if value in present:
        return value
    if kind.is_float():
        same = [cell for cell in present if cell and _equal(cell, value)]
        if same:
            return same[0]
    # as they must be typed here: a name with a comma would be taken for several
    there = [joined_names([cell]) for cell in natural_sort(present) if cell]
    hint = nearest(value, there) or f"it has: {listed(there)}"
    if condition.whole in present:
        hint = f"a value that contains a comma stands in double quotes: {condition.spelled([condition.whole])}"
    raise BenchkitError(f"--where: {shown(value)} never occurs in the column {condition.column}", hint)


def _equal(cell: str, value: str) -> bool:
    try:
        return float(cell) == float(value)
    except ValueError:
        return False
