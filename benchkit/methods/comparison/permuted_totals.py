"""The exact null distribution of column totals when the scores of each replicate may stand in any order."""

from collections.abc import Callable
from itertools import permutations
from math import prod

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.comparison.random_orders import is_affordable, random_sums
from benchkit.methods.records import Floats, Integers

MOST_STEPS = 10_000_000
"""More states times orders than this are not enumerated."""

MOST_COLUMNS = 8
ABSENT = -1
_BATCH = 200_000

# from totals, shape (..., columns), to whether they are at least as extreme as the observed ones, shape (...)
Reaches = Callable[[Integers], NDArray[np.bool_]]


def p_values(scores: Integers, generator: np.random.Generator, draws: int) -> dict[str, float]:
    """Return p_exact and, where that is out of reach and the data are small, p_monte_carlo = (1 + hits) / (1 + draws)."""
    exact, drawn = exact_p_value(scores), float("nan")
    values = scores.astype(np.float64)
    if np.isnan(exact) and is_affordable(values, draws):
        observed = (values.sum(axis=0) ** 2).sum()
        every = np.ones(scores.shape, dtype=bool)
        # the scores are integers, so that these comparisons are exact
        hits = sum(int(((sums**2).sum(axis=1) >= observed).sum()) for sums in random_sums(values, every, generator, draws))
        drawn = (1.0 + hits) / (1.0 + draws)
    return {"p_exact": exact, "p_monte_carlo": drawn}


def exact_p_value(scores: Integers) -> float:
    """Return P(sum of squared column totals >= the observed one) over all orders of the scores within each row.

    scores: shape (B, K), non-negative integers. Every order of a row is equally likely, so that tests on ranks, weighted
    ranks and aligned ranks are conditional on their ties. NaN if there are too many states: see probability.
    """
    observed = int((scores.sum(axis=0) ** 2).sum())
    present = np.ones(scores.shape, dtype=bool)
    return probability(scores, present, lambda totals: np.asarray((totals**2).sum(axis=-1) >= observed))


def probability(scores: Integers, present: NDArray[np.bool_], reaches: Reaches) -> float:
    """Return the probability that the totals reach what was observed when the present scores of each row stand in any order.

    scores: shape (B, K), non-negative integers; missing cells stay where they are. The totals have K columns for each number
    of present scores that a row has, the fewest first, since rows of different length may weigh differently. Where no cell
    is missing, `reaches` must not depend on the order of the columns. NaN without rows and if there are too many states:
    the count of states times orders, summed over the rows, may be 1e7.
    """
    rows, columns = scores.shape
    sizes, lengths = np.unique(present.sum(axis=1), return_inverse=True)
    if not rows or int(sizes.max()) > MOST_COLUMNS:
        return float("nan")
    # what a total may be at most, and one more: states are numbers with these bases
    bases = np.ones((sizes.size, columns), dtype=np.int64)
    largest = np.max(scores, axis=1, keepdims=True, where=present, initial=0)
    np.add.at(bases, lengths.reshape(-1), np.where(present, largest, 0))
    if prod(bases.ravel()[:-1].tolist()) >= 2**62:
        return float("nan")
    ordered = np.sort(np.where(present, scores, ABSENT), axis=1)
    order, kind = _frequent_first(np.column_stack([present, ordered]))
    left = np.cumsum(_numbers_of_orders(ordered)[order][::-1])[::-1]  # orders of this row and all after it
    # columns are exchangeable if all are there, so a state is the sorted totals, and the first row may stand as it is
    whole = bool(present.all())
    states, chances, steps = np.zeros((1, bases.size), dtype=np.int64), np.ones(1), 0
    additions: dict[int, Integers] = {}
    for place, row in enumerate(order.tolist()):
        # the number of states never falls: give up as soon as the rest is sure to be too much
        if steps + len(states) * int(left[place]) > MOST_STEPS:
            return float("nan")
        if kind[row] not in additions:
            additions[kind[row]] = _placed(scores[row], present[row], int(lengths.reshape(-1)[row]), sizes.size)
        orders = additions[kind[row]][:1] if whole and place == 0 else additions[kind[row]]
        steps += len(states) * len(orders)
        if place == rows - 1:
            return _tail(states, chances, orders, reaches)
        states, chances = _advance(states, chances, orders, bases.ravel(), whole)
    raise AssertionError("unreachable")


def _frequent_first(rows: Integers) -> tuple[Integers, Integers]:
    """Return the order of the rows by kind, the most frequent first, for they reach fewer totals than rows of other kinds.

    With it the code of each row's kind.
    """
    _, kind, number = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    kind = kind.reshape(-1)
    return np.lexsort((kind, -number[kind])), kind


def _numbers_of_orders(ordered: Integers) -> Integers:
    """Return how many distinct orders each row of ascending scores has, (B,): k! / product of (ties)!."""
    run, place = np.ones(ordered.shape), np.ones(ordered.shape)
    for j in range(1, ordered.shape[1]):
        here = ordered[:, j] != ABSENT
        place[:, j] = np.where(here & (ordered[:, j - 1] != ABSENT), place[:, j - 1] + 1.0, 1.0)
        run[:, j] = np.where(here & (ordered[:, j] == ordered[:, j - 1]), run[:, j - 1] + 1.0, 1.0)
    return np.asarray(np.rint(np.prod(place / run, axis=1)), dtype=np.int64)


def _placed(scores: Integers, present: NDArray[np.bool_], length: int, lengths: int) -> Integers:
    """Return the distinct orders of a row, each equally likely, in its columns of all totals, shape (orders, lengths K)."""
    row = scores[present]
    every = np.array(list(permutations(row.tolist())), dtype=np.int64)
    orders = every if np.unique(row).size == row.size else np.unique(every, axis=0)
    placed = np.zeros((len(orders), lengths, scores.size), dtype=np.int64)
    placed[:, length, present] = orders
    return placed.reshape(len(orders), -1)


def _advance(
    states: Integers, chances: Floats, additions: Integers, bases: Integers, exchangeable: bool
) -> tuple[Integers, Floats]:
    """Return the states after one more row and their probabilities."""
    powers = np.cumprod(np.append(1, bases[:-2])) if bases.size > 1 else np.empty(0, dtype=np.int64)
    keys: Integers = np.empty(0, dtype=np.int64)
    weights: Floats = np.empty(0)
    total = int(states[0].sum() + additions[0].sum())
    for part, share in _batches(states, chances, len(additions)):
        totals = (part[:, None, :] + additions).reshape(-1, states.shape[1])
        totals = np.sort(totals, axis=1) if exchangeable else totals
        keys = np.concatenate([keys, totals[:, :-1] @ powers])
        weights = np.concatenate([weights, np.repeat(share / len(additions), len(additions))])
        keys, place = np.unique(keys, return_inverse=True)
        weights = np.asarray(np.bincount(place, weights), dtype=np.float64)
    # the last total follows from the others, as all rows keep their sums
    found = keys[:, None] // powers % bases[:-1]
    return np.column_stack([found, total - found.sum(axis=1)]), weights


def _tail(states: Integers, chances: Floats, additions: Integers, reaches: Reaches) -> float:
    """Return the probability that the totals after the last row reach what was observed."""
    found = 0.0
    for part, share in _batches(states, chances, len(additions)):
        found += float((reaches(part[:, None, :] + additions).mean(axis=1) * share).sum())
    return min(found, 1.0)


def _batches(states: Integers, chances: Floats, orders: int) -> list[tuple[Integers, Floats]]:
    step = max(_BATCH // orders, 1)
    return [(states[start : start + step], chances[start : start + step]) for start in range(0, len(states), step)]
