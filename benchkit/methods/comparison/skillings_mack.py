"""The Skillings-Mack test: Friedman's for replicates of which cells are missing."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc

from benchkit.methods.choice import choice
from benchkit.methods.comparison import sign, wilcoxon
from benchkit.methods.comparison.random_orders import is_affordable, random_sums
from benchkit.methods.comparison.rank_contrasts import remarks_on
from benchkit.methods.comparison.shared import algorithm_means
from benchkit.methods.mid_ranks import mid_ranks
from benchkit.methods.records import Blocks, Floats, Overall, Remark, Unadjusted


def compare(blocks: Blocks) -> Unadjusted:
    """Compare algorithms by their ranks within replicates, each replicate with the values that it has.

    overall: A' V^- A, chi-square on the rank of V (K - 1 if replicates connect all algorithms, else note not-connected),
    with A_j = sum_i sqrt(12/(k_i+1)) (r_ij - (k_i+1)/2) over the replicates with k_i > 1 values, and V the covariance of A
    over all orders within replicates. Complete data give Friedman's chi-square. options["ties"]: corrected (default; V
    from the tied ranks) or ignore (V as without ties, the authors' formula). Statistic 0 and p 1 where all values tie.
    overall_own: p_monte_carlo from blocks.draws random orders (NaN for large data), replicates_used. Pairs: each by itself
    on its shared replicates, as wilcoxon.py. K = 2 without options["zeros"], which are about signed ranks, is the exact sign
    test, as with friedman.py; it then is the overall test, too. Source: Skillings & Mack 1981; Hollander & Wolfe 1999, 7.8.
    """
    ignore = choice(blocks, "ties", ("corrected", "ignore")) == "ignore"
    values = blocks.values[(~np.isnan(blocks.values)).sum(axis=1) > 1]
    present = ~np.isnan(values)
    scores, covariance = _scores(values, ignore)
    inverse, df = _inverse(covariance)
    connected = df == blocks.values.shape[1] - 1
    sums = scores.sum(axis=0)
    statistic = float(sums @ inverse @ sums) if df else 0.0
    overall = Overall(statistic, float(df or blocks.values.shape[1] - 1), np.nan, float(chdtrc(df, statistic)) if df else 1.0)
    if not len(values):
        overall = Overall(np.nan, np.nan, np.nan, np.nan)
    if blocks.values.shape[1] == 2 and "zeros" not in blocks.options:
        found = sign.compare(blocks)
        found = replace(found, remarks=(Remark("two-algorithms"), *found.remarks))
        overall = Overall(float(found.statistic[0]), np.nan, np.nan, float(found.p_value[0]))
    else:
        found = wilcoxon.compare(blocks)
    own = {"p_monte_carlo": _monte_carlo(blocks, scores, present, inverse, statistic), "replicates_used": float(len(values))}
    apart = (Remark("not-connected"),) if df and not connected else ()
    return replace(
        found,
        method=f"skillings-mack-{found.method}",
        overall=overall,
        means=algorithm_means(blocks.values),
        overall_own=own,
        remarks=apart + remarks_on(len(values), overall, not scores.any()) + found.remarks,
    )


def _scores(values: Floats, ignore_ties: bool) -> tuple[Floats, Floats]:
    """Return the weighted centred ranks, (B, K), 0 where missing, and the covariance of their sums, (K, K)."""
    present = ~np.isnan(values)
    number = present.sum(axis=1, keepdims=True).astype(np.float64)
    scores = np.where(present, np.sqrt(12.0 / (number + 1.0)) * (mid_ranks(values) - (number + 1.0) / 2.0), 0.0)
    # the variance of a score over all orders within its replicate is its mean square; number - 1 without ties
    spread = number if ignore_ties else (scores**2).sum(axis=1, keepdims=True) / (number - 1.0)
    together = present.T @ (spread / number * present)
    return scores, np.diag((spread * present).sum(axis=0)) - together


def _inverse(covariance: Floats) -> tuple[Floats, int]:
    """Return the generalised inverse and the rank."""
    rank = int(np.linalg.matrix_rank(covariance, hermitian=True, rtol=1e-10)) if covariance.any() else 0
    return np.asarray(np.linalg.pinv(covariance, rcond=1e-10, hermitian=True)), rank


def _monte_carlo(blocks: Blocks, scores: Floats, present: NDArray[np.bool_], inverse: Floats, observed: float) -> float:
    """Return (1 + hits) / (1 + draws) over random orders of the scores within replicates."""
    if not is_affordable(scores, blocks.draws):
        return float("nan")
    hits = 0
    for sums in random_sums(scores, present, blocks.generator, blocks.draws):
        hits += int((np.einsum("ij,jk,ik->i", sums, inverse, sums) >= observed * (1.0 - 1e-9) - 1e-12).sum())
    return (1.0 + hits) / (1.0 + blocks.draws)
