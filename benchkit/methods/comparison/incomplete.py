"""Differences of means from incomplete replicates: GLS with cluster-robust standard errors."""

from dataclasses import dataclass

import numpy as np

from benchkit.methods.comparison import reml, sums
from benchkit.methods.comparison.cluster_robust import cluster_robust
from benchkit.methods.comparison.hotelling import UNKNOWN
from benchkit.methods.comparison.paired import FLOAT_NOISE, correlation, shared_counts
from benchkit.methods.records import Floats, Integers, Means, Overall


@dataclass(frozen=True)
class Gls:
    """Estimates, standard errors and df of the contrasts (m,), their correlation (m, m), the means and the Wald test.

    NaN where nothing can be estimated. replicates: those with at least two algorithms. reason: why overall is NaN, as a
    note code, or empty.
    """

    estimate: Floats
    std_error: Floats
    df: Floats
    correlation: Floats
    means: Means
    overall: Overall
    replicates: int
    reason: str


def fit(values: Floats, contrasts: Integers) -> Gls:
    """Estimate the contrasts by GLS at the REML ratio gamma >= 0, with CR2 by replicate and Satterthwaite df.

    values: (B, K), NaN where missing; contrasts: (m, 2). A pair that shares no replicate gets no estimate, although the
    model would give one from between the replicates. An algorithm with a single value is fitted without a residual: it
    gets a mean and no standard error, and the others are what they would be without that value.
    """
    m, K = len(contrasts), values.shape[1]
    present = ~np.isnan(values)
    replicates = int((present.sum(axis=1) > 1).sum())
    counts = present.sum(axis=0)
    model = reml.fit(sums.summarise(values), constrained=True)
    shared = shared_counts(values, contrasts)
    estimate = np.where(shared > 0, model.means[contrasts[:, 0]] - model.means[contrasts[:, 1]], np.nan)
    std_error, df, related = np.full(m, np.nan), np.full(m, np.nan), np.full((m, m), np.nan)
    mean_error, mean_df = np.full(K, np.nan), np.full(K, np.nan)
    overall, reason = UNKNOWN, "small-n" if replicates < 2 else ""
    kept = counts > 1
    usable = (shared > 0) & kept[contrasts].all(axis=1)
    if replicates > 1 and usable.any():
        rest = values[:, kept]
        rest = rest[present[:, kept].any(axis=1)]
        robust = cluster_robust(rest, model.means[kept], model.gamma, (np.cumsum(kept) - 1)[contrasts[usable]])
        related[np.ix_(usable, usable)], df[usable] = correlation(robust.factor), robust.df
        std_error[usable] = np.where(np.isnan(robust.df), np.nan, robust.std_error)
        mean_error[kept], mean_df[kept] = robust.mean_error, robust.mean_df
        noise = FLOAT_NOISE * np.nanmax(np.abs(values), axis=0)[contrasts].max(axis=1)
        constant = usable & ((model.variance == 0) | (std_error * np.sqrt(shared) <= noise))
        std_error = np.where(constant, 0.0, std_error)
        estimate = np.where(constant & (np.abs(estimate) <= noise), 0.0, estimate)
        if constant.any():
            reason = "zero-variance"
        elif kept.all():
            overall, reason = robust.overall, robust.reason
    means = Means(n=counts.astype(np.int64), estimate=model.means, std_error=mean_error, df=mean_df)
    return Gls(estimate, std_error, df, related, means, overall, replicates, reason)
