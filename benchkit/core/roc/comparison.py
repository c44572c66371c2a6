"""Do ensembles differ? Every number of each two of them, on the same items where they have the same."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

import numpy as np
from scipy.special import ndtr

from benchkit.core.adjust import adjusted
from benchkit.core.roc.analysis import Analysed, Number
from benchkit.core.roc.request import RocRequest
from benchkit.core.roc.voting import same_items, shared_items
from benchkit.core.verdicts import Verdicts, judge
from benchkit.methods.comparison.paired import studentise
from benchkit.methods.curve import paired, questions
from benchkit.methods.curve.questions import Asked, Parts
from benchkit.methods.records import Answer, Floats, Integers, Unadjusted

# differences of areas below this are rounding
ROUNDING = 1e-12

One = TypeVar("One")


@dataclass(frozen=True)
class Difference:
    """What is known of one pair: the variance of the difference (NaN if unknown), of n items in all.

    asked: what the variance is of. shared: how many items the two share where they are not the same ones, so that they count
    as independent; else None.
    """

    variance: Floats
    n: int
    asked: Asked
    shared: int | None = None


@dataclass(frozen=True)
class Compared:
    """One number of all pairs: its position among (area, *marks), the contrasts, the answer, n items of each pair.

    names: of the ensembles. asked: what the variances are of, pair by pair; mixed: pairs of ensembles that by themselves were
    asked other things. unpaired: pairs of which only some items, or none, are shared; how many are.
    """

    number: int
    names: Sequence[str]
    asked: Sequence[Asked]
    mixed: Sequence[int]
    contrasts: Integers
    answer: Answer
    verdicts: Verdicts
    unpaired: dict[int, int]


def by_size(sizes: Sequence[Sequence[One]]) -> list[tuple[One, ...]]:
    """Return what is to be compared, for each size what there is of each ensemble; nothing for a single ensemble.

    sizes: of each ensemble, as many for each.
    """
    return list(zip(*sizes, strict=True)) if len(sizes) > 1 else []


def over_pairs(
    number: int,
    ensembles: Sequence[tuple[str, Asked]],
    values: Floats,
    request: RocRequest,
    difference: Callable[[int, int], Difference],
) -> Compared:
    """Test and judge each pair of ensembles by a normal test of its difference.

    ensembles: their names and what each was asked. values: of each ensemble, turned so that less is better. difference: what
    is known of the pair of these positions.
    """
    contrasts = np.array(list(combinations(range(len(values)), 2)), dtype=np.int64)
    found = [difference(a, b) for a, b in contrasts.tolist()]
    a, b = contrasts.T
    estimate = values[a] - values[b]
    estimate = np.where(np.abs(estimate) <= ROUNDING, 0.0, estimate)
    errors = np.sqrt(np.array([float(each.variance) for each in found]))
    n = np.array([each.n for each in found], dtype=np.int64)
    answer = adjusted(_unadjusted(values[a], values[b], estimate, errors, n), request.adjust, request.level, contrasts)
    verdicts = judge(answer, request.level, np.full(len(contrasts), request.margin))
    unpaired = {position: each.shared for position, each in enumerate(found) if each.shared is not None}
    mixed = [position for position, (a, b) in enumerate(contrasts.tolist()) if ensembles[a][1] != ensembles[b][1]]
    return Compared(
        number, [name for name, _ in ensembles], [each.asked for each in found], mixed, contrasts, answer, verdicts, unpaired
    )


def compare(analysed: Sequence[Analysed], request: RocRequest, number: int) -> Compared:
    """Compare a number of all ensembles (0 the area, then the marks). Variances of a pair without the same items add up."""
    sign = 1.0 if number and request.marks[number - 1].better == "lower" else -1.0
    values = sign * np.array([number_of(one, number).value for one in analysed])

    def difference(a: int, b: int) -> Difference:
        first, second = analysed[a], analysed[b]
        asked = asked_of_pair(first, second)
        rows = same_items(first.ensemble, second.ensemble)
        if rows is None:
            of_each = [_parts(one, number, asked, request).total for one in (first, second)]
            items = len(first.ensemble.items) + len(second.ensemble.items)
            return Difference(of_each[0] + of_each[1], items, asked, shared_items((first.ensemble, second.ensemble)))
        return Difference(_paired(first, second, asked, number, rows, request), len(rows[0]), asked)

    return over_pairs(number, [(one.ensemble.name, one.asked) for one in analysed], values, request, difference)


def asked_of_pair(first: Analysed, second: Analysed) -> Asked:
    """Return what the variance of a difference is of: what both were asked; new items where of one of them no more is known."""
    if first.asked == second.asked:
        return first.asked
    realised = first.curve.realised and second.curve.realised
    return Asked("items", "deployed" if realised else "mean")


def _parts(one: Analysed, number: int, asked: Asked, request: RocRequest) -> Parts:
    """Return the variance of the number in its parts, as the pair asks for it."""
    found = number_of(one, number)
    if asked == one.asked or request.variance == "paper":
        return found.parts
    return questions.of_number(asked, found.spread, one.ratio)


def number_of(analysed: Analysed, number: int) -> Number:
    """Return the area (number 0) or a mark."""
    return analysed.area if number == 0 else analysed.marks[number - 1]


def _paired(
    first: Analysed, second: Analysed, asked: Asked, number: int, rows: tuple[Integers, Integers], request: RocRequest
) -> Floats:
    """Return the variance of the difference on the same items; the paper takes the two as independent, given the items."""
    one, other = number_of(first, number), number_of(second, number)
    if request.variance == "paper":
        return one.parts.total + other.parts.total
    members = [_member(first, one, rows[0]), _member(second, other, rows[1])]
    labels = first.ensemble.labels[rows[0]]
    return paired.difference(asked, members[0], members[1], labels).total


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
