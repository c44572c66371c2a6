"""The score interval of the difference between two independent proportions."""

import numpy as np
from scipy.special import ndtri

from benchkit.methods.records import Floats
from benchkit.methods.roots import find_roots


def score_interval(x: Floats, n: Floats, y: Floats, m: Floats, level: Floats) -> tuple[Floats, Floats]:
    """Return the ends of the interval of x/n - y/m, all (m,), at the levels: the differences that the score test keeps.

    The variance of the test is that of the likeliest proportions with the difference in question, without the factor
    N/(N - 1) of Miettinen & Nurminen 1985, so that 0 is left out exactly when the pooled z test rejects (Mee 1984). Within
    [-1, 1]; NaN where n or m is 0.
    """
    z = -ndtri((1.0 - level) / 2.0)
    upper = _upper(np.concatenate([x, y]), np.concatenate([n, m]), np.concatenate([y, x]), np.concatenate([m, n]), np.tile(z, 2))
    return -upper[x.size :], upper[: x.size]


def _upper(x: Floats, n: Floats, y: Floats, m: Floats, z: Floats) -> Floats:
    """Return the difference above the estimate at which the score statistic is -z."""
    n, m = np.where(n > 0, n, np.nan), np.where(m > 0, m, np.nan)
    estimate = x / n - y / m
    finite = np.isfinite(z)
    square = np.where(finite, z, 1.0) ** 2

    def excess(difference: Floats) -> Floats:
        return (difference - estimate) ** 2 - square * restricted_variance(x, n, y, m, difference)

    # just above the estimate, where the variance can be 0 itself, the excess is negative; at a difference of 1 the variance is 0
    start = estimate + 1e-12 * (1.0 - estimate)
    inside = np.maximum(find_roots(excess, start, np.ones(estimate.shape)), estimate)
    return np.where(np.isnan(estimate), np.nan, np.where(finite & (estimate < 1.0), inside, 1.0))


def restricted_variance(x: Floats, n: Floats, y: Floats, m: Floats, difference: Floats) -> Floats:
    """Return p(1 - p)/n + q(1 - q)/m for the likeliest p and q = p - difference.

    Source: Miettinen & Nurminen 1985, Statistics in Medicine 4, appendix 1.
    """
    # q solves a cubic equation a q^3 + b q^2 + c q + d = 0
    a = n + m
    b = (n + 2.0 * m) * difference - a - x - y
    c = (m * difference - a - 2.0 * y) * difference + x + y
    d = y * difference * (1.0 - difference)
    third = b / (3.0 * a)
    v = third**3 - b * c / (6.0 * a**2) + d / (2.0 * a)
    size = np.sqrt(np.maximum(third**2 - c / (3.0 * a), 0.0))
    u = np.where(v < 0, -size, size)
    cosine = np.divide(v, u**3, out=np.zeros(v.shape), where=u != 0)
    angle = (np.pi + np.arccos(np.clip(cosine, -1.0, 1.0))) / 3.0
    q = np.clip(2.0 * u * np.cos(angle) - third, np.maximum(0.0, -difference), np.minimum(1.0, 1.0 - difference))
    p = q + difference
    return np.asarray(np.maximum(p * (1.0 - p), 0.0) / n + np.maximum(q * (1.0 - q), 0.0) / m)
