"""What a reference distribution makes of the fitted means: standard errors, degrees of freedom, the overall test."""

from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc, fdtrc

from benchkit.methods.comparison.derivatives import summed
from benchkit.methods.comparison.reml import Fit
from benchkit.methods.comparison.sums import Sums, orthonormal_contrasts, rotate, rotation
from benchkit.methods.records import Floats, Integers, Overall


@dataclass(frozen=True)
class Judgement:
    """Standard errors and degrees of freedom of m differences and K means, and the overall test.

    std_error, df (m,); mean_error, mean_df (K,). covariance (K, K): of the means, up to a component that they share.
    """

    std_error: Floats
    df: Floats
    mean_error: Floats
    mean_df: Floats
    covariance: Floats
    overall: Overall


def contrast_rows(contrasts: Integers, K: int) -> Floats:
    """Return the (m, K) matrix whose rows take the differences a minus b."""
    rows = np.zeros((len(contrasts), K))
    index = np.arange(len(contrasts))
    rows[index, contrasts[:, 0]] += 1.0
    rows[index, contrasts[:, 1]] -= 1.0
    return rows


def variances(rows: Floats, covariance: Floats) -> Floats:
    """Return c' V c for each row c, (m,)."""
    return np.asarray(np.einsum("mk,mk->m", rows @ covariance, rows))


def f_test(statistic: float, df1: float, df2: float) -> Overall:
    """Return the test of F on df1 and df2, where df2 = inf is a chi-square divided by df1."""
    if np.isinf(df2):
        return Overall(statistic, df1, df2, float(chdtrc(df1, df1 * statistic)))
    return Overall(statistic, df1, df2, float(fdtrc(df1, df2, statistic)) if df2 > 0 else np.nan)


def wald_statistic(fit: Fit, differences: Floats) -> float:
    """Return the quadratic form of 'all means are equal', divided by its K - 1 degrees of freedom.

    differences (K - 1, K - 1): covariance of the orthonormal contrasts.
    """
    estimates = orthonormal_contrasts(len(fit.means)) @ fit.relative_means
    return float(estimates @ np.linalg.solve(differences, estimates)) / len(estimates)


def balanced(sums: Sums, fit: Fit, rows: Floats) -> Judgement:
    """Judge a complete matrix by its two-way analysis of variance, exact under compound symmetry.

    Differences have (B - 1)(K - 1) degrees of freedom. A mean's variance (MS_rep + (K - 1) MS_err) / (K B) has
    Satterthwaite's, which are Kenward and Roger's here.
    """
    number, K = sums.n_replicates, len(sums.counts)
    residual, replicates = fit.variance, fit.variance + K * fit.replicate_variance
    others = (K - 1) * residual
    df = float((number - 1) * (K - 1))
    mean_df = (replicates + others) ** 2 / (replicates**2 / (number - 1) + others**2 / df)
    spread = fit.relative_means - fit.relative_means.mean()
    return Judgement(
        std_error=np.sqrt(residual / number * np.sum(rows**2, axis=1)),
        df=np.full(len(rows), df),
        mean_error=np.full(K, np.sqrt((residual + fit.replicate_variance) / number)),
        mean_df=np.full(K, mean_df),
        covariance=residual / number * np.eye(K),
        overall=f_test(float(number * (spread @ spread) / (K - 1) / residual), K - 1, df),
    )


def wald(sums: Sums, fit: Fit, rows: Floats, df: float) -> Judgement:
    """Judge by the model's own covariance and one df for everything: inf for the normal reference of lmer and glht."""
    K = len(sums.counts)
    turn = rotation(K)
    if sums.balanced:
        differences = fit.variance / sums.n_replicates * np.eye(K - 1)
    else:
        information = summed(rotate(sums), np.asarray(1.0 / (1.0 + sums.sizes * fit.gamma), dtype=np.float64), 1.0)
        differences = np.asarray(fit.variance * np.linalg.inv(information)[:-1, :-1], dtype=np.float64)
    contrasts = turn[:, :-1]
    return Judgement(
        std_error=np.sqrt(variances(rows @ contrasts, differences)),
        df=np.full(len(rows), df),
        mean_error=np.sqrt(np.diag(fit.covariance)),
        mean_df=np.full(K, df),
        covariance=contrasts @ differences @ contrasts.T,
        overall=f_test(wald_statistic(fit, differences), K - 1, df),
    )
