"""How far single performances and their differences spread: what a model that pools variances takes to be equal."""

from dataclasses import dataclass

import numpy as np

from benchkit.methods.comparison.sums import Sums
from benchkit.methods.records import Floats, Integers


@dataclass(frozen=True)
class Spread:
    """Of each contrast (m,): n replicates with both, variance (n - 1) and kurtosis (3 if normal) of their differences.

    sd (K,): standard deviation of each algorithm. NaN where fewer than two values or no variation leave them undefined.
    """

    n: Integers
    variance: Floats
    kurtosis: Floats
    sd: Floats


def spread(values: Floats, sums: Sums, contrasts: Integers) -> Spread:
    """Return the spread of the columns of a (B, K) matrix and of their differences over the replicates that have both."""
    columns = np.ascontiguousarray((values - sums.centre).T)
    present = None
    if not sums.balanced:
        present = (~np.isnan(columns)).astype(np.float64)
        columns[np.isnan(columns)] = 0.0
    # scratch for one column at a time: fresh memory would cost more than the arithmetic
    difference, both, squares = np.empty((3, len(values)))
    n = np.empty(len(contrasts), dtype=np.int64)
    variance, kurtosis = np.full((2, len(contrasts)), np.nan)
    for index, (a, b) in enumerate(contrasts):
        np.subtract(columns[a], columns[b], out=difference)
        weights = None if present is None else np.multiply(present[a], present[b], out=both)
        n[index], variance[index], kurtosis[index] = _moments(difference, weights, squares)
    every = [_moments(column, None if present is None else present[k], squares)[1] for k, column in enumerate(columns)]
    return Spread(n, variance, kurtosis, np.sqrt(every))


def unequal(found: Spread, residual: float) -> tuple[int, ...]:
    """Return the contrasts whose variance cannot be twice the pooled `residual` variance.

    v = var(d) / (2 s^2) is outside [.64, 1.56], and log v further from 0 than 3 of its standard errors.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = found.variance / (2.0 * residual)
        error = np.sqrt(np.maximum(found.kurtosis - 1.0, 0.0) / found.n)
        outside = (ratio < 0.64) | (ratio > 1.56)
        certain = (np.abs(np.log(ratio)) > 3.0 * error) | (ratio == 0)
    return tuple(int(index) for index in np.flatnonzero(outside & certain))


def _moments(values: Floats, weights: Floats | None, squares: Floats) -> tuple[int, float, float]:
    """Return count, variance (n - 1) and kurtosis of the values whose weight is 1; overwrites `values` and `squares`."""
    n = len(values) if weights is None else int(weights.sum())
    if n < 2:
        return n, np.nan, np.nan
    values -= (values.sum() if weights is None else values @ weights) / n
    if weights is not None:
        values *= weights
    np.multiply(values, values, out=squares)
    total = float(squares.sum())
    return n, total / (n - 1), float(squares @ squares) * n / total**2 if total > 0 else np.nan
