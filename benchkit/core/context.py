"""Columns that are neither keys nor ours: what varies in them while the rows are taken for measurements of one thing."""

from collections.abc import Sequence
from dataclasses import dataclass
from shlex import quote

import polars as pl

from benchkit.core.names import listed
from benchkit.tables import shapes
from benchkit.tables.result import Note

OURS = {*shapes.RESULTS.columns, *shapes.PREDICTIONS.columns}
COMPARED = ("metric", "dataset", "algorithm")
AVERAGED = (*COMPARED, "replicate", "repeat", "fold", "item")
# of so many rows a column with a new value in more than every second one is an identifier or a measurement, no setting
FEW = 5


@dataclass(frozen=True)
class Varying:
    """A column with up to `most` values where one is expected, one of them for a hint; averaged: within averaged cells."""

    name: str
    most: int
    example: str
    averaged: bool


def columns(schema: pl.Schema, cluster: str | None) -> list[str]:
    """Return the names of the context columns."""
    return [name for name, kind in schema.items() if name not in OURS and name != cluster and not kind.is_nested()]


def questions(frame: pl.LazyFrame, schema: pl.Schema, kind: str, duplicates: str, cluster: str | None) -> list[pl.LazyFrame]:
    """Return what has to be collected beside the results, at best in the same pass; nothing without context columns.

    Items differ by nature, so that their context is asked for only where several rows of one are averaged.
    """
    names = columns(schema, cluster)
    is_items = kind == "predictions" or ("item" in schema and not {"replicate", "fold"} & set(schema))
    keys = ([] if is_items else [(COMPARED, False)]) + ([(AVERAGED, True)] if duplicates == "mean" else [])
    return [_question(frame, names, [key for key in wanted if key in schema], averaged) for wanted, averaged in keys if names]


def _question(frame: pl.LazyFrame, names: Sequence[str], keys: Sequence[str], averaged: bool) -> pl.LazyFrame:
    """Return one row: for each column whether it varies in a group, the most values it has in one, and a value."""
    values = [pl.col(name).drop_nulls() for name in names]
    counted = [
        statistic
        for i, value in enumerate(values)
        for statistic in (value.n_unique().alias(f"{i} n"), value.len().alias(f"{i} of"), value.min().alias(f"{i} one"))
    ]
    groups = frame.group_by(keys).agg(counted) if keys else frame.select(counted)
    told = []
    for i in range(len(names)):
        n, of = pl.col(f"{i} n"), pl.col(f"{i} of")
        varies = (n > 1) if averaged else (n > 1) & ((of < FEW) | (2 * n <= of))
        told += [
            n.filter(varies).max().alias(f"{i} n"),
            pl.col(f"{i} one").filter(varies).min().cast(pl.String).alias(f"{i} one"),
        ]
    return groups.select(pl.lit(averaged).alias("averaged"), *told)


def varying(found: Sequence[pl.DataFrame], names: Sequence[str]) -> list[Varying]:
    """Return the columns that vary, each once, as the questions found them."""
    seen: dict[str, Varying] = {}
    for table in found:
        row = table.row(0, named=True)
        for i, name in enumerate(names):
            if row[f"{i} n"] is not None:
                seen[name] = Varying(name, int(row[f"{i} n"]), str(row[f"{i} one"]), bool(row["averaged"]))
    return list(seen.values())


def notes(found: Sequence[Varying]) -> list[Note]:
    """Return the note varying-context, if any column varies."""
    parts = []
    for averaged, what in (
        (True, "within cells that are averaged"),
        (False, "between rows that are compared as one algorithm's"),
    ):
        same = [one for one in found if one.averaged == averaged]
        if same:
            said = listed([f"'{one.name}' (up to {one.most} values)" for one in same])
            noun, verb = ("column", "varies") if len(same) == 1 else ("columns", "vary")
            parts.append(f"the {noun} {said} {verb} {what}")
    if not parts:
        return []
    way = quote(f"{found[0].name}={found[0].example}")
    return [Note("varying-context", f"{'; '.join(parts)}: if that matters, choose with --where {way}", "warning")]
