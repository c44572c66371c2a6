"""Confidence intervals of a mean."""

import numpy as np
from scipy.special import ndtr, ndtri

from benchkit.methods.records import Floats
from benchkit.methods.t_quantile import upper_t

DRAWS = 9999
CHUNK = 2_000_000


def t_interval(values: Floats, level: float) -> tuple[float, float]:
    """Return the t interval of the mean of `values` (no NaN); NaN with fewer than two values."""
    n = values.size
    if n < 2:
        return np.nan, np.nan
    mean = float(np.mean(values))
    half = float(upper_t(n - 1, (1 - level) / 2)) * float(np.std(values, ddof=1)) / np.sqrt(n)
    return mean - half, mean + half


def bca_interval(values: Floats, level: float, generator: np.random.Generator, draws: int = DRAWS) -> tuple[float, float]:
    """Return the bias-corrected and accelerated bootstrap interval of the mean (Efron 1987; Efron & Tibshirani 1993, 14.3).

    z0 counts resampled means equal to the mean with half weight; the acceleration comes from the jackknife over the
    values. Constant values give an interval of zero width; fewer than two values give NaN.
    """
    n = values.size
    if n < 2:
        return np.nan, np.nan
    centre = float(np.mean(values))
    shifted = values - centre
    if not shifted.any():
        return centre, centre
    means = np.sort(_resampled_means(shifted, generator, draws))
    actual = float(np.mean(shifted))
    # the means of a resample are sums in another order: what differs by rounding only is equal
    slack = 1e-12 * float(np.max(np.abs(values)))
    below = np.searchsorted(means, actual - slack, "left")
    upto = np.searchsorted(means, actual + slack, "right")
    z0 = float(ndtri(np.clip((below + (upto - below) / 2) / draws, 0.5 / draws, 1 - 0.5 / draws)))
    # the jackknife mean without value i is (sum - x_i)/(n - 1): its deviations are proportional to x_i - mean
    acceleration = float(np.sum(shifted**3) / (6 * np.sum(shifted**2) ** 1.5))
    tails = z0 + ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))
    probability = ndtr(z0 + tails / (1 - acceleration * tails))
    low, high = np.quantile(means, probability, method="median_unbiased")
    return centre + float(low), centre + float(high)


def _resampled_means(values: Floats, generator: np.random.Generator, draws: int) -> Floats:
    """Return the means of `draws` resamples with replacement, in bounded memory."""
    means = np.empty(draws)
    step = max(1, CHUNK // values.size)
    for start in range(0, draws, step):
        size = min(step, draws - start)
        means[start : start + size] = values[generator.integers(0, values.size, (size, values.size))].mean(axis=1)
    return means
