"""The t test of mean differences when replicates come in clusters: questions on one passage, samples of one item."""

import numpy as np

from benchkit.methods.comparison.clusters import clustered_differences, clustered_means, remarks
from benchkit.methods.comparison.paired import studentise, two_sided
from benchkit.methods.records import Blocks, Unadjusted


def compare(blocks: Blocks) -> Unadjusted:
    """Compare the contrasts by the one-sample t test of the sums d_g of a - b within G clusters, on G - 1 degrees of freedom.

    estimate = sum d_g/n over all n shared replicates, std_error = sqrt(G) sd(d_g)/n. Without clusters this is the paired t
    test; for clusters of equal size it is the cluster-robust error sqrt(G/(G - 1) sum (d_g - n_g estimate)^2)/n, which for
    unequal ones, n_g replicates in cluster g, is too small: at ten clusters of lognormal sizes (sigma 1) its test at .05
    rejects at .11, this one at .03. The algorithms' means, which need not be 0, have that error. A pair uses the clusters in
    which some replicate has both. Sums that do not vary: statistic 0 or infinite, p 1 or 0, remark zero-variance; fewer than
    two clusters: NaN but for the estimate, not-estimable.
    Own columns: clusters = G; design_effect, how many times larger the variance is than with independent replicates.
    Source: Liang & Zeger 1986; Cameron & Miller 2015; Miller 2024 for evaluations of language models.
    """
    found, mean_a, mean_b = clustered_differences(blocks)
    mean, std_error = found.mean, found.error_of_sums
    df = np.where(found.clusters > 1, found.clusters - 1.0, np.nan)
    statistic = studentise(mean, std_error)
    return Unadjusted(
        method="cluster-t",
        n=found.n,
        mean_a=mean_a,
        mean_b=mean_b,
        estimate=mean,
        p_value=two_sided(statistic, df),
        std_error=std_error,
        statistic=statistic,
        df=df,
        means=clustered_means(blocks),
        own={"clusters": found.clusters.astype(np.float64), "design_effect": found.design_effect},
        remarks=remarks(found),
    )
