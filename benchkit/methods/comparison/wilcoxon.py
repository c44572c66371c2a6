"""Wilcoxon's signed-rank test of each pair, exact also with ties and zeros, with the pseudo-median and its interval."""

from dataclasses import dataclass

import numpy as np

from benchkit.methods.choice import choice
from benchkit.methods.comparison import coin_sums
from benchkit.methods.comparison.shared import algorithm_means
from benchkit.methods.comparison.signed_differences import Differences, counts, remarks, signed_differences
from benchkit.methods.mid_ranks import doubled, mid_ranks
from benchkit.methods.records import Blocks, Floats, Integers, Interval, Remark, Unadjusted
from benchkit.methods.walsh import WalshAverages


@dataclass(frozen=True)
class _Signed:
    """The signed ranks of one pair, doubled; positive is the sum of the positive ones.

    weights: those that a coin may give to either side. fixed: half of the zeros' ranks, not doubled.
    """

    weights: Integers
    positive: int
    fixed: float


def compare(blocks: Blocks) -> Unadjusted:
    """Compare the contrasts by W+, the sum of the ranks of |a - b| over the replicates with a > b.

    Ranks are mid-ranks; differences within float noise tie, or are zeros. options["zeros"]: pratt (default; zeros are
    ranked, then left out), wilcox (left out before ranking) or zsplit (half of their ranks goes to either side). p is
    twice the smaller tail, at most 1, given the ties and zeros: exact up to 390 ranks without ties, or about 310 with them,
    else normal (note normal-approximation). estimate: the pseudo-median of Hodges & Lehmann; the interval lies between the
    Walsh averages that the distribution without ties leaves inside, closed and so conservative with ties (Noether 1967),
    infinite where n is too small for the level.

    No difference at all gives statistic 0 and p 1 (zero-variance); no shared replicate NaN (not-estimable). own:
    n_better, n_worse, n_equal, rank_biserial (W- - W+)/(W+ + W-), 0 without ranks, and smallest_p, the
    least that these ties and zeros allow. Source: Wilcoxon 1945; Pratt 1959; Hollander & Wolfe 1999, sections 3.1 to 3.3.
    """
    zeros = choice(blocks, "zeros", ("pratt", "wilcox", "zsplit"))
    pairs = signed_differences(blocks.values, blocks.contrasts)
    signed = [_signed_ranks(pair, zeros) for pair in pairs]
    known = np.array([pair.values.size > 0 for pair in pairs], dtype=bool)
    walsh = [WalshAverages(pair.values, float(np.median(pair.noise))) if pair.values.size else None for pair in pairs]
    nothing = np.full(len(pairs), np.nan)
    total = np.array([one.weights.sum() for one in signed], dtype=np.float64)
    fixed = np.array([one.fixed for one in signed])
    statistic = np.array([one.positive / 2.0 for one in signed]) + fixed
    balance = np.array([2.0 * one.positive for one in signed]) - total
    own = counts(pairs) | {
        "rank_biserial": np.where(known, -balance / np.maximum(total, 1.0) + 0.0, np.nan),
        "smallest_p": np.where(known, [min(1.0, 2.0 * 0.5**one.weights.size) for one in signed], np.nan),
    }
    return Unadjusted(
        method="wilcoxon" if zeros == "pratt" else f"wilcoxon-{zeros}",
        n=np.array([pair.values.size for pair in pairs], dtype=np.int64),
        mean_a=np.array([pair.mean_a for pair in pairs]),
        mean_b=np.array([pair.mean_b for pair in pairs]),
        estimate=np.array([np.nan if one is None else one.median() for one in walsh]),
        p_value=np.where(known, _p_values(signed), np.nan),
        std_error=nothing,
        statistic=np.where(known, statistic, np.nan),
        turned=np.where(known, total / 2.0 + 2.0 * fixed - statistic, np.nan),
        direction=balance,
        df=nothing,
        interval=_interval(walsh, [pair.values.size for pair in pairs]),
        means=algorithm_means(blocks.values),
        own=own,
        remarks=remarks(pairs) + _approximated(signed),
    )


def _signed_ranks(pair: Differences, zeros: str) -> _Signed:
    difference, noise = pair.values, pair.noise
    if zeros == "wilcox":
        difference, noise = difference[difference != 0], noise[difference != 0]
    ranks = doubled(mid_ranks(np.abs(difference)[None, :], noise[None, :])[0])
    fixed = ranks[difference == 0].sum() / 4.0 if zeros == "zsplit" and difference.any() else 0.0
    return _Signed(ranks[difference != 0], int(ranks[difference > 0].sum()), float(fixed))


def _p_values(signed: list[_Signed]) -> Floats:
    return np.array([coin_sums.two_sided(one.weights, one.positive) for one in signed], dtype=np.float64)


def _approximated(signed: list[_Signed]) -> tuple[Remark, ...]:
    which = tuple(i for i, one in enumerate(signed) if not coin_sums.is_feasible(one.weights))
    return (Remark("normal-approximation", which),) if which else ()


def _interval(walsh: list[WalshAverages | None], sizes: list[int]) -> Interval:
    depths = {n: coin_sums.rank_sum_depth(n) for n in set(sizes) if n}

    def interval(levels: Floats) -> tuple[Floats, Floats]:
        low, high = np.full(levels.shape, np.nan), np.full(levels.shape, np.nan)
        for i, one in enumerate(walsh):
            if one is None:
                continue
            depth = int(depths[sizes[i]](levels[i : i + 1])[0])
            low[i] = one.smallest(depth) if depth else -np.inf
            high[i] = one.smallest(one.size + 1 - depth) if depth else np.inf
        return low, high

    return interval
