"""From a statistic of normal variables to the same statistic divided by an independent standard error.

P(M / S > t) = E W(t S) with W the tail of M under known variance and S = sqrt(chi2_df / df). The mean over log S is taken
by the trapezoidal rule, which converges exponentially here: the integrand is entire and falls off at both ends.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import gammaln

from benchkit.methods.records import Floats
from benchkit.methods.roots import find_roots
from benchkit.methods.t_quantile import upper_t

_NEGLIGIBLE = 42.0
"""Parts of an integrand below exp(-42) of its peak are left out."""

_BATCH = 20_000


def tail(normal_tail: Callable[[Floats], Floats], t: Floats, df: float) -> Floats:
    """Return P(M/S > t) for t >= 0, any shape, where normal_tail(t) = P(M > t) falls off like exp(-t^2/2).

    df may be inf. NaN gives NaN. Parts of the integrand that are negligible against its peak are left out, so that the
    relative error stays small in the far tail.
    """
    t = np.asarray(t, dtype=np.float64)
    flat = t.ravel()
    if np.isinf(df):
        return _in_batches(normal_tail, flat).reshape(t.shape)
    result = np.where(np.isnan(flat), np.nan, np.where(flat > 0, 0.0, 1.0))
    inner = (flat > 0) & np.isfinite(flat)
    if inner.any():
        result[inner] = _mean_over_scale(normal_tail, flat[inner], df)
    return result.reshape(t.shape)


def quantile(sf: Callable[[Floats], Floats], level: float, df: float, comparisons: int) -> float:
    """Return the t with sf(t) = 1 - level, between the value of one comparison and Bonferroni's for `comparisons`."""
    alpha = 1.0 - level
    low, high = (_two_sided(share, df) for share in (alpha, alpha / comparisons))
    bracket = np.array([low * (1 - 1e-9)]), np.array([high * (1 + 1e-9)])
    return float(find_roots(lambda t: np.log(sf(t)) - np.log(alpha), *bracket)[0])


def _mean_over_scale(normal_tail: Callable[[Floats], Floats], t: Floats, df: float) -> Floats:
    """Return the mean of normal_tail(t S) over S for each t, on one lattice in log(t S) that all t share."""
    step = min(0.5 / np.sqrt(df), 0.05)
    below, above = _reach(df)
    # with W about exp(-t^2 S^2 / 2) the integrand peaks near log S = -log(1 + t^2/df) / 2, with W about 1 near 0
    centre = np.log(t)
    first = np.floor((centre - 0.5 * np.log1p(t * t / df) - below) / step)
    number = (np.ceil((centre + above) / step) - first).astype(np.int64) + 1
    starts = np.cumsum(number) - number
    lattice = np.repeat(first - starts, number) + np.arange(number.sum())
    needed, position = np.unique(lattice, return_inverse=True)
    v = lattice * step - np.repeat(centre, number)
    density = np.exp(_log_peak(df) - df / 2.0 * (np.expm1(2.0 * v) - 2.0 * v))
    parts = density * _in_batches(normal_tail, np.exp(needed * step))[position]
    return np.asarray(step * np.add.reduceat(parts, starts))


def _log_peak(df: float) -> float:
    """Return the log density of log S at 0, for large df by Stirling's series since the terms nearly cancel."""
    half = df / 2.0
    if half < 50:
        return float(np.log(2.0) + half * np.log(half) - half - gammaln(half))
    correction = (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / (1260.0 * half**2)) / half**2) / half
    return float(np.log(2.0) + 0.5 * np.log(half / (2.0 * np.pi)) - correction)


def _reach(df: float) -> tuple[float, float]:
    """Return how far below and above its peak the density of log S is not negligible."""
    # the density falls by df (e^{2v}/2 - 1/2 - v); Newton from outside on a convex function converges from outside
    fall = _NEGLIGIBLE / df
    below, above = fall + 0.5, np.sqrt(fall)
    for _ in range(60):
        below -= (np.exp(-2 * below) / 2 - 0.5 + below - fall) / (1 - np.exp(-2 * below))
        above -= (np.exp(2 * above) / 2 - 0.5 - above - fall) / (np.exp(2 * above) - 1)
    return float(below), float(above)


def _in_batches(function: Callable[[Floats], Floats], t: Floats) -> Floats:
    """Return function(t) for a long t, in pieces that fit in memory."""
    return np.concatenate([function(t[start : start + _BATCH]) for start in range(0, len(t), _BATCH)] or [np.empty(0)])


def _two_sided(alpha: float, df: float) -> float:
    """Return the two-sided critical value of one t (normal for infinite df)."""
    return float(upper_t(df, alpha / 2.0))
