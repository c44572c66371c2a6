"""The difference of one number between two ensembles on the same items (roc.md, section 2.9)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.curve.questions import Asked, Parts
from benchkit.methods.curve.records import Spread
from benchkit.methods.curve.tables import MOST_CELLS, binomial
from benchkit.methods.records import Floats, Integers


@dataclass(frozen=True)
class Member:
    """One of the two: its voters M, the size m asked about, its gradient (2, m + 1), its spread and its curve's kind.

    taken: votes of each item, shape (n,), items in the same order for both.
    """

    voters: int
    voters_used: int
    gradient: Floats
    spread: Spread
    realised: bool
    taken: Integers

    @property
    def ratio(self) -> float:
        """The share m/M."""
        return self.voters_used / self.voters


def difference(asked: Asked, a: Member, b: Member, labels: NDArray[np.int8]) -> Parts:
    """Return the variance of a minus b in its parts.

    Items: the sample variance over items of H_a - H_b (DeLong's paired variance for the area of realised ensembles), of its
    expectation over voters for means.
    """
    between = _between_items(a, b, labels)
    if not (a.realised and b.realised):
        between += a.spread.same_item + b.spread.same_item  # expectations do not hold what votes add to the items' sampling
    return parts(asked, (a.spread, b.spread), between, (a.ratio, b.ratio))


def parts(asked: Asked, spreads: Sequence[Spread], sampling: float, ratios: Sequence[float] = (1.0, 1.0)) -> Parts:
    """Return the variance of a difference in its parts, from both spreads and the sampling variance over items, which holds D.

    Voters as in `questions.parts`, independent of one another between the two ensembles, with O no less than 0. Items: without
    D, which may leave less than 0; then none beside the voters, since both together do not vary less than these alone, and none
    where no item tells the two apart.
    """
    zero, between = np.zeros(()), np.asarray(sampling)
    same = sum(each.same_item for each in spreads)
    across = sum(max(each.across_items, 0.0) for each in spreads)
    mean = sum(ratio * each.first_order for ratio, each in zip(ratios, spreads, strict=True))
    if asked.target == "deployed":
        return Parts(zero, between)
    voters = {"rerun": same + across, "mean": mean, "prediction": same + across + mean}[asked.target]
    items = between - same
    if asked.vary == "both" or (asked.vary == "items" and sampling == 0):
        items = np.maximum(items, 0.0)
    items = items * (2 if asked.target == "prediction" else 1)
    return Parts(np.asarray(voters) if asked.vary != "items" else zero, items if asked.vary != "voters" else zero)


def _between_items(a: Member, b: Member, labels: NDArray[np.int8]) -> float:
    """Return the sum over classes of the sample variance of H_a - H_b over items, divided by their number."""
    realised = a.realised and b.realised
    total = 0.0
    for c in range(2):
        rows = labels == c
        gap = _scores(a, c, realised)[a.taken[rows]] - _scores(b, c, realised)[b.taken[rows]]
        total += float(gap.var(ddof=1)) / len(gap) if len(gap) > 1 else np.nan
    return total


def _scores(one: Member, c: int, realised: bool) -> Floats:
    """Return H_c for each number of votes 0..M: of the votes at hand, or its expectation over m resampled voters."""
    score = np.asarray(np.cumsum(one.gradient[c]) - one.gradient[c, 0], dtype=np.float64)
    if realised:
        return score
    found = np.empty(one.voters + 1)
    step = max(1, MOST_CELLS // (one.voters_used + 1))
    for start in range(0, one.voters + 1, step):
        k = np.arange(start, min(start + step, one.voters + 1))
        found[k] = binomial(k / one.voters, one.voters_used)[0] @ score
    return found
