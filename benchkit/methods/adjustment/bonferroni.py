"""Bonferroni's single-step p-values."""

from benchkit.methods.adjustment.ordered import in_order
from benchkit.methods.records import Floats, Integers


def adjust(p: Floats, _contrasts: Integers) -> Floats:
    """Return m p, at most 1, shape (m,); holds the family-wise error under any dependence.

    NaN entries are left out of the family and stay NaN. Source: Dunn 1961.
    """
    return in_order(p, lambda known: known.size * known)
