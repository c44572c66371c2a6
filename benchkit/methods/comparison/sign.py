"""The sign test of each pair: exact binomial, with the median difference and its order-statistic interval."""

import numpy as np
from scipy.special import bdtr

from benchkit.methods.comparison import coin_sums
from benchkit.methods.comparison.shared import algorithm_means
from benchkit.methods.comparison.signed_differences import counts, remarks, signed_differences
from benchkit.methods.records import Blocks, Floats, Interval, Unadjusted


def compare(blocks: Blocks) -> Unadjusted:
    """Compare the contrasts by the number of replicates with a > b among those that differ, binomial with 1/2.

    p is twice the smaller tail, at most 1; zeros (differences within float noise) are left out of it. estimate: the
    median of all differences; the interval lies between two of them in order, closed and so conservative with ties,
    infinite where n is too small for the level. No difference at all gives statistic 0 and p 1 (zero-variance); no shared
    replicate NaN (not-estimable). own: n_better, n_worse, n_equal and smallest_p, the least that this
    number of non-zero differences allows. Source: Hollander & Wolfe 1999, sections 3.4 to 3.6.
    """
    pairs = signed_differences(blocks.values, blocks.contrasts)
    ordered = [np.sort(pair.values) for pair in pairs]
    n = np.array([difference.size for difference in ordered], dtype=np.int64)
    own = counts(pairs)
    positive, negative = own["n_worse"], own["n_better"]
    trials = positive + negative
    # with no trials the binomial is the constant 0, whose tail is 1
    p_value = np.minimum(1.0, 2.0 * bdtr(np.minimum(positive, negative), trials.astype(np.int64), 0.5))
    nothing = np.full(n.shape, np.nan)
    own["smallest_p"] = np.where(n > 0, np.minimum(1.0, 2.0 * 0.5**trials), np.nan)
    return Unadjusted(
        method="sign",
        n=n,
        mean_a=np.array([pair.mean_a for pair in pairs]),
        mean_b=np.array([pair.mean_b for pair in pairs]),
        estimate=np.array([np.median(difference) if difference.size else np.nan for difference in ordered]),
        p_value=np.where(n > 0, p_value, np.nan),
        std_error=nothing,
        statistic=np.where(n > 0, positive, np.nan),
        turned=np.where(n > 0, negative, np.nan),
        direction=positive - negative,
        df=nothing,
        interval=_interval(ordered),
        means=algorithm_means(blocks.values),
        own=own,
        remarks=remarks(pairs),
    )


def _interval(ordered: list[Floats]) -> Interval:
    depths = {n: coin_sums.count_depth(n) for n in {difference.size for difference in ordered} if n}

    def interval(levels: Floats) -> tuple[Floats, Floats]:
        low, high = np.full(levels.shape, np.nan), np.full(levels.shape, np.nan)
        for i, difference in enumerate(ordered):
            if not difference.size:
                continue
            depth = int(depths[difference.size](levels[i : i + 1])[0])
            low[i] = difference[depth - 1] if depth else -np.inf
            high[i] = difference[-depth] if depth else np.inf
        return low, high

    return interval
