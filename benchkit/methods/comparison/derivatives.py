"""How the information on the means changes with the two variances: what both small-sample methods are made of.

theta = (s_b^2, s^2), V = s_b^2 J + s^2 I, in units of the fitted s^2. Every function of V is a number on the replicate's
mean (J/n) and a number on the deviations (I - J/n), so that all sums over replicates come from Sums. Matrices stand in the
rotated coefficients of sums.rotate: K - 1 orthonormal contrasts, then the common level.
"""

from dataclasses import dataclass

import numpy as np

from benchkit.methods.comparison.sums import Sums, rotation
from benchkit.methods.records import Floats


@dataclass(frozen=True)
class Information:
    """Pieces of Kenward & Roger 1997 for v variances theta, s^2 = 1.

    covariance Phi (K, K), first P_i (v, K, K), second Q_ij (v, v, K, K), expected (v, v): twice the expected information on
    theta under REML. sandwich (v, K, K): Phi P_i Phi.
    """

    covariance: Floats
    first: Floats
    second: Floats
    expected: Floats
    sandwich: Floats


@dataclass(frozen=True)
class Derivatives(Information):
    """Those of a random intercept, v = 2.

    on_mean (2, 2, g): what Q_ij is made of on a replicate's mean, by size; on the deviations it is 1 for (s^2, s^2), else 0.
    """

    on_mean: Floats


def summed(sums: Sums, on_mean: Floats, on_rest: float) -> Floats:
    """Return the sum over replicates of X' f(V) X, f being `on_mean` (g,) on J/n and `on_rest` on I - J/n."""
    return np.asarray(on_rest * sums.within_together + np.tensordot(on_mean / sums.sizes, sums.together, 1))


def derivatives(sums: Sums, gamma: float) -> Derivatives:
    """Return the derivatives at the ratio `gamma` of the two variances, from rotated sums."""
    n = sums.sizes.astype(np.float64)
    scale = 1.0 + n * gamma
    covariance = np.asarray(np.linalg.inv(summed(sums, 1.0 / scale, 1.0)), dtype=np.float64)
    first = np.stack([-summed(sums, n / scale**2, 0.0), -summed(sums, 1.0 / scale**2, 1.0)])
    on_mean = np.array([[n**2, n], [n, np.ones_like(n)]]) / scale**3
    rest = np.array([[0.0, 0.0], [0.0, 1.0]])
    second = np.array([[summed(sums, on_mean[i, j], rest[i, j]) for j in range(2)] for i in range(2)])
    traces = (on_mean * scale) @ sums.replicates
    traces[1, 1] += (n - 1.0) @ sums.replicates
    scaled = covariance @ first
    products = np.einsum("ikl,jlk->ij", scaled, scaled)
    expected = traces - 2.0 * np.einsum("kl,ijlk->ij", covariance, second) + products
    return Derivatives(covariance, first, second, expected, scaled @ covariance, on_mean)


def turned(rows: Floats) -> Floats:
    """Return the rows (m, K) of combinations of means as rows of the rotated coefficients; differences exactly so."""
    result = rows @ rotation(rows.shape[1])
    result[:, -1] = rows.sum(axis=1) / np.sqrt(rows.shape[1])
    return np.asarray(result)


def single_df(rows: Floats, parts: Information, uncertainty: Floats) -> Floats:
    """Return 2 v^2 / Var(v) for the variance v = c' Phi c of each turned row c, given the covariance (v, v) of theta.

    NaN where Var(v) is not positive.
    """
    value = np.einsum("mk,mk->m", rows @ parts.covariance, rows)
    slopes = np.einsum("imk,mk->im", rows @ parts.sandwich, rows)
    spread = np.einsum("im,ij,jm->m", slopes, uncertainty, slopes)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(spread > 0, 2.0 * value**2 / spread, np.nan)
