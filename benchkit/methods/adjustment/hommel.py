"""Hommel's p-values: closed testing with Simes' test."""

import numpy as np

from benchkit.methods.adjustment.ordered import in_order
from benchkit.methods.records import Floats, Integers


def adjust(p: Floats, _contrasts: Integers) -> Floats:
    """Return the largest p-value of Simes' test among all sets of hypotheses that hold the one in question, shape (m,).

    Never above Hochberg's. Rests on Simes' inequality, which is unproved for two-sided tests of pairs. O(m^2) time. NaN
    entries are left out of the family and stay NaN. Source: Hommel 1988; Wright 1992.
    """
    return in_order(p, _closed)


def _closed(p: Floats) -> Floats:
    """Return the adjusted values of n ascending p.

    Among the sets of a given size, the hardest to reject that holds hypothesis j consists of j and the largest others.
    """
    n = p.size
    adjusted = p.copy()
    for size in range(2, n + 1):
        first = n - size  # the `size` largest p-values begin here; the smaller ones stand in for the first of them
        others = np.min(size * p[first + 1 :] / np.arange(2, size + 1))
        of_set = np.minimum(size * p[: first + 1], others)
        np.maximum(adjusted[: first + 1], of_set, out=adjusted[: first + 1])
        np.maximum(adjusted[first + 1 :], of_set[first], out=adjusted[first + 1 :])
    return adjusted
