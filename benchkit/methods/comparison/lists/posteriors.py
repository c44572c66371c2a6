"""Methods that give posterior probabilities of signs and ranks on shared replicates."""

from benchkit.methods.comparison.lists.entry import method
from benchkit.registry import Entry

POSTERIORS: tuple[Entry, ...] = (
    method(
        "bayes-sign", "posterior of the commonest outcome; --margin is the ROPE", "Benavoli et al. 2017", "bayes_sign",
        "shared replicates", adjusted=False,
        assumes="independent replicates; a prior of one replicate within the margin",
        instead=(("bayes-signed-rank", "symmetric differences"), ("sign", "p-values")),
    ),
    method(
        "bayes-signed-rank", "Dirichlet-process signed rank; --margin is the ROPE", "Benavoli et al. 2014, 2017",
        "bayes_signed_rank", "shared replicates", adjusted=False,
        assumes="independent replicates; symmetric differences; a prior of half a replicate without difference",
        instead=(("bayes-sign", "skewed differences"), ("wilcoxon", "p-values")),
    ),
)  # fmt: skip
