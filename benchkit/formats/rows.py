"""Rows of JSON objects as a table: one type for each column, text where the cells differ."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from benchkit.errors import BenchkitError
from benchkit.tables.wording import shown

LARGEST = 2**63 - 1


def unique_names(name: str) -> Callable[[list[tuple[str, Any]]], dict[str, Any]]:
    """Return a hook for json.loads that refuses an object with the same name twice."""

    def build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        row = dict(pairs)
        if len(row) != len(pairs):
            names = [key for key, _ in pairs]
            twice = next(key for key in names if names.count(key) > 1)
            raise BenchkitError(f"{name} has the column {shown(twice)} twice in one row", "give every column its own name")
        return row

    return build


def from_rows(name: str, rows: Sequence[Any], place: Callable[[int], str], hint: str) -> pl.DataFrame:
    """Return the table of `rows`: the union of their columns in order of appearance, null where a row has none."""
    for index, row in enumerate(rows):
        if not isinstance(row, dict):
            raise BenchkitError(f"{name} {place(index)} is not a JSON object", hint)
    names = dict.fromkeys(key for row in rows for key in row)
    try:
        return pl.DataFrame([_column(key, [row.get(key) for row in rows]) for key in names])
    except UnicodeEncodeError as problem:
        raise BenchkitError(f"{name} holds half a character: {shown(problem.object)}", "write the text as UTF-8") from problem


def _column(name: str, values: list[Any]) -> pl.Series:
    types = {type(value) for value in values} - {type(None)}
    if types == {bool}:
        return pl.Series(name, values, pl.Boolean)
    if types == {int} and all(value is None or abs(value) <= LARGEST for value in values):
        return pl.Series(name, values, pl.Int64)
    if types == {int}:  # beyond 64 bits: digits, since a rounded key would be another key
        return pl.Series(name, [_text(value) for value in values], pl.String)
    if types and types <= {int, float}:
        return pl.Series(name, [None if value is None else _float(value) for value in values], pl.Float64)
    return pl.Series(name, [_text(value) for value in values], pl.String)


def _float(value: float) -> float:
    """Return the number, infinite where it is too large for a float."""
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    # json writes truth values in lower case and whole numbers as their digits
    return json.dumps(value, ensure_ascii=False)
