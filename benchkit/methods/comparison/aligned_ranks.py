"""The aligned-ranks test: replicates are brought to one level, then all values are ranked together."""

from dataclasses import replace

import numpy as np
from scipy.special import chdtrc, ndtr

from benchkit.methods.choice import choice
from benchkit.methods.comparison import wilcoxon
from benchkit.methods.comparison.permuted_totals import p_values
from benchkit.methods.comparison.rank_contrasts import rank_contrasts, remarks_on, unadjusted
from benchkit.methods.comparison.shared import algorithm_means, complete_replicates
from benchkit.methods.mid_ranks import NOISE, doubled, mid_ranks
from benchkit.methods.records import Blocks, Floats, Integers, Overall, Unadjusted


def compare(blocks: Blocks) -> Unadjusted:
    """Compare algorithms by the ranks of all B K values less their replicate's mean, on complete replicates.

    overall: (K-1) sum_j (R_j - R)^2 / sum_ij (r_ij - r_i)^2, chi-square on K - 1, with R_j the rank sums, R their mean
    and r_i a replicate's mean rank; without ties this is the formula of Garcia et al. 2010, equation 3. Statistic 0 and p
    1 where all values of each replicate tie. overall_own: p_exact over all orders within replicates, or p_monte_carlo if
    these are too many (NaN for what is not used, and for large data).
    options["post_hoc"]: wilcoxon (default; each pair by itself) or aligned-ranks (normal, on the mean aligned ranks; no
    interval in the unit of the values; the standard error is that of all orders within replicates, as if none differed).
    Source: Hodges & Lehmann 1962.
    """
    post_hoc = choice(blocks, "post_hoc", ("wilcoxon", "aligned-ranks"))
    values, left_out = complete_replicates(blocks.values)
    B, K = values.shape
    ranks = _aligned_ranks(values)
    within = int(((K * ranks - ranks.sum(axis=1, keepdims=True)) ** 2).sum())
    between = int(((K * ranks.sum(axis=0) - ranks.sum()) ** 2).sum())
    statistic = (K - 1) * between / within if within else 0.0
    overall = Overall(statistic, K - 1.0, np.nan, float(chdtrc(K - 1, statistic))) if B else _nothing(K)
    # within replicates a rank difference has the variance 2 sum_j (r_ij - r_i)^2 / (K - 1); ranks are doubled here
    error = np.sqrt(2.0 * within / (K - 1)) / (2.0 * K * B) if B else np.nan
    contrasts = rank_contrasts(values, ranks.sum(axis=0) / (2.0 * B) if B else np.full(K, np.nan), blocks.contrasts, float(error))
    if post_hoc == "wilcoxon":
        found = wilcoxon.compare(blocks)
        found = replace(found, method=f"aligned-ranks-{found.method}")
    else:
        p_value = np.minimum(1.0, 2.0 * ndtr(-np.abs(contrasts.statistic)))
        found = unadjusted("aligned-ranks", contrasts, p_value, np.inf)
    return replace(
        found,
        overall=overall,
        means=algorithm_means(blocks.values),
        own={**contrasts.own, **found.own},
        overall_own=p_values(ranks, blocks.generator, blocks.draws),
        remarks=left_out + remarks_on(B, overall, within == 0) + found.remarks,
    )


def _aligned_ranks(values: Floats) -> Integers:
    """Return the doubled mid-ranks of all values less the mean of their replicate, (B, K)."""
    aligned = values - values.mean(axis=1, keepdims=True)
    noise = np.broadcast_to(NOISE * np.abs(values).max(axis=1, keepdims=True, initial=0.0), values.shape)
    return doubled(mid_ranks(aligned.reshape(1, -1), noise.reshape(1, -1))).reshape(values.shape)


def _nothing(K: int) -> Overall:
    return Overall(np.nan, K - 1.0, np.nan, np.nan)
