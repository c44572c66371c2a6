"""Methods for independent samples, which share no replicates."""

from benchkit.methods.comparison.lists.entry import INDEPENDENT, method
from benchkit.registry import Entry

SAMPLES: tuple[Entry, ...] = (
    method(
        "welch-t", "means of independent samples, unequal variances", "Welch 1947, 1951", "welch_t", INDEPENDENT, ("unpaired",),
        assumes="independent values; roughly normal means; unequal variances are allowed for",
        instead=(("unpaired-permutation", "few values"), ("brunner-munzel", "ranks rather than means"),
                 ("games-howell", "all pairs together")),
    ),
    method(
        "games-howell", "all pairs of independent means by the studentized range", "Games & Howell 1976", "games_howell",
        INDEPENDENT, ("unpaired",), adjusted=False,
        assumes="independent normal values; unequal variances are allowed for",
        instead=(("welch-t", "other adjustments"), ("unpaired-permutation", "few values")),
    ),
    method(
        "unpaired-permutation", "permutation of the studentised mean difference, exact up to 1e7 ways",
        "Janssen 1997; Chung & Romano 2013", "unpaired_permutation", INDEPENDENT, ("unpaired",),
        assumes="independent values; exact where two distributions are equal, else for many values",
        instead=(("welch-t", "normal values"), ("brunner-munzel", "ranks rather than means")),
    ),
    method(
        "brunner-munzel", "relative effect by ranks, unequal variances", "Brunner & Munzel 2000", "brunner_munzel",
        "independent samples on an ordinal scale", ("unpaired",),
        assumes="independent values of any shape",
        instead=(("welch-t", "means rather than ranks"),),
    ),
    method(
        "proportions-z", "two shares of right outcomes, pooled z", "Pearson 1900; Mee 1984", "proportions_z",
        "independent 0/1 outcomes", ("unpaired",),
        assumes="independent items, five or more of each outcome",
        instead=(("fisher", "few items"), ("mcnemar", "the same items for all algorithms")),
    ),
    method(
        "fisher", "two shares of right outcomes, exact", "Fisher 1935", "fisher", "independent 0/1 outcomes", ("unpaired",),
        assumes="independent items; the total of right ones as given, which is cautious",
        instead=(("proportions-z", "many items"), ("mcnemar", "the same items for all algorithms")),
    ),
)  # fmt: skip
