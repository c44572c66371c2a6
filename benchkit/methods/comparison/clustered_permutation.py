"""Permutation of clustered replicates: the signs of all differences in a cluster change together, for all pairs at once."""

import numpy as np

from benchkit.methods.comparison.clusters import clustered_differences, clustered_means, remarks
from benchkit.methods.comparison.permutation import Flips, flipped
from benchkit.methods.records import Answer, Blocks


def compare(blocks: Blocks) -> Answer:
    """Compare the contrasts by the t of cluster-t, against its values when whole clusters swap a and b.

    If a and b are interchangeable within a cluster, the sign of its sum d_g is arbitrary: this is the method `permutation` of
    the sums d_g in place of single differences, with its p-values (step-down max-T) and limits; intervals as in cluster-t, with
    its critical value. Own columns:
    clusters = G of the pair; smallest_p as in `permutation`. Fewer than two clusters: NaN, not-estimable.
    Source: Westfall & Young 1993; Chung & Romano 2013 (studentised); Winkler et al. 2015 (whole blocks).
    """
    found, mean_a, mean_b = clustered_differences(blocks)
    flips = Flips(
        found.n,
        mean_a,
        mean_b,
        found.mean,
        found.std_error,
        found.statistic,
        np.asarray(found.clusters - 1.0),
        np.where(found.sizes > 0, found.sums, np.nan),
        found.noise * found.sizes.max(axis=0, initial=0.0),
        found.ends,
        found.reach,
    )
    own = {"clusters": found.clusters.astype(np.float64)}
    return flipped("cluster-permutation", flips, blocks, clustered_means(blocks), own, remarks(found))
