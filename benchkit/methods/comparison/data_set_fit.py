"""The best variances of the mixed model over data sets, none of them negative: the optimum that lme4 seeks."""

from dataclasses import dataclass

import numpy as np

from benchkit.methods.comparison.data_set_reml import Point, at
from benchkit.methods.comparison.data_set_slopes import Slopes, slopes
from benchkit.methods.comparison.data_set_sums import DataSets
from benchkit.methods.records import Floats, Integers

NAMES = ("residual", "dataset:replicate", "dataset:algorithm", "dataset")
_ORDER = (0, 3, 2, 1)
"""Which component is kept if two cannot be told apart: the first of these."""

_APART = 1e-9
"""Smallest eigenvalue of the correlations of the information on the components that can be told apart."""

_STEPS, _HALVINGS = 200, 40
_LARGEST = 1e10
"""Ratio to the residual variance that stands in for infinity, where nothing but rounding is left of the residual."""

_CLOSE = 1e-9
"""The gain that a step promises, from which on the criterion itself is too coarse to judge it."""

_LAST = 1e-13
"""The gain of a step after which Newton's method has no digit left to find."""


@dataclass(frozen=True)
class Fit:
    """The model at its optimum.

    variance: s^2, 0 where the model fits exactly. variances (4,): of NAMES. known: the components that the data can tell
    apart, as places in NAMES; the others are 0. at_boundary: those of them whose estimate is 0.
    """

    point: Point
    slopes: Slopes
    variance: float
    variances: Floats
    known: Integers
    at_boundary: tuple[int, ...]


def fit(sums: DataSets) -> Fit:
    """Return the optimum, the better one of two ways down: from quadratic unbiased estimates and from equal variances.

    Balanced data have a single optimum, and the first way finds it.
    """
    known = _told_apart(sums)
    gamma = np.zeros(3)
    gamma[known[1:] - 1] = 1.0
    starts = (_unbiased(sums, gamma, known), gamma)
    found = [_descend(sums, start, known) for start in starts[: 1 if sums.balanced else 2]]
    point, parts = min(found, key=lambda each: each[0].criterion)
    exact = point.squares <= sums.rounding
    variance = 0.0 if exact else point.squares / (sums.n_values - sums.counts.shape[1])
    at_boundary = tuple(i for i in known[1:].tolist() if point.gamma[i - 1] == 0)
    return Fit(point, parts, variance, variance * np.append(1.0, point.gamma), known, at_boundary)


def _told_apart(sums: DataSets) -> Integers:
    """Return which components the data can tell apart, ascending; the residual always."""
    information = slopes(sums, at(sums, np.ones(3))).expected
    size = np.sqrt(np.maximum(np.diag(information), 1e-300))
    related = information / np.outer(size, size)
    kept: list[int] = []
    for i in _ORDER:
        trial = [*kept, i]
        if np.linalg.eigvalsh(related[np.ix_(trial, trial)])[0] > _APART:
            kept = trial
    return np.array(sorted({0, *kept}))


def _unbiased(sums: DataSets, gamma: Floats, known: Integers) -> Floats:
    """Return the ratios of the minimum norm quadratic unbiased estimates at gamma: of the mean squares if balanced."""
    found = slopes(sums, at(sums, gamma))
    theta = np.linalg.solve(found.expected[np.ix_(known, known)], found.linear[known])
    if theta[0] <= 0:
        return gamma
    result = np.zeros(3)
    result[known[1:] - 1] = np.maximum(theta[1:] / theta[0], 0.0)
    return result


def _descend(sums: DataSets, gamma: Floats, known: Integers) -> tuple[Point, Slopes]:
    """Go down the criterion over gamma >= 0 from a start, by Newton's steps where it is convex, else by Fisher's."""
    point = at(sums, gamma)
    found = slopes(sums, point)
    for _ in range(_STEPS):
        step, gain = _step(sums, point, found, known)
        if gain <= 0 or point.squares <= sums.rounding:
            break
        trial = _line(sums, point, step, gain)
        if trial is None:
            break
        point, found = trial, slopes(sums, trial)
        if gain < _LAST:
            break
    return point, found


def _step(sums: DataSets, point: Point, found: Slopes, known: Integers) -> tuple[Floats, float]:
    """Return the step (3,) of the components that are positive or want to be, and the gain that it promises."""
    freedom = sums.n_values - sums.counts.shape[1]
    gradient = found.traces - freedom * found.linear / point.squares
    fisher = found.expected - np.outer(found.traces, found.traces) / freedom
    newton = freedom * (2.0 * found.quadratic / point.squares - np.outer(found.linear, found.linear) / point.squares**2)
    newton -= found.expected
    free = [int(i) for i in known[1:] if (point.gamma[i - 1] > 0 or gradient[i] < 0) and fisher[i, i] > 0]
    while free:
        inside = np.ix_(free, free)
        size = 1.0 / np.sqrt(np.diag(fisher)[free])
        scaled = newton[inside] * np.outer(size, size)
        if np.linalg.eigvalsh(scaled)[0] < 1e-3:
            scaled = fisher[inside] * np.outer(size, size)
        change = -size * np.linalg.lstsq(scaled, size * gradient[free], rcond=1e-12)[0]
        held = [i for i, move in zip(free, change, strict=True) if point.gamma[i - 1] == 0 and move <= 0]
        if not held:
            step = np.zeros(3)
            step[np.array(free) - 1] = change
            return step, -float(gradient[free] @ change)
        free = [i for i in free if i not in held]
    return np.zeros(3), 0.0


def _line(sums: DataSets, point: Point, step: Floats, gain: float) -> Point | None:
    """Return the first point along the step that is better, at most at the nearest boundary; None if there is none."""
    shrinking = step < 0
    reach = np.full(3, np.inf)
    reach[shrinking] = -point.gamma[shrinking] / step[shrinking]
    length = min(1.0, float(reach.min()))
    for _ in range(_HALVINGS):
        gamma = np.where(reach <= length, 0.0, np.clip(point.gamma + length * step, 0.0, _LARGEST))
        trial = at(sums, gamma)
        if gain < _CLOSE or trial.criterion < point.criterion:
            return trial
        length /= 2.0
    return None
