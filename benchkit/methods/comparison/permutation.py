"""The permutation test of paired differences: within a replicate, algorithms that are equal might have swapped results."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.comparison.paired import studentise
from benchkit.methods.comparison.shared import Shared, algorithm_means, difference_matrix, noise, remarks, shared
from benchkit.methods.comparison.sign_patterns import Patterns, sign_patterns
from benchkit.methods.records import Answer, Blocks, Floats, Overall, Pairs


def compare(blocks: Blocks) -> Answer:
    """Compare the contrasts by t = mean / (sd / sqrt n), against its values when the signs of replicates change.

    One sign for each replicate, common to all pairs, keeps their dependence: p_adjusted is step-down max-T, intervals are
    single-step, estimate +/- critical std_error, with the quantile of flips of the differences as they are, not less each
    shift, so that they are no inversion of the test; p_value counts each pair alone. With at most 20 replicates that differ at
    all (fewer for more than 38 pairs) every pattern of signs is taken, else blocks.draws random ones, with
    p = (1 + hits)/(1 + draws); what reaches a statistic but for rounding is a hit. overall is the largest |t|, with the
    p-value of its pair. Own column smallest_p: the least p-value that so many patterns can give; where it exceeds 1 - level,
    intervals are infinite.

    Pairs use their shared replicates; with fewer than two they are NaN. Differences that do not vary (zero-variance) have
    statistic 0 and p 1, or an infinite statistic and the p-value of the patterns, which is not 0.
    Source: Westfall & Young 1993, sections 2.3 and 2.6; Chung & Romano 2013; Phipson & Smyth 2010.
    """
    found = shared(blocks.values, blocks.contrasts)
    std_error = found.sd / np.sqrt(np.maximum(found.n, 1))
    statistic = studentise(found.estimate, std_error)
    tested = ~np.isnan(statistic)
    family = _family(blocks, found, tested)
    half = np.where(np.isinf(family.critical), np.inf, np.where(np.isinf(family.critical), 0.0, family.critical) * std_error)
    several = int(tested.sum()) > 1

    def tail(t: Floats) -> Floats:
        return np.where(tested, family.patterns.tail(t), np.nan) if family.patterns else np.full(np.shape(t), np.nan)

    return Answer(
        method="permutation",
        adjust="max-t" if several else "none",
        ci_kind="simultaneous",
        pairs=Pairs(
            n=found.n,
            mean_a=found.mean_a,
            mean_b=found.mean_b,
            estimate=found.estimate,
            std_error=std_error,
            statistic=statistic,
            df=np.where(tested, found.n - 1.0, np.nan),
            p_value=family.p_value,
            p_adjusted=family.p_adjusted,
            critical=family.critical,
        ),
        tail=tail,
        overall=_overall(statistic, family.p_adjusted, tested),
        means=algorithm_means(blocks.values),
        step_wise=several,
        low=found.estimate - half,
        high=found.estimate + half,
        p_equivalence=lambda margins: tail(_reach(margins, found.estimate, std_error)),
        own={"smallest_p": family.smallest_p},
        remarks=remarks(found, len(blocks.values)),
    )


@dataclass(frozen=True)
class _Family:
    """What the patterns of signs say of the m pairs, shapes (m,), NaN where not tested; patterns: None if none is."""

    patterns: Patterns | None
    p_value: Floats
    p_adjusted: Floats
    critical: Floats
    smallest_p: Floats


def _family(blocks: Blocks, found: Shared, tested: NDArray[np.bool_]) -> _Family:
    """Return the p-values and the multiplier of the pairs that are tested."""
    columns = [np.full(tested.shape, np.nan) for _ in range(4)]
    if not tested.any():
        return _Family(None, *columns)
    contrasts = blocks.contrasts[tested]
    differences = difference_matrix(blocks.values, contrasts)
    differences[:, (found.sd == 0)[tested] & (found.estimate == 0)[tested]] *= 0.0  # rounding alone
    patterns = sign_patterns(differences, noise(blocks.values, contrasts), blocks.draws, blocks.generator)
    results = (
        patterns.share(patterns.hits),
        patterns.share(patterns.hits_step_down),
        patterns.critical(blocks.level),
        patterns.smallest_p,
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
