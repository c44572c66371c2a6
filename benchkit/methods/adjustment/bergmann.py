"""Bergmann and Hommel's p-values for all pairs: closed testing with Bonferroni's test."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from benchkit.errors import BenchkitError
from benchkit.methods.adjustment import all_pairs
from benchkit.methods.records import Floats, Integers

MOST_ALGORITHMS = 9
"""With 9 there are 21147 partitions; each further algorithm has five to six times as many."""


def adjust(p: Floats, contrasts: Integers) -> Floats:
    """Return max over the exhaustive sets I that hold pair i of |I| min_{j in I} p_j, at most 1, shape (m,).

    A set of pairs is exhaustive if just these can be equal at once: the pairs within the groups of a partition. Never above
    Shaffer's. A smaller p may get the larger adjusted one, since the sets of two pairs differ. BenchkitError unless
    the contrasts are all pairs of at most 9 algorithms, each with a p-value. Source: Bergmann & Hommel 1988; Garcia &
    Herrera 2008, pp. 2680-2682.
    """
    pairs = all_pairs.require("bergmann", p, contrasts)
    K = int(pairs.max(initial=0)) + 1
    if K > MOST_ALGORITHMS:
        raise BenchkitError(
            f"the adjustment 'bergmann' is for at most {MOST_ALGORITHMS} algorithms, and these are {K}",
            "use --adjust shaffer, which takes any number of algorithms",
        )
    groups = partitions(K)
    equal = groups[:, pairs[:, 0]] == groups[:, pairs[:, 1]]
    least = np.min(np.where(equal, p, np.inf), axis=1, initial=np.inf)
    size = equal.sum(axis=1)
    of_set = np.multiply(size, least, out=np.zeros(size.shape), where=size > 0)
    return np.asarray(np.minimum(1.0, np.max(np.where(equal, of_set[:, None], 0.0), axis=0)))


@cache
def partitions(items: int) -> NDArray[np.int8]:
    """Return all partitions of the items into groups, one a row: (number of partitions, items), the group of each item.

    Groups are numbered as they appear (restricted growth strings), so that no partition comes twice.
    """
    rows = np.zeros((1, 1), dtype=np.int8)
    for _ in range(1, items):
        choices = rows.max(axis=1).astype(np.int64) + 2  # a group that exists, or a new one
        before = np.repeat(np.arange(len(rows)), choices)
        chosen = np.arange(before.size) - np.repeat(np.cumsum(choices) - choices, choices)
        rows = np.column_stack([rows[before], chosen.astype(np.int8)])
    rows.flags.writeable = False
    return rows
