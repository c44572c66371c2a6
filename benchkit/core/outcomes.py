"""From predictions to results: each item becomes a replicate on which an algorithm was right or wrong."""

import polars as pl

from benchkit.errors import BenchkitError


def as_results(predictions: pl.LazyFrame) -> pl.LazyFrame:
    """Return results of metric accuracy: replicate = item, performance 1 if prediction equals label as text.

    A missing prediction or label gives a missing performance. Raises BenchkitError if an item appears in several
    replicates, since these are not independent measurements.
    """
    names = predictions.collect_schema().names()
    if "replicate" in names:
        keys = [name for name in ("dataset", "item", "algorithm") if name in names]
        repeated = predictions.select(pl.struct(keys).is_duplicated().any()).collect().item()
        if repeated:
            raise BenchkitError("items appear in several replicates", "--where replicate=NAME chooses one replicate")
    right = (pl.col("prediction") == pl.col("label")).cast(pl.Float64)
    return predictions.with_columns(
        pl.lit("accuracy").alias("metric"),
        pl.lit("higher").alias("better"),
        pl.col("item").alias("replicate"),
        right.alias("performance"),
    )
