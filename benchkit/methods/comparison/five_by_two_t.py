"""Dietterich's 5x2cv t test."""

import numpy as np

from benchkit.methods.comparison.five_by_two import DF, five_by_two, remarks
from benchkit.methods.comparison.paired import studentise, two_sided
from benchkit.methods.comparison.shared import algorithm_means, shared
from benchkit.methods.records import Blocks, Remark, Unadjusted


def compare(blocks: Blocks) -> Unadjusted:
    """Return t = d11 / sqrt(mean of the five variances) on 5 degrees of freedom for each pair.

    The numerator is the difference of the first fold of the first repeat alone, so that is the estimate that the interval,
    d11 +/- t(5) std_error, stands around; mean_a and mean_b are means over all ten. Remark
    first-difference-disagrees where the mean of the ten differences has the other sign. A pair with a missing cell is NaN
    (not-estimable). Where no repeat has a variance (zero-variance), ten zeros give t 0 and p 1, d11 alone zero gives NaN,
    else t is infinite.
    Source: Dietterich, Approximate statistical tests for comparing supervised classification learning algorithms, 1998,
    equation 5.
    """
    found, pairs = five_by_two(blocks), shared(blocks.values, blocks.contrasts)
    first, mean = found.differences[0, 0], found.differences.mean(axis=(0, 1))
    statistic = studentise(first, found.scale)
    undecided = (found.scale == 0) & (first == 0) & (found.differences != 0).any(axis=(0, 1))
    statistic = np.where(undecided, np.nan, statistic)
    df = np.where(np.isnan(statistic), np.nan, DF)
    said = remarks(found)
    opposite = np.flatnonzero(first * mean < 0)
    if opposite.size:
        said += (Remark("first-difference-disagrees", tuple(opposite.tolist())),)
    return Unadjusted(
        method="5x2cv-t",
        n=pairs.n,
        mean_a=pairs.mean_a,
        mean_b=pairs.mean_b,
        estimate=first,
        p_value=two_sided(statistic, df),
        std_error=np.where(undecided, np.nan, found.scale),
        statistic=statistic,
        df=df,
        means=algorithm_means(blocks.values),
        remarks=said,
    )
