"""Methods for right or wrong on shared items."""

from benchkit.methods.comparison.lists.entry import RIGHT_OR_WRONG, method
from benchkit.registry import Entry

OUTCOMES: tuple[Entry, ...] = (
    method(
        "mcnemar", "whether two algorithms have equally many of the same items right",
        "McNemar 1947; Fagerland, Lydersen & Laake 2013; Tango 1998", "mcnemar", RIGHT_OR_WRONG, ("variant",),
        assumes="independent items; trained algorithms as they are",
        instead=(("fisher", "other items for each algorithm"), ("bayes-sign", "probabilities rather than p-values")),
    ),
    method(
        "cochran-q", "whether all algorithms have equally many items right; McNemar's test for the pairs", "Cochran 1950",
        "cochran_q", RIGHT_OR_WRONG, ("variant",),
        assumes="independent items; trained algorithms as they are",
        instead=(("looney-f", "many items"), ("permutation", "shares of items right and max-T")),
    ),
    method(
        "looney-f", "analysis of variance of right and wrong; McNemar's test for the pairs", "Looney 1988", "looney_f",
        RIGHT_OR_WRONG, ("variant",),
        assumes="many independent items; trained algorithms as they are",
        instead=(("cochran-q", "few items"),),
    ),
)  # fmt: skip
