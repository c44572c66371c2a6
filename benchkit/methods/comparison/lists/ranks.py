"""Methods that compare signs and ranks on shared replicates or data sets."""

from benchkit.methods.comparison.lists.entry import method
from benchkit.registry import Entry

RANKS: tuple[Entry, ...] = (
    method(
        "wilcoxon", "signed ranks of each pair, exact with ties and zeros; pseudo-median and its interval",
        "Wilcoxon 1945; Pratt 1959; Hodges & Lehmann 1963", "wilcoxon", "paired replicates, symmetric differences", ("zeros",),
        assumes="independent replicates; symmetric differences",
        instead=(("sign", "skewed differences"), ("permutation", "means")),
    ),
    method(
        "sign", "how often one is better, exact binomial; median difference", "Hollander & Wolfe 1999, section 3.4", "sign",
        "paired replicates",
        assumes="independent replicates",
        instead=(("wilcoxon", "symmetric differences, with more power"),),
    ),
    method(
        "friedman", "ranks within replicates, then each pair", "Friedman 1937; Iman & Davenport 1980; Demsar 2006", "friedman",
        "complete replicates or data sets", ("ties", "post_hoc", "zeros", "failures"),
        assumes="independent blocks, in which only the order counts; the pairs by --post-hoc, whose assumptions hold, too",
        instead=(("skillings-mack", "missing cells"), ("quade", "blocks whose ranges compare"),
                 ("bayes-signed-rank", "probabilities rather than p-values")),
    ),
    method(
        "quade", "ranks weighted by the range of the replicate", "Quade 1979", "quade",
        "complete replicates whose ranges compare", ("post_hoc", "zeros"),
        assumes="independent blocks; a wider range is a clearer order",
        instead=(("friedman", "ranges that do not compare"),),
    ),
    method(
        "aligned-ranks", "values less their replicate's mean, ranked together", "Hodges & Lehmann 1962", "aligned_ranks",
        "complete replicates in one unit", ("post_hoc", "zeros"),
        assumes="independent blocks; the same spread in each",
        instead=(("friedman", "several units, or unequal spread"),),
    ),
    method(
        "skillings-mack", "Friedman's test with missing cells", "Skillings & Mack 1981", "skillings_mack",
        "two values or more in each replicate", ("ties", "zeros"),
        assumes="independent blocks; cells missing at random",
        instead=(("friedman", "complete blocks"), ("mixed", "means rather than ranks")),
    ),
)  # fmt: skip
