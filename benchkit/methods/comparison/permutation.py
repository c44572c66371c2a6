"""The permutation test of paired differences: within a replicate, algorithms that are equal might have swapped results."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.comparison.paired import studentise
from benchkit.methods.comparison.shared import algorithm_means, difference_matrix, noise, remarks, shared
from benchkit.methods.comparison.sign_patterns import Patterns, sign_patterns
from benchkit.methods.records import Answer, Blocks, Floats, Integers, Means, Overall, Pairs, Remark


def compare(blocks: Blocks) -> Answer:
    """Compare the contrasts by t = mean / (sd / sqrt n), against its values when the signs of replicates change.

    One sign for each replicate, common to all pairs, keeps their dependence: p_adjusted is step-down max-T, intervals are
    single-step, estimate +/- critical std_error, with the quantile of flips of the differences as they are, not less each
    shift, so that they are no inversion of the test; p_value counts each pair alone. With at most 20 replicates that differ at
    all (fewer for more than 38 pairs) every pattern of signs is taken, else blocks.draws random ones, with
    p = (1 + hits)/(1 + draws); what reaches a statistic but for rounding is a hit. overall is the largest |t|, with the
    p-value of its pair. Own column smallest_p: the least p-value that so many patterns, and the pair's differences that are not
    zero, can give; where the patterns' exceeds 1 - level, intervals are infinite.

    Pairs use their shared replicates; with fewer than two they are NaN. Differences that do not vary (zero-variance) have
    statistic 0, p 1 and no width, or an infinite statistic and the p-value of the patterns, which is not 0.
    Source: Westfall & Young 1993, sections 2.3 and 2.6; Chung & Romano 2013; Phipson & Smyth 2010.
    """
    found = shared(blocks.values, blocks.contrasts)
    std_error = found.sd / np.sqrt(np.maximum(found.n, 1))

    def ends(critical: Floats) -> tuple[Floats, Floats]:
        endless = np.isinf(critical)
        half = np.where(endless, np.inf, np.where(endless, 0.0, critical) * std_error)
        return found.estimate - half, found.estimate + half

    flips = Flips(
        found.n,
        found.mean_a,
        found.mean_b,
        found.estimate,
        std_error,
        studentise(found.estimate, std_error),
        np.asarray(found.n - 1.0),
        difference_matrix(blocks.values, blocks.contrasts),
        noise(blocks.values, blocks.contrasts),
        ends,
        lambda margins: _reach(margins, found.estimate, std_error),
    )
    return flipped("permutation", flips, blocks, algorithm_means(blocks.values), {}, remarks(found, len(blocks.values)))


@dataclass(frozen=True)
class Flips:
    """What flips of signs compare: of the m pairs n, means, estimate, std_error, statistic, df, (m,), and the differences.

    differences: shape (B, m), NaN where missing; their signs change row by row, and statistic is their one-sample t.
    noise: shape (m,), what one of them may owe to rounding. ends: the interval for a critical value of |statistic|; reach: how
    large |statistic| is at margins.
    """

    n: Integers
    mean_a: Floats
    mean_b: Floats
    estimate: Floats
    std_error: Floats
    statistic: Floats
    df: Floats
    differences: Floats
    noise: Floats
    ends: Callable[[Floats], tuple[Floats, Floats]]
    reach: Callable[[Floats], Floats]


def flipped(method: str, flips: Flips, blocks: Blocks, means: Means, own: dict[str, Floats], said: tuple[Remark, ...]) -> Answer:
    """Return the answer of a permutation test of these differences; own: further columns beside smallest_p."""
    statistic = flips.statistic
    tested = ~np.isnan(statistic)
    family = _family(blocks, flips, tested)
    # no pattern of signs moves a mean of zeros, at any level
    still = (flips.std_error == 0) & (flips.estimate == 0)
    low, high = (np.where(still, 0.0, end) for end in flips.ends(family.critical))
    several = int(tested.sum()) > 1

    def tail(t: Floats) -> Floats:
        return np.where(tested, family.patterns.tail(t), np.nan) if family.patterns else np.full(np.shape(t), np.nan)

    return Answer(
        method=method,
        adjust="max-t" if several else "none",
        ci_kind="simultaneous",
        pairs=Pairs(
            n=flips.n,
            mean_a=flips.mean_a,
            mean_b=flips.mean_b,
            estimate=flips.estimate,
            std_error=flips.std_error,
            statistic=statistic,
            df=np.where(tested, flips.df, np.nan),
            p_value=family.p_value,
            p_adjusted=family.p_adjusted,
            critical=family.critical,
        ),
        tail=tail,
        overall=_overall(statistic, family.p_adjusted, tested),
        means=means,
        step_wise=several,
        low=low,
        high=high,
        p_equivalence=lambda margins: np.where(still, 0.0, tail(flips.reach(margins))),
        own={**own, "smallest_p": family.smallest_p},
        remarks=said,
    )


@dataclass(frozen=True)
class _Family:
    """What the patterns of signs say of the m pairs, shapes (m,), NaN where not tested; patterns: None if none is."""

    patterns: Patterns | None
    p_value: Floats
    p_adjusted: Floats
    critical: Floats
    smallest_p: Floats


def _family(blocks: Blocks, flips: Flips, tested: NDArray[np.bool_]) -> _Family:
    """Return the p-values and the multiplier of the pairs that are tested."""
    columns = [np.full(tested.shape, np.nan) for _ in range(4)]
    if not tested.any():
        return _Family(None, *columns)
    differences = flips.differences[:, tested]
    differences[:, ((flips.std_error == 0) & (flips.estimate == 0))[tested]] *= 0.0  # rounding alone
    patterns = sign_patterns(differences, flips.noise[tested], blocks.draws, blocks.generator)
    results = (
        patterns.share(patterns.hits),
        patterns.share(patterns.hits_step_down),
        patterns.critical(blocks.level),
        np.maximum(patterns.smallest_p, 2.0 ** (1.0 - np.maximum(np.count_nonzero(np.nan_to_num(differences), axis=0), 1))),
    )
    for column, result in zip(columns, results, strict=True):
        column[tested] = result
    return _Family(patterns, *columns)


def _overall(statistic: Floats, p_adjusted: Floats, tested: NDArray[np.bool_]) -> Overall | None:
    """Return the largest |t| and its p-value; None if nothing is tested."""
    if not tested.any():
        return None
    return Overall(float(np.abs(statistic[tested]).max()), np.nan, np.nan, float(p_adjusted[tested].min()))


def _reach(margins: Floats, estimate: Floats, std_error: Floats) -> Floats:
    """Return how many standard errors the margin is beyond the estimate; 0 if it is not."""
    room = np.maximum(margins - np.abs(estimate), 0.0)
    return np.divide(room, std_error, out=np.where(room > 0, np.inf, 0.0), where=std_error > 0)
