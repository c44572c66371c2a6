"""The mixed model of a benchmark experiment, in the two ways of treating the variances."""

from benchkit.errors import BenchkitError
from benchkit.methods.records import Answer, Blocks
from benchkit.registry import Entry

COVARIANCES: tuple[Entry, ...] = (
    Entry(
        "pooled",
        "one residual variance for all algorithms, the paper's model",
        "Eugster & Leisch 2008, section 3",
        "benchkit.methods.comparison.pooled:compare",
        options=("reference", "df"),
    ),
    Entry(
        "unstructured",
        "each difference has its own variance",
        "Herberich, Sikorski & Hothorn 2010; Pustejovsky & Tipton 2018",
        "benchkit.methods.comparison.unstructured:compare",
    ),
)
# replicates of several data sets, which are the clusters
OVER_DATA_SETS = Entry(
    "pooled",
    "data sets, their replicates and their interaction with algorithms are random",
    "Eugster, Hothorn & Leisch 2012, section 4",
    "benchkit.methods.comparison.data_sets:compare",
    options=("reference", "df"),
)


def compare(blocks: Blocks) -> Answer:
    """Return the analysis under options["covariance"], pooled if absent; BenchkitError for an unknown one.

    Replicates in clusters are those of several data sets: then the conclusion is about new data sets.
    """
    wanted = blocks.options.get("covariance", "pooled")
    entry = next((entry for entry in COVARIANCES if entry.name == wanted), None)
    if wanted == "pooled" and blocks.clusters is not None:
        entry = OVER_DATA_SETS
    if entry is None:
        names = " or ".join(entry.name for entry in COVARIANCES)
        raise BenchkitError(f"'{wanted}' is no covariance of the mixed model", f"use --covariance {names}")
    answer: Answer = entry.load()(blocks)
    return answer
