"""Independent samples: permutation test of the studentised difference of means, exact where it can be."""

import numpy as np
from scipy.special import gammaln

from benchkit.methods.comparison.label_shuffles import p_value
from benchkit.methods.comparison.samples import columns_of, differences, remarks, samples_of, sizes
from benchkit.methods.comparison.shift_interval import Crossings, crossings
from benchkit.methods.comparison.welch_t import welch_anova
from benchkit.methods.records import Blocks, Floats, Integers, Interval, Unadjusted


def compare(blocks: Blocks) -> Unadjusted:
    """Compare the means of the contrasts by Welch's t among all ways to share out the values of the two samples anew.

    Exact if both samples come from one distribution, and valid in large samples if only their means are equal (Janssen 1997;
    Chung & Romano 2013). p is two-sided, the share of ways with |t| at least as large; with more than 1e7 different ways
    (1 + hits)/(1 + draws) of blocks.draws random ones (own column exact: 1 or 0). The interval holds the shifts that the
    test does not reject, by all ways up to 20,000, else by random ones; its ends are infinite where no p-value can be so
    small. std_error and df are Welch's. A sample of fewer than two values gives NaN (small-n); two constant samples are told
    apart as surely as their sizes allow (zero-variance). own: n_a, n_b, exact, smallest_p (the least that samples of
    these sizes allow). overall: Welch's analysis of variance.
    """
    samples, columns = samples_of(blocks.values), columns_of(blocks.values)
    found = differences(samples, blocks.contrasts)
    p, exact = np.full(found.estimate.shape, np.nan), np.full(found.estimate.shape, np.nan)
    reached: list[Crossings | None] = []
    for i, (a, b) in enumerate(blocks.contrasts.tolist()):
        if min(columns[a].size, columns[b].size) < 2:
            reached.append(None)
            continue
        # the interval takes the same random ways as the p-value
        reached.append(crossings(columns[a], columns[b], blocks.draws, blocks.generator))
        p[i], exact[i] = p_value(columns[a], columns[b], blocks.draws, blocks.generator)
    a, b = blocks.contrasts.T
    smallest = np.where(exact == 0, 1.0 / (1.0 + blocks.draws), _smallest(samples.n[a], samples.n[b]))
    return Unadjusted(
        method="unpaired-permutation",
        n=samples.n[a] + samples.n[b],
        mean_a=samples.mean[a],
        mean_b=samples.mean[b],
        estimate=found.estimate,
        p_value=p,
        std_error=found.std_error,
        statistic=found.statistic,
        df=found.df,
        interval=_interval(reached),
        overall=welch_anova(samples),
        means=samples.means,
        own={**sizes(samples, blocks.contrasts), "exact": exact, "smallest_p": smallest},
        remarks=remarks(samples, blocks.contrasts),
    )


def _smallest(n: Integers, m: Integers) -> Floats:
    """Return the share of one way among all, of two with equal sizes, since exchanging the samples leaves |t| as it is."""
    shared_out = np.exp(gammaln(n + 1.0) + gammaln(m + 1.0) - gammaln(n + m + 1.0))
    return np.where(np.minimum(n, m) > 1, np.where(n == m, 2.0, 1.0) * shared_out, np.nan)


def _interval(reached: list[Crossings | None]) -> Interval:
    def interval(levels: Floats) -> tuple[Floats, Floats]:
        ends = [
            (np.nan, np.nan) if one is None else one.interval(level) for one, level in zip(reached, levels.tolist(), strict=True)
        ]
        low, high = np.array(ends, dtype=np.float64).reshape(-1, 2).T
        return low, high

    return interval
