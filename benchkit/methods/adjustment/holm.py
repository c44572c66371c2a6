"""Holm's step-down p-values, and the Bonferroni intervals that stand beside them."""

import numpy as np
from scipy.special import stdtr, stdtrit

from benchkit.methods.records import Floats


def adjust(p: Floats) -> Floats:
    """Step-down adjusted p-values, shape (m,): max over i <= j of (m - i + 1) p_(i), at most 1.

    NaN entries are left out of the family and stay NaN. Source: Holm 1979; Wright 1992.
    """
    adjusted = np.full(p.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    steps = np.arange(tested.size, 0, -1)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps * p[order]))
    return adjusted


def bonferroni_sf(t: Floats, df: Floats, family: int) -> Floats:
    """Two-sided t tail times the family size, at most 1: the p-value that belongs to the Bonferroni interval."""
    tail: Floats = np.minimum(1.0, 2.0 * family * stdtr(df, -np.abs(t)))
    return np.where(np.isinf(t), 0.0, tail)


def bonferroni_quantile(level: float, df: Floats, family: int) -> Floats:
    """Quantile of t at 1 - (1 - level) / (2 family): the multiplier of the standard error."""
    return np.asarray(-stdtrit(df, (1.0 - level) / (2.0 * family)), dtype=np.float64)
