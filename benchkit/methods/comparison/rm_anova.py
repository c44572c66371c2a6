"""Analysis of variance with repeated measures: one overall F test that allows for unequal variances of differences."""

from dataclasses import replace

import numpy as np
from scipy.special import fdtrc

from benchkit.methods.comparison.hotelling import UNKNOWN
from benchkit.methods.comparison.paired import FLOAT_NOISE
from benchkit.methods.comparison.resampled_t import student
from benchkit.methods.comparison.shared import complete_replicates
from benchkit.methods.records import Blocks, Floats, Overall, Remark, Unadjusted


def compare(blocks: Blocks) -> Unadjusted:
    """Return the overall F test on complete replicates, with the paired t test of each pair on its shared ones.

    F = MS_algorithm / MS_residual; its degrees of freedom K - 1 and (K - 1)(B - 1) are multiplied by Greenhouse & Geisser's
    epsilon, which stands in overall_own beside the p-value without it. Fewer than two complete replicates give NaN
    (small-n). Without a residual F is 0 and p 1 if all means are equal, else F is infinite, and epsilon is NaN.
    Source: Greenhouse & Geisser 1959; Winer, Statistical Principles in Experimental Design, chapter 4.
    """
    values, said = complete_replicates(blocks.values)
    overall, own = _analysis(values)
    if len(values) < 2 <= len(blocks.values):
        said += (Remark("small-n", numbers={"replicates": float(len(values)), "algorithms": float(values.shape[1])}),)
    return replace(student(blocks, "rm-anova", 0.0, said, overall), overall_own=own)


def _analysis(values: Floats) -> tuple[Overall, dict[str, float]]:
    """Return the test with corrected degrees of freedom, and epsilon with the p-value that takes it for 1."""
    B, K = values.shape
    if B < 2:
        return UNKNOWN, {"epsilon": np.nan, "p_sphericity": np.nan}
    centred = values - values.mean(axis=1, keepdims=True)
    effect = centred.mean(axis=0)
    residual = centred - effect
    noise = FLOAT_NOISE * float(np.abs(values).max())
    df1, df2 = K - 1.0, (K - 1.0) * (B - 1.0)
    largest = float(np.abs(residual).max())
    if largest <= noise:
        equal = bool((np.abs(effect) <= noise).all())
        p = 1.0 if equal else 0.0
        return Overall(0.0 if equal else np.inf, df1, df2, p), {"epsilon": np.nan, "p_sphericity": p}
    residual /= largest
    square = float((residual**2).sum())
    statistic = B * (B - 1.0) * float(((effect / largest) ** 2).sum()) / square
    # double centring makes residual' residual / (B - 1) the matrix whose eigenvalues epsilon compares
    smaller = residual.T @ residual if K <= B else residual @ residual.T
    epsilon = min(max(square**2 / (df1 * float((smaller**2).sum())), 1.0 / df1), 1.0)
    overall = Overall(statistic, epsilon * df1, epsilon * df2, float(fdtrc(epsilon * df1, epsilon * df2, statistic)))
    return overall, {"epsilon": epsilon, "p_sphericity": float(fdtrc(df1, df2, statistic))}
