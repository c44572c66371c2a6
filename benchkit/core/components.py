"""What the variance components of the mixed model over data sets tell, in words."""

from benchkit.core.finding import Finding
from benchkit.core.names import listed
from benchkit.methods.records import Remark

OVER_DATA_SETS = "mixed-datasets"
REPLICATES_AGREE = (
    "within data sets nothing varies but whole replicates: the analysis rests on one value per data set and algorithm"
)


def confounded(remark: Remark) -> str:
    """Say which components cannot be told from the others, and why not."""
    these = listed(sorted(remark.numbers))
    why = "one replicate of each data set, or of each value"
    return f"these data cannot tell {these} from the others ({why}): left out of the table components"


def at_boundary(finding: Finding, remark: Remark) -> str:
    """Say which components are estimated as 0."""
    if finding.answer.method != OVER_DATA_SETS:
        return "the replicates explain no variance (its estimate is at the boundary, 0); tests let it be negative"
    these = listed(sorted(remark.numbers))
    verb = "explains" if len(remark.numbers) == 1 else "explain"
    return f"{these} {verb} no variance (estimate at the boundary, 0)"


def instead_of_pooling(finding: Finding) -> str:
    """Return the options of a comparison that pools no variances."""
    return "--method paired-t --over dataset" if finding.answer.method == OVER_DATA_SETS else "--covariance unstructured"
