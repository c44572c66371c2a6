"""Do ensembles differ? Every number of each two of them, on the same items where they have the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import ndtr

from benchkit.core.adjust import adjusted
from benchkit.core.roc.analysis import Analysed, Number
from benchkit.core.roc.request import RocRequest
from benchkit.core.roc.voting import same_items, shared_items
from benchkit.core.verdicts import Verdicts, judge
from benchkit.methods.comparison.paired import studentise
from benchkit.methods.curve import paired
from benchkit.methods.records import Answer, Floats, Integers, Unadjusted

# differences of areas below this are rounding
ROUNDING = 1e-12


@dataclass(frozen=True)
class Compared:
    """One number of all pairs: its position among (area, *marks), the contrasts, the answer, n items of each pair.

    unpaired: pairs of which only some items, or none, are shared; how many are.
    """

    number: int
    contrasts: Integers
    answer: Answer
    verdicts: Verdicts
    unpaired: dict[int, int]


def compare(analysed: Sequence[Analysed], request: RocRequest, number: int) -> Compared:
    """Compare a number of all ensembles (0 the area, then the marks), each pair by a normal test of its difference.

    Values are turned so that less is better. Variances of a pair without the same items add up.
    """
    contrasts = np.array(list(combinations(range(len(analysed)), 2)), dtype=np.int64)
    sign = 1.0 if number and request.marks[number - 1].better == "lower" else -1.0
    values = sign * np.array([_number(one, number).value for one in analysed])
    errors, n, unpaired = np.zeros(len(contrasts)), np.zeros(len(contrasts), dtype=np.int64), {}
    for position, (a, b) in enumerate(contrasts.tolist()):
        first, second = analysed[a], analysed[b]
        rows = same_items(first.ensemble, second.ensemble)
        if rows is None:
            unpaired[position] = shared_items((first.ensemble, second.ensemble))
            variance = _number(first, number).parts.total + _number(second, number).parts.total
            n[position] = len(first.ensemble.items) + len(second.ensemble.items)
        else:
            variance = _paired(first, second, number, rows, request)
            n[position] = len(rows[0])
        errors[position] = np.sqrt(variance)
    return conclude(number, contrasts, values, errors, n, unpaired, request)


def conclude(
    number: int,
    contrasts: Integers,
    values: Floats,
    errors: Floats,
    n: Integers,
    unpaired: dict[int, int],
    request: RocRequest,
) -> Compared:
    """Test and judge each pair. values: of each ensemble, turned so that less is better; errors: standard errors of pairs."""
    a, b = contrasts.T
    estimate = values[a] - values[b]
    estimate = np.where(np.abs(estimate) <= ROUNDING, 0.0, estimate)
    found = _unadjusted(values[a], values[b], estimate, errors, n)
    answer = adjusted(found, request.adjust, request.level, contrasts)
    margin = np.full(len(contrasts), request.margin)
    return Compared(number, contrasts, answer, judge(answer, request.level, margin), unpaired)


def _number(analysed: Analysed, number: int) -> Number:
    return analysed.area if number == 0 else analysed.marks[number - 1]


def _paired(first: Analysed, second: Analysed, number: int, rows: tuple[Integers, Integers], request: RocRequest) -> Floats:
    """Return the variance of the difference on the same items; the paper takes the two as independent, given the items."""
    one, other = _number(first, number), _number(second, number)
    if request.variance == "paper":
        return one.parts.total + other.parts.total
    members = [_member(first, one, rows[0]), _member(second, other, rows[1])]
    labels = first.ensemble.labels[rows[0]]
    return paired.difference(first.asked, members[0], members[1], labels).total


def _member(who: Analysed, what: Number, rows: Integers) -> paired.Member:
    """Return one of the two with its items in the order of `rows`."""
    voters, curve = who.ensemble.counts.voters, who.curve
    return paired.Member(voters, curve.voters_used, what.gradient, what.spread, curve.realised, who.ensemble.taken[rows])


def _unadjusted(mean_a: Floats, mean_b: Floats, estimate: Floats, errors: Floats, n: Integers) -> Unadjusted:
    """Return the normal tests, pair by pair."""
    statistic = studentise(estimate, errors)

    return Unadjusted(
        method="roc",
        n=n,
        mean_a=mean_a,
        mean_b=mean_b,
        estimate=estimate,
        p_value=2 * ndtr(-np.abs(statistic)),
        std_error=errors,
        statistic=statistic,
        df=np.full(estimate.shape, np.inf),
    )
