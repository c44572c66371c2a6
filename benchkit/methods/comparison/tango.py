"""Tango's score interval of the difference between two paired proportions."""

import numpy as np
from scipy.special import ndtri

from benchkit.methods.records import Floats
from benchkit.methods.roots import find_roots


def tango_interval(b: Floats, c: Floats, n: Floats, level: Floats) -> tuple[Floats, Floats]:
    """Return the ends of the interval of (b - c)/n for b and c discordant pairs among n, all (m,), at the levels (m,).

    It holds the differences that the score test does not reject, so that it leaves out 0 exactly when the uncorrected
    chi-square of McNemar does. Within [-1, 1]; with b = c = 0 it is +/- z^2/(n + z^2); [-1, 1] at the level 1; NaN where n is 0.
    Source: Tango 1998, Statistics in Medicine 17, 891-908.
    """
    z = -ndtri((1.0 - level) / 2.0)
    ends = _lower(np.concatenate([b, c]), np.concatenate([c, b]), np.tile(n, 2), np.tile(z, 2))
    low, high = ends[: b.size], -ends[b.size :]
    return low, high


def _lower(b: Floats, c: Floats, n: Floats, z: Floats) -> Floats:
    """Return the lower end: the difference below the estimate at which the score statistic is z."""
    n = np.where(n > 0, n, np.nan)
    finite = np.isfinite(z)
    # the statistic T/sqrt(V) is compared as the sine T/sqrt(T^2 + V), which stays finite where V is 0
    sine = np.where(finite, z / np.sqrt(1.0 + np.where(finite, z, 1.0) ** 2), 1.0)

    def excess(difference: Floats) -> Floats:
        distance = b - c - n * difference
        length = np.sqrt(distance**2 + _variance(difference, b, c, n))
        return np.divide(distance, length, out=np.where(np.isnan(n), np.nan, 0.0), where=length > 0) - sine

    estimate = (b - c) / n
    # the variance is at most n, so that the end is no farther away than this
    farthest = np.maximum(estimate - np.where(finite, z, np.inf) / np.sqrt(n), -1.0)
    return np.where(finite, np.minimum(find_roots(excess, farthest, estimate), estimate), n * 0.0 - 1.0)


def _variance(difference: Floats, b: Floats, c: Floats, n: Floats) -> Floats:
    """Return the variance of b - c where the true difference is `difference`, q of c being at its greatest likelihood."""
    # q solves 2 n q^2 + linear q + constant = 0
    constant = -c * difference * (1.0 - difference)
    linear = -b - c + (2.0 * n - b + c) * difference
    root = np.sqrt(np.maximum(linear**2 - 8.0 * n * constant, 0.0))
    safe = np.where(linear + root > 0, linear + root, 1.0)
    q = np.where(linear > 0, -2.0 * constant / safe, (root - linear) / (4.0 * n))
    return np.asarray(np.maximum(n * (2.0 * q + difference * (1.0 - difference)), 0.0))
