"""Pairwise comparison that pools nothing: each pair has the variance of its own differences.

The unstructured covariance of the mixed model: paired t tests on complete replicates, cluster-robust GLS on incomplete
ones, and simultaneous intervals that do not assume equal variances (Herberich, Sikorski & Hothorn 2010).
"""

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.methods.adjustment import SIMULTANEOUS, max_t_bootstrap
from benchkit.methods.comparison import incomplete
from benchkit.methods.comparison.hotelling import hotelling
from benchkit.methods.comparison.paired import correlation, differences, moments, shared_counts, studentise, triangle
from benchkit.methods.comparison.simultaneous import Family, Tested, bootstrap, max_t, pointwise, single, step_down
from benchkit.methods.records import Answer, Blocks, Floats, Means, Overall, Pairs, Remark

FEWEST_FOR_RESAMPLING = 30
MOST_FOR_RESAMPLING = 2000


def compare(blocks: Blocks) -> Answer:
    """Compare the contrasts with B complete replicates by t = mean / (sd / sqrt B) of their differences, df B - 1.

    Adjustment: none for one contrast; B < 30 Holm with Bonferroni intervals; B <= 2000 the studentised bootstrap; else the
    multivariate t. With missing cells: GLS means with CR2 standard errors and Satterthwaite df, B counts the replicates
    with two algorithms, and from B = 30 on the multivariate t. options["adjust"]: max-t, or max-t-bootstrap on complete
    replicates, whatever B is; any name of an adjustment of p-values leaves each pair by itself, for core to adjust.
    overall is Hotelling's test (HTZ with missing cells).

    Pairs without a shared replicate, or with an algorithm that has a single value, are NaN with the remark not-estimable;
    B < 2 gives NaN for all but the estimates, with small-n. Differences that do not vary give the limit (statistic 0 or
    infinite, p 1 or 0, zero width) with zero-variance. BenchkitError for a level that blocks.draws resamples cannot hold.
    """
    return _incomplete(blocks) if np.isnan(blocks.values).any() else _complete(blocks)


def _complete(blocks: Blocks) -> Answer:
    values, contrasts = blocks.values, blocks.contrasts
    B, K = values.shape
    paired, columns = differences(values, contrasts), moments(values)
    tested = _test(paired.mean, paired.sd / np.sqrt(B), np.full(len(contrasts), B - 1.0), blocks.level)
    means = Means(
        n=np.full(K, B),
        estimate=columns.mean,
        std_error=columns.sd / np.sqrt(B),
        df=np.full(K, B - 1.0 if B > 1 else np.nan),
    )
    overall, reason = hotelling(values)
    if (tested.std_error == 0).all():  # the limit: nothing varies, so all are equal or they surely differ
        equal = bool((tested.statistic == 0).all())
        overall = Overall(np.nan if equal else np.inf, K - 1.0, B - K + 1.0 if B >= K else np.nan, 1.0 if equal else 0.0)
    remarks = _remarks(tested, B, K, reason)
    way = _way(blocks, B)
    if way == "single":
        family = single(tested)
    elif way == "pointwise":
        family = pointwise(tested)
    elif way == "holm":
        family = step_down(tested)
    elif way == "max-t-bootstrap":
        family = bootstrap(tested, _resample(blocks, tested), lambda: _correlation(blocks), blocks.generator)
        if np.isinf(family.critical).any():
            remarks += (Remark("few-distinct-differences", _repeating(blocks, tested)),)
    else:
        family = max_t(tested, _correlation(blocks), blocks.generator)
    return _answer(blocks, family, tested, paired.mean, means, overall, remarks)


def _incomplete(blocks: Blocks) -> Answer:
    gls = incomplete.fit(blocks.values, blocks.contrasts)
    tested = _test(gls.estimate, gls.std_error, gls.df, blocks.level)
    way = _way(blocks, gls.replicates, complete=False)
    if way == "single":
        family = single(tested)
    elif way == "pointwise":
        family = pointwise(tested)
    elif way == "holm":
        family = step_down(tested)
    else:
        family = max_t(tested, gls.correlation, blocks.generator)
    remarks = _remarks(tested, gls.replicates, len(gls.means.n), gls.reason)
    return _answer(blocks, family, tested, gls.estimate, gls.means, gls.overall, remarks)


def _way(blocks: Blocks, replicates: int, complete: bool = True) -> str:
    """Return how the contrasts are adjusted: as asked for, or by the number of replicates.

    BenchkitError for what assumes equal variances, and for resamples of incomplete replicates.
    """
    wanted = blocks.options.get("adjust")
    if wanted in ("tukey", "dunnett"):
        raise BenchkitError(
            f"{wanted} rests on equal variances, which this model does not assume", "use --adjust max-t, or add --method mixed"
        )
    if wanted == "max-t-bootstrap" and not complete:
        raise BenchkitError("max-t-bootstrap needs complete replicates, and some cells are missing", "use --adjust max-t")
    if wanted is not None and wanted not in SIMULTANEOUS:
        return "pointwise"
    if len(blocks.contrasts) == 1:
        return "single"
    if wanted is not None:
        return wanted
    if replicates < FEWEST_FOR_RESAMPLING:
        return "holm"
    return "max-t-bootstrap" if complete and replicates <= MOST_FOR_RESAMPLING else "max-t"


def _test(estimate: Floats, std_error: Floats, df: Floats, level: float) -> Tested:
    statistic = studentise(estimate, std_error)
    return Tested(statistic, np.where(np.isnan(statistic), np.nan, df), std_error, level)


def _answer(
    blocks: Blocks, family: Family, tested: Tested, estimate: Floats, means: Means, overall: Overall, remarks: tuple[Remark, ...]
) -> Answer:
    a, b = blocks.contrasts.T
    return Answer(
        method="mixed-unstructured",
        adjust=family.adjust,
        ci_kind=family.ci_kind,
        pairs=Pairs(
            n=shared_counts(blocks.values, blocks.contrasts),
            mean_a=means.estimate[a],
            mean_b=means.estimate[b],
            estimate=estimate,
            std_error=tested.std_error,
            statistic=tested.statistic,
            df=tested.df,
            p_value=tested.p_value,
            p_adjusted=family.p_adjusted,
            critical=family.critical,
        ),
        tail=family.tail,
        overall=overall,
        means=means,
        step_wise=family.step_wise,
        remarks=remarks,
    )


def _remarks(tested: Tested, B: int, K: int, reason: str) -> tuple[Remark, ...]:
    """Return what was found of the pairs, and the reason why there is no overall test if the pairs do not say it."""
    found: list[Remark] = []
    if B < 2 or (B < FEWEST_FOR_RESAMPLING and tested.statistic.size > 1):
        found.append(Remark("small-n", numbers={"replicates": float(B)}))
    unknown = np.flatnonzero(np.isnan(tested.statistic))
    if B > 1 and unknown.size:
        found.append(Remark("not-estimable", tuple(unknown.tolist())))
    constant = np.flatnonzero(tested.std_error == 0)
    if constant.size:
        found.append(Remark("zero-variance", tuple(constant.tolist())))
    if reason and reason not in {remark.code for remark in found}:
        found.append(Remark(reason, numbers={"replicates": float(B), "algorithms": float(K)}))
    return tuple(found)


def _resample(blocks: Blocks, tested: Tested) -> Floats:
    """Return the resampled maxima over the contrasts that vary; zeros where none does."""
    a, b = blocks.contrasts[tested.varies].T
    if not a.size:
        return np.zeros(blocks.draws)
    return max_t_bootstrap.statistics(blocks.values[:, a] - blocks.values[:, b], blocks.draws, blocks.generator)


def _correlation(blocks: Blocks) -> Floats:
    """Return the correlation of the differences, (m, m)."""
    return correlation(triangle(blocks.values - blocks.values.mean(axis=0), blocks.contrasts))


def _repeating(blocks: Blocks, tested: Tested) -> tuple[int, ...]:
    """Contrasts of which one value fills so many replicates that some resample is likely to hold nothing else."""
    B = len(blocks.values)
    found = []
    for i in np.flatnonzero(tested.varies):
        a, b = blocks.contrasts[i]
        difference = blocks.values[:, a] - blocks.values[:, b]
        most = np.unique(np.round(difference / np.abs(difference).max(), 9), return_counts=True)[1].max()
        if (most / B) ** B * blocks.draws >= 1.0:
            found.append(int(i))
    return tuple(found)
