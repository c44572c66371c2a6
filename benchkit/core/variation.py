"""In words: pairs whose differences or samples leave nothing that an error could be estimated from."""

import numpy as np

from benchkit.core.finding import Finding
from benchkit.core.names import listed, quoted
from benchkit.methods.records import Remark

_OF_WIDTH = {0.0: ", so the interval has no width", np.inf: ", but so few allow no interval with ends"}


def without_variation(finding: Finding, remark: Remark) -> str:
    """Say of which pairs nothing varies, and what became of their intervals; or that the overall test has no variance.

    What does not vary is as the method sees it: the differences within replicates, their sums in clusters, the folds of a
    repeat, or the values of independent samples.
    """
    if not remark.pairs:
        if "algorithms" in remark.numbers:
            return "no overall test: some combination of the differences does not vary, or not beyond rounding"
        return "the differences do not vary: what has no limit is left out"
    low, high = finding.verdicts.low, finding.verdicts.high
    endings: dict[str, list[int]] = {}
    for position in remark.pairs:
        width = high[position] - low[position] if low[position] != high[position] else 0.0
        endings.setdefault(_OF_WIDTH.get(float(width), ""), []).append(position)
    return "; ".join(_what(finding, remark, positions) + ending for ending, positions in endings.items())


def _what(finding: Finding, remark: Remark, positions: list[int]) -> str:
    """Say what does not vary of these pairs."""
    pairs, one = listed([of_pair(finding, position) for position in positions]), finding.experiment
    if "outcomes" in remark.numbers:
        return f"all outcomes of {pairs} are the same"
    if "repeats" in remark.numbers:
        return f"the two folds of each repeat agree on the difference of {pairs}"
    if finding.answer.method == "probability-of-improvement":
        return f"prob_better of {pairs} is the same in every resample"
    if not finding.paired:
        return f"the values of {pairs} do not vary"
    if one.clusters is not None and one.block != "data set":
        return f"the differences of {pairs}, summed within clusters, do not vary"
    return f"the differences of {pairs} do not vary"


def separated(finding: Finding, remark: Remark) -> str:
    """Say which samples do not overlap, and what p-value and interval then rest on."""
    positions = remark.pairs
    if len(positions) == 1:
        a, b = (quoted(finding.experiment.algorithms[j]) for j in finding.blocks.contrasts[positions[0]])
        of_a, of_b = (finding.experiment.values[:, j] for j in finding.blocks.contrasts[positions[0]])
        side = "below" if np.nanmax(of_a) <= np.nanmin(of_b) else "above"
        what = f"every value of {a} is {side} every value of {b}"
    else:
        pairs = listed([of_pair(finding, position) for position in positions])
        what = f"the samples do not overlap, every value of one is above every value of the other: {pairs}"
    if finding.answer.method == "almost-stochastic-order":
        return f"{what}; violation_p_value is the chance of that if nothing differs, and the interval is Welch's"
    endless = np.isinf(finding.verdicts.high[list(positions)]).any()
    interval = (
        "which is too large for an interval with ends" if endless else "and the interval rests on the variance of ranks then"
    )
    return f"{what}; p is the chance of that if nothing differs, {interval}"


def without_error(finding: Finding, remark: Remark) -> str:
    """Say for which pairs every resample has the same violation ratio."""
    pairs = listed([of_pair(finding, position) for position in remark.pairs])
    return (
        f"the violation ratio of {pairs} is the same in every resample, so that it has no error: violation_p_value is the least "
        "that samples of these sizes allow, and the interval is Welch's"
    )


def of_pair(finding: Finding, position: int) -> str:
    """Return both names of a contrast: "gam and lm"."""
    a, b = finding.blocks.contrasts[position]
    return f"{quoted(finding.experiment.algorithms[a])} and {quoted(finding.experiment.algorithms[b])}"
