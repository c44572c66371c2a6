"""Could any result have been significant? The smallest p-values that the data allow, against the level."""

from collections.abc import Iterable

import numpy as np

from benchkit.core.adjust import adjustment
from benchkit.core.finding import Finding
from benchkit.core.names import counted, listed, quoted
from benchkit.methods.records import Floats

# what a smallest p-value that reaches the level may owe to rounding
NOISE = 1e-9


def smallest_adjusted(finding: Finding) -> Floats:
    """Return the least p_adjusted of each pair if every pair had its smallest p-value, shape (m,); NaN where none is known.

    Adjustments never make a p-value smaller when another grows, so that no result gives less.
    """
    answer = finding.answer
    smallest = answer.own.get("smallest_p")
    if smallest is None:
        return np.full(answer.pairs.n.shape, np.nan)
    if answer.adjust in ("none", "max-t"):  # nothing to adjust, or patterns that are common to all pairs
        return smallest
    return adjustment(answer.adjust)(smallest, finding.blocks.contrasts)


def out_of_reach(finding: Finding) -> Iterable[tuple[str, str]]:
    """Say which pairs cannot differ whatever the result: too-few-to-reach, with the smallest p-value and what would help.

    Pairs of equal values, whose smallest p-value is 1, are told elsewhere; so are draws that are too few.
    """
    answer, alpha = finding.answer, 1 - finding.blocks.level
    adjusted = smallest_adjusted(finding)
    alone = answer.own.get("smallest_p", adjusted)
    with np.errstate(invalid="ignore"):
        hopeless = np.flatnonzero((adjusted > alpha * (1 + NOISE)) & (alone < 1))
    if not hopeless.size or any(remark.code == "few-draws" for remark in answer.remarks):
        return
    worst = int(hopeless[np.argmax(adjusted[hopeless])])
    p, p_adjusted = float(alone[worst]), float(adjusted[worst])
    pairs = counted(int((~np.isnan(alone)).sum()), "pair")
    times = f" ({p_adjusted:.3g} adjusted for {pairs})" if p_adjusted > p * (1 + NOISE) else ""
    which = "" if hopeless.size == adjusted.size else f" for {_named(finding, hopeless.tolist())}"
    enough = _enough(finding, worst, (p_adjusted if p_adjusted < 1 else p * adjusted.size) / alpha)
    fewer = " and fewer pairs (--baseline, --where) need less" if times else ""
    yield (
        "too-few-to-reach",
        f"no result could be significant{which}: the smallest p-value that {_basis(finding, worst)} can give is {p:.3g}{times}; "
        f"{enough} could reach {alpha:.3g}{',' if fewer else ''}{fewer}",
    )


def _named(finding: Finding, pairs: list[int]) -> str:
    names, contrasts = finding.experiment.algorithms, finding.blocks.contrasts
    return listed([" and ".join(quoted(names[j]) for j in contrasts[position]) for position in pairs])


def _count(finding: Finding, position: int) -> tuple[int, str] | None:
    """Return how many of what the smallest p-value of the pair rests on; None for independent samples."""
    if _is_drawn(finding, position):
        return finding.blocks.draws, "draw"
    own = {name: column[position] for name, column in finding.answer.own.items()}
    block = finding.experiment.block
    if "n_a" in own:
        return None
    if "clusters" in own:
        return int(own["clusters"]), "cluster"
    if "n10" in own:
        return int(own["n10"] + own["n01"]), f"{block} that only one has right"
    differing = int(own["n_better"] + own["n_worse"]) if "n_better" in own else int(finding.answer.pairs.n[position])
    return differing, block


def _is_drawn(finding: Finding, position: int) -> bool:
    """Say whether the number of random draws sets the smallest p-value."""
    return bool(abs(finding.answer.own["smallest_p"][position] * (1.0 + finding.blocks.draws) - 1.0) < NOISE)


def _basis(finding: Finding, position: int) -> str:
    """Return what the smallest p-value rests on: "5 replicates", "samples of 3 and 4"."""
    count = _count(finding, position)
    if count is None:
        first, second = (int(finding.answer.own[name][position]) for name in ("n_a", "n_b"))
        return f"samples of {first} and {second}"
    number, noun = count
    noun, _, rest = noun.partition(" that ")
    return counted(number, noun) + (f" that {rest}" if rest else "")


def _enough(finding: Finding, position: int, excess: float) -> str:
    """Return how many would do: each further one halves the smallest p-value, which is `excess` times too large."""
    count = _count(finding, position)
    if count is None:
        return "larger ones"
    if count[1] == "draw" or finding.answer.method.endswith("corrected"):  # a chi-square does not halve
        return "more"
    return str(count[0] + int(np.ceil(np.log2(excess) - NOISE)))
