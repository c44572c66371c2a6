"""From estimates to verdicts: better, worse, equivalent or undecided, and what else an interval tells."""

from dataclasses import dataclass

import numpy as np

from benchkit.methods.records import Answer, Floats
from benchkit.methods.t_quantile import upper_t

POWER = 0.8


@dataclass(frozen=True)
class Verdicts:
    """One entry for each pair; intervals are oriented (less is better) as in Answer. Shapes (m,).

    verdict: None where the pair could not be tested. p_equivalence, noninferior: NaN and None without a margin.
    """

    low: Floats
    high: Floats
    verdict: list[str | None]
    p_adjusted: Floats
    p_equivalence: Floats
    noninferior: list[bool | None]
    detectable: Floats


def judge(answer: Answer, level: float, margin: Floats, groups: int = 1) -> Verdicts:
    """Judge each pair by its interval, oriented so that less is better.

    `level` is the joint level asked for; `answer` was computed at 1 - (1 - level)/groups, and its p-values are
    multiplied by `groups` here (--family all). With a step-wise adjustment and no margin, better and worse come from
    p_adjusted, whose intervals (Bonferroni) are wider. A posterior decides by itself: the outcome with a probability of
    `level` or more.
    """
    pairs = answer.pairs
    with np.errstate(invalid="ignore", over="ignore"):  # beyond the largest double an interval has no end
        half = np.where(pairs.std_error == 0, 0.0, pairs.critical * pairs.std_error)
        low = pairs.estimate - half if answer.low is None else answer.low
        high = pairs.estimate + half if answer.high is None else answer.high
    p_adjusted = np.minimum(1.0, pairs.p_adjusted * groups)
    without = np.isnan(low) if answer.low is not None else np.zeros(margin.shape, dtype=bool)
    by_p = (answer.step_wise | without) & (margin == 0)
    side = pairs.estimate if answer.direction is None else answer.direction
    with np.errstate(invalid="ignore"):
        better = np.where(by_p, (p_adjusted <= 1 - level) & (side < 0), high < -margin)
        worse = np.where(by_p, (p_adjusted <= 1 - level) & (side > 0), low > margin)
        equivalent = (margin > 0) & (low >= -margin) & (high <= margin)
    testable = ~np.isnan(low) | (by_p & ~np.isnan(p_adjusted))
    if answer.posterior is not None:
        better, equivalent, worse = (column >= level for column in answer.posterior.T)
        testable = ~np.isnan(answer.posterior).any(axis=1)
    words = np.select([~testable, better, worse, equivalent], ["", "better", "worse", "equivalent"], "undecided")
    bounded = ~np.isnan(high)
    noninferior = [bool(h < m) if m > 0 and ok else None for h, m, ok in zip(high, margin, bounded, strict=True)]
    return Verdicts(
        low,
        high,
        [str(word) or None for word in words],
        p_adjusted,
        _p_equivalence(answer, margin, groups),
        noninferior,
        _detectable(answer),
    )


def _p_equivalence(answer: Answer, margin: Floats, groups: int) -> Floats:
    """Return the smallest alpha at which each pair would be equivalent; NaN without a margin and with a posterior."""
    pairs = answer.pairs
    if not margin.any() or answer.posterior is not None:  # a posterior says by itself how sure it is
        return np.full(margin.shape, np.nan)
    if answer.p_equivalence is not None:
        return np.where(margin > 0, np.minimum(1.0, answer.p_equivalence(margin) * groups), np.nan)
    room = margin - np.abs(pairs.estimate)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        reach = np.where(room > 0, room / pairs.std_error, 0.0)
    p = np.minimum(1.0, answer.tail(np.where(np.isfinite(reach), reach, 0.0)) * groups)
    p = np.where(np.isinf(reach), 0.0, np.where(room > 0, p, 1.0))
    return np.where((margin > 0) & ~np.isnan(pairs.std_error), p, np.nan)


def _detectable(answer: Answer) -> Floats:
    """Return the true difference that the family's interval would separate with probability 0.8."""
    pairs = answer.pairs
    quantile = upper_t(np.where(np.isnan(pairs.df), np.inf, pairs.df), 1 - POWER)
    with np.errstate(invalid="ignore", over="ignore"):
        return np.where(pairs.std_error == 0, 0.0, pairs.std_error * (pairs.critical + quantile))
