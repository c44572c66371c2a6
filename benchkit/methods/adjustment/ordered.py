"""What the adjustments share: the family of known p-values in ascending order."""

from collections.abc import Callable

import numpy as np

from benchkit.methods.records import Floats


def in_order(p: Floats, rule: Callable[[Floats], Floats]) -> Floats:
    """Apply `rule` to the known p-values in ascending order and put what it gives back in place, at most 1.

    p: shape (m,); NaN entries are no part of the family and stay NaN. rule: maps the n known ones, ascending, to n
    adjusted ones. Equal p-values stay equal under every rule that is monotone.
    """
    adjusted = np.full(p.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    if order.size:
        adjusted[order] = np.minimum(1.0, rule(p[order]))
    return adjusted


def step_up(p: Floats, factor: Floats) -> Floats:
    """Return min over i >= j of factor_i p_(i), for ascending p and factors of the same shape (n,)."""
    return np.asarray(np.minimum.accumulate((factor * p)[::-1])[::-1])


def step_down(p: Floats, factor: Floats) -> Floats:
    """Return max over i <= j of factor_i p_(i), for ascending p and factors of the same shape (n,)."""
    return np.asarray(np.maximum.accumulate(factor * p))
