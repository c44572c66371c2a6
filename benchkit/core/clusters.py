"""Replicates that belong together (--cluster): questions on one passage, several samples of one item."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from benchkit.core.codes import natural_codes
from benchkit.core.names import counted
from benchkit.errors import BenchkitError
from benchkit.methods.records import Integers

# what the column of the clusters is called once it is read; no column of a file is
COLUMN = "(cluster)"


def selected(frame: pl.LazyFrame, names: Sequence[str], cluster: str | None) -> pl.LazyFrame:
    """Return these columns, and the column `cluster` as text. Raises BenchkitError if there is no such column."""
    if cluster is None:
        return frame.select(names)
    there = frame.collect_schema().names()
    if cluster not in there:
        raise BenchkitError(f"--cluster: there is no column '{cluster}'", "the columns are " + ", ".join(there))
    return frame.select(*names, pl.col(cluster).cast(pl.String).alias(COLUMN))


def nested(table: pl.DataFrame) -> pl.DataFrame:
    """Name the replicates cluster/replicate where their names begin anew in each cluster (sample 1, 2 of every item).

    Where they begin anew in each item of a cluster (samples of the questions on one text), cluster/item/replicate.
    """
    if COLUMN not in table.columns:
        return table
    blank = table[COLUMN].null_count()
    if blank:
        raise BenchkitError(
            f"--cluster: {blank} of {counted(table.height, 'row')} name no cluster", "fill the column, or use --where"
        )
    key = ["metric", "dataset", "algorithm"]
    if not table.select(*key, "replicate").is_duplicated().any():
        return table
    by_item = table.select(*key, COLUMN, "replicate").is_duplicated().any() and not table["item"].null_count()
    parts = [COLUMN, "item", "replicate"] if by_item else [COLUMN, "replicate"]
    return table.with_columns(pl.concat_str(parts, separator="/").alias("replicate"))


def codes(part: pl.DataFrame, row: Integers, replicates: int) -> tuple[Integers | None, tuple[str, ...]]:
    """Return the code of each replicate's cluster, shape (replicates,), and the clusters' names in natural order.

    (None, ()) without clusters. Raises BenchkitError for a replicate whose rows name two clusters.
    """
    if COLUMN not in part.columns:
        return None, ()
    names, code = natural_codes(part[COLUMN])
    clusters = np.zeros(replicates, dtype=np.int64)
    clusters[row] = code
    torn = np.flatnonzero(clusters[row] != code)
    if torn.size:
        replicate = part["replicate"][int(torn[0])]
        raise BenchkitError(f"--cluster: replicate '{replicate}' lies in several clusters", "a replicate belongs to one")
    return clusters, names
