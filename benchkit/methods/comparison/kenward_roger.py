"""Kenward & Roger's adjusted covariance and degrees of freedom (Biometrics 53, 1997, pp. 983-997), as in R's pbkrtest."""

import numpy as np

from benchkit.methods.comparison.derivatives import Information, derivatives, single_df, turned
from benchkit.methods.comparison.judgement import Judgement, f_test, variances, wald_statistic
from benchkit.methods.comparison.reml import Fit
from benchkit.methods.comparison.sums import Sums, rotate, rotation
from benchkit.methods.records import Floats, Overall


def judge(sums: Sums, fit: Fit, rows: Floats) -> Judgement:
    """Judge by the adjusted covariance, with expected information; NaN where an adjusted variance is negative."""
    K = len(sums.counts)
    parts = derivatives(rotate(sums), fit.gamma)
    uncertainty = np.asarray(2.0 * np.linalg.inv(parts.expected), dtype=np.float64)
    adjusted = fit.variance * adjusted_covariance(parts, uncertainty)
    differences, means, contrasts = turned(rows), turned(np.eye(K)), rotation(K)[:, :-1]
    with np.errstate(invalid="ignore"):
        return Judgement(
            std_error=np.sqrt(variances(differences, adjusted)),
            df=single_df(differences, parts, uncertainty),
            mean_error=np.sqrt(variances(means, adjusted)),
            mean_df=single_df(means, parts, uncertainty),
            covariance=contrasts @ adjusted[:-1, :-1] @ contrasts.T,
            overall=scaled_f(parts, uncertainty, wald_statistic(fit, adjusted[:-1, :-1])),
        )


def adjusted_covariance(parts: Information, uncertainty: Floats) -> Floats:
    """Return Phi + 2 Phi sum_ij W_ij (Q_ij - P_i Phi P_j) Phi, their page 985 (V is linear in theta: no R_ij)."""
    phi = parts.covariance
    inner = parts.second - np.einsum("ikl,lm,jmn->ijkn", parts.first, phi, parts.first, optimize=True)
    adjusted = phi + 2.0 * phi @ np.einsum("ij,ijkl->kl", uncertainty, inner) @ phi
    return np.asarray((adjusted + adjusted.T) / 2.0)


def scaled_f(parts: Information, uncertainty: Floats, statistic: float) -> Overall:
    """Return the scaled F test of 'all means are equal', their page 987."""
    q = len(parts.covariance) - 1
    projected = np.linalg.inv(parts.covariance[:-1, :-1])
    scaled = projected @ parts.sandwich[:, :-1, :-1]
    traces = np.einsum("akk->a", scaled)
    a1 = float(traces @ uncertainty @ traces)
    a2 = float(np.sum(uncertainty * np.einsum("akl,blk->ab", scaled, scaled)))
    df2, scaling = _moments(a1, a2, q)
    return f_test(scaling * statistic, q, df2)


def _moments(a1: float, a2: float, q: int) -> tuple[float, float]:
    """Return the denominator df and the scale of F that match its approximate mean and variance."""
    a1, a2 = np.float64(a1), np.float64(a2)
    with np.errstate(divide="ignore", invalid="ignore"):
        b = (a1 + 6.0 * a2) / (2.0 * q)
        g = ((q + 1.0) * a1 - (q + 4.0) * a2) / ((q + 2.0) * a2)
        below = 3.0 * q + 2.0 * (1.0 - g)
        c1, c2, c3 = g / below, (q - g) / below, (q + 2.0 - g) / below
        v0, v1, v2 = 1.0 + c1 * b, 1.0 - c2 * b, 1.0 - c3 * b
        rho = ((1.0 - a2 / q) / v1) ** 2 * v0 / v2 / q
        df2 = float(4.0 + (q + 2.0) / (q * rho - 1.0))
        # at 2 the mean of F does not exist: pbkrtest leaves the statistic as it is there
        scaling = 1.0 if abs(df2 - 2.0) < 1e-2 else float(df2 * (1.0 - a2 / q) / (df2 - 2.0))
    return df2, scaling
