"""The t test of mean differences when replicates come in clusters: questions on one passage, samples of one item."""

import numpy as np

from benchkit.methods.comparison.clusters import clustered_differences, clustered_means, remarks
from benchkit.methods.comparison.paired import two_sided
from benchkit.methods.records import Blocks, Unadjusted
from benchkit.methods.t_quantile import upper_t


def compare(blocks: Blocks) -> Unadjusted:
    """Compare the contrasts by the one-sample t test of the sums d_g of a - b within G clusters, on G - 1 degrees of freedom.

    estimate = sum d_g/n over all n shared replicates; statistic = sqrt(G) mean(d_g)/sd(d_g). The interval holds the differences x
    that the test of the d_g - n_g x does not reject, n_g replicates in cluster g (Fieller 1954). std_error is cluster-robust,
    sqrt(G/(G - 1) sum (d_g - n_g estimate)^2)/n, as those of the means. For clusters of equal size statistic is
    estimate/std_error, and without clusters all is the paired t test; for unequal ones that ratio is no test: at ten clusters
    of lognormal sizes (sigma 1) it rejects at .11 instead of .05, this one at .03.

    A pair uses the clusters in which some replicate has both. Sums that do not vary: statistic 0 or infinite, p 1 or 0, remark
    zero-variance; fewer than two clusters: NaN but for the estimate, not-estimable.
    Own columns: clusters = G; design_effect, how many times larger the variance is than with independent replicates.
    Source: Liang & Zeger 1986; Cameron & Miller 2015; Miller 2024 for evaluations of language models.
    """
    found, mean_a, mean_b = clustered_differences(blocks)
    df = np.where(found.clusters > 1, found.clusters - 1.0, np.nan)
    statistic = found.statistic
    return Unadjusted(
        method="cluster-t",
        n=found.n,
        mean_a=mean_a,
        mean_b=mean_b,
        estimate=found.mean,
        p_value=two_sided(statistic, df),
        std_error=found.std_error,
        statistic=statistic,
        df=df,
        interval=lambda levels: found.ends(upper_t(df, (1.0 - levels) / 2.0)),
        means=clustered_means(blocks),
        own={"clusters": found.clusters.astype(np.float64), "design_effect": found.design_effect},
        remarks=remarks(found),
    )
