"""Shares of right outcomes of independent samples, pair by pair, as the tests of two proportions need them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.comparison.agreement import agreement
from benchkit.methods.records import Blocks, Floats, Integers, Means, Remark


@dataclass(frozen=True)
class Proportions:
    """For each contrast, (m,): wrong outcomes x of n of a, and y of m of b; the mean oriented values, NaN without outcomes.

    wrong, size: the counts of each algorithm, (K,), and its means.
    """

    x: Floats
    n: Floats
    y: Floats
    m: Floats
    mean_a: Floats
    mean_b: Floats
    wrong: Floats
    size: Floats
    means: Means

    @property
    def total(self) -> Integers:
        """Outcomes of the two samples together."""
        return np.asarray(self.n + self.m, dtype=np.int64)

    @property
    def testable(self) -> NDArray[np.bool_]:
        """True where both samples have outcomes."""
        return np.asarray(np.minimum(self.n, self.m) > 0)

    @property
    def estimate(self) -> Floats:
        """Return x/n - y/m; NaN where a sample is empty."""
        return self.x / self.known(self.n) - self.y / self.known(self.m)

    @property
    def std_error(self) -> Floats:
        """Return the standard error of the estimate without a hypothesis; NaN where neither sample varies."""
        n, m = self.known(self.n), self.known(self.m)
        variance = self.x * (n - self.x) / n**3 + self.y * (m - self.y) / m**3
        return np.sqrt(np.where(variance > 0, variance, np.nan))

    def known(self, numbers: Floats) -> Floats:
        """Return the numbers with NaN where a pair cannot be tested."""
        return np.where(self.testable, numbers, np.nan)

    def remarks(self) -> tuple[Remark, ...]:
        """Return not-estimable where a sample is empty, and zero-variance where all outcomes of a pair are the same."""
        right = self.total - self.x - self.y
        found = {"not-estimable": ~self.testable, "zero-variance": self.testable & ((right == 0) | (self.x + self.y == 0))}
        numbers = {"zero-variance": {"outcomes": 1.0}}
        return tuple(
            Remark(code, tuple(np.flatnonzero(pairs).tolist()), numbers.get(code, {}))
            for code, pairs in found.items()
            if pairs.any()
        )


def proportions(blocks: Blocks) -> Proportions:
    """Count the outcomes in blocks.values: 0 and 1 (1 is wrong) or -1 and 0 (-1 is right); BenchkitError for other values."""
    found = agreement(blocks.values)
    size, right = np.diag(found.shared).astype(np.float64), np.diag(found.both).astype(np.float64)
    a, b = blocks.contrasts.T
    wrong = size - right
    mean = found.means.estimate
    return Proportions(wrong[a], size[a], wrong[b], size[b], mean[a], mean[b], wrong, size, found.means)
