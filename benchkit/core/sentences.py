"""The sentences above a table: what was measured, and what the answer is."""

from collections.abc import Sequence

import numpy as np

from benchkit.core.experiment import Experiment
from benchkit.core.finding import Finding
from benchkit.core.names import counted

MODEL = {
    "mixed": "mixed model, pooled variance",
    "mixed-datasets": "mixed model over data sets",
    "mixed-unstructured": "mixed model, unstructured covariance",
}
ADJUSTMENT = {
    "none": "",
    "tukey": ", Tukey",
    "dunnett": ", Dunnett",
    "holm": ", Holm",
    "max-t": ", max-T",
    "max-t-bootstrap": ", bootstrap max-T",
}


def place(metric: str | None, dataset: str | None) -> str:
    """Return where something holds: "iris, accuracy"; empty if neither has a name."""
    return ", ".join(filter(None, (dataset, metric)))


def measured(experiments: Sequence[Experiment]) -> tuple[str, ...]:
    """Say what was measured: one sentence for one experiment, counts for many."""
    if len(experiments) == 1:
        return (f"{experiments[0].title}: {experiments[0].size}",)
    names = {name for experiment in experiments for name in experiment.algorithms}
    datasets = {experiment.dataset for experiment in experiments} - {None}
    metrics = {experiment.metric for experiment in experiments} - {None}
    parts = [counted(len(names), "algorithm"), counted(len(datasets), "data set"), counted(len(metrics), "metric")]
    return (", ".join(part for part in parts if not part.startswith("0 ")),)


def compared(findings: Sequence[Finding]) -> list[str]:
    """Say how many pairs differ in each experiment, by which model and how surely."""
    said = []
    for finding in findings:
        where = place(finding.experiment.metric, finding.experiment.dataset)
        said.append((f"{where}: " if len(findings) > 1 and where else "") + _count(finding))
    return [*said, *dict.fromkeys(_model(finding) for finding in findings)]


def _count(finding: Finding) -> str:
    """Count the pairs that differ, and with a margin those that are equivalent."""
    verdicts = finding.verdicts.verdict
    differ = sum(word in ("better", "worse") for word in verdicts)
    said = f"{differ} of {counted(len(verdicts), 'pair')} differ" + ("s" if len(verdicts) == 1 else "")
    if np.nan_to_num(finding.margin).any():
        equivalent = sum(word == "equivalent" for word in verdicts)
        said += f" by more than the margin of {margin_words(finding)}, {equivalent} equivalent"
        pairs = zip(verdicts, finding.verdicts.noninferior, strict=True)
        noninferior = sum(word == "undecided" and bool(safe) for word, safe in pairs)
        if noninferior and (finding.blocks.many_to_one or len(verdicts) == 1):
            said += f", {noninferior} undecided but noninferior (a not worse than b by the margin)"
    untested = sum(word is None for word in verdicts)
    return said + (f", {untested} not tested" if untested else "")


def margin_words(finding: Finding) -> str:
    """Return the margin in the metric's unit, or the factor of ratios."""
    if finding.experiment.transform == "log":
        return "the factor " + margin_text(np.exp(finding.margin).tolist())
    return margin_text(finding.margin.tolist())


def margin_text(margins: Sequence[float]) -> str:
    """Return the margin, or the smallest and the largest of several; NaN, of a pair without one, is left out unless all are."""
    texts = sorted({f"{margin:.4g}" for margin in margins if not np.isnan(margin)}, key=float) or ["unknown size"]
    return texts[0] if len(texts) == 1 else f"{texts[0]} to {texts[-1]}"


def _model(finding: Finding) -> str:
    """Return the model, the level and what the level covers."""
    model = MODEL.get(finding.answer.method, f"method {finding.answer.method}")
    together = f" for all {finding.family} pairs together" if finding.family > 1 else ""
    if finding.family > 1 and finding.answer.ci_kind == "pointwise":
        together = " for each pair"
    if finding.answer.adjust in ("bh", "by"):
        rate = f"false discovery rate {100 * (1 - finding.level):.10g}%"
        return f"{model}; {rate} over all {finding.family} pairs, {finding.answer.adjust}"
    adjustment = ADJUSTMENT.get(finding.answer.adjust, f", {finding.answer.adjust}")
    return f"{model}; {100 * finding.level:.10g}%{together}{adjustment}"
