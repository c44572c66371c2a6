"""The mixed model over data sets, whose conclusions are about new data sets of the domain.

performance ~ algorithm + (1 | dataset) + (1 | dataset:replicate) + (1 | dataset:algorithm), Eugster, Hothorn & Leisch 2012:
an algorithm counts as better if its lead is large against how much leads differ between data sets.
"""

from dataclasses import replace

import numpy as np
from scipy.special import ndtr, stdtr

from benchkit.errors import BenchkitError
from benchkit.methods.choice import choice
from benchkit.methods.comparison import data_set_fit, pooled, reml
from benchkit.methods.comparison.data_set_fit import NAMES, Fit
from benchkit.methods.comparison.data_set_judgement import judge, model_means, relative_means
from benchkit.methods.comparison.data_set_sums import DataSets, summarise
from benchkit.methods.comparison.family import choose
from benchkit.methods.comparison.judgement import Judgement, contrast_rows
from benchkit.methods.comparison.paired import shared_counts, studentise
from benchkit.methods.comparison.spread import spread, unequal_variances
from benchkit.methods.comparison.sums import ROUNDING
from benchkit.methods.comparison.sums import summarise as summarise_matrix
from benchkit.methods.records import Answer, Blocks, Means, Pairs, Remark

FEWEST_FOR_VARIANCES = 50
"""Data sets from which on unequal variances are told: with 20, a fifth of all results on 6 algorithms would be by chance."""


def compare(blocks: Blocks) -> Answer:
    """Return the analysis over the data sets blocks.clusters; n counts data sets, of a pair those that have both.

    Complete data sets of equal size: exact, the analysis of variance of the data sets' means. F = MS_alg/MS_(alg x dataset)
    on K - 1 and (K - 1)(D - 1), var(difference) = 2 MS_(alg x dataset)/(D R), also where that mean square is the smaller one
    of it and the residual. Otherwise the variances are estimated by REML, none negative (the optimum of lme4), with the df of
    Kenward and Roger; where data set x algorithm is estimated as 0 this is conservative. options: df = kenward-roger (default)
    or satterthwaite, for data that are not balanced; reference = t (default) or normal, for the model's own standard errors
    at the optimum and infinite df. components: REML, none negative. Families as in pooled.compare, with Tukey's and Dunnett's
    distributions for all complete data.

    Remarks: confounded-components (those in numbers cannot be told from others and are left out; with one replicate of every
    data set the answer is the pooled model's over data sets); singular-fit (those in numbers are estimated as 0);
    replicates-agree (nothing varies within data sets beyond replicates: the limit, by the data sets' means);
    zero-variance, small-n, and from 50 data sets on unequal-variances, as in pooled.compare; not-estimable (its pairs: less
    than .01 df). BenchkitError for a single data set.
    """
    choice(blocks, "covariance", ("pooled",))
    choice(blocks, "df", ("kenward-roger", "satterthwaite"))
    normal = choice(blocks, "reference", ("t", "normal")) == "normal"
    clusters = blocks.clusters
    used = None if clusters is None else clusters[~np.isnan(blocks.values).all(axis=1)]
    if clusters is None or used is None or len(np.unique(used)) < 2:
        raise BenchkitError("one data set alone tells nothing about new data sets", "leave out --over dataset")
    sums = summarise(blocks.values, clusters)
    if (sums.rows == 1).all():
        return _of_means(blocks, sums, None)
    agreeing = sums.freedom > 0 and sums.within_squares <= sums.freedom * (ROUNDING * sums.scale) ** 2
    if agreeing or sums.n_values <= len(sums.centre):
        return _of_means(blocks, sums, None)
    fit = data_set_fit.fit(sums)
    if fit.variance == 0:
        return _of_means(blocks, sums, None)
    if sums.balanced and not normal:
        return _of_means(blocks, sums, fit)
    return _of_fit(blocks, sums, fit)


def _of_means(blocks: Blocks, sums: DataSets, fit: Fit | None) -> Answer:
    """Return the pooled model of one value for each data set and algorithm: exact for balanced data, else a limit."""
    answer = pooled.compare(replace(blocks, values=sums.means, clusters=None))
    unwanted = {"singular-fit"} if len(sums.rows) >= FEWEST_FOR_VARIANCES else {"singular-fit", "unequal-variances"}
    remarks = tuple(remark for remark in answer.remarks if remark.code not in unwanted)
    shown = answer.components or {}
    if fit is not None:
        components, own = _components(fit), _remarks(fit)
    elif (sums.rows == 1).all():
        components = {"dataset": shown["replicate"], "residual": shown["residual"]}
        own = (Remark("confounded-components", numbers={"dataset:replicate": 0.0, "dataset:algorithm": 0.0}),)
        if shown["replicate"] == 0:
            own += (Remark("singular-fit", numbers={"dataset": 0.0}),)
    else:
        replicates = _replicate_variance(sums)
        level = float(shown["replicate"] - replicates * np.mean(1.0 / sums.rows))
        components = {"dataset": max(level, 0.0) if shown["replicate"] > 0 else shown["replicate"]}
        components |= {"dataset:replicate": replicates, "dataset:algorithm": shown["residual"], "residual": 0.0}
        own = (Remark("replicates-agree"),) if not remarks else ()
    return replace(answer, method="mixed-datasets", components=components, remarks=(*own, *remarks))


def _replicate_variance(sums: DataSets) -> float:
    """Return the variance of the replicates' levels within data sets, where nothing else varies."""
    freedom = int((sums.rows - 1).sum())
    total = float((sums.squares / sums.sizes.astype(np.float64) ** 2).sum())
    if freedom == 0 or total <= freedom * (ROUNDING * sums.scale) ** 2:
        return 0.0
    return total / freedom


def _of_fit(blocks: Blocks, sums: DataSets, fit: Fit) -> Answer:
    """Return the analysis at the REML optimum."""
    judged = judge(blocks, sums, fit, contrast_rows(blocks.contrasts, len(sums.centre)))
    family = choose(blocks, judged.df, judged.covariance, exchangeable=sums.complete)
    means = model_means(sums, fit)
    pairs = _pairs(blocks, sums, fit, judged)
    remarks = _remarks(fit)
    unknown = np.flatnonzero(np.isnan(judged.df + judged.std_error))
    if unknown.size:
        remarks += (Remark("not-estimable", tuple(unknown.tolist())),)
    elif np.isnan(judged.overall.p_value):
        remarks += (Remark("small-n", numbers={"replicates": float(len(sums.rows)), "algorithms": float(len(sums.centre))}),)
    if len(sums.rows) >= FEWEST_FOR_VARIANCES and not np.isnan(sums.means).any():
        matrix = summarise_matrix(sums.means)
        found = spread(sums.means, matrix, blocks.contrasts)
        residual = reml.fit(matrix, constrained=False).variance
        if residual > 0:
            remarks += unequal_variances(found, sums.means, blocks.contrasts, residual)
    return Answer(
        method="mixed-datasets",
        adjust=family.adjust,
        ci_kind=family.ci_kind,
        pairs=replace(
            pairs,
            mean_a=means[blocks.contrasts[:, 0]],
            mean_b=means[blocks.contrasts[:, 1]],
            p_adjusted=family.tail(np.abs(pairs.statistic)),
            critical=family.critical,
        ),
        tail=family.tail,
        overall=judged.overall,
        means=Means((sums.counts > 0).sum(axis=0), means, judged.mean_error, judged.mean_df),
        components=_components(fit),
        remarks=remarks,
    )


def _pairs(blocks: Blocks, sums: DataSets, fit: Fit, judged: Judgement) -> Pairs:
    """Return the contrasts with their statistics, each by itself."""
    a, b = blocks.contrasts.T
    means = relative_means(sums, fit)
    estimate = means[a] - means[b]
    statistic = studentise(estimate, judged.std_error)
    size, nothing = np.abs(statistic), np.full(len(a), np.nan)
    p_value = np.where(np.isinf(judged.df), 2.0 * ndtr(-size), 2.0 * stdtr(judged.df, -size))
    n = shared_counts(np.where(sums.counts > 0, 1.0, np.nan), blocks.contrasts)
    return Pairs(n, means[a], means[b], estimate, judged.std_error, statistic, judged.df, p_value, nothing, nothing)


def _components(fit: Fit) -> dict[str, float]:
    """Return the variances of the components that can be told apart, the data sets first."""
    return {NAMES[i]: float(fit.variances[i]) for i in (3, 1, 2, 0) if i in fit.known}


def _remarks(fit: Fit) -> tuple[Remark, ...]:
    """Return what a reader should know of the variances."""
    confounded = {NAMES[i]: 0.0 for i in range(4) if i not in fit.known}
    zero = {NAMES[i]: 0.0 for i in fit.at_boundary}
    found = {"confounded-components": confounded, "singular-fit": zero}
    return tuple(Remark(code, numbers=numbers) for code, numbers in found.items() if numbers)
