"""Intervals for rates and areas that stay within their range."""

import numpy as np
from scipy.special import betaincinv, expit, ndtri

from benchkit.methods.records import Floats

# below this expected count of either kind of item a normal interval of a rate says too much
FEW = 10.0


def logit_interval(value: Floats, sd: Floats, level: float) -> tuple[Floats, Floats]:
    """Return value -/+ z sd on the logit scale, for numbers in [0, 1]; no width where sd is 0, NaN where it is NaN."""
    z = float(ndtri(0.5 + level / 2))
    inside = np.clip(value, 1e-15, 1 - 1e-15)
    with np.errstate(invalid="ignore", over="ignore"):
        centre, step = np.log(inside) - np.log1p(-inside), z * sd / (inside * (1 - inside))
        fixed = (sd == 0) | (value <= 0) | (value >= 1)
        low, high = expit(centre - step), expit(centre + step)
    unknown = np.isnan(sd)
    return np.where(unknown, np.nan, np.where(fixed, value, low)), np.where(unknown, np.nan, np.where(fixed, value, high))


def log_interval(value: Floats, sd: Floats, level: float) -> tuple[Floats, Floats]:
    """Return value -/+ z sd on the logarithmic scale, never above 1, as the paper gives false positive rates."""
    z = float(ndtri(0.5 + level / 2))
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        factor = np.exp(np.where(value > 0, z * sd / value, 0.0))
        low, high = value / factor, np.minimum(value * factor, 1.0)
    return low, high


def widened(value: Floats, low: Floats, high: Floats, items: float, level: float) -> tuple[Floats, Floats]:
    """Return the interval, where few items are of either kind no narrower than Clopper & Pearson's of items * value of items.

    A rate of exactly 1 at the lowest threshold is no estimate and is left alone by the caller.
    """
    tail = (1 - level) / 2
    count = items * value
    few = (count < FEW) | (items - count < FEW)
    below = np.where(count > 0, betaincinv(np.maximum(count, 1e-300), items - count + 1, tail), 0.0)
    above = np.where(count < items, betaincinv(count + 1, np.maximum(items - count, 1e-300), 1 - tail), 1.0)
    return np.where(few, np.fmin(low, below), low), np.where(few, np.fmax(high, above), high)
