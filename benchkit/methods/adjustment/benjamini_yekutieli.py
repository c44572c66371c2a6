"""Benjamini and Yekutieli's p-values, which bound the share of false discoveries under any dependence."""

import numpy as np

from benchkit.methods.adjustment.ordered import in_order, step_up
from benchkit.methods.records import Floats, Integers


def adjust(p: Floats, _contrasts: Integers) -> Floats:
    """Return min over i >= j of (1 + 1/2 + ... + 1/m) (m / i) p_(i), at most 1, shape (m,).

    Bounds the expected share of false ones among the differences found, whatever the dependence. NaN entries are left out
    of the family and stay NaN. Source: Benjamini & Yekutieli 2001.
    """
    return in_order(p, _rule)


def _rule(p: Floats) -> Floats:
    place = np.arange(1.0, p.size + 1.0)
    return step_up(p, np.sum(1.0 / place) * p.size / place)
