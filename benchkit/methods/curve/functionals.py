"""Numbers that sum a curve up, with their gradients: AUC, partial AUC, TPR at an FPR and FPR at a TPR.

A curve has rates F_0 (false positive) and F_1 (true positive) at thresholds 0..m; it ends in (0, 0) at m + 1 and is linear
between thresholds. Every function takes rates of shape (2, m + 1) and returns the value and its gradient of the same shape.
"""

from collections.abc import Callable

import numpy as np

from benchkit.methods.records import Floats

Functional = Callable[[Floats], tuple[float, Floats]]


def area(rates: Floats) -> tuple[float, Floats]:
    """Return the area under the curve: the probability that a positive item has more votes than a negative, ties half."""
    value, gradient = _trapezoids(np.pad(rates, ((0, 0), (0, 1))))
    gradient[:, 0] = 0.0  # the curve begins in (1, 1) whatever the votes are
    return value, gradient[:, :-1]


def _trapezoids(points: Floats) -> tuple[float, Floats]:
    """Return the area under a polygon of points (2, P) with falling rates, and its gradient."""
    fpr, tpr = points
    heights, widths = 0.5 * (tpr[:-1] + tpr[1:]), fpr[:-1] - fpr[1:]
    gradient = np.zeros(points.shape)
    gradient[0, :-1] += heights
    gradient[0, 1:] -= heights
    gradient[1, :-1] += widths / 2
    gradient[1, 1:] += widths / 2
    # no product of BLAS, whose threads wait for one another and sum in an order of their own
    return float((heights * widths).sum()), gradient


def true_positive_rate_at(fpr: float) -> Functional:
    """Return the TPR where the curve first reaches down to `fpr` in [0, 1]: interpolated, the best one where it is vertical."""

    def functional(rates: Floats) -> tuple[float, Floats]:
        padded = np.pad(rates, ((0, 0), (0, 1)))
        right = int(np.argmax(padded[0] <= fpr))
        return _interpolated(padded, 0, fpr, max(right - 1, 0), right)

    return functional


def false_positive_rate_at(tpr: float) -> Functional:
    """Return the FPR at which the curve still has the TPR `tpr` in [0, 1]: interpolated, the least one where it is flat."""

    def functional(rates: Floats) -> tuple[float, Floats]:
        padded = np.pad(rates, ((0, 0), (0, 1)))
        left = padded.shape[1] - 1 - int(np.argmax(padded[1][::-1] >= tpr))
        if padded[1, left] == tpr:
            return _interpolated(padded, 1, tpr, left, left)
        return _interpolated(padded, 1, tpr, left, left + 1)

    return functional


def _interpolated(padded: Floats, given: int, at: float, left: int, right: int) -> tuple[float, Floats]:
    """Return the other rate where rate `given` is `at`, between the thresholds left and right = left + 1."""
    other = 1 - given
    gradient = np.zeros(padded.shape)
    fall = padded[given, left] - padded[given, right]
    if fall <= 0 or padded[given, right] == at:
        gradient[other, right] = 1.0
        return float(padded[other, right]), gradient[:, :-1]
    weight = (at - padded[given, right]) / fall
    rise = padded[other, left] - padded[other, right]
    gradient[other, left], gradient[other, right] = weight, 1 - weight
    gradient[given, left], gradient[given, right] = -weight * rise / fall, (weight - 1) * rise / fall
    return float(padded[other, right] + weight * rise), gradient[:, :-1]


def partial_area(most: float) -> Functional:
    """Return the area under the curve for false positive rates from 0 to `most`; at 1 the whole area."""

    def functional(rates: Floats) -> tuple[float, Floats]:
        padded = np.pad(rates, ((0, 0), (0, 1)))
        first = int(np.argmax(padded[0] <= most))  # the largest rate within
        value, slopes = _trapezoids(padded[:, first:])
        gradient = np.zeros(padded.shape)
        gradient[:, first:] = slopes
        # and a trapezoid from there to `most`
        height, rising = _interpolated(padded, 0, most, max(first - 1, 0), first)
        width = most - padded[0, first]
        gradient[:, :-1] += 0.5 * width * rising
        gradient[1, first] += 0.5 * width
        gradient[0, first] -= 0.5 * (height + padded[1, first])
        gradient[:, 0] = 0.0
        return value + 0.5 * width * float(height + padded[1, first]), gradient[:, :-1]

    return functional
