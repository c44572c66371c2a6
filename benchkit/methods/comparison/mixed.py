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


def compare(blocks: Blocks) -> Answer:
    """Return the analysis under options["covariance"], pooled if absent; BenchkitError for an unknown one."""
    wanted = blocks.options.get("covariance", "pooled")
    entry = next((entry for entry in COVARIANCES if entry.name == wanted), None)
    if entry is None:
        names = " or ".join(entry.name for entry in COVARIANCES)
        raise BenchkitError(f"'{wanted}' is no covariance of the mixed model", f"use --covariance {names}")
    answer: Answer = entry.load()(blocks)
    return answer
