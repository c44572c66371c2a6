"""Shaffer's static step-down p-values for all pairs (S1)."""

from functools import cache

import numpy as np

from benchkit.methods.adjustment import all_pairs
from benchkit.methods.adjustment.ordered import in_order, step_down
from benchkit.methods.records import Floats, Integers


def adjust(p: Floats, contrasts: Integers) -> Floats:
    """Return max over i <= j of t_i p_(i), at most 1, shape (m,).

    t_i: the largest number of pairs, at most m - i + 1, that can be equal at once among K algorithms. Never above Holm's.
    BenchkitError unless the contrasts are all pairs, each with a p-value. Source: Shaffer 1986 (S1); Garcia &
    Herrera 2008, p. 2680.
    """
    pairs = all_pairs.require("shaffer", p, contrasts)
    possible = np.array(equal_pairs(int(pairs.max(initial=0)) + 1))

    def rule(known: Floats) -> Floats:
        at_most = np.searchsorted(possible, np.arange(known.size, 0, -1), side="right") - 1
        return step_down(known, possible[at_most].astype(np.float64))

    return in_order(p, rule)


@cache
def equal_pairs(algorithms: int) -> tuple[int, ...]:
    """Return, ascending, the numbers of equal pairs that `algorithms` means can have.

    A group of j equal means has j (j - 1) / 2 equal pairs; the others are free: S(k) = union over j of S(k - j) + j (j - 1) / 2.
    """
    found = [1]  # bit s of found[k] says that k means can have s equal pairs
    for k in range(1, algorithms + 1):
        bits = 0
        for j in range(1, k + 1):
            bits |= found[k - j] << (j * (j - 1) // 2)
        found.append(bits)
    return tuple(s for s in range(found[-1].bit_length()) if found[-1] >> s & 1)
