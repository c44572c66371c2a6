"""Sidak's single-step p-values."""

import numpy as np

from benchkit.methods.adjustment.ordered import in_order
from benchkit.methods.records import Floats, Integers


def adjust(p: Floats, _contrasts: Integers) -> Floats:
    """Return 1 - (1 - p)^m, shape (m,); holds the family-wise error for two-sided tests of normal and t statistics.

    Small p-values keep their digits. NaN entries are left out of the family and stay NaN. Source: Sidak 1967.
    """
    return in_order(p, _at_least_one)


def _at_least_one(p: Floats) -> Floats:
    """Return the probability that the least of n independent p-values is at most p."""
    with np.errstate(divide="ignore"):  # p = 1 gives log 0, and in the end 1
        return np.asarray(-np.expm1(p.size * np.log1p(-p)))
