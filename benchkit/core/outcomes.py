"""From predictions to results: each item becomes a replicate on which an algorithm was right or wrong."""

import polars as pl

from benchkit.errors import BenchkitError


def as_results(predictions: pl.LazyFrame, clustered: bool = False) -> pl.LazyFrame:
    """Return results of metric accuracy: replicate = item, performance 1 if prediction equals label as text.

    A missing prediction or label gives a missing performance. An item that appears in several replicates is no independent
    measurement: raises BenchkitError, unless `clustered` says that a column tells what belongs together; then the replicate
    is "replicate/item".
    """
    names = predictions.collect_schema().names()
    unit = pl.col("item")
    if "replicate" in names:
        keys = [name for name in ("dataset", "item", "algorithm") if name in names]
        repeated = predictions.select(pl.struct(keys).is_duplicated().any()).collect().item()
        if repeated and not clustered:
            hint = "--where replicate=NAME chooses one replicate, --cluster item takes all and allows for it"
            raise BenchkitError("items appear in several replicates", hint)
        if repeated:
            unit = pl.concat_str("replicate", pl.lit("/"), "item")
    right = (pl.col("prediction") == pl.col("label")).cast(pl.Float64)
    return predictions.with_columns(
        pl.lit("accuracy").alias("metric"),
        pl.lit("higher").alias("better"),
        unit.alias("replicate"),
        right.alias("performance"),
    )
