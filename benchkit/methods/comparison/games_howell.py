"""Games and Howell's test: all pairs of independent samples with unequal variances, by the studentized range."""

from collections.abc import Callable

import numpy as np

from benchkit.methods.adjustment import tukey
from benchkit.methods.comparison.paired import two_sided
from benchkit.methods.comparison.samples import Differences, differences, remarks, samples_of, sizes
from benchkit.methods.comparison.welch_t import welch_anova
from benchkit.methods.records import Answer, Blocks, Floats, Pairs


def compare(blocks: Blocks) -> Answer:
    """Compare the means of the contrasts by Welch's t, referred to the studentized range of K means with Welch's df.

    p_value is Welch's; p_adjusted and the intervals are simultaneous for all pairs of the K samples that have two values (for
    fewer contrasts they are conservative). With K = 2 it is Welch's t test. Samples of fewer than two values and constant
    samples as in welch_t. Source: Games & Howell 1976.
    """
    samples = samples_of(blocks.values)
    found = differences(samples, blocks.contrasts)
    K = max(int((samples.n > 1).sum()), 2)
    tail = _tail(found, K)
    a, b = blocks.contrasts.T
    df = [float(one) for one in found.df]
    quantiles = {one: tukey.quantile(blocks.level, K, one) for one in set(df) if not np.isnan(one)}
    quantile = np.array([quantiles.get(one, np.nan) for one in df])
    return Answer(
        method="games-howell",
        adjust="tukey" if K > 2 else "none",
        ci_kind="simultaneous",
        pairs=Pairs(
            n=samples.n[a] + samples.n[b],
            mean_a=samples.mean[a],
            mean_b=samples.mean[b],
            estimate=found.estimate,
            std_error=found.std_error,
            statistic=found.statistic,
            df=found.df,
            p_value=two_sided(found.statistic, np.where(found.std_error == 0, 1.0, found.df)),
            p_adjusted=tail(np.abs(found.statistic)),
            critical=np.where(found.std_error == 0, 0.0, quantile),
        ),
        tail=tail,
        overall=welch_anova(samples),
        means=samples.means,
        own=sizes(samples, blocks.contrasts),
        remarks=remarks(samples, blocks.contrasts),
    )


def _tail(found: Differences, K: int) -> Callable[[Floats], Floats]:
    """Return the function of |t|, (m,), that gives the adjusted p-values; without variation 0 beyond t > 0 and 1 at 0."""

    def tail(t: Floats) -> Floats:
        p = np.full(t.shape, np.nan)
        for i, df in enumerate(found.df):
            if found.std_error[i] == 0:
                p[i] = np.nan if np.isnan(t[i]) else 0.0 if t[i] > 0 else 1.0
            elif not np.isnan(df):
                p[i] = tukey.sf(t[i : i + 1], K, float(df))[0]
        return p

    return tail
