"""Cells that were measured twice: refused with the way out, or averaged when asked."""

from typing import NoReturn

import numpy as np
import polars as pl

from benchkit.errors import BenchkitError
from benchkit.methods.records import Floats, Integers

KEY = ("metric", "dataset", "replicate", "algorithm")


def average(performance: Floats, cell: Integers, counts: Integers) -> Floats:
    """Return the mean of each cell over the rows that have a value; NaN where none has one. Shape (cells,)."""
    present = ~np.isnan(performance)
    number = np.bincount(cell[present], minlength=counts.size)
    total = np.bincount(cell[present], weights=performance[present], minlength=counts.size)
    with np.errstate(invalid="ignore", divide="ignore"):
        means: Floats = total / number
    return means


def refuse(part: pl.DataFrame, frame: pl.LazyFrame, repeated: int, by_dataset: bool) -> NoReturn:
    """Raise the error that names the first duplicate keys and, where one exists, the --where that would choose."""
    keys = ["replicate", "algorithm"]
    double = part.filter(pl.struct(keys).is_duplicated()).select(keys).unique(maintain_order=True).head(3)
    named = "; ".join(f"{row[1]} in {row[0]}" for row in double.rows())
    more = f" and {repeated - double.height} more" if repeated > double.height else ""
    message = f"{repeated} cells have several rows: {named}{more}"
    raise BenchkitError(message, _way_out(frame, by_dataset) + "--duplicates mean averages them")


def _way_out(frame: pl.LazyFrame, by_dataset: bool) -> str:
    """Name a further column that tells the rows apart, with the --where that chooses its first value."""
    table = frame.collect()
    keys = [name for name in KEY if name in table.columns and not (by_dataset and name == "replicate")]
    own = {*KEY, "performance", "better", "status", "error"}
    for name in table.columns:
        if name in own or table[name].dtype.is_float() or table[name].n_unique() < 2:
            continue
        if not table.select(*keys, name).is_duplicated().any():
            first = table[name].drop_nulls().cast(pl.String).unique(maintain_order=True)[0]
            together = "--cluster item keeps them all, " if name == "item" else ""
            return f"the column '{name}' tells them apart: {together}--where {name}={first}, or "
    return ""
