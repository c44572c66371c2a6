"""Independent samples with unequal variances: Welch's t test of each pair and Welch's analysis of variance."""

import numpy as np
from scipy.special import fdtrc

from benchkit.methods.comparison.paired import two_sided
from benchkit.methods.comparison.samples import Samples, differences, remarks, samples_of, sizes
from benchkit.methods.records import Blocks, Overall, Unadjusted


def compare(blocks: Blocks) -> Unadjusted:
    """Compare the means of the contrasts by Welch's t with Satterthwaite's df; which replicate a value has plays no part.

    n is n_a + n_b (own columns n_a, n_b). The interval is that of t. A sample of fewer than two values gives NaN (small-n); if
    only one sample is constant, df is that of the other; if both are, statistic 0 or infinite and p 1 or 0 (zero-variance).
    Source: Welch 1947; Satterthwaite 1946. overall: see welch_anova.
    """
    samples = samples_of(blocks.values)
    found = differences(samples, blocks.contrasts)
    a, b = blocks.contrasts.T
    return Unadjusted(
        method="welch-t",
        n=samples.n[a] + samples.n[b],
        mean_a=samples.mean[a],
        mean_b=samples.mean[b],
        estimate=found.estimate,
        p_value=two_sided(found.statistic, np.where(found.std_error == 0, 1.0, found.df)),
        std_error=found.std_error,
        statistic=found.statistic,
        df=found.df,
        overall=welch_anova(samples),
        means=samples.means,
        own=sizes(samples, blocks.contrasts),
        remarks=remarks(samples, blocks.contrasts),
    )


def welch_anova(samples: Samples) -> Overall:
    """Test that all means are equal without pooling variances: F on (K - 1, df2), for K = 2 the square of Welch's t.

    Limits: one constant sample has infinite weight; if constant samples differ, F is infinite and p 0; if all samples are
    constant and equal, F is 0 and p 1. NaN with a sample of fewer than two values, and where some but not all samples
    are constant and equal, since the limit depends on how their variances vanish. Source: Welch 1951.
    """
    K = samples.n.size
    constant = samples.sd == 0
    if (samples.n < 2).any():
        return Overall(np.nan, K - 1.0, np.nan, np.nan)
    if constant.sum() > 1:
        spread = float(np.ptp(samples.mean[constant]))
        if spread > samples.noise[constant].max():
            return Overall(np.inf, K - 1.0, np.nan, 0.0)
        if constant.all():
            return Overall(0.0, K - 1.0, np.nan, 1.0)
        return Overall(np.nan, K - 1.0, np.nan, np.nan)
    error = samples.error_of_mean
    if constant.any():
        # its weight is infinite: the mean of all is its mean, and its own terms vanish
        share = constant.astype(np.float64)
        centre = samples.mean[constant][0]
    else:
        weight = (error.min() / error) ** 2
        share = weight / weight.sum()
        centre = samples.mean[0] + np.sum(share * (samples.mean - samples.mean[0]))
    with np.errstate(over="ignore"):  # of algorithms of quite different sizes F is beyond the largest double: infinite, and p 0
        distance = ((samples.mean - centre)[~constant] / error[~constant]) ** 2
    uncertainty = float(np.sum((1.0 - share) ** 2 / (samples.n - 1.0)))
    statistic = float(distance.sum()) / (K - 1.0) / (1.0 + 2.0 * (K - 2.0) / (K**2 - 1.0) * uncertainty)
    df2 = (K**2 - 1.0) / (3.0 * uncertainty)
    return Overall(statistic, K - 1.0, df2, float(fdtrc(K - 1.0, df2, statistic)))
