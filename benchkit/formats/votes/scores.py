"""Scores of ordinary classifiers: item, algorithm, label, score; the predictions that `benchkit run` writes are such."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from benchkit.errors import BenchkitError
from benchkit.formats import cells
from benchkit.formats.content import Raw, intact
from benchkit.formats.settle import settle
from benchkit.formats.votes.labels import LabelFile, Labels
from benchkit.formats.votes.seen import Seen
from benchkit.tables.result import Note
from benchkit.tables.shapes import PREDICTIONS
from benchkit.tables.wording import shown

SCORES = ("item", "algorithm", "label", "score")


@dataclass(frozen=True)
class Scored:
    """A table of scores, and its algorithm for rows without one in a column, or before it if `given`."""

    raw: Raw
    algorithm: str
    given: bool


def score_frame(tables: Sequence[Scored], positive: str | None, labels: LabelFile | None) -> tuple[pl.LazyFrame, list[Note]]:
    """Return item, algorithm, label (1 positive, 0), score of all tables, and notes about missing scores, which are left out.

    Without items, they are numbered within the algorithm. BenchkitError for a cell that is no number, an item twice, labels
    that are unclear.
    """
    name = tables[0].raw.name
    every = pl.concat([_rows(table, labels) for table in tables], how="diagonal")
    with intact(tables[0].raw):
        for column in ("dataset", "replicate"):
            if column in every.collect_schema():
                Seen().group(every.select(pl.col(column).unique()).collect(), name)
        classes = every.select(pl.col("label").unique()).collect().to_series()
        found = Labels(positive)
        numbers = found.classes(classes, name, lambda _: "has a row without a label")
        found.finish(name)
        _refuse_twice(every, name)
        total, missing = every.select(pl.len(), pl.col("score").null_count()).collect(engine="streaming").row(0)
    if missing == total:
        raise BenchkitError(f"{name}, column score: every score is missing", "give the score of each item for the positive class")
    code = pl.col("label").replace_strict(classes.to_list(), numbers.tolist(), return_dtype=pl.Int8).alias("label")
    frame = every.filter(pl.col("score").is_not_null()).select("item", "algorithm", code, "score")
    text = f"{missing} of {total} scores are missing and left out"
    return frame, [Note("missing-scores", text, "warning")] if missing else []


def _rows(table: Scored, labels: LabelFile | None) -> pl.LazyFrame:
    raw = table.raw
    columns = raw.columns
    wanted = [name for name in (*SCORES, "dataset", "replicate") if name in columns]
    raw = settle(raw.with_frame(raw.frame.select(wanted)), PREDICTIONS, ())
    schema = raw.schema
    frame = raw.frame.with_columns(cells.text(name, schema[name]) for name in schema if name != "score")
    given = table.algorithm if table.given or "algorithm" not in columns else ""
    prefix = pl.lit(f"{given}/") if given else pl.lit("")
    own = (prefix + pl.col("algorithm")) if "algorithm" in columns else pl.lit(given)
    frame = frame.with_columns(own.alias("algorithm"))
    if "item" not in schema:
        frame = frame.with_columns(pl.int_range(1, pl.len() + 1).over("algorithm").cast(pl.String).alias("item"))
    if labels is None:
        return frame
    if labels.items is None:
        keys = pl.DataFrame({"item": [str(number) for number in range(1, len(labels.labels) + 1)], "label": labels.labels})
    else:
        keys = pl.DataFrame({"item": labels.items, "label": labels.labels})
    return frame.drop("label", strict=False).join(keys.lazy(), on="item", how="left", maintain_order="left")


def _refuse_twice(every: pl.LazyFrame, name: str) -> None:
    counted = every.group_by("algorithm", "item").agg(pl.len().alias("times")).filter(pl.col("times") > 1)
    twice = counted.sort("algorithm", "item").head(1).collect(engine="streaming")
    if twice.height:
        algorithm, item, times = twice.row(0)
        raise BenchkitError(
            f"{name} has {times} scores of {algorithm} for the item {shown(item)}",
            "each item has one score of each algorithm; --where chooses, NAME=FILE tells algorithms apart",
        )
