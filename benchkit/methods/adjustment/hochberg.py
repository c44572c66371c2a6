"""Hochberg's step-up p-values."""

import numpy as np

from benchkit.methods.adjustment.ordered import in_order, step_up
from benchkit.methods.records import Floats, Integers


def adjust(p: Floats, _contrasts: Integers) -> Floats:
    """Return min over i >= j of (m - i + 1) p_(i), at most 1, shape (m,).

    Never above Holm's. Rests on Simes' inequality, which is unproved for two-sided tests of pairs. NaN entries are left
    out of the family and stay NaN. Source: Hochberg 1988; Wright 1992.
    """
    return in_order(p, lambda known: step_up(known, np.arange(known.size, 0.0, -1.0)))
