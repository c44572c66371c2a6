"""A metric that an experiment names becomes one that can be measured."""

from difflib import get_close_matches
from pathlib import Path

from benchkit.errors import BenchkitError
from benchkit.run.metrics import BUILT_IN
from benchkit.run.metrics.own import own
from benchkit.run.metrics.records import Metric
from benchkit.run.metrics.scorers import scorer
from benchkit.run.plan import MetricPlan
from benchkit.tables.metrics import direction

TIMES = ("time", "seconds", "runtime", "latency", "fit_seconds", "predict_seconds", "train_time", "test_time")


def built_in(name: str) -> Metric | None:
    """Return the built-in metric of that name, None if there is none."""
    for entry in BUILT_IN:
        if entry.name == name:
            metric: Metric = entry.load()
            return metric
    return None


def resolve(plan: MetricPlan, folder: Path) -> Metric:
    """Return the metric that the plan names: a function of the user's own, else a built-in one, else a scorer.

    folder: where modules of the user's own are looked for. BenchkitError for a name that is none of these, or a declared
    direction that the metric does not have.
    """
    if plan.function is not None:
        return own(plan, folder)
    metric = built_in(plan.name) or _scorer(plan.name)
    if plan.better not in (None, metric.better):
        raise BenchkitError(
            f"metric '{plan.name}': better = \"{plan.better}\" is wrong, {metric.better} is better",
            "leave better out: it is known",
        )
    return metric


def _scorer(name: str) -> Metric:
    from sklearn.metrics import get_scorer_names

    names: list[str] = get_scorer_names()
    if name not in names:
        raise _unknown(name, names)
    return scorer(name)


def _unknown(name: str, scorers: list[str]) -> BenchkitError:
    """Return the error for a name that cannot be computed, with the names nearest to it."""
    if name in TIMES:
        return BenchkitError(
            f"'{name}' is no metric of predictions; fit_seconds and predict_seconds are measured anyway",
            "leave it out; the commands read such a column with --value fit_seconds",
        )
    known = "is known by name, but run cannot compute it" if direction(name) is not None else "is not known"
    names = sorted({entry.name for entry in BUILT_IN} | set(scorers))
    near = get_close_matches(name.casefold().replace("-", "_").replace(" ", "_"), names, 3)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    return BenchkitError(
        f"metric '{name}' {known}", f"{hint}see benchkit list metrics, or give a function of your own, MODULE:FUNCTION"
    )
