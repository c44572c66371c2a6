"""Alpaydin's combined 5x2cv F test."""

import numpy as np
from scipy.special import fdtrc, fdtri

from benchkit.methods.comparison.five_by_two import DF, FiveByTwo, five_by_two, remarks
from benchkit.methods.comparison.shared import algorithm_means, shared
from benchkit.methods.records import Blocks, Floats, Interval, Remark, Unadjusted

NUMERATOR_DF = 10.0
# with more pairs the test rejects too often in simulations (docs/validity.md)
MANY_PAIRS = 10


def compare(blocks: Blocks) -> Unadjusted:
    """Return F = sum of d^2 / (2 sum of s2) on (10, 5) degrees of freedom for each pair; df holds the 5.

    own: df_numerator, the 10.

    estimate is the mean of the ten differences. The interval holds the shifts of all ten that F does not reject; where it
    rejects every one at the level (the repeats differ more than their folds, remark uneven-repeats), it has no width. A pair
    with a missing cell is NaN (not-estimable). Without any variance (zero-variance) F is 0 and p 1 if all ten are 0, else
    F is infinite. More than ten pairs: many-pairs.
    Source: Alpaydin, Combined 5x2cv F test for comparing supervised classification learning algorithms, 1999, equation 6.
    """
    found, pairs = five_by_two(blocks), shared(blocks.values, blocks.contrasts)
    mean = found.differences.mean(axis=(0, 1))
    statistic = _ratio(found.differences, found.scale)
    said = remarks(found)
    uneven = np.flatnonzero(_ratio(found.differences - mean, found.scale) > fdtri(NUMERATOR_DF, DF, blocks.level))
    if uneven.size:
        said += (Remark("uneven-repeats", tuple(uneven.tolist())),)
    if mean.size > MANY_PAIRS:
        said += (Remark("many-pairs"),)
    unknown = np.full(mean.shape, np.nan)
    return Unadjusted(
        method="5x2cv-f",
        n=pairs.n,
        mean_a=pairs.mean_a,
        mean_b=pairs.mean_b,
        estimate=mean,
        p_value=np.where(np.isinf(statistic), 0.0, fdtrc(NUMERATOR_DF, DF, np.where(np.isinf(statistic), 0.0, statistic))),
        std_error=unknown,
        statistic=statistic,
        turned=statistic,
        df=np.where(np.isnan(statistic), np.nan, DF),
        interval=_interval(found, mean),
        means=algorithm_means(blocks.values),
        own={"df_numerator": np.where(np.isnan(statistic), np.nan, NUMERATOR_DF)},
        remarks=said,
    )


def _ratio(differences: Floats, scale: Floats) -> Floats:
    """Return sum of d^2 / (2 sum of s2), 2 sum of s2 being 10 scale^2; 0 for ten zeros, NaN where scale is NaN."""
    zero = (differences == 0).all(axis=(0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = ((differences / scale) ** 2).mean(axis=(0, 1))
    # without variance a zero among differences that are not all zero is 0/0, and yet the sum has the limit infinity
    return np.where(zero, 0.0, np.where(scale == 0, np.inf, ratio))


def _interval(found: FiveByTwo, mean: Floats) -> Interval:
    """Return the shifts x with sum of (d - x)^2 <= 2 F sum of s2, that is |x - mean| <= scale sqrt(F - F of d - mean)."""
    within = np.where(found.scale == 0, 0.0, _ratio(found.differences - mean, found.scale))

    def interval(level: Floats) -> tuple[Floats, Floats]:
        root = np.sqrt(np.maximum(fdtri(NUMERATOR_DF, DF, level) - within, 0.0))
        # without a variance there is no width, at any level
        half = np.multiply(found.scale, root, out=np.zeros(mean.shape), where=found.scale != 0)
        return mean - half, mean + half

    return interval
