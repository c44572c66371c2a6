"""Standard errors, degrees of freedom and the overall test of the mixed model over data sets."""

import numpy as np

from benchkit.methods.choice import choice
from benchkit.methods.comparison.data_set_fit import Fit
from benchkit.methods.comparison.data_set_sums import DataSets
from benchkit.methods.comparison.derivatives import Information, single_df, turned
from benchkit.methods.comparison.judgement import Judgement, f_test, variances
from benchkit.methods.comparison.kenward_roger import adjusted_covariance, scaled_f
from benchkit.methods.comparison.satterthwaite import overall_df
from benchkit.methods.comparison.sums import orthonormal_contrasts, rotation
from benchkit.methods.records import Blocks, Floats, Overall

_RANK = 1e-13

_LEAST_DF = 0.01
"""Fewer degrees of freedom are none: no variance can be estimated there."""


def judge(blocks: Blocks, sums: DataSets, fit: Fit, rows: Floats) -> Judgement:
    """Judge the differences `rows` (m, K) and the means by what options["reference"] and options["df"] ask for.

    kenward-roger: adjusted covariance and expected information, as in R's pbkrtest; satterthwaite: the model's covariance and
    observed information, as in lmerTest, expected where a variance is at the boundary; both with the information on every
    component, also one estimated as 0; fewer than .01 df are NaN. normal: the model's covariance and infinite df.
    """
    K = len(sums.centre)
    parts = _information(fit)
    normal = choice(blocks, "reference", ("t", "normal")) == "normal"
    adjusting = not normal and choice(blocks, "df", ("kenward-roger", "satterthwaite")) == "kenward-roger"
    information = parts.expected
    if not adjusting and not fit.at_boundary:
        information = 2.0 * fit.slopes.quadratic[np.ix_(fit.known, fit.known)] / fit.variance - parts.expected
    uncertainty = 2.0 * _inverse(information)
    covariance = fit.variance * (adjusted_covariance(parts, uncertainty) if adjusting else parts.covariance)
    differences, means, contrasts = turned(rows), turned(np.eye(K)), rotation(K)[:, :-1]
    estimates = orthonormal_contrasts(K) @ relative_means(sums, fit)
    statistic = float(estimates @ np.linalg.solve(covariance[:-1, :-1], estimates)) / (K - 1)
    if normal:
        overall = f_test(statistic, K - 1, np.inf)
    elif adjusting:
        overall = scaled_f(parts, uncertainty, statistic)
    else:
        overall = f_test(statistic, K - 1, overall_df(parts, uncertainty))
    if not overall.df2 >= _LEAST_DF:
        overall = Overall(np.nan, K - 1, np.nan, np.nan)
    with np.errstate(invalid="ignore"):
        return Judgement(
            std_error=np.sqrt(variances(differences, covariance)),
            df=np.full(len(rows), np.inf) if normal else _df(differences, parts, uncertainty),
            mean_error=np.sqrt(variances(means, covariance)),
            mean_df=np.full(K, np.inf) if normal else _df(means, parts, uncertainty),
            covariance=contrasts @ covariance[:-1, :-1] @ contrasts.T,
            overall=overall,
        )


def _df(rows: Floats, parts: Information, uncertainty: Floats) -> Floats:
    """Return the degrees of freedom of the turned rows, NaN where there are none."""
    df = single_df(rows, parts, uncertainty)
    return np.where(df >= _LEAST_DF, df, np.nan)


def relative_means(sums: DataSets, fit: Fit) -> Floats:
    """Return the means less what they share, (K,), so that differences keep their digits."""
    return np.asarray((sums.centre - sums.centre.mean()) + rotation(len(sums.centre))[:, :-1] @ _coefficients(fit)[:-1])


def model_means(sums: DataSets, fit: Fit) -> Floats:
    """Return the means of the algorithms over data sets, (K,)."""
    return np.asarray(sums.centre + rotation(len(sums.centre)) @ _coefficients(fit))


def _coefficients(fit: Fit) -> Floats:
    """Return the rotated means, (K,)."""
    return np.concatenate([one.mean.ravel() for one in fit.point.parts])


def _information(fit: Fit) -> Information:
    """Return the derivatives in the components that can be told apart, the parts put together again."""
    copies = [one.part.copies for one in fit.point.parts]
    known = fit.known
    covariance = _together([one.covariance for one in fit.point.parts], copies)
    first = -_together([each[known] for each in fit.slopes.first], copies)
    second = _together([each[np.ix_(known, known)] for each in fit.slopes.second], copies)
    expected = fit.slopes.expected[np.ix_(known, known)]
    return Information(covariance, first, second, expected, covariance @ first @ covariance)


def _together(matrices: list[Floats], copies: list[int]) -> Floats:
    """Return the block-diagonal matrices (..., K, K) of parts (..., k, k), each repeated as often as it has copies."""
    sizes = [matrix.shape[-1] for matrix in matrices]
    K = sum(size * number for size, number in zip(sizes, copies, strict=True))
    result = np.zeros((*matrices[0].shape[:-2], K, K))
    start = 0
    for matrix, size, number in zip(matrices, sizes, copies, strict=True):
        for _ in range(number):
            result[..., start : start + size, start : start + size] = matrix
            start += size
    return result


def _inverse(information: Floats) -> Floats:
    """Return the inverse, scaled first, since the components may be of any size."""
    size = 1.0 / np.sqrt(np.maximum(np.abs(np.diag(information)), 1e-300))
    scale = np.outer(size, size)
    return np.asarray(scale * np.linalg.pinv(scale * information, rcond=_RANK, hermitian=True))
