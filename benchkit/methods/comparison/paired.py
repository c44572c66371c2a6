"""Paired differences on complete replicates: means, standard deviations and what counts as no variation at all."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from benchkit.methods.records import Floats, Integers

FLOAT_NOISE = 1e-12


@dataclass(frozen=True)
class Paired:
    """The differences a - b of every contrast, shape (m,): mean, sd (n - 1 in the denominator; NaN for one replicate).

    Where the differences do not vary, sd is exactly 0, and mean is exactly 0 if they are rounding alone.
    """

    mean: Floats
    sd: Floats


def differences(values: Floats, contrasts: Integers) -> Paired:
    """Mean and standard deviation of values[:, a] - values[:, b] for each contrast (a, b).

    values: shape (B, K), complete. A standard deviation (or, with it, a mean) of at most 1e-12 of the larger original
    value is float noise and counts as 0. Every difference is taken before anything is squared, and squares are scaled,
    so neither a common offset nor the unit of the performance matters.
    """
    columns = np.ascontiguousarray(values.T)
    largest = np.abs(columns).max(axis=1)
    noise = FLOAT_NOISE * np.maximum(largest[contrasts[:, 0]], largest[contrasts[:, 1]])
    found = [_moments(columns[a] - columns[b]) for a, b in contrasts]
    mean, sd = np.array(found, dtype=np.float64).reshape(-1, 2).T
    constant = sd <= noise
    return Paired(mean=np.where(constant & (np.abs(mean) <= noise), 0.0, mean), sd=np.where(constant, 0.0, sd))


def moments(values: Floats) -> Paired:
    """Mean and standard deviation of each column of values, (B, K)."""
    found = [_moments(column) for column in np.ascontiguousarray(values.T)]
    mean, sd = np.array(found, dtype=np.float64).reshape(-1, 2).T
    return Paired(mean=mean, sd=sd)


def studentise(estimate: Floats, std_error: Floats) -> Floats:
    """Return estimate / std_error with its limits where std_error is 0: 0 for a zero estimate, else signed infinity."""
    statistic = np.divide(estimate, std_error, out=np.full(estimate.shape, np.nan), where=std_error > 0)
    limit = np.where(estimate == 0, 0.0, np.copysign(np.inf, estimate))
    return np.where((std_error == 0) & ~np.isnan(estimate), limit, statistic)


def two_sided(statistic: Floats, df: Floats | float) -> Floats:
    """Two-sided p-value of t statistics, accurate in the far tail; 0 for infinite statistics, NaN for NaN."""
    p: Floats = np.minimum(1.0, 2.0 * stdtr(df, -np.abs(statistic)))
    return np.where(np.isinf(statistic), 0.0, p)


def triangle(centred: Floats, contrasts: Integers) -> Floats:
    """Return F, shape (min(B, K), m), such that F'F / (B - 1) is the covariance matrix of the differences.

    It comes from the triangular factor of the column-centred values, so that the variance of a small difference
    between two large quantities keeps its digits.
    """
    factor = np.asarray(np.linalg.qr(centred, mode="r"), dtype=np.float64)
    return np.asarray(factor[:, contrasts[:, 0]] - factor[:, contrasts[:, 1]])


def correlation(factor: Floats) -> Floats:
    """Correlation matrix (m, m) that belongs to the covariance F'F; NaN for columns of F that are zero or NaN."""
    length = np.linalg.norm(factor, axis=0)
    unit = np.divide(factor, length, out=np.full(factor.shape, np.nan), where=length > 0)
    return np.asarray(np.clip(unit.T @ unit, -1.0, 1.0))


def shared_counts(values: Floats, contrasts: Integers) -> Integers:
    """Return, for each contrast, the number of replicates that have both algorithms."""
    present = (~np.isnan(values)).astype(np.float64)
    both: NDArray[np.float64] = present.T @ present
    return both[contrasts[:, 0], contrasts[:, 1]].round().astype(np.int64)


def _moments(difference: Floats) -> tuple[float, float]:
    mean = float(difference.mean())
    if difference.size < 2:
        return mean, float("nan")
    deviation = difference - mean
    scale = float(np.abs(deviation).max())
    if scale == 0.0:
        return mean, 0.0
    deviation /= scale
    # summed here, not by BLAS, whose threads cost more than they save on one column
    deviation *= deviation
    return mean, scale * float(np.sqrt(deviation.sum() / (difference.size - 1)))
