"""The Skillings-Mack test: Friedman's for replicates of which cells are missing."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc

from benchkit.methods.choice import choice
from benchkit.methods.comparison import sign, wilcoxon
from benchkit.methods.comparison.permuted_totals import probability
from benchkit.methods.comparison.random_orders import is_affordable, random_sums
from benchkit.methods.comparison.rank_contrasts import remarks_on
from benchkit.methods.comparison.shared import algorithm_means
from benchkit.methods.mid_ranks import doubled, mid_ranks
from benchkit.methods.records import Blocks, Floats, Integers, Overall, Remark, Unadjusted


def compare(blocks: Blocks) -> Unadjusted:
    """Compare algorithms by their ranks within replicates, each replicate with the values that it has.

    overall: A' V^- A, chi-square on the rank of V (K - 1 if replicates connect all algorithms, else note not-connected),
    with A_j = sum_i sqrt(12/(k_i+1)) (r_ij - (k_i+1)/2) over the replicates with k_i > 1 values, and V the covariance of A
    over all orders within replicates. Complete data give Friedman's chi-square. options["ties"]: corrected (default; V
    from the tied ranks) or ignore (V as without ties, the authors' formula). Statistic 0 and p 1 where all values tie.
    overall_own: p_exact (all orders of the tied ranks within replicates), or p_monte_carlo if these are too many (NaN for what
    is not used, and for large data), replicates_used. Pairs: each by itself
    on its shared replicates, as wilcoxon.py. K = 2 without options["zeros"], which are about signed ranks, is the exact sign
    test, as with friedman.py; it then is the overall test, too. Source: Skillings & Mack 1981; Hollander & Wolfe 1999, 7.8.
    """
    ignore = choice(blocks, "ties", ("corrected", "ignore")) == "ignore"
    values = blocks.values[(~np.isnan(blocks.values)).sum(axis=1) > 1]
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
    own = {**_p_values(blocks, values, scores, inverse, statistic), "replicates_used": float(len(values))}
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


def _p_values(blocks: Blocks, values: Floats, scores: Floats, inverse: Floats, observed: float) -> dict[str, float]:
    """Return p_exact and, where that is out of reach and the data are small, p_monte_carlo = (1 + hits) / (1 + draws)."""
    present = ~np.isnan(values)
    least = observed * (1.0 - 1e-9) - 1e-12
    lengths = np.unique(present.sum(axis=1))
    weights = np.sqrt(3.0 / (lengths + 1.0))  # of doubled ranks less k + 1
    of_length = present.sum(axis=1) == lengths[:, None]
    middle = (lengths + 1)[:, None] * (of_length[:, :, None] & present).sum(axis=1)

    def reaches(totals: Integers) -> NDArray[np.bool_]:
        sums = weights @ (totals.reshape(*totals.shape[:-1], *middle.shape) - middle)
        return np.asarray(np.einsum("...j,jk,...k->...", sums, inverse, sums) >= least)

    ranks = doubled(np.where(present, mid_ranks(values), 0.0))
    exact, drawn = probability(ranks, present, reaches), float("nan")
    if np.isnan(exact) and is_affordable(scores, blocks.draws):
        orders = random_sums(scores, present, blocks.generator, blocks.draws)
        hits = sum(int((np.einsum("ij,jk,ik->i", sums, inverse, sums) >= least).sum()) for sums in orders)
        drawn = (1.0 + hits) / (1.0 + blocks.draws)
    return {"p_exact": exact, "p_monte_carlo": drawn}
