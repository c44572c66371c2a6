"""The t test of mean differences when replicates come in clusters: questions on one passage, samples of one item."""

import numpy as np

from benchkit.methods.comparison.clusters import clustered_differences, clustered_means, remarks
from benchkit.methods.comparison.paired import studentise, two_sided
from benchkit.methods.records import Blocks, Unadjusted


def compare(blocks: Blocks) -> Unadjusted:
    """Compare the contrasts by t = mean/std_error on G - 1 degrees of freedom, from the sums d_g of a - b within G clusters.

    mean = sum d_g/n over all n shared replicates, std_error = sqrt(G/(G - 1) sum (d_g - n_g mean)^2)/n with n_g replicates in
    cluster g: for clusters of equal size the one-sample t test of the d_g, without clusters the paired t test. A pair uses the
    clusters in which some replicate has both. No variation between clusters: statistic 0 or infinite, p 1 or 0, remark
    zero-variance; fewer than two clusters: NaN but for the estimate, not-estimable. An effective number of clusters,
    (sum n_g)^2/sum n_g^2, below 10: few-clusters, since the test is then too liberal (cluster-permutation is not).
    Own columns: clusters = G; design_effect, how many times larger the variance is than with independent replicates.
    Source: Liang & Zeger 1986; Cameron & Miller 2015; Miller 2024 for evaluations of language models.
    """
    found, mean_a, mean_b = clustered_differences(blocks)
    mean, std_error = found.mean, found.std_error
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
