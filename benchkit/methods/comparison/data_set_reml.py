"""Restricted maximum likelihood of the mixed model over data sets, from the sums of each data set.

p_drk = mu_k + a_d + b_dr + c_dk + e_drk, with the variances s^2 of e, s^2 gamma of b, c and a, in this order everywhere. In
units of s^2 a data set has V = V0 + X G X', V0 = I + gamma_b ZZ' of its replicates and X the columns of its algorithms, in
rotated coefficients G = gamma_c I + gamma_a K ee' with e the common level. So X'V^-1X = (I + MG)^-1 M with M = X'V0^-1X
(Searle, Casella & McCulloch 1992, sections 6.6 and M.5); profiled criterion as in Bates et al. 2015, section 3.4.
"""

from dataclasses import dataclass

import numpy as np

from benchkit.methods.comparison.data_set_sums import DataSets, Part
from benchkit.methods.records import Floats


@dataclass(frozen=True)
class Shrunken:
    """One part at one gamma, s^2 = 1.

    inverse (D, k, k): (I + MG)^-1. information (D, k, k): X'V^-1X. pulled (D, k, k): G (I + MG)^-1. covariance (k, k): of the
    coefficients mean (k, c). left (D, k, c): the data sets' means less their best predictions, which is what X'V0^-1 still
    sees. score (D, k, c): X'V^-1 of the residuals.
    """

    part: Part
    inverse: Floats
    information: Floats
    pulled: Floats
    covariance: Floats
    mean: Floats
    left: Floats
    score: Floats


@dataclass(frozen=True)
class Point:
    """The model at gamma (3,): of replicates, of data set x algorithm, of data sets.

    squares: y'Py, at least the rounding of the sums; criterion: -2 log REML.
    """

    gamma: Floats
    parts: tuple[Shrunken, ...]
    squares: float
    criterion: float


def weighted(part: Part, sizes: Floats, on_mean: Floats, on_rest: float) -> tuple[Floats, Floats]:
    """Return X' f(V0) X (D, k, k) and X' f(V0) of what is left (D, k, c), f `on_mean` (g,) on J/n and `on_rest` on I - J/n."""
    weights = on_mean / sizes
    matrix = on_rest * part.within + np.tensordot(part.together, weights, (1, 0))
    return np.asarray(matrix), np.asarray(on_rest * part.within_totals + np.tensordot(part.totals, weights, (1, 0)))


def left_over(sums: DataSets, on_mean: Floats, on_rest: float) -> float:
    """Return the same form of what is left itself, a number."""
    return float((on_mean / sums.sizes) @ sums.squares + on_rest * sums.within_squares)


def at(sums: DataSets, gamma: Floats) -> Point:
    """Return the model at gamma >= 0."""
    n = sums.sizes.astype(np.float64)
    scale = 1.0 + n * gamma[0]
    squares, log_det = left_over(sums, 1.0 / scale, 1.0), float(sums.replicates @ np.log(scale))
    parts = []
    for part in sums.parts:
        matrix, left_totals = weighted(part, n, 1.0 / scale, 1.0)
        spread = gamma[1] + gamma[2] * part.common
        inner = np.eye(len(spread)) + matrix * spread
        inverse = np.linalg.inv(inner)
        information = inverse @ matrix
        pulled, turned = spread[:, None] * inverse, inverse @ left_totals
        total = information.sum(axis=0)
        covariance = np.linalg.inv(total)
        mean = covariance @ (turned + information @ part.means).sum(axis=0)
        deviation = part.means - mean
        score = turned + information @ deviation
        left = inverse.transpose(0, 2, 1) @ deviation - pulled @ left_totals
        squares += float(np.vdot(deviation, score) + np.vdot(left, left_totals))
        log_det += part.copies * float(np.linalg.slogdet(inner).logabsdet.sum() + np.linalg.slogdet(total).logabsdet)
        parts.append(Shrunken(part, inverse, information, pulled, covariance, mean, left, score))
    freedom = sums.n_values - sums.counts.shape[1]
    squares = max(squares, sums.rounding)
    criterion = freedom * (np.log(2.0 * np.pi * squares / freedom) + 1.0) + log_det
    return Point(gamma, tuple(parts), squares, float(criterion))
