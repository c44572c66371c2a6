"""The exact null distribution of column totals when the scores of each replicate may stand in any order."""

from itertools import permutations

import numpy as np

from benchkit.methods.comparison.random_orders import is_affordable, random_sums
from benchkit.methods.records import Floats, Integers

MOST_STEPS = 10_000_000
"""More states times orders than this are not enumerated."""

MOST_COLUMNS = 8
_BATCH = 200_000


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
    ranks and aligned ranks are conditional on their ties. NaN if there are too many states: the count of states times
    orders, summed over the rows, may be 1e7.
    """
    rows, columns = scores.shape
    base = int(scores.max(axis=1).sum()) + 1
    if not rows or columns > MOST_COLUMNS or base ** (columns - 1) >= 2**62:
        return float("nan")
    observed = int((scores.sum(axis=0) ** 2).sum())
    if rows == 1:
        return 1.0
    # rows of one kind, the most frequent first, for they reach fewer totals than rows with other ties
    kinds, kind, number = np.unique(np.sort(scores, axis=1), axis=0, return_inverse=True, return_counts=True)
    kind = kind.reshape(-1)[np.argsort(-number[kind.reshape(-1)], kind="stable")]
    # columns are exchangeable, so a state is the sorted totals, and the first row may stand as it is
    states, chances = kinds[kind[:1]], np.ones(1)
    steps = 0
    orders: dict[int, Integers] = {}
    for row in range(1, rows):
        if kind[row] not in orders:
            orders[kind[row]] = _distinct_orders(kinds[kind[row]])
        additions = orders[kind[row]]
        # the number of states never falls: give up as soon as the rest is sure to be too much
        if steps + len(states) * len(additions) * (rows - row) > MOST_STEPS:
            return float("nan")
        steps += len(states) * len(additions)
        if row == rows - 1:
            return _tail(states, chances, additions, observed)
        states, chances = _advance(states, chances, additions, base)
    raise AssertionError("unreachable")


def _distinct_orders(row: Integers) -> Integers:
    """Return the distinct orders of a row, each equally likely, shape (orders, K)."""
    every = np.array(list(permutations(row.tolist())), dtype=np.int64)
    return every if np.unique(row).size == row.size else np.unique(every, axis=0)


def _advance(states: Integers, chances: Floats, additions: Integers, base: int) -> tuple[Integers, Floats]:
    """Return the states after one more row and their probabilities."""
    powers = base ** np.arange(states.shape[1] - 1, dtype=np.int64)
    keys: Integers = np.empty(0, dtype=np.int64)
    weights: Floats = np.empty(0)
    total = int(states[0].sum() + additions[0].sum())
    for part, share in _batches(states, chances, len(additions)):
        totals = np.sort((part[:, None, :] + additions).reshape(-1, states.shape[1]), axis=1)
        keys = np.concatenate([keys, totals[:, :-1] @ powers])
        weights = np.concatenate([weights, np.repeat(share / len(additions), len(additions))])
        keys, place = np.unique(keys, return_inverse=True)
        weights = np.asarray(np.bincount(place, weights), dtype=np.float64)
    # the last total follows from the others, as all rows keep their sums
    found = keys[:, None] // powers % base
    return np.column_stack([found, total - found.sum(axis=1)]), weights


def _tail(states: Integers, chances: Floats, additions: Integers, observed: int) -> float:
    """Return the probability that the squared totals after the last row sum to at least `observed`."""
    found = 0.0
    for part, share in _batches(states, chances, len(additions)):
        squares = ((part[:, None, :] + additions) ** 2).sum(axis=2)
        found += float(((squares >= observed).mean(axis=1) * share).sum())
    return min(found, 1.0)


def _batches(states: Integers, chances: Floats, orders: int) -> list[tuple[Integers, Floats]]:
    step = max(_BATCH // orders, 1)
    return [(states[start : start + step], chances[start : start + step]) for start in range(0, len(states), step)]
