"""From pairs that were tested one by one to a family: adjusted p-values and the intervals that stand beside them."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.methods import ADJUSTMENTS
from benchkit.methods.adjustment import SIMULTANEOUS
from benchkit.methods.records import Answer, Floats, Integers, Interval, Pairs, Unadjusted
from benchkit.methods.t_quantile import upper_t

# how often the range of alpha is halved, in digits, to find the smallest one, and where that range begins
HALVINGS, TINY = 60, 1e-300
# an alpha that small is 0: the interval has no width
NONE = 2 * TINY
# one step gives p-values and intervals that say the same
SINGLE_STEP = ("bonferroni", "sidak", "none")
# these count which pairs of one set of algorithms can be equal at once
ONE_FAMILY = ("shaffer", "bergmann")


def adjusted(found: Unadjusted, name: str, level: float, contrasts: Integers) -> Answer:
    """Return the answer for the family: p_adjusted by the adjustment `name`, simultaneous intervals at `level`.

    Intervals are Bonferroni's, Sidak's with sidak, each pair's own (pointwise) with none. Pairs without a p-value are no
    part of the family. With a posterior nothing is adjusted. BenchkitError for an unknown adjustment, or one that does not
    take these contrasts.
    """
    judged = found.p_value if found.posterior is None else found.posterior.sum(axis=1)
    m = max(int((~np.isnan(judged)).sum()), 1)
    pointwise = found.posterior is not None or name == "none"
    levels = 1 - _alpha_of_one(name, np.full(found.p_value.shape, 1 - level), 1 if pointwise else m)
    interval = found.interval or t_interval(found)
    low, high = interval(levels)
    adjust = adjustment(name)
    p_adjusted = found.p_value if pointwise else adjust(found.p_value, contrasts)
    return Answer(
        method=found.method,
        adjust="none" if pointwise or m == 1 else name,
        # Sidak's intervals are no Bonferroni ones; they match the p-values, as those of tukey do
        ci_kind="simultaneous" if m == 1 else "pointwise" if pointwise else "simultaneous" if name == "sidak" else "bonferroni",
        pairs=Pairs(
            found.n, found.mean_a, found.mean_b, found.estimate, found.std_error, found.statistic, found.df, found.p_value,
            p_adjusted, upper_t(found.df, (1 - levels) / 2),
        ),
        tail=lambda t: np.full(np.shape(t), np.nan),
        overall=found.overall,
        means=found.means,
        # an interval of the method's own need not agree with its p-value, which is the test that was asked for
        step_wise=(name not in SINGLE_STEP and m > 1) or found.interval is not None,
        low=low,
        high=high,
        p_equivalence=_equivalence(found.estimate, interval, 1 if pointwise else m, name),
        own=found.own,
        overall_own=found.overall_own,
        posterior=found.posterior,
        turned=found.turned,
        direction=found.direction,
        remarks=found.remarks,
    )  # fmt: skip


def readjusted(answer: Answer, name: str, level: float, contrasts: Integers) -> Answer:
    """Return the answer of a model that left each pair by itself, adjusted by name, with intervals of its std_error and df."""
    pairs = answer.pairs
    found = Unadjusted(
        answer.method, pairs.n, pairs.mean_a, pairs.mean_b, pairs.estimate, pairs.p_value, pairs.std_error, pairs.statistic,
        pairs.df, None, answer.overall, answer.means, answer.own, answer.overall_own, None, answer.turned, answer.direction,
        answer.remarks,
    )  # fmt: skip
    return replace(adjusted(found, name, level, contrasts), components=answer.components)


def check_family(name: str | None, groups: int) -> None:
    """Raise BenchkitError for an adjustment by the logic of pairs that several data sets or metrics would share."""
    if name in ONE_FAMILY and groups > 1:
        raise BenchkitError(
            f"the adjustment '{name}' is for all pairs of one family", "leave out --family all, or use --adjust holm"
        )


def adjustment(name: str) -> Callable[[Floats, Integers], Floats]:
    """Return the function from p-values and contrasts to adjusted p-values; BenchkitError for an unknown name."""
    entry = next((entry for entry in ADJUSTMENTS if entry.name == name and "p-values" in entry.needs), None)
    if entry is None:
        names = ", ".join(entry.name for entry in ADJUSTMENTS if "p-values" in entry.needs)
        needs = next((entry.needs for entry in ADJUSTMENTS if entry.name == name), None)
        if needs is not None:
            methods = "--method mixed or paired-t" if name == "max-t" else "--method mixed"
            raise BenchkitError(f"--adjust {name} needs {needs}", f"add {methods}; this method takes --adjust {names}")
        further = "; the mixed model (--method mixed) knows " + ", ".join(SIMULTANEOUS) + ", paired-t max-t"
        raise BenchkitError(f"there is no adjustment '{name}' of p-values", f"--adjust takes {names}{further}")
    function: Callable[[Floats, Integers], Floats] = entry.load()
    return function


def t_interval(found: Unadjusted) -> Interval:
    """Return the interval estimate +/- t(df) std_error; no width where std_error is 0."""

    def interval(level: Floats) -> tuple[Floats, Floats]:
        with np.errstate(invalid="ignore", over="ignore"):  # beyond the largest double an interval has no end
            half = np.where(found.std_error == 0, 0.0, upper_t(found.df, (1 - level) / 2) * found.std_error)
            return found.estimate - half, found.estimate + half

    return interval


def _equivalence(estimate: Floats, interval: Interval, m: int, name: str) -> Callable[[Floats], Floats]:
    """Return the function that gives the smallest alpha of the family at which the intervals lie within the margins.

    It is 1 where the estimate is not within its margin, whatever the interval, and NaN where there is no interval.
    """

    def smallest(margins: Floats) -> Floats:
        below, above = np.zeros(margins.shape), np.ones(margins.shape)
        for _ in range(HALVINGS):
            middle = np.sqrt(np.maximum(below, TINY) * above)  # halves the number of digits, for p-values of any size
            low, high = interval(1 - _alpha_of_one(name, middle, m))
            with np.errstate(invalid="ignore"):
                # NaN and ends in the wrong order lie nowhere
                inside = (low <= high) & (low >= -margins) & (high <= margins)
            above, below = np.where(inside, middle, above), np.where(inside, below, middle)
        above = np.where(above <= NONE, 0.0, above)
        unknown = np.isnan(interval(np.full(margins.shape, 0.95))[0])
        return np.where(unknown, np.nan, np.where(np.abs(estimate) >= margins, 1.0, above))

    return smallest


def _alpha_of_one(name: str, alpha: Floats, m: int) -> Floats:
    """Return the error of each of m intervals that together have the error alpha."""
    return np.asarray(1 - (1 - alpha) ** (1 / m) if name == "sidak" else alpha / m, dtype=np.float64)
