"""The odds that a is the right one where the two disagree, for 0/1 outcomes."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from benchkit.methods.effect.mean_difference import Effect, throughout
from benchkit.methods.records import Floats, Integers


def odds_ratio(values: Floats, contrasts: Integers, level: float, _generator: np.random.Generator) -> Effect:
    """Return b / c with its exact conditional interval: three arrays (m,). b: items that only a has right, c: only b.

    values: shape (B, K), less is better, NaN where missing: -1 and 0 for right and wrong (0 and 1 for errors); NaN for
    other values. contrasts: shape (m, 2). Above 1 a is better, whatever the direction: core takes it as it is. c = 0:
    infinite with a finite lower end; b = c = 0: NaN. Source: Clopper & Pearson 1934 for b / (b + c); Breslow & Day 1980,
    section 5.2.
    """
    binary = throughout(is_outcome(values), contrasts)
    only = np.array([_discordant(values[:, a], values[:, b]) for a, b in contrasts], dtype=np.float64).reshape(-1, 2)
    b, c = np.where(binary[:, None], only, np.nan).T
    return odds_of(b, c, level)


def odds_of(b: Floats, c: Floats, level: float) -> Effect:
    """Return b / c with its interval, elementwise; NaN where both are 0 or one is NaN."""
    none = (b == 0) & (c == 0)
    b, c = np.where(none, np.nan, b), np.where(none, np.nan, c)
    tail = (1.0 - level) / 2.0
    low = np.where(b == 0, 0.0, betaincinv(np.where(b == 0, 1.0, b), c + 1.0, tail))
    high = np.where(c == 0, 1.0, betaincinv(b + 1.0, np.where(c == 0, 1.0, c), 1.0 - tail))
    return _odds(b, c), _odds(low, 1.0 - low), _odds(high, 1.0 - high)


def is_outcome(values: Floats) -> NDArray[np.bool_]:
    """Return which values are missing or one of two: -1 and 0, or 0 and 1 if there is no -1; shape (B, K)."""
    other = -1.0 if (values == -1.0).any() else 1.0
    return np.asarray((values == 0.0) | (values == other) | np.isnan(values))


def _discordant(a: Floats, b: Floats) -> tuple[int, int]:
    """Return on how many replicates a is better, and b; a missing value compares as neither."""
    return int(np.count_nonzero(a < b)), int(np.count_nonzero(a > b))


def _odds(share: Floats, rest: Floats) -> Floats:
    """Return share / rest; infinite where nothing is left, NaN for NaN."""
    return np.divide(share, rest, out=np.where(np.isnan(share), np.nan, np.inf), where=rest > 0)
