"""Per-item outcomes, right or wrong, counted: which items pairs of algorithms have right together."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchkit.errors import BenchkitError
from benchkit.methods.records import Floats, Integers, Means

# Items per matrix product: a count in single precision is exact up to 2 ** 24, and this many rows stay in the cache.
ROWS = 1 << 15


@dataclass(frozen=True)
class Agreement:
    """What K algorithms have right. All (K, K) and whole numbers; row a, column b counts the items that have both outcomes.

    shared: items with both outcomes. both: those that a and b have right. first: those that a has right, whatever b does.
    right_value: the value that stands for right, -1 or 0 (less is better); the value of wrong is greater by 1.
    """

    shared: Integers
    both: Integers
    first: Integers
    right_value: float

    @property
    def means(self) -> Means:
        """The mean value of each algorithm on all of its own items, with sd / sqrt(n) on n - 1 degrees of freedom."""
        n, right = np.diag(self.shared), np.diag(self.both)
        items = np.where(n > 0, n, 1)
        share = np.where(n > 0, right / items, np.nan)
        spread = np.sqrt(np.maximum(share * (1 - share), 0.0) / np.where(n > 1, n - 1.0, np.nan))
        return Means(n=n, estimate=self.right_value + 1.0 - share, std_error=spread, df=np.where(n > 1, n - 1.0, np.nan))


def agreement(values: Floats) -> Agreement:
    """Count the outcomes in values, (B, K): 0 and 1 (1 is wrong) or -1 and 0 (-1 is right), NaN where missing.

    Where only one value occurs it counts as right, which changes no difference. BenchkitError for any other value.
    One matrix product of the 0/1 matrix with itself counts all pairs.
    """
    B, K = values.shape
    right_value = float(np.fmin.reduce(values, axis=None, initial=np.inf)) if B else 0.0
    wrong_value = right_value + 1.0 if right_value < 1.0 else np.nan
    shared, both, first = (np.zeros((K, K)) for _ in range(3))
    for start in range(0, B, ROWS):
        part = values[start : start + ROWS]
        right = part == right_value
        present = right | (part == wrong_value)
        _check(part, present, right_value)
        x = right.astype(np.float32)
        together = (x.T @ x).astype(np.float64)
        both += together
        if present.all():
            shared += len(part)
            first += np.diag(together)[:, None]
        else:
            y = present.astype(np.float32)
            shared += y.T @ y
            first += x.T @ y
    return Agreement(shared.astype(np.int64), both.astype(np.int64), first.astype(np.int64), right_value)


def _check(part: Floats, present: NDArray[np.bool_], right_value: float) -> None:
    """Raise BenchkitError unless the values are outcomes, 0 or 1 up to their sign, or missing."""
    strange = ~present
    if strange.any():
        strange &= ~np.isnan(part)
    if strange.any() or (present.any() and right_value not in (-1.0, 0.0, 1.0)):
        raise BenchkitError(
            "this method compares outcomes, right or wrong, but not every performance is 0 or 1",
            "give one row for each item with performance 0 or 1, or choose a method for numbers, such as --method mixed",
        )
