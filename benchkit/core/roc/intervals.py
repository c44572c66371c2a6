"""Intervals for rates and areas that stay within their range, and have some width wherever anything varies."""

from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv, expit, ndtri

from benchkit.core.roc.analysis import Analysed, Number
from benchkit.core.roc.request import Mark, RocRequest
from benchkit.methods.curve.questions import ROUNDING, Asked
from benchkit.methods.records import Floats

# below this expected count of either kind of item a normal interval of a rate says too much
FEW = 10.0
# a number nearer than that to the end of its range is at it
LIMIT = 1e-12


@dataclass(frozen=True)
class Interval:
    """A number that sums the curve up, as it is called, its standard deviation and its interval; NaN for what is unknown."""

    name: str
    value: float
    sd: float
    low: float
    high: float


def of_numbers(one: Analysed, request: RocRequest) -> list[Interval]:
    """Return the intervals of the area and of each mark, in order.

    An area at either end of its range has none: this sample cannot show how far it is from there.
    """
    found = [_interval("AUC", one.area, request.level, 1.0)]
    for mark, number in zip(request.marks, one.marks, strict=True):
        most = mark.at if mark.characteristic == "partial_auc" else 1.0
        log = mark.characteristic == "fpr_at_tpr"
        found.append(_interval(mark.name, number, request.level, most, log, _items_of(mark, one)))
    return found


def _items_of(mark: Mark, one: Analysed) -> float | None:
    """Return how many items the mark is a share of; None for an area, and where items do not vary."""
    known = {"fpr_at_tpr": 0, "tpr_at_fpr": 1}
    if mark.characteristic not in known:
        return None
    return counting(one.asked, one.ensemble.counts.items[known[mark.characteristic]])


def counting(asked: Asked, items: float) -> float | None:
    """Return of how many items counts tell: of none where only voters vary, of half where new items add as much again."""
    if asked.vary == "voters":
        return None
    return float(items) / 2 if asked.target == "prediction" else float(items)


def _interval(name: str, number: Number, level: float, most: float, log: bool = False, items: float | None = None) -> Interval:
    """Return the interval of a number in [0, most]."""
    value, sd = np.asarray(number.value), np.sqrt(number.parts.total)
    if sd == 0 and LIMIT < value < most - LIMIT and number.parts.voters > ROUNDING:
        sd = np.asarray(np.nan)  # voters vary, and what is estimated for the items takes just that off
    low, high = interval(value / most, sd / most, level, log, items)
    return Interval(name, number.value, float(sd), float(low * most), float(high * most))


def interval(value: Floats, sd: Floats, level: float, log: bool, items: float | None) -> tuple[Floats, Floats]:
    """Return the ends of the intervals of numbers in [0, 1], -/+ z sd on the logarithmic (else the logit) scale.

    items: of which the numbers are shares, for Clopper & Pearson's interval where counts are few; None if counts do not tell.
    NaN for an unknown sd and for a number at either end of the range, unless counts give an interval.
    """
    z = float(ndtri(0.5 + level / 2))
    limited = (value <= LIMIT) | (value >= 1 - LIMIT)
    inside = np.clip(value, LIMIT, 1 - LIMIT)
    # where less than an item is expected, a step on the scale is no longer than at one item
    least = 1e-15 if items is None else min(1 / items, 0.5)
    base = np.clip(value, least, 1 - least)
    with np.errstate(invalid="ignore", over="ignore"):
        if log:
            factor = np.exp(z * sd / base)
            low, high = inside / factor, np.minimum(inside * factor, 1.0)
        else:
            centre, step = np.log(inside) - np.log1p(-inside), z * sd / (base * (1 - base))
            low, high = expit(centre - step), expit(centre + step)
            low, high = np.where(sd == 0, value, low), np.where(sd == 0, value, high)
    low, high = np.where(limited, np.nan, low), np.where(limited, np.nan, high)
    return (low, high) if items is None else _widened(value, low, high, items, level)


def _widened(value: Floats, low: Floats, high: Floats, items: float, level: float) -> tuple[Floats, Floats]:
    """Return the interval, where few items are of either kind no narrower than Clopper & Pearson's of items * value of items.

    A rate of exactly 1 at the lowest threshold is no estimate and is left alone by the caller.
    """
    tail = (1 - level) / 2
    count = np.where(value <= LIMIT, 0.0, np.where(value >= 1 - LIMIT, items, items * value))
    few = (count < FEW) | (items - count < FEW)
    below = np.where(count > 0, betaincinv(np.maximum(count, 1e-300), items - count + 1, tail), 0.0)
    above = np.where(count < items, betaincinv(count + 1, np.maximum(items - count, 1e-300), 1 - tail), 1.0)
    return np.where(few, np.fmin(low, below), low), np.where(few, np.fmax(high, above), high)
