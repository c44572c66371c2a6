"""Benjamini and Hochberg's p-values, which bound the share of false discoveries."""

import numpy as np

from benchkit.methods.adjustment.ordered import in_order, step_up
from benchkit.methods.records import Floats, Integers


def adjust(p: Floats, _contrasts: Integers) -> Floats:
    """Return min over i >= j of (m / i) p_(i), at most 1, shape (m,).

    Bounds the expected share of false ones among the differences found (not the chance of any), for independent or
    positively dependent tests. NaN entries are left out of the family and stay NaN. Source: Benjamini & Hochberg 1995.
    """
    return in_order(p, lambda known: step_up(known, known.size / np.arange(1.0, known.size + 1.0)))
