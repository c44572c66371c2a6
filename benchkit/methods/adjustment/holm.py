"""Holm's step-down p-values, and the Bonferroni intervals that stand beside them."""

import numpy as np
from scipy.special import stdtr

from benchkit.methods.adjustment.ordered import in_order, step_down
from benchkit.methods.records import Floats, Integers
from benchkit.methods.t_quantile import upper_t


def adjust(p: Floats, _contrasts: Integers) -> Floats:
    """Return the step-down p-values of any family, shape (m,): those of `step_down_p_values`."""
    return step_down_p_values(p)


def step_down_p_values(p: Floats) -> Floats:
    """Return max over i <= j of (m - i + 1) p_(i), at most 1, shape (m,).

    NaN entries are left out of the family and stay NaN. Source: Holm 1979; Wright 1992.
    """
    return in_order(p, lambda known: step_down(known, np.arange(known.size, 0.0, -1.0)))


def bonferroni_sf(t: Floats, df: Floats, family: int) -> Floats:
    """Two-sided t tail times the family size, at most 1: the p-value that belongs to the Bonferroni interval."""
    tail: Floats = np.minimum(1.0, 2.0 * family * stdtr(df, -np.abs(t)))
    return np.where(np.isinf(t), 0.0, tail)


def bonferroni_quantile(level: float, df: Floats, family: int) -> Floats:
    """Quantile of t at 1 - (1 - level) / (2 family): the multiplier of the standard error."""
    return upper_t(df, (1.0 - level) / (2.0 * family))
