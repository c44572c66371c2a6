"""How far single performances and their differences spread: what a model that pools variances takes to be equal."""

from dataclasses import dataclass

import numpy as np

from benchkit.methods.comparison.sums import Sums
from benchkit.methods.records import Floats, Integers, Remark

BAND = (0.64, 1.56)


@dataclass(frozen=True)
class Spread:
    """Of each contrast (m,): n replicates with both, and the variance (n - 1) of their differences, NaN if n < 2."""

    n: Integers
    variance: Floats


def spread(values: Floats, sums: Sums, contrasts: Integers) -> Spread:
    """Return the spread of the columns of a (B, K) matrix and of their differences over the replicates that have both.

    Deviations from each replicate's mean serve for the differences, so that a large variance between replicates does
    not drown theirs; three matrix products then hold the sums of all pairs.
    """
    a, b = contrasts.T
    rest = values - sums.centre
    if sums.balanced:
        rest -= (rest @ np.full(rest.shape[1], 1.0 / rest.shape[1]))[:, None]
        cross = rest.T @ rest
        squares, column_sums = cross[a, a] + cross[b, b], np.ones(len(rest)) @ rest
        n, linear = np.full(len(contrasts), float(len(rest))), column_sums[a] - column_sums[b]
    else:
        present = (~np.isnan(rest)).astype(np.float64)
        rest = np.where(present > 0, rest, 0.0)
        rest -= (rest.sum(axis=1) / np.maximum(present.sum(axis=1), 1.0))[:, None] * present
        together, own, cross = present.T @ present, (rest * rest).T @ present, rest.T @ rest
        sums_with = rest.T @ present
        n, squares, linear = together[a, b], own[a, b] + own[b, a], sums_with[a, b] - sums_with[b, a]
    with np.errstate(invalid="ignore", divide="ignore"):
        total = squares - 2 * cross[a, b] - linear**2 / n
        variance = np.where(n > 1, np.maximum(total, 0.0) / (n - 1), np.nan)
    return Spread(n.astype(np.int64), variance)


def unequal(found: Spread, values: Floats, contrasts: Integers, residual: float) -> tuple[int, ...]:
    """Return the contrasts whose variance cannot be twice the pooled `residual` variance.

    v = var(d) / (2 s^2) is outside [.64, 1.56], and log v further from 0 than 3 of its standard errors, which rest on
    the kurtosis of the differences.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = found.variance / (2.0 * residual)
        outside = np.flatnonzero((ratio < BAND[0]) | (ratio > BAND[1]))
        columns = np.ascontiguousarray(values.T) if outside.size else values.T
        certain = [index for index in outside.tolist() if _certain(float(ratio[index]), columns, contrasts[index])]
    return tuple(certain)


def unequal_variances(found: Spread, values: Floats, contrasts: Integers, residual: float) -> tuple[Remark, ...]:
    """Return the remark unequal-variances if there are such contrasts, else nothing.

    numbers: widest and narrowest, the contrasts whose differences vary most and least, and their standard deviations.
    """
    pairs = unequal(found, values, contrasts, residual)
    if not pairs:
        return ()
    widest, narrowest = int(np.nanargmax(found.variance)), int(np.nanargmin(found.variance))
    sd = np.sqrt(found.variance)
    numbers = {"widest": widest, "narrowest": narrowest, "widest_sd": float(sd[widest]), "narrowest_sd": float(sd[narrowest])}
    return (Remark("unequal-variances", pairs, numbers),)


def _certain(ratio: float, columns: Floats, contrast: Integers) -> bool:
    """Say whether log(ratio) is further from 0 than 3 of its standard errors."""
    if ratio == 0:
        return True
    difference = columns[contrast[0]] - columns[contrast[1]]
    difference = difference[~np.isnan(difference)]
    error = np.sqrt(max(kurtosis(difference) - 1.0, 0.0) / difference.size)
    return bool(np.abs(np.log(ratio)) > 3.0 * error)


def kurtosis(values: Floats) -> float:
    """Return the fourth standardised moment, 3 for a normal distribution; NaN if the values are all equal."""
    deviations = values - values.mean()
    largest = float(np.abs(deviations).max(initial=0.0))
    squares = (deviations / (largest or 1.0)) ** 2  # fourth powers of tiny or huge numbers do not exist
    total = float(squares.sum())
    return float((squares**2).sum()) * values.size / total**2 if total > 0 else float("nan")
