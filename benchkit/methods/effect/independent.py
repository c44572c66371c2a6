"""Effect sizes of independent samples: every value of a against every value of b, whichever replicate they have.

Each takes values, shape (B, K), less is better, NaN where missing, contrasts, shape (m, 2), and the level, and returns the
effect with the ends of its interval, three arrays (m,); NaN without a value of both, and no interval for a sample of one.
mean_difference is a minus b: where higher is better core multiplies by -1 and swaps the ends.
"""

import numpy as np
from scipy.special import ndtri

from benchkit.methods.comparison.samples import columns_of, differences, samples_of
from benchkit.methods.comparison.shifts import placements
from benchkit.methods.effect.mean_difference import Effect, throughout
from benchkit.methods.effect.odds_ratio import is_outcome
from benchkit.methods.effect.prob_better import share_of
from benchkit.methods.records import Floats, Integers
from benchkit.methods.t_quantile import upper_t


def prob_better(values: Floats, contrasts: Integers, level: float) -> Effect:
    """Return P(a is better) + P(tie) / 2 over all couples of a value of a and one of b, with Brunner and Munzel's interval.

    That is t with their standard error and df, cut to 0..1, so that it leaves out 1/2 exactly when their test rejects; where
    no placement varies (separated samples, or nothing but ties), Wilson's with the smaller sample's size. Values within 1e-12
    of the largest tie. Source: Brunner & Munzel 2000; Feng & Cliff 2004 for separated samples.
    """
    columns = columns_of(values)
    found = [_relative(columns[a], columns[b], level) for a, b in contrasts]
    effect, low, high = np.array(found, dtype=np.float64).reshape(-1, 3).T
    return effect, low, high


def a12(values: Floats, contrasts: Integers, level: float) -> Effect:
    """Return Vargha and Delaney's A, which of independent samples is prob_better."""
    return prob_better(values, contrasts, level)


def cliffs_delta(values: Floats, contrasts: Integers, level: float) -> Effect:
    """Return P(a better) - P(a worse) over all couples: 2 prob_better - 1, with its interval. Source: Cliff 1993."""
    effect, low, high = prob_better(values, contrasts, level)
    return 2.0 * effect - 1.0, 2.0 * low - 1.0, 2.0 * high - 1.0


def mean_difference(values: Floats, contrasts: Integers, level: float) -> Effect:
    """Return mean of a - mean of b with Welch's interval; no width where neither sample varies. Source: Welch 1947."""
    with np.errstate(over="ignore"):
        return _welch(values, contrasts, level)


def ratio(values: Floats, contrasts: Integers, level: float) -> Effect:
    """Return the geometric mean of a over that of b, with exp of Welch's interval for the difference of mean logarithms.

    All values of both must be positive, or all negative as those of a positive metric are where higher is better; else NaN.
    """
    missing = np.isnan(values)
    one_sign = throughout((values > 0) | missing, contrasts) | throughout((values < 0) | missing, contrasts)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(np.abs(values))
    parts = _welch(np.where(np.isinf(logs), np.nan, logs), contrasts, level)
    with np.errstate(over="ignore"):
        effect, low, high = (np.exp(np.where(one_sign, part, np.nan)) for part in parts)
    return effect, low, high


def odds_ratio(values: Floats, contrasts: Integers, level: float) -> Effect:
    """Return the odds of being right, a against b, of 0/1 outcomes, with the logit interval; NaN for other values.

    Above 1 a is better, whatever the direction. The interval adds 1/2 to each of the four counts; where one of them makes the
    ratio 0 or infinite, so is that end. NaN where both samples are all right or all wrong. Source: Woolf 1955; Gart 1966.
    """
    binary = throughout(is_outcome(values), contrasts)
    best = -1.0 if (values == -1.0).any() else 0.0
    right, size = (values == best).sum(axis=0).astype(np.float64), (~np.isnan(values)).sum(axis=0).astype(np.float64)
    (a, b), wrong = contrasts.T, size - right
    over, under = right[a] * wrong[b], wrong[a] * right[b]
    known = binary & ((over > 0) | (under > 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = np.where(known, over / under, np.nan)
    cells = np.stack([right[a], wrong[a], right[b], wrong[b]]) + 0.5
    middle = np.log(cells[0] * cells[3] / (cells[1] * cells[2]))
    half = float(-ndtri((1.0 - level) / 2.0)) * np.sqrt((1.0 / cells).sum(axis=0))
    low, high = np.minimum(np.exp(middle - half), effect), np.maximum(np.exp(middle + half), effect)
    return effect, low, high


def _relative(first: Floats, second: Floats, level: float) -> tuple[float, float, float]:
    """Return the relative effect of two samples with its interval."""
    n, m = first.size, second.size
    if min(n, m) == 0:
        return np.nan, np.nan, np.nan
    of_first, of_second = placements(first, second), 1.0 - placements(second, first)
    effect = float(of_first.mean())
    if min(n, m) < 2:
        return effect, np.nan, np.nan
    parts = np.array([of_first.var(ddof=1) / n, of_second.var(ddof=1) / m])
    variance = float(parts.sum())
    if variance == 0 or effect in (0.0, 1.0):
        least = np.array([float(min(n, m))])
        _, low, high = share_of(effect * least, least, level)
        return effect, float(low[0]), float(high[0])
    share = parts / variance
    df = 1.0 / (share[0] ** 2 / (n - 1.0) + share[1] ** 2 / (m - 1.0))
    half = float(upper_t(df, (1.0 - level) / 2.0)) * float(np.sqrt(variance))
    return effect, max(effect - half, 0.0), min(effect + half, 1.0)


def _welch(values: Floats, contrasts: Integers, level: float) -> Effect:
    """Return the difference of means with Welch's interval; NaN where a value is infinite."""
    infinite = np.isinf(values)
    samples = samples_of(np.where(infinite, np.nan, values))
    found = differences(samples, contrasts)
    a, b = contrasts.T
    half = np.where(found.std_error == 0, 0.0, upper_t(found.df, (1.0 - level) / 2.0) * found.std_error)
    half = np.where(np.minimum(samples.n[a], samples.n[b]) > 1, half, np.nan)
    estimate = np.where(throughout(~infinite, contrasts), found.estimate, np.nan)
    return estimate, estimate - half, estimate + half
