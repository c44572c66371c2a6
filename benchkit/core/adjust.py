"""From pairs that were tested one by one to a family: adjusted p-values and the intervals that stand beside them."""

from collections.abc import Callable

import numpy as np
from scipy.special import ndtri, stdtrit

from benchkit.errors import BenchkitError
from benchkit.methods import ADJUSTMENTS
from benchkit.methods.records import Answer, Floats, Integers, Interval, Pairs, Unadjusted

# how often the range of alpha is halved, in digits, to find the smallest one, and where that range begins
HALVINGS, TINY = 60, 1e-300
# one step gives p-values and intervals that say the same
SINGLE_STEP = ("bonferroni", "sidak", "none")


def adjusted(found: Unadjusted, name: str, level: float, contrasts: Integers) -> Answer:
    """Return the answer for the family: p_adjusted by the adjustment `name`, simultaneous intervals at `level`.

    Intervals are Bonferroni's, Sidak's with sidak, each pair's own (pointwise) with none. Pairs without a p-value are no
    part of the family. With a posterior nothing is adjusted. BenchkitError for an unknown adjustment, or one that does not
    take these contrasts.
    """
    m = max(int((~np.isnan(found.p_value)).sum()), 1)
    pointwise = found.posterior is not None or name == "none"
    levels = 1 - _alpha_of_one(name, np.full(found.p_value.shape, 1 - level), 1 if pointwise else m)
    interval = found.interval or t_interval(found)
    low, high = interval(levels)
    adjust = _function(name)
    p_adjusted = found.p_value if pointwise else adjust(found.p_value, contrasts)
    return Answer(
        method=found.method,
        adjust="none" if pointwise or m == 1 else name,
        ci_kind="pointwise" if pointwise and m > 1 else "simultaneous" if m == 1 else "bonferroni",
        pairs=Pairs(
            found.n, found.mean_a, found.mean_b, found.estimate, found.std_error, found.statistic, found.df, found.p_value,
            p_adjusted, _quantile(found.df, levels),
        ),
        tail=lambda t: np.full(np.shape(t), np.nan),
        overall=found.overall,
        means=found.means,
        # an interval of the method's own need not agree with its p-value, which is the test that was asked for
        step_wise=(name not in SINGLE_STEP and m > 1) or found.interval is not None,
        low=low,
        high=high,
        p_equivalence=_equivalence(interval, 1 if pointwise else m, name),
        own=found.own,
        overall_own=found.overall_own,
        posterior=found.posterior,
        turned=found.turned,
        direction=found.direction,
        remarks=found.remarks,
    )  # fmt: skip


def _function(name: str) -> Callable[[Floats, Integers], Floats]:
    entry = next((entry for entry in ADJUSTMENTS if entry.name == name and "p-values" in entry.needs), None)
    if entry is None:
        names = ", ".join(entry.name for entry in ADJUSTMENTS if "p-values" in entry.needs)
        raise BenchkitError(f"there is no adjustment '{name}' of p-values", f"--adjust takes {names}")
    function: Callable[[Floats, Integers], Floats] = entry.load()
    return function


def _quantile(df: Floats, level: Floats) -> Floats:
    """Return the two-sided quantile of t, normal where df is infinite, NaN where it is NaN."""
    finite = np.where(np.isfinite(df), df, 1.0)
    normal = np.where(np.isnan(df), np.nan, -ndtri((1 - level) / 2))
    # the absolute value, since far in the tail stdtrit gives infinity without its sign
    return np.where(np.isfinite(df), np.abs(stdtrit(finite, (1 - level) / 2)), normal)


def t_interval(found: Unadjusted) -> Interval:
    """Return the interval estimate +/- t(df) std_error; no width where std_error is 0."""

    def interval(level: Floats) -> tuple[Floats, Floats]:
        with np.errstate(invalid="ignore"):
            half = np.where(found.std_error == 0, 0.0, _quantile(found.df, level) * found.std_error)
        return found.estimate - half, found.estimate + half

    return interval


def _equivalence(interval: Interval, m: int, name: str) -> Callable[[Floats], Floats]:
    """Return the function that gives the smallest alpha of the family at which the intervals lie within the margins."""

    def smallest(margins: Floats) -> Floats:
        below, above = np.zeros(margins.shape), np.ones(margins.shape)
        for _ in range(HALVINGS):
            middle = np.sqrt(np.maximum(below, TINY) * above)  # halves the number of digits, for p-values of any size
            low, high = interval(1 - _alpha_of_one(name, middle, m))
            with np.errstate(invalid="ignore"):
                inside = (low >= -margins) & (high <= margins)
            above, below = np.where(inside, middle, above), np.where(inside, below, middle)
        unknown = np.isnan(interval(np.full(margins.shape, 0.95))[0])
        return np.where(unknown, np.nan, above)

    return smallest


def _alpha_of_one(name: str, alpha: Floats, m: int) -> Floats:
    """Return the error of each of m intervals that together have the error alpha."""
    return np.asarray(1 - (1 - alpha) ** (1 / m) if name == "sidak" else alpha / m, dtype=np.float64)
