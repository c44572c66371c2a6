"""How did each algorithm perform? One row for each metric, data set and algorithm."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from scipy.special import ndtri

from benchkit.core.aggregates import Wish, aggregate_columns, check_targets, pooled_rows
from benchkit.core.blocks import Reading
from benchkit.core.experiment import Experiment
from benchkit.core.question import NewGenerator
from benchkit.core.scale import unit_of
from benchkit.core.sentences import measured
from benchkit.methods.interval import bca_interval, t_interval
from benchkit.methods.mid_ranks import mid_ranks
from benchkit.methods.records import Floats
from benchkit.tables import shapes
from benchkit.tables.result import Note, Result

NOTHING_MORE = Wish()


def summarize(reading: Reading, level: float, interval: str, new_generator: NewGenerator, wish: Wish = NOTHING_MORE) -> Result:
    """Return the table `algorithms`, best first where the direction is known, else by mean.

    interval: "t" or "bootstrap" (BCa; every algorithm starts the random stream anew). An algorithm without values keeps
    its row, with nulls.
    Infinite values leave mean, sd and intervals null (note infinite-values); mean_rank and wins use complete
    replicates only and are null without a direction. wish: aggregates that come as further columns; pooled, they stand
    in one row for all data sets of a metric, whose other statistics are null.
    """
    check_targets(reading.experiments, wish)
    notes = list(reading.notes)
    rows: list[dict[str, object]] = []
    for experiment in reading.experiments:
        notes += [note for note in _notes(experiment) if note.code == "read" or not wish.pooled]
        if not wish.pooled:
            for row in summary_rows(experiment, level, interval, new_generator):
                column = experiment.values[:, experiment.algorithms.index(str(row["algorithm"]))]
                rows.append({**row, **aggregate_columns([column], experiment, wish, level, new_generator)})
    if wish.pooled:
        rows, said = pooled_rows(reading.experiments, wish, level, new_generator)
        notes += said
    table = shapes.build(shapes.ALGORITHMS, rows)
    table = table.with_columns(pl.col(name).cast(pl.Float64) for name in table.columns if name not in shapes.ALGORITHMS.columns)
    return Result("summarize", {"algorithms": table}, notes, measured(reading.experiments))


def summary_rows(experiment: Experiment, level: float, interval: str, new_generator: NewGenerator) -> list[dict[str, object]]:
    """Return the rows of one experiment, sorted."""
    ranks, wins = _ranks_and_wins(experiment)
    order = best_first(experiment)
    return [
        {
            "metric": experiment.metric,
            "dataset": experiment.dataset,
            "method": None,
            "algorithm": experiment.algorithms[j],
            "better": experiment.better,
            "mean_rank": ranks[j],
            "wins": wins[j],
            **_column(experiment.values[:, j], level, interval, new_generator),
        }
        for j in order
    ]


def best_first(experiment: Experiment) -> list[int]:
    """Return the columns by oriented mean, then natural order of names; those without a mean come last."""
    oriented = experiment.oriented
    means = [_mean(oriented[:, j]) for j in range(oriented.shape[1])]
    return sorted(range(len(means)), key=lambda j: (np.isnan(means[j]), means[j], j))


def _mean(values: Floats) -> float:
    present = values[~np.isnan(values)]
    unit = unit_of(present)
    with np.errstate(invalid="ignore"):
        return float(np.mean(present / unit)) * unit if present.size else np.nan


def _column(values: Floats, level: float, interval: str, new_generator: NewGenerator) -> dict[str, object]:
    """Return the statistics of one algorithm; None where they do not exist."""
    present = values[~np.isnan(values)]
    n = present.size
    found: dict[str, object] = {"n": n, "n_missing": values.size - n, "ci_level": level}
    if not n:
        return found
    q1, median, q3 = quartiles(present)
    found |= {"median": median, "q1": q1, "q3": q3, "iqr": q3 - q1, "min": present.min(), "max": present.max()}
    if not np.isfinite(present).all():
        return {name: None if isinstance(value, float) and np.isnan(value) else value for name, value in found.items()}
    unit = unit_of(present)
    present = present / unit
    mean = float(np.mean(present))
    found["mean"] = mean * unit
    if n > 1:
        sd = float(np.std(present, ddof=1))
        z = float(ndtri((1 + level) / 2))
        if interval == "bootstrap":
            low, high = bca_interval(present, level, new_generator())
        else:
            low, high = t_interval(present, level)
        spread = {"sd": sd, "std_error": sd / np.sqrt(n), "ci_low": low, "ci_high": high}
        spread |= {"spread_low": mean - z * sd, "spread_high": mean + z * sd}
        found |= {name: float(value) * unit for name, value in spread.items()}
    return found


def quartiles(present: Floats) -> tuple[float, float, float]:
    """Return the quartiles by R's type 7; infinite values are kept (NaN between two opposite infinities)."""
    ordered = np.sort(present)
    found = []
    for share in (0.25, 0.5, 0.75):
        position = share * (ordered.size - 1)
        below = int(position)
        low, high = ordered[below], ordered[min(below + 1, ordered.size - 1)]
        part = position - below
        # an infinite neighbour with weight 0 must not turn the quartile into NaN
        with np.errstate(invalid="ignore"):
            kept = part == 0 or low == high or (low == -np.inf and high < np.inf)
            found.append(float(low if kept else low + part * (high - low)))
    return found[0], found[1], found[2]


def _ranks_and_wins(experiment: Experiment) -> tuple[Sequence[float | None], Sequence[float | None]]:
    """Return mean rank and wins of each algorithm over complete replicates; None where unknown."""
    count = len(experiment.algorithms)
    whole = experiment.complete
    if experiment.better is None or not whole.replicates:
        return [None] * count, [None] * count
    ranks = mid_ranks(whole.oriented)
    best = ranks == ranks.min(axis=1, keepdims=True)
    wins = (best / best.sum(axis=1, keepdims=True)).sum(axis=0)
    return ranks.mean(axis=0).tolist(), wins.tolist()


def _notes(experiment: Experiment) -> list[Note]:
    """Say what was read, and what limits the row."""
    notes = [Note("read", experiment.read, "info", experiment.metric, experiment.dataset)]

    def warn(code: str, text: str) -> None:
        notes.append(Note(code, text, "warning", experiment.metric, experiment.dataset))

    if experiment.better is None:
        warn("direction-unknown", "mean rank and wins need the direction: add --better lower or --better higher")
    infinite = np.isinf(experiment.values).any(axis=0)
    if infinite.any():
        names = ", ".join(experiment.algorithms[j] for j in np.flatnonzero(infinite))
        warn("infinite-values", f"infinite performances ({names}): mean, sd and intervals are left out")
    whole = len(experiment.complete.replicates)
    if experiment.better and whole < len(experiment.replicates):
        text = f"mean rank and wins use {whole} complete of {experiment.blocks_counted}"
        notes.append(Note("incomplete-replicates", text, "warning", experiment.metric, experiment.dataset))
    return notes
