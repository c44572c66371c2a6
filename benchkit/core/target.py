"""What a comparison is about: where it was measured, and to what its conclusion extends."""

from benchkit.core.finding import Finding
from benchkit.core.names import counted
from benchkit.core.rules import is_outcomes

# methods whose variance allows for training sets that overlap, and so for new data
ALLOWING = ("corrected-t", "repeated-kfold-t", "5x2cv-t", "5x2cv-f", "bayes-correlated-t")


def measured_on(finding: Finding, items: int | None = None) -> str:
    """Say where the algorithms were measured: "250 resamples of mcycle", "14 data sets", "1000 items of iris"."""
    one = finding.experiment
    of = f" of {one.dataset}" if one.dataset else ""
    if items is not None and not one.replicates:  # counts alone
        return counted(items, one.block) + of
    if one.clusters is not None or one.block in ("data set", "item"):
        return one.blocks_counted + of
    number = len(one.replicates)
    kind = one.resampling_kind
    if kind == "resamples":
        return counted(number, "resample") + of
    if kind == "folds":
        return counted(number, "cross-validation fold") + of
    if kind == "one-test-set":
        return counted(number, "training set") + of + ", all tested on the same rows,"
    return counted(number, one.block) + of


def about(finding: Finding) -> str:
    """Say to what the conclusion extends: "about resamples of mcycle, not about new data"."""
    one = finding.experiment
    data = one.dataset or "the same data set"
    if "strata" in finding.answer.own and one.clusters is not None:
        return "about further runs on these data sets"
    if one.block == "data set":
        return "about data sets like these"
    if one.block == "item":
        kind = "clusters of items" if one.clusters is not None else "items"
        return f"about {kind} like these and the algorithms as they were trained"
    kind = one.resampling_kind
    if kind in ("resamples", "folds") and finding.answer.method.startswith(ALLOWING):
        return f"about new data like {one.dataset or 'these'}, as far as the allowance for shared training rows goes"
    if one.clusters is not None:
        return "about clusters of replicates like these"
    if kind == "resamples":
        return f"about resamples of {data}, not about new data"
    if kind == "folds":
        return f"about {data}, and surer than it should be, since cross-validation folds share training rows"
    if kind == "one-test-set":
        return "about these test rows, not about new ones"
    return f"about {one.block}s like these, if they are independent, which no column tells"


def blocks_of(finding: Finding) -> str:
    """Return the plural of what a replicate is, with what becomes of ties where outcomes make many."""
    one = finding.experiment
    if not finding.paired:
        return "couples of a value of each, a tie being half"
    return f"{one.block}s, a tie being half" if is_outcomes(one) else f"{one.block}s"
