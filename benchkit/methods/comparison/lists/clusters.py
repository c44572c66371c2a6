"""Methods for replicates that belong together."""

from benchkit.methods.comparison.lists.entry import method
from benchkit.registry import Entry

CLUSTERS: tuple[Entry, ...] = (
    method(
        "cluster-t", "t test that allows for replicates that belong together", "Liang & Zeger 1986; Miller 2024", "clustered_t",
        "paired replicates in clusters, --cluster COLUMN", ("cluster",),
        assumes="independent clusters; whatever within them; normal sums of differences, or many clusters",
        instead=(("cluster-permutation", "few clusters and far from normal"),),
    ),
    method(
        "cluster-permutation", "sign flips of whole clusters, studentised, step-down max-T",
        "Westfall & Young 1993; Chung & Romano 2013", "clustered_permutation",
        "paired replicates in clusters, --cluster COLUMN", ("cluster",), adjusted=False,
        assumes="independent clusters; their sums symmetric about 0 where two algorithms are equal",
        instead=(("cluster-t", "an interval from many clusters"),),
    ),
)  # fmt: skip
