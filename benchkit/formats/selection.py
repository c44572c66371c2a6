"""One table of a result by its name, the notes and the provenance among them."""

import json
from collections.abc import Mapping

import polars as pl

from benchkit.errors import BenchkitError
from benchkit.tables import shapes
from benchkit.tables.result import Result, note_table

ALWAYS = ("notes", "provenance")


def table_names(result: Result) -> list[str]:
    """Return the names that `select_table` knows, the primary table first."""
    return list(dict.fromkeys((*result.tables, *ALWAYS)))


def select_table(result: Result, name: str) -> pl.DataFrame:
    """Return the table `name` of the result, `notes` or `provenance`; raise BenchkitError if there is none."""
    if name in result.tables:
        return result.tables[name]
    if name == "notes":
        return note_table(result.notes)
    if name == "provenance":
        return _provenance_table(result)
    raise BenchkitError(
        f"{result.command} makes no table '{name}' (it makes: {', '.join(result.tables)})",
        f"--table {' | '.join(table_names(result))}",
    )


def _provenance_table(result: Result) -> pl.DataFrame:
    """Return key and value as text: a text as it is, anything else as JSON."""
    values = [value if isinstance(value, str) else json_text(value) for value in result.provenance.values()]
    return shapes.build(shapes.PROVENANCE, {"key": list(result.provenance), "value": values})


def json_text(value: object) -> str:
    """Return `value` as JSON on one line; NaN and infinities become null, what JSON does not know becomes text."""
    return json.dumps(_finite(value), ensure_ascii=False, allow_nan=False, default=str)


def _finite(value: object) -> object:
    """Return `value` with null for every number in it that JSON cannot hold."""
    if isinstance(value, float):
        return value if abs(value) < float("inf") else None
    if isinstance(value, Mapping):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
