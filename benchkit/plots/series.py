"""From tables to the arrays and names that are drawn."""

from collections.abc import Mapping

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchkit.errors import BenchkitError
from benchkit.plots.look import Look

Floats = NDArray[np.float64]
Tables = Mapping[str, pl.DataFrame]

HUGE = 1e300  # beyond this the arithmetic of axes overflows; drawn like infinity

_IN_ORDER = ("algorithms", "places", "boxes", "densities", "dots")


def algorithms(tables: Tables, look: Look) -> tuple[str, ...]:
    """Return the algorithms in the order in which they are drawn.

    That is the order wished for, then the order of rows in the tables, first of `algorithms`, then of `places`, `boxes`,
    `densities` and `dots`.
    """
    found: dict[str, None] = {}
    for name in _IN_ORDER:
        if name in tables:
            found |= dict.fromkeys(tables[name]["algorithm"].drop_nulls().unique(maintain_order=True).to_list())
    if not found:
        raise BenchkitError("there is nothing to draw: no algorithm has a value", "look at the data with benchkit summarize")
    return tuple(dict.fromkeys([*(name for name in look.order if name in found), *found]))


def metric(tables: Tables) -> str:
    """Return the metric of the tables, or "performance" when they name none."""
    for table in tables.values():
        if "metric" in table.columns and table.height and table["metric"][0] is not None:
            return str(table["metric"][0])
    return "performance"


def numbers(table: pl.DataFrame, *columns: str) -> Floats:
    """Return the columns one after the other as floats, missing values as NaN."""
    return np.concatenate([table[name].cast(pl.Float64).to_numpy() for name in columns])


def by_algorithm(table: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Return the rows of each algorithm in their order."""
    return {str(name): rows for (name,), rows in table.partition_by("algorithm", as_dict=True, maintain_order=True).items()}


def drawable(values: Floats) -> NDArray[np.bool_]:
    """Tell which values have a place on an axis: neither missing nor infinite nor beyond 1e300."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.abs(values) < HUGE)
