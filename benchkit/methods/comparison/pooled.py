"""The paper's mixed model: one residual variance for all algorithms, replicates as random blocks.

Eugster & Leisch 2008, section 3: p_ij = mu_j + b_i + e_ij. All rows count, also those of incomplete replicates.
"""

import numpy as np
from scipy.special import ndtr, stdtr

from benchkit.methods.comparison import judgement, kenward_roger, reml, satterthwaite
from benchkit.methods.comparison.family import Family, choose
from benchkit.methods.comparison.judgement import Judgement
from benchkit.methods.comparison.reml import Fit
from benchkit.methods.comparison.spread import Spread, spread, unequal_variances
from benchkit.methods.comparison.sums import ROUNDING, Sums, summarise
from benchkit.methods.records import Answer, Blocks, Floats, Means, Overall, Pairs, Remark


def compare(blocks: Blocks) -> Answer:
    """Return the pooled analysis: Tukey for all pairs, Dunnett for many to one, max-t for other families.

    options: adjust as in family.py; reference = t (default) or normal; df = kenward-roger (default) or satterthwaite. With t
    everything but the components rests on the unconstrained variance ratio, which is exact for every compound-symmetric
    covariance where the boundary fit rejects too often; with normal on the ratio >= 0, unadjusted standard errors and
    infinite df, as lmer with glht do, and the overall statistic is chi-square/(K - 1) with df2 = inf. components: the REML
    fit with variances >= 0.
    Remarks: singular-fit; unequal-variances (its pairs; widest and narrowest: the contrasts whose differences vary most and
    least, with their standard deviations); zero-variance (differences known exactly: statistics infinite or 0); small-n (no
    residual degrees of freedom: what rests on them is NaN).
    """
    sums = summarise(blocks.values)
    shown, free = reml.fit(sums, constrained=True), reml.fit(sums, constrained=False)
    normal = blocks.options.get("reference", "t") == "normal"
    used = shown if normal else free
    rows = judgement.contrast_rows(blocks.contrasts, len(sums.counts))
    judged = _exact(sums, used, rows, normal) if used.variance == 0 else _judge(blocks, sums, used, rows, normal)
    family = choose(blocks, judged.df, judged.covariance, exchangeable=sums.balanced or used.variance == 0)
    found = spread(blocks.values, sums, blocks.contrasts)
    return Answer(
        method="mixed",
        adjust=family.adjust,
        ci_kind=family.ci_kind,
        pairs=_pairs(blocks, sums, used, judged, family, found),
        tail=family.tail,
        overall=judged.overall,
        means=Means(sums.counts, used.means, judged.mean_error, judged.mean_df),
        components={"replicate": shown.replicate_variance, "residual": shown.variance},
        remarks=_remarks(blocks, sums, shown, free, judged, found),
    )


def _judge(blocks: Blocks, sums: Sums, used: Fit, rows: Floats, normal: bool) -> Judgement:
    """Return standard errors, degrees of freedom and the overall test by the reference that was asked for."""
    freedom = sums.n_values - len(sums.counts)
    if normal:
        return judgement.wald(sums, used, rows, np.inf if freedom > 0 else np.nan)
    if freedom <= 0 or reml.residual_within(sums)[1] <= 0:
        # no replicate tells differences apart from noise: independent errors, one-way analysis of variance
        return judgement.wald(sums, used, rows, float(freedom) if freedom > 0 else np.nan)
    if sums.balanced:
        return judgement.balanced(sums, used, rows)
    if blocks.options.get("df", "kenward-roger") == "satterthwaite":
        return satterthwaite.judge(sums, used, rows)
    return kenward_roger.judge(sums, used, rows)


def _exact(sums: Sums, used: Fit, rows: Floats, normal: bool) -> Judgement:
    """Return the limit of a residual variance of zero: differences without error, means with that of the replicates."""
    K = len(sums.counts)
    within = reml.residual_within(sums)[1]
    df = np.inf if normal else float(within if within > 0 else sums.n_values - K)
    equal = np.ptp(used.relative_means) <= ROUNDING * sums.scale
    overall = Overall(np.nan, K - 1, df, 1.0) if equal else Overall(np.inf, K - 1, df, 0.0)
    return Judgement(
        std_error=np.zeros(len(rows)),
        df=np.full(len(rows), df),
        mean_error=np.sqrt(np.diag(used.covariance)),
        mean_df=np.full(K, np.inf if normal else sums.n_replicates - 1.0),
        covariance=used.covariance,
        overall=overall,
    )


def _pairs(blocks: Blocks, sums: Sums, used: Fit, judged: Judgement, family: Family, found: Spread) -> Pairs:
    """Return the contrasts with their statistics and single-step p-values."""
    a, b = blocks.contrasts.T
    estimate = used.relative_means[a] - used.relative_means[b]
    if used.variance == 0:
        estimate = np.where(np.abs(estimate) <= ROUNDING * sums.scale, 0.0, estimate)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where((judged.std_error == 0) & (estimate == 0), 0.0, estimate / judged.std_error)
    size = np.abs(statistic)
    return Pairs(
        n=found.n,
        mean_a=used.means[a],
        mean_b=used.means[b],
        estimate=estimate,
        std_error=judged.std_error,
        statistic=statistic,
        df=judged.df,
        p_value=np.where(np.isinf(judged.df), 2.0 * ndtr(-size), 2.0 * stdtr(judged.df, -size)),
        p_adjusted=family.tail(size),
        critical=family.critical,
    )


def _remarks(blocks: Blocks, sums: Sums, shown: Fit, free: Fit, judged: Judgement, found: Spread) -> tuple[Remark, ...]:
    """Return what a reader should know of this fit."""
    if np.isnan(judged.df + judged.std_error).any():
        return (Remark("small-n", numbers={"n_replicates": float(sums.n_replicates)}),)
    if shown.variance == 0:
        return (Remark("zero-variance"),)
    remarks = []
    if shown.at_boundary and shown.gamma == 0:
        remarks.append(Remark("singular-fit", numbers={"gamma": free.gamma}))
    return (*remarks, *unequal_variances(found, blocks.values, blocks.contrasts, free.variance))
