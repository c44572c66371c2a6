"""The null distribution of a sum in which each weight is taken or left by the toss of a fair coin."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from scipy.special import bdtr, ndtr, ndtri

from benchkit.methods.records import Floats, Integers

MOST_ADDITIONS = 1e7
"""Convolutions that need more additions than this give way to the normal approximation."""


def probabilities(weights: Integers) -> Floats:
    """Return P(sum = 0), P(sum = 1), ... up to the total of the weights, which are non-negative integers.

    By convolution, smallest weight first: only positive numbers are added, so that even the far tail keeps its digits.
    """
    weights = np.sort(weights)
    found = np.zeros(int(weights.sum()) + 1)
    found[0] = 1.0
    reached = 1
    for weight in weights:
        halves = 0.5 * found[:reached]
        found[:reached] = halves
        found[weight : reached + weight] += halves
        reached += int(weight)
    return found


def is_feasible(weights: Integers) -> bool:
    """Say whether the convolution of `weights` needs at most 1e7 additions: of 390 ranks without ties, of about 310 with them."""
    return float(np.cumsum(np.sort(weights)).sum()) / max(int(np.gcd.reduce(weights)), 1) <= MOST_ADDITIONS


def two_sided(weights: Integers, observed: int) -> float:
    """Return min(1, 2 min(P(sum <= observed), P(sum >= observed))): exact if feasible, else by the normal distribution.

    The normal distribution has the variance of these very weights, ties included.
    """
    if not weights.size:
        return 1.0
    if not is_feasible(weights):
        spread = np.sqrt((weights.astype(np.float64) ** 2).sum()) / 2.0
        return float(min(1.0, 2.0 * ndtr(-abs(observed - weights.sum() / 2.0) / spread)))
    # the distribution is symmetric: the smaller tail is the one that begins at 0; common factors only cost time
    divisor = max(int(np.gcd.reduce(weights)), 1)
    lower = min(observed, int(weights.sum()) - observed) // divisor
    return float(min(1.0, 2.0 * _cumulated(np.sort(weights // divisor).tobytes())[lower]))


# pairs without ties share one distribution; with ties a few are kept, of at most a megabyte each
@lru_cache(maxsize=16)
def _cumulated(weights: bytes) -> Floats:
    """Return P(sum <= 0), P(sum <= 1), ... of the weights in these bytes."""
    return np.cumsum(probabilities(np.frombuffer(weights, dtype=np.int64)))


def rank_sum_depth(n: int) -> Callable[[Floats], Integers]:
    """Return how many of the n(n+1)/2 Walsh averages lie outside on each side, as a function of levels of any shape.

    That is the largest k with 2 P(W < k) <= 1 - level, W the signed-rank sum of n values without ties; 0 if there is none.
    """
    ranks = np.arange(1, n + 1)
    if is_feasible(ranks):
        return _depth(_cumulated(ranks.astype(np.int64).tobytes()))
    middle, spread = n * (n + 1) / 4.0, np.sqrt(n * (n + 1.0) * (2.0 * n + 1.0) / 24.0)
    # half a unit of continuity, as W is an integer
    return lambda level: np.maximum(np.floor(middle + 0.5 + spread * ndtri((1.0 - level) / 2.0)), 0.0).astype(np.int64)


def count_depth(n: int) -> Callable[[Floats], Integers]:
    """Return how many of n values lie outside the sign test's interval on each side, as a function of levels of any shape.

    That is the largest k with 2 P(X < k) <= 1 - level, X binomial (n, 1/2); 0 if there is none.
    """
    return _depth(np.asarray(bdtr(np.arange(n // 2 + 1), n, 0.5)))


def _depth(below: Floats) -> Callable[[Floats], Integers]:
    # a level such as 1 - 2/32 is attained exactly, which rounding must not deny
    return lambda level: np.searchsorted(below, (1.0 - level) / 2.0 * (1.0 + 1e-12), side="right").astype(np.int64)
