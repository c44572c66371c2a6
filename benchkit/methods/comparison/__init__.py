"""Comparison methods: add a file here and its line to the list of its kind of data in lists/, which loads nothing.

The order is that of `benchkit list methods`; where an option restricts --method auto, the first that knows it may answer.
"""

from benchkit.methods.comparison.lists.clusters import CLUSTERS
from benchkit.methods.comparison.lists.distributions import DISTRIBUTIONS
from benchkit.methods.comparison.lists.outcomes import OUTCOMES
from benchkit.methods.comparison.lists.posteriors import POSTERIORS
from benchkit.methods.comparison.lists.ranks import RANKS
from benchkit.methods.comparison.lists.replicates import REPLICATES
from benchkit.methods.comparison.lists.samples import SAMPLES
from benchkit.registry import Entry

__all__ = ["COMPARISONS"]

COMPARISONS: tuple[Entry, ...] = (
    *REPLICATES,
    *RANKS,
    *OUTCOMES,
    *CLUSTERS,
    *SAMPLES,
    *POSTERIORS,
    *DISTRIBUTIONS,
)
