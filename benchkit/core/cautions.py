"""What limits the verdicts of a comparison: too few or unequal replicates, and what an adjustment or a posterior controls."""

from collections.abc import Iterable

import numpy as np

from benchkit.core.finding import Finding
from benchkit.core.names import counted, listed, quoted
from benchkit.core.reach import out_of_reach
from benchkit.core.rules import is_outcomes
from benchkit.methods.records import Remark

FALSE_DISCOVERY = ("bh", "by")
SIMES = ("hochberg", "hommel")
# tests that hold their level where these do not
INSTEAD = {
    "bootstrap": "--method permutation holds its level, and paired-t is close to it",
    "brunner-munzel": "--method unpaired-permutation holds its level",
    "probability-of-improvement": "--method unpaired-permutation holds its level",
}


def cautions(finding: Finding) -> Iterable[tuple[str, str]]:
    """Yield codes and messages, the most serious first."""
    yield from _single(finding)
    yield from out_of_reach(finding)
    yield from _unequal(finding)
    yield from _unused_pairing(finding)
    yield from _about_the_error(finding)


def liberal(finding: Finding, remark: Remark) -> str:
    """Say that a test rejects too often with so few values, and what to use instead."""
    least, limit = int(remark.numbers["least"]), int(remark.numbers["limit"])
    below = f"below {limit}" + (" where there are several pairs" if len(finding.answer.pairs.n) > 1 else "")
    if finding.answer.method == "bootstrap":
        few = f"{counted(least, finding.experiment.block)}: BCa intervals are too narrow {below}"
    else:
        few = f"{counted(least, 'value')} of an algorithm: this test rejects too often {below}"
    return f"only {few}; {INSTEAD[finding.answer.method]}"


def largest_posterior(finding: Finding, remark: Remark) -> str:
    """Say that no posterior can reach the level."""
    count, posterior = int(remark.numbers["replicates"]), remark.numbers["largest_posterior"]
    return (
        f"no result could reach the level {finding.level:.10g}: if all of {counted(count, finding.experiment.block)} agree, the "
        f"posterior is {posterior:.3g}; more of them could"
    )


def _single(finding: Finding) -> Iterable[tuple[str, str]]:
    """Say of which algorithms there is one value only, so that nothing tells how far it varies."""
    one = finding.experiment
    alone = [quoted(name) for name, count in zip(one.algorithms, one.counts, strict=True) if count == 1]
    if not alone:
        return
    if len(alone) == len(one.algorithms):
        who = f"one {one.block} only" if len(one.replicates) == 1 else f"each algorithm has one {one.block} only"
        yield "one-replicate", f"{who}: no error can be estimated; measure two or more, better ten, with other seeds or resamples"
    else:
        have = "has" if len(alone) == 1 else "have"
        yield (
            "one-replicate",
            f"{listed(alone)} {have} one {one.block} only, which does not tell how far performance varies; measure two or more",
        )


def _unequal(finding: Finding) -> Iterable[tuple[str, str]]:
    """Say which algorithms lack how many of the replicates that others have, where replicates are compared as pairs."""
    one = finding.experiment
    missing = len(one.values) - one.counts
    if not missing.any() or "n_a" in finding.answer.own:  # independent samples need not be of one size
        return
    lacking = sorted(np.flatnonzero(missing), key=lambda j: -missing[j])
    total = len(one.replicates)
    first, *others = (f"{quoted(one.algorithms[j])} lacks {missing[j]}" for j in lacking)
    complete = int((~np.isnan(one.values)).all(axis=1).sum())
    who = listed([f"{first} of {counted(total, _block(finding))}", *others])
    yield "unequal-replicates", f"{who}; {complete} of {total} have all algorithms{_use(finding)}"


def _sharper(finding: Finding) -> Iterable[tuple[str, str]]:
    """Say where p-values separate pairs whose intervals hold 0, since they are not of one test."""
    verdicts, answer = finding.verdicts, finding.answer
    differ = np.array([word in ("better", "worse") for word in verdicts.verdict])
    with np.errstate(invalid="ignore"):
        count = int((differ & (verdicts.low <= 0) & (verdicts.high >= 0)).sum())
    if not count or finding.margin.any():
        return
    why = "the interval of this method is not that of its test"
    if answer.ci_kind == "bonferroni" and answer.adjust != "bonferroni":
        why = f"{answer.adjust} has no intervals, and these are Bonferroni's, which are wider (--adjust bonferroni: both alike)"
    verb = "differs" if count == 1 else "differ"
    yield "sharper-than-interval", f"{counted(count, 'pair')} {verb} by p adjusted though the interval holds 0: {why}"


def _unused_pairing(finding: Finding) -> Iterable[tuple[str, str]]:
    """Say that a method for independent samples leaves out that algorithms were measured on the same replicates."""
    one = finding.experiment
    asked = "unpaired" in finding.blocks.options or "strata" in finding.answer.own  # strata are meant for independent runs
    if finding.paired or asked:
        return
    shared = int(((~np.isnan(one.values)).sum(axis=1) > 1).sum())
    if not shared:
        return
    better = "cochran-q or mcnemar" if is_outcomes(one) else "wilcoxon or paired-t"
    yield (
        "pairing-unused",
        f"algorithms share {counted(shared, _block(finding))}, and {finding.answer.method} takes their values for independent; "
        f"--method {better} compares within them, which usually tells more",
    )


def _block(finding: Finding) -> str:
    """Return what a row of the matrix is called: a replicate where data sets hold several."""
    one = finding.experiment
    return "replicate" if one.clusters is not None and one.block == "data set" else one.block


def _use(finding: Finding) -> str:
    """Say what is done with incomplete replicates."""
    said = {remark.code for remark in finding.answer.remarks}
    n = finding.answer.pairs.n
    if "failures-ranked-worst" in said:
        return ""
    most, least = int(n.max()), int(n.min())
    span = str(most) if most == least else f"{least} to {most}"
    return f"; the pairs rest on {span} (column n)"


def _about_the_error(finding: Finding) -> Iterable[tuple[str, str]]:
    """Say which error the verdicts do or do not control."""
    answer, alpha, m = finding.answer, 1 - finding.level, finding.family
    if answer.posterior is not None:
        often = "" if finding.margin.any() else f" (without a difference, up to about {2 * alpha:.2g} of the pairs)"
        adjusted = f", and nothing is adjusted for {counted(m, 'pair')}" if m > 1 else ""
        text = f"a posterior probability of {finding.level:.10g} is no error rate{often}{adjusted}; --method wilcoxon has one"
        yield "posterior-no-error-rate", text
        return
    if answer.adjust in SIMES:
        text = f"{answer.adjust} holds under Simes' condition, unproved for two-sided tests of pairs; --adjust holm needs none"
        yield "simes-condition", text
    if answer.adjust in FALSE_DISCOVERY:
        yield (
            "false-discovery-rate",
            f"{answer.adjust} controls the expected share of wrong verdicts among the pairs that differ ({alpha:.2g}), not the "
            "probability of any; --adjust holm does",
        )
    yield from _sharper(finding)
    if answer.ci_kind == "pointwise":
        yield (
            "not-simultaneous",
            f"nothing is adjusted: each of {counted(m, 'pair')} has its own error of {alpha:.2g}, so that without a difference "
            f"{alpha * m:.2g} verdicts are wrong on average; --adjust holm controls the probability of any",
        )
