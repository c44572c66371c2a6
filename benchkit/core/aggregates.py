"""Further columns of a summary on request: interquartile mean and optimality gap, of one data set or of several pooled."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from benchkit.core.direction import check_metrics, unknown_direction
from benchkit.core.experiment import Experiment
from benchkit.core.question import NewGenerator
from benchkit.core.scale import unit_of
from benchkit.errors import BenchkitError
from benchkit.methods.aggregate import Aggregate, interquartile_mean, optimality_gap, percentile_interval
from benchkit.methods.records import Floats
from benchkit.tables.naming import natural_sort
from benchkit.tables.result import Note

AGGREGATES = ("iqm", "optimality_gap")
Row = dict[str, object]


@dataclass(frozen=True)
class Wish:
    """Which aggregates are asked for, the target of each metric, and whether data sets are pooled."""

    names: tuple[str, ...] = ()
    targets: Sequence[tuple[str | None, float]] = ()
    pooled: bool = False

    def target(self, metric: str | None) -> float | None:
        """Return the target for one metric: METRIC=T wins over T, a later one over an earlier."""
        own = [value for name, value in self.targets if name == metric and name is not None]
        general = [value for name, value in self.targets if name is None]
        return [*general, *own][-1] if own or general else None


def parse_wish(add: str, targets: Sequence[str], pooled: bool) -> Wish:
    """Read --add iqm,optimality_gap, --target 1 or accuracy=1, and --pooled. Raises BenchkitError for what does not fit."""
    names = tuple(dict.fromkeys(name.strip() for name in add.split(","))) if add else ()
    for name in names:
        if name not in AGGREGATES:
            raise BenchkitError(f"--add does not know '{name}'", "choose among " + ", ".join(AGGREGATES))
    if pooled and not names:
        raise BenchkitError("--pooled is for columns that --add asks for", "add --add iqm")
    if targets and "optimality_gap" not in names:
        raise BenchkitError("--target belongs to the optimality gap", "add --add optimality_gap")
    if "optimality_gap" in names and not targets:
        raise BenchkitError("the optimality gap needs the performance to reach", "add --target, such as --target 1.0")
    return Wish(names, tuple(_target(text) for text in targets), pooled)


def _target(text: str) -> tuple[str | None, float]:
    metric, separator, number = text.rpartition("=")
    try:
        value = float(number)
    except ValueError:
        value = np.nan
    if not abs(value) < 1e150:
        raise BenchkitError(f"--target does not understand '{text}'", "write a number, such as 1.0, or METRIC=1.0")
    return (metric if separator else None), value


def check_targets(experiments: Sequence[Experiment], wish: Wish) -> None:
    """Raise BenchkitError where an optimality gap has no target or no direction, or a target no metric."""
    check_metrics("--target", [name for name, _ in wish.targets], [one.metric for one in experiments])
    if "optimality_gap" in wish.names:
        for one in experiments:
            if one.better is None:
                raise unknown_direction(one.metric)
            if wish.target(one.metric) is None:
                raise BenchkitError(f"no target for '{one.metric or 'performance'}'", f"add --target {one.metric}=NUMBER")


def aggregate_columns(
    strata: Sequence[Floats], one: Experiment, wish: Wish, level: float, new_generator: NewGenerator
) -> dict[str, float | None]:
    """Return each aggregate of one algorithm with its interval; None where there is none (no values, infinite ones).

    strata: its values, NaN where missing, in arrays that are resampled apart.
    """
    present = [values[~np.isnan(values)] for values in strata]
    together = np.concatenate(present)
    unit = unit_of(together)
    found: dict[str, float | None] = {}
    for name in wish.names:
        function = _function(name, one, wish, unit)
        numbers = (np.nan, np.nan, np.nan)
        if together.size and np.isfinite(together).all():
            scaled = [values / unit for values in present]
            ends = percentile_interval(function, scaled, level, new_generator())
            numbers = (float(function(together / unit)), *ends)
        for column, number in zip((name, f"{name}_low", f"{name}_high"), numbers, strict=True):
            found[column] = None if np.isnan(number) else number * unit
    return found


def _function(name: str, one: Experiment, wish: Wish, unit: float) -> Aggregate:
    if name == "iqm":
        return interquartile_mean
    gap = optimality_gap(one.sign * (wish.target(one.metric) or 0.0) / unit)
    return lambda values: gap(one.sign * values)


def pooled_rows(
    experiments: Sequence[Experiment], wish: Wish, level: float, new_generator: NewGenerator
) -> tuple[list[Row], list[Note]]:
    """Return one row for each metric and algorithm: the aggregates of all values of all data sets, and what to know of them.

    An algorithm that some data set lacks has no aggregate, since it would be one of other data sets. Best first.
    """
    rows: list[Row] = []
    said: list[Note] = []
    for metric in dict.fromkeys(one.metric for one in experiments):
        parts = [one for one in experiments if one.metric == metric]
        if len({one.better for one in parts}) > 1:
            raise BenchkitError(f"the data sets disagree on which way {metric or 'performance'} is better", "add --better")
        if len(parts) > 1:
            text = f"values of {len(parts)} data sets are pooled as they are: they should share one scale (normalised scores)"
            said.append(Note("pooled-values", text, "warning", metric))
        made = [
            _pooled(parts, name, wish, level, new_generator)
            for name in natural_sort({name for one in parts for name in one.algorithms})
        ]
        lacking = [str(row["algorithm"]) for row in made if row[wish.names[0]] is None]
        if lacking:
            text = f"no aggregate of {', '.join(lacking)}: a data set has no finite values of it"
            said.append(Note("incomplete-datasets", text, "warning", metric))
        rows += sorted(made, key=_best_first(parts[0], wish.names[0]))
    return rows, said


def _pooled(parts: Sequence[Experiment], name: str, wish: Wish, level: float, new_generator: NewGenerator) -> Row:
    columns = [one.values[:, one.algorithms.index(name)] if name in one.algorithms else np.empty(0) for one in parts]
    whole = all((~np.isnan(column)).any() for column in columns)
    n = sum(int((~np.isnan(column)).sum()) for column in columns)
    return {
        "metric": parts[0].metric,
        "dataset": None,
        "method": None,
        "algorithm": name,
        "better": parts[0].better,
        "n": n,
        "n_missing": sum(len(one.replicates) for one in parts) - n,
        "ci_level": level,
        **aggregate_columns(columns if whole else [np.empty(0)], parts[0], wish, level, new_generator),
    }


def _best_first(one: Experiment, column: str) -> Callable[[Row], tuple[bool, float]]:
    """Return the key that sorts by an aggregate; less is better of gaps; rows without it come last."""
    sign = one.sign if column == "iqm" else 1.0

    def key(row: Row) -> tuple[bool, float]:
        value = row[column]
        return (value is None, sign * value if isinstance(value, float) else 0.0)

    return key
