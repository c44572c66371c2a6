"""Roots of continuous functions of one variable, many at once."""

from collections.abc import Callable

import numpy as np

from benchkit.methods.records import Floats

_STEPS = 200


def find_roots(function: Callable[[Floats], Floats], low: Floats, high: Floats) -> Floats:
    """Return for each bracket low < high a root of `function`, to the last digits of a double.

    `function` maps (m,) to (m,), elementwise, and must change sign in each bracket; where it does not, the end with the
    smaller absolute value is returned, and NaN where it is NaN at an end. Chandrupatla 1997: inverse quadratic steps
    where they are safe, bisection elsewhere.
    """
    a, b = np.array(high, dtype=np.float64), np.array(low, dtype=np.float64)
    at_a, at_b = function(a), function(b)
    missing = np.isnan(at_a) | np.isnan(at_b)
    open_ = (np.sign(at_a) * np.sign(at_b) < 0) & ~missing
    share = np.full(a.shape, 0.5)
    for _ in range(_STEPS):
        if not open_.any():
            break
        trial = a + share * (b - a)
        at_trial = function(trial)
        same = np.sign(at_trial) == np.sign(at_a)
        c, at_c = np.where(same, a, b), np.where(same, at_a, at_b)
        b, at_b = np.where(open_ & ~same, a, b), np.where(open_ & ~same, at_a, at_b)
        a, at_a = np.where(open_, trial, a), np.where(open_, at_trial, at_a)
        best = np.where(np.abs(at_a) < np.abs(at_b), a, b)
        least = 2.0 * np.finfo(np.float64).eps * np.abs(best) / np.maximum(np.abs(b - a), 1e-300)
        open_ &= (least < 0.5) & (at_a != 0) & (np.abs(b - a) > 1e-300)
        share = np.clip(_share(a, b, c, at_a, at_b, at_c), np.minimum(least, 0.5), np.maximum(1.0 - least, 0.5))
    return np.where(missing, np.nan, np.where(np.abs(at_a) < np.abs(at_b), a, b))


def _share(a: Floats, b: Floats, c: Floats, at_a: Floats, at_b: Floats, at_c: Floats) -> Floats:
    """Return how far from a to b the next trial lies: inverse quadratic interpolation, else one half."""
    with np.errstate(all="ignore"):
        xi, phi = (a - b) / (c - b), (at_a - at_b) / (at_c - at_b)
        safe = (phi**2 < xi) & ((1 - phi) ** 2 < 1 - xi)
        quadratic = at_a / (at_b - at_a) * at_c / (at_b - at_c) + (c - a) / (b - a) * at_a / (at_c - at_a) * at_b / (at_c - at_b)
    return np.where(safe & np.isfinite(quadratic), quadratic, 0.5)
