"""From results to experiments: what the blocks are, which cells are missing, which way is better."""

from collections.abc import Sequence
from dataclasses import dataclass
from shlex import quote

import numpy as np
import polars as pl

from benchkit.core import clusters, context
from benchkit.core.codes import natural_codes
from benchkit.core.direction import Directions, check_metrics, direction_of
from benchkit.core.duplicates import average, refuse
from benchkit.core.experiment import Experiment
from benchkit.core.names import counted
from benchkit.core.outcomes import as_results
from benchkit.errors import BenchkitError
from benchkit.methods.records import Integers
from benchkit.tables.naming import natural_sort
from benchkit.tables.result import Note
from benchkit.tables.synonyms import suggest

NEEDED = "metric dataset replicate algorithm performance better resampling repeat fold item status n_train n_test".split()


STATUSES = {"ok", "failed", "timeout", "out-of-memory"}
# resamplings in which each row is tested once
ONE_RUN = ("kfold", "loo")


@dataclass(frozen=True)
class Reading:
    """What was made of the results: one Experiment for each (metric, dataset), the number of rows, and notes."""

    experiments: tuple[Experiment, ...]
    rows: int
    notes: tuple[Note, ...]


def experiments(
    frame: pl.LazyFrame,
    kind: str,
    directions: Directions,
    duplicates: str = "error",
    cluster: str | None = None,
    independent: bool = False,
) -> Reading:
    """Collect results (or predictions) once and cut them into experiments, one for each (metric, dataset).

    NaN, null, an absent row and a failed fit are the same: NaN in `values`. Duplicate keys are refused unless
    `duplicates` is "mean". `cluster` names the column that says which replicates belong together; independent: values
    need no replicates. Raises BenchkitError when there is nothing to analyse or no column makes the blocks.
    """
    if kind == "predictions":
        frame = as_results(frame, cluster is not None)
    types = frame.collect_schema()
    schema = types.names()
    wanted = clusters.selected(frame, [name for name in NEEDED if name in schema], cluster)
    try:
        table, *varied = pl.collect_all([wanted, *context.questions(frame, types, kind, duplicates, cluster)])
    except pl.exceptions.PolarsError as fault:  # lazily read: this is where a damaged file is found out
        raise BenchkitError(f"the input cannot be read: {str(fault).splitlines()[0]}", "the file may be damaged") from fault
    table = _without_failures(_filled(table))
    if not table.height:
        raise BenchkitError("there are no rows to analyse", "check the file and --where")
    table, block = _with_replicates(_numbered(table) if independent else table, schema)
    table = clusters.nested(table)
    block = "item" if kind == "predictions" and block == "replicate" else block
    notes = _notes_of(table, block) + context.notes(context.varying(varied, context.columns(types, cluster)))
    found: list[Experiment] = []
    for (metric, dataset), part in _groups(table):
        directed = direction_of(metric, set(part["better"].drop_nulls().unique().to_list()), directions)
        experiment, averaged = _experiment(part, metric, dataset, directed, frame, duplicates, block)
        found.append(experiment)
        if averaged:
            text = f"{counted(averaged, 'cell')} had several rows: their mean stands for them (--duplicates mean)"
            notes.append(Note("duplicates-averaged", text, "warning", metric, dataset))
    check_metrics("--better", directions, [experiment.metric for experiment in found])
    return Reading(tuple(found), table.height, tuple(notes))


def _filled(table: pl.DataFrame) -> pl.DataFrame:
    """Return the table with all needed columns, null where the file has none."""
    numbers = {"performance", "n_train", "n_test"}
    absent = [
        pl.lit(None).cast(pl.Float64 if name in numbers else pl.String).alias(name)
        for name in NEEDED
        if name not in table.columns
    ]
    return table.with_columns(absent)


def _without_failures(table: pl.DataFrame) -> pl.DataFrame:
    """Empty the performance of fits whose status says that they failed: a missing cell, never a number."""
    if table["status"].null_count() == table.height:
        return table
    table = table.with_columns(pl.col("status").str.strip_chars().str.to_lowercase())
    unknown = sorted(set(table["status"].drop_nulls().unique().to_list()) - STATUSES)
    if unknown:
        raise BenchkitError(f"the column 'status' says '{unknown[0]}'", "it holds " + ", ".join(sorted(STATUSES)))
    failed = pl.col("status").is_not_null() & (pl.col("status") != "ok")
    return table.with_columns(pl.when(failed).then(None).otherwise(pl.col("performance")).alias("performance"))


def _numbered(table: pl.DataFrame) -> pl.DataFrame:
    """Give the values of each algorithm numbers where no column tells replicates apart: independent samples need none."""
    if any(table[name].null_count() < table.height for name in ("replicate", "fold", "item")):
        return table
    number = pl.int_range(1, pl.len() + 1).over("metric", "dataset", "algorithm")
    return table.with_columns(number.cast(pl.String).alias("replicate"))


def _with_replicates(table: pl.DataFrame, columns: Sequence[str]) -> tuple[pl.DataFrame, str]:
    """Name the blocks: replicate, else repeat + fold, else fold, else item, else the data sets themselves.

    A replicate column that holds one value, with one row for each data set and algorithm, tells nothing apart: then,
    too, the data sets are the blocks. Returns the table and what a block is.
    """
    block = "replicate"
    if table["replicate"].null_count() == table.height:
        if table["fold"].null_count() < table.height:
            both = table["repeat"].null_count() < table.height
            name = pl.concat_str("repeat", pl.lit("/"), "fold") if both else pl.col("fold")
            table, block = table.with_columns(name.alias("replicate")), "fold"
        elif table["item"].null_count() < table.height:
            table, block = table.with_columns(pl.col("item").alias("replicate")), "item"
    blank = table["replicate"].null_count()
    if 0 < blank < table.height:
        raise BenchkitError(
            f"{blank} of {table.height} rows name no replicate", "fill the column, or stack only files that have it"
        )
    if not blank and table["replicate"].n_unique() > 1:
        return table, block
    if (
        table["dataset"].null_count() == 0
        and table["dataset"].n_unique() > 1
        and not table.select("metric", "dataset", "algorithm").is_duplicated().any()
    ):
        renamed = table.with_columns(pl.col("dataset").alias("replicate"), pl.lit(None).cast(pl.String).alias("dataset"))
        return renamed, "data set"
    if blank:
        others = [name for name in columns if name not in ("metric", "algorithm", "performance")]
        hints = " ".join(f"--rename {quote(pair)}" for pair in suggest(others))
        raise BenchkitError(
            f"no column tells the replicates apart (beside algorithm and performance: {', '.join(others) or 'nothing'})",
            hints or "--rename COLUMN=replicate names the column of the run, fold, seed or item",
        )
    return table, block


def _groups(table: pl.DataFrame) -> list[tuple[tuple[str | None, str | None], pl.DataFrame]]:
    """Cut the table by (metric, dataset), in natural order."""
    if table["metric"].n_unique() == 1 and table["dataset"].n_unique() == 1:
        return [((table["metric"][0], table["dataset"][0]), table)]
    parts = table.partition_by("metric", "dataset", as_dict=True)
    order = {name: position for position, name in enumerate(natural_sort({str(k or "") for key in parts for k in key}))}
    return sorted(
        (((key[0], key[1]), part) for key, part in parts.items()),
        key=lambda pair: tuple(order[str(name or "")] for name in pair[0]),
    )


def _experiment(
    part: pl.DataFrame,
    metric: str | None,
    dataset: str | None,
    better: str | None,
    frame: pl.LazyFrame,
    duplicates: str,
    block: str,
) -> tuple[Experiment, int]:
    """Build one experiment; also return how many cells were averaged."""
    replicates, row = natural_codes(part["replicate"])
    algorithms, column = natural_codes(part["algorithm"])
    cell = row * len(algorithms) + column
    counts = np.bincount(cell, minlength=len(replicates) * len(algorithms))
    performance = part["performance"].to_numpy().astype(np.float64)
    repeated = int((counts > 1).sum())
    if repeated and duplicates == "error":
        refuse(part, frame, repeated, block == "data set")
    flat = average(performance, cell, counts) if repeated else np.full(counts.size, np.nan)
    if not repeated:
        flat[cell] = performance
    experiment = Experiment(
        metric,
        dataset,
        better,
        replicates,
        algorithms,
        flat.reshape(len(replicates), len(algorithms)),
        _single(part["resampling"]),
        _sizes(part),
        block,
        _layout(part, row, len(replicates), block),
        *clusters.codes(part, row, len(replicates)),
    )
    return experiment, repeated


def _layout(part: pl.DataFrame, row: np.ndarray, replicates: int, block: str) -> Integers | None:
    """Return codes of the repeat and the fold of each replicate; None if a column is missing or they differ within one.

    Without these columns and those of the sizes, what one run of cross-validation calls its replicates are its folds.
    """
    telling = (name for name in ("fold", "repeat", "n_train", "n_test") if part[name].null_count() < part.height)
    if block == "replicate" and _single(part["resampling"]) in ONE_RUN and not any(telling):
        return np.column_stack([np.zeros(replicates, np.int64), np.arange(replicates)])
    if part["fold"].null_count() or part["repeat"].null_count() not in (0, part.height):
        return None
    layout = np.zeros((replicates, 2), dtype=np.int64)
    for place, name in enumerate(("repeat", "fold")):
        if not part[name].null_count():
            codes = natural_codes(part[name])[1]
            layout[row, place] = codes
            if (layout[row, place] != codes).any():
                return None
    return layout


def _single(names: pl.Series) -> str | None:
    """Return the one value of the column, or None if there is none or more than one."""
    values = names.drop_nulls().unique()
    return str(values[0]) if len(values) == 1 else None


def _sizes(part: pl.DataFrame) -> tuple[float, float] | None:
    """Return the mean sizes of the training and the test sets, or None if the file does not say."""
    train, test = part["n_train"].cast(pl.Float64, strict=False).mean(), part["n_test"].cast(pl.Float64, strict=False).mean()
    return None if not isinstance(train, float) or not isinstance(test, float) else (train, test)


def _notes_of(table: pl.DataFrame, block: str) -> list[Note]:
    """Say what was not obvious in the rows as a whole."""
    notes = []
    failed = table.filter(pl.col("status").is_not_null() & (pl.col("status") != "ok"))
    if failed.height:
        by_name = failed["algorithm"].value_counts(sort=True).rows()
        text = ", ".join(f"{name} {count}" for name, count in sorted(by_name, key=lambda row: (-row[1], row[0])))
        notes.append(Note("failed-fits", f"{counted(failed.height, 'fit')} failed, missing here: {text}", "warning"))
    if block == "data set":
        text = "one value for each data set and algorithm: data sets are the blocks, conclusions are about data sets like these"
        notes.append(Note("datasets-as-blocks", text))
    return notes
