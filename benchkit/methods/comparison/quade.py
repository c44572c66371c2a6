"""Quade's test: ranks within replicates, weighted by the rank of the replicate's range."""

from dataclasses import replace

import numpy as np

from benchkit.methods.choice import choice
from benchkit.methods.comparison import wilcoxon
from benchkit.methods.comparison.paired import two_sided
from benchkit.methods.comparison.permuted_totals import p_values
from benchkit.methods.comparison.rank_contrasts import rank_contrasts, remarks_on, unadjusted, variance_ratio
from benchkit.methods.comparison.shared import algorithm_means, complete_replicates
from benchkit.methods.mid_ranks import NOISE, doubled, mid_ranks
from benchkit.methods.records import Blocks, Floats, Integers, Unadjusted


def compare(blocks: Blocks) -> Unadjusted:
    """Compare algorithms by S = Q (r - (K+1)/2) on complete replicates, r the rank within, Q the rank of the range.

    overall: F = (B-1) sum(T^2)/B / (sum S^2 - sum(T^2)/B) on (K-1, (B-1)(K-1)), T the sums of S, with the limits of the
    Friedman test. overall_own: p_exact over all orders within replicates (with K = 2 the p-value of the signed-rank
    test), or p_monte_carlo if these are too many (NaN for what is not used, and for large data).
    options["post_hoc"]: wilcoxon (default; each pair by itself) or quade (t on the sums of S;
    no interval in the unit of the values). own: the mean ranks, weighted by Q. Replicates in which all tie have S = 0.
    Source: Quade 1979; Conover 1999, section 5.8.
    """
    post_hoc = choice(blocks, "post_hoc", ("wilcoxon", "quade"))
    values, left_out = complete_replicates(blocks.values)
    B, K = values.shape
    weights, scores = _scores(values)
    sums = scores.sum(axis=0)
    between, total = sum(int(one) ** 2 for one in sums), B * int((scores**2).sum())
    overall = variance_ratio(between, total, K - 1, B)
    # scores are four times S, weights twice Q
    mean_ranks = (K + 1) / 2.0 + sums / (2.0 * max(weights.sum(), 1))
    df = (B - 1.0) * (K - 1)
    error = np.sqrt(2.0 * (total - between) / df) / (2.0 * weights.sum()) if df > 0 else np.nan
    contrasts = rank_contrasts(values, mean_ranks if B else np.full(K, np.nan), blocks.contrasts, float(error))
    if post_hoc == "wilcoxon":
        found = wilcoxon.compare(blocks)
        found = replace(found, method=f"quade-{found.method}")
    else:
        found = unadjusted("quade", contrasts, two_sided(contrasts.statistic, df), df if df > 0 else np.nan)
    return replace(
        found,
        overall=overall,
        means=algorithm_means(blocks.values),
        own={**contrasts.own, **found.own},
        overall_own=p_values(scores + weights[:, None] * (K - 1), blocks.generator, blocks.draws),
        remarks=left_out + remarks_on(B, overall, not scores.any()) + found.remarks,
    )


def _scores(values: Floats) -> tuple[Integers, Integers]:
    """Return 2 Q, (B,), and 4 S, (B, K)."""
    noise = NOISE * np.abs(values).max(axis=1, initial=0.0)
    width = np.ptp(values, axis=1) if values.size else np.empty(0)
    width[width <= noise] = 0.0
    weights = doubled(mid_ranks(width[None, :], noise[None, :])[0])
    return weights, weights[:, None] * (doubled(mid_ranks(values)) - (values.shape[1] + 1))
