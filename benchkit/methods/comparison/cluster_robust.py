"""Cluster-robust inference on GLS means with missing cells: CR2 by replicate, Satterthwaite df, the HTZ Wald test.

Source: Bell & McCaffrey 2002; Pustejovsky & Tipton 2018, sections 2 and 3; numerically clubSandwich::vcovCR(type = "CR2"),
coef_test(test = "Satterthwaite") and Wald_test(test = "HTZ") on a fit of lme4. With complete replicates the standard
errors are those of the paired t test, df = B - 1, and the Wald test is Hotelling's.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.comparison.cluster_df import QuadraticForms, WaldForms
from benchkit.methods.comparison.hotelling import UNKNOWN, squared_distance
from benchkit.methods.comparison.judgement import f_test
from benchkit.methods.comparison.missing_patterns import Patterns, design, group, helmert
from benchkit.methods.comparison.paired import FLOAT_NOISE
from benchkit.methods.records import Floats, Integers, Overall

# Beyond this ratio the common part of a replicate tells nothing about differences; it stands in for infinity.
LARGEST_GAMMA = 1e10


@dataclass(frozen=True)
class ClusterRobust:
    """Standard errors and df of the contrasts (m,) and of the means (K,), and the Wald test of equal means.

    factor: F (p, m) with F'F the covariance of the contrasts, p at most K. df is NaN where it cannot be computed. overall is
    all NaN for the reason given: small-n if its df are too few, zero-variance if the covariance is singular; else empty.
    """

    factor: Floats
    std_error: Floats
    df: Floats
    mean_error: Floats
    mean_df: Floats
    overall: Overall
    reason: str


def cluster_robust(values: Floats, means: Floats, gamma: float, contrasts: Integers) -> ClusterRobust:
    """CR2 inference on GLS means with the working covariance I + gamma J in every replicate.

    values: (B, K), NaN where missing, each algorithm in at least two replicates; means: the GLS means (K,) at this gamma;
    contrasts: (m, 2). The cost grows with the number of different patterns of missing cells and with B.
    """
    K, m = values.shape[1], len(contrasts)
    present = ~np.isnan(values)
    gamma = min(gamma, LARGEST_GAMMA)
    basis = helmert(K)
    root = _root_of_model_covariance(present, gamma, basis)
    wanted = np.vstack([basis[contrasts[:, 0]] - basis[contrasts[:, 1]], basis])
    forms = QuadraticForms(wanted, root)
    wald = WaldForms(root)
    triangle = np.zeros((0, K))
    residuals = values - means
    for patterns in group(present):
        matrices = design(patterns, basis)
        spread = np.ones(matrices.shape[1])
        spread[0] += gamma * spread.size
        scaled = matrices @ root
        weights = adjusted_weights(matrices, scaled, spread)
        stacked = np.vstack([triangle, _scores(patterns, residuals, weights)])
        triangle = np.asarray(np.linalg.qr(stacked, mode="r"), dtype=np.float64)
        forms.add(weights, scaled, spread, patterns.counts)
        wald.add(weights, scaled, spread, patterns.counts)
    robust = triangle @ root @ root.T
    factor = robust @ wanted.T
    error, df = np.linalg.norm(factor, axis=0), forms.df()
    noise = FLOAT_NOISE * float(np.nanmax(np.abs(values))) / np.sqrt(len(values))
    overall, reason = _wald(basis[:, 1:].T @ means, robust[:, 1:], noise, wald.df())
    return ClusterRobust(
        factor=factor[:, :m],
        std_error=error[:m],
        df=df[:m],
        mean_error=error[m:],
        mean_df=df[m:],
        overall=overall,
        reason=reason,
    )


def adjusted_weights(matrices: Floats, scaled: Floats, spread: Floats) -> Floats:
    """X'W A of every pattern, (P, K, n), where A solves A S A = Theta, S the covariance of the GLS residuals under the model.

    matrices: X (P, n, K); scaled: X times a root of (X'WX)^-1, summed over all replicates; spread: the diagonal of Theta = W^-1.
    A = D (D S D)^-1/2 D with D = Theta^1/2 is the CR2 adjustment; it does not depend on the root taken.
    """
    half = np.sqrt(spread)
    residual = np.diag(spread) - scaled @ scaled.transpose(0, 2, 1)
    sizes, vectors = np.linalg.eigh(half[:, None] * residual * half)
    power = np.where(sizes > 0, 1.0 / np.sqrt(np.where(sizes > 0, sizes, 1.0)), 0.0)
    adjustment = half[:, None] * ((vectors * power[:, None, :]) @ vectors.transpose(0, 2, 1)) * half
    weights: Floats = matrices.transpose(0, 2, 1) @ (adjustment / spread[:, None])
    return weights


def _root_of_model_covariance(present: NDArray[np.bool_], gamma: float, basis: Floats) -> Floats:
    """Return the upper triangular L with LL' = (sum of X'WX)^-1; scaled first, since gamma may be anything."""
    K = basis.shape[0]
    information = np.zeros((K, K))
    for patterns in group(present):
        matrices = design(patterns, basis)
        n = matrices.shape[1]
        weight = np.ones(n)
        weight[0] = 1.0 / (1.0 + gamma * n)
        information += np.einsum("p,pnk,n,pnl->kl", patterns.counts, matrices, weight, matrices, optimize=True)
    scale = 1.0 / np.sqrt(np.diag(information))
    lower = np.linalg.cholesky(scale[:, None] * information * scale)
    root: Floats = scale[:, None] * np.linalg.inv(lower).T
    return root


def _scores(patterns: Patterns, residuals: Floats, weights: Floats) -> Floats:
    """X'WA e of each replicate, one row each."""
    turn = helmert(patterns.algorithms.shape[1])
    scores = [
        residuals[np.ix_(rows, algorithms)] @ turn @ weight.T
        for algorithms, rows, weight in zip(patterns.algorithms, patterns.rows, weights, strict=True)
    ]
    return np.vstack(scores)


def _wald(estimate: Floats, factor: Floats, noise: float, eta: float) -> tuple[Overall, str]:
    """Approximate Hotelling's T2 with eta degrees of freedom: F on (q, eta - q + 1)."""
    q = estimate.size
    if not eta > q - 1:
        return UNKNOWN, "small-n"
    t2 = squared_distance(estimate, factor, noise)
    if np.isnan(t2):
        return UNKNOWN, "zero-variance"
    return f_test(t2 * (eta - q + 1) / (eta * q), q, eta - q + 1), ""
