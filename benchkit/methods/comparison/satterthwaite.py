"""Satterthwaite's degrees of freedom (Fai & Cornelius 1996 for F), as in R's lmerTest: observed information, no adjustment."""

import numpy as np

from benchkit.methods.comparison.derivatives import Derivatives, Information, derivatives, single_df, turned
from benchkit.methods.comparison.judgement import Judgement, f_test, variances, wald_statistic
from benchkit.methods.comparison.reml import Fit
from benchkit.methods.comparison.sums import Sums, rotate, rotation
from benchkit.methods.records import Floats


def judge(sums: Sums, fit: Fit, rows: Floats) -> Judgement:
    """Judge by the model's own covariance and degrees of freedom 2 v^2 / Var(v) of each variance v."""
    K = len(sums.counts)
    rotated, contrasts = rotate(sums), rotation(K)[:, :-1]
    parts = derivatives(rotated, fit.gamma)
    # at an end of what gamma may be the deviance is not flat, and its Hessian says nothing: the expected one stands in
    information = parts.expected if fit.at_boundary else _observed(rotated, fit, parts)
    uncertainty = np.asarray(2.0 * np.linalg.inv(information), dtype=np.float64)
    covariance = fit.variance * parts.covariance
    differences, means = turned(rows), turned(np.eye(K))
    df2 = overall_df(parts, uncertainty)
    return Judgement(
        std_error=np.sqrt(variances(differences, covariance)),
        df=single_df(differences, parts, uncertainty),
        mean_error=np.sqrt(variances(means, covariance)),
        mean_df=single_df(means, parts, uncertainty),
        covariance=contrasts @ covariance[:-1, :-1] @ contrasts.T,
        overall=f_test(wald_statistic(fit, covariance[:-1, :-1]), K - 1, df2),
    )


def _observed(sums: Sums, fit: Fit, parts: Derivatives) -> Floats:
    """Return the Hessian of the REML deviance in theta, (2, 2), in units of the fitted s^2, from rotated sums.

    -tr(P G_i P G_j) + 2 y'P G_i P G_j P y (Searle, Casella & McCulloch 1992, section 6.6).
    """
    n = sums.sizes.astype(np.float64)
    means = (fit.means - sums.centre) @ rotation(len(sums.counts))
    totals = sums.totals - sums.together @ means
    squares = sums.squares - (sums.totals + totals) @ means
    within = sums.within_together
    within_totals = sums.within_totals - within @ means
    within_squares = sums.within_squares - (sums.within_totals + within_totals) @ means
    quadratic = parts.on_mean @ (squares / n)
    quadratic[1, 1] += within_squares
    scale = 1.0 + n * fit.gamma
    scores = np.stack([(n / scale**2 / n) @ totals, within_totals + (1.0 / scale**2 / n) @ totals])
    curved = (quadratic - scores @ parts.covariance @ scores.T) / fit.variance
    return np.asarray(2.0 * curved - parts.expected)


def overall_df(parts: Information, uncertainty: Floats) -> float:
    """Return the denominator df of F: its mean over independent t^2, one for each eigenvector of the differences' covariance.

    The eigenvectors are taken of orthonormal contrasts, so that names and order of the algorithms do not matter.
    """
    vectors = np.linalg.eigh(parts.covariance[:-1, :-1])[1]
    df = single_df(np.column_stack([vectors.T, np.zeros(len(vectors))]), parts, uncertainty)
    if np.isnan(df).any():
        return np.nan
    if len(df) == 1 or np.ptp(df) < 1e-8 * df.mean():
        return float(df.mean())
    if (df <= 2).any():
        return 2.0
    mean = float(np.sum(df / (df - 2.0)))
    return 2.0 * mean / (mean - len(df))
