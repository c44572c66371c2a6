"""The interval of a shift between two independent samples that belongs to the permutation test of Welch's statistic."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import comb

from benchkit.methods.comparison.label_shuffles import drawn
from benchkit.methods.comparison.paired import FLOAT_NOISE
from benchkit.methods.records import Floats
from benchkit.methods.roots import find_roots

MOST_LISTED = 20_000
FAR = 1e8


@dataclass(frozen=True)
class Crossings:
    """Of each shared-out way, how far the shift may lie below and above the estimate so that its |t| is still as large.

    Both descending, infinite for the samples as they are. added: the ways that count in addition to those drawn (1 for
    random draws, 0 if all are listed).
    """

    estimate: float
    below: Floats
    above: Floats
    added: int

    def interval(self, level: float) -> tuple[float, float]:
        """Return the shifts whose p-value exceeds 1 - level; infinite ends where so small a p-value cannot occur."""
        spared = int(np.floor((1.0 - level) * (self.below.size + self.added) + 1e-9)) - self.added
        if spared < 0:
            return -np.inf, np.inf
        if spared >= self.below.size:
            return self.estimate, self.estimate
        return self.estimate - float(self.below[spared]), self.estimate + float(self.above[spared])


def crossings(first: Floats, second: Floats, draws: int, generator: np.random.Generator) -> Crossings:
    """Prepare the interval: all ways are listed if there are at most 20,000, else `draws` are drawn.

    A shift is in the interval if the test of `first` minus the shift against `second` does not reject. That |t| of a way
    passes the |t| of the samples once only on each side of the estimate is taken for granted.
    """
    n, m = first.size, second.size
    a, b = _centred(first), _centred(second)
    scale = float(np.max(np.abs(np.concatenate([a, b])))) or 1.0
    listed = comb(n + m, n) <= MOST_LISTED
    pooled = np.concatenate([a, b]) / scale
    sums = _listed_sums(pooled, n) if listed else _drawn_sums(pooled, n, draws, generator)
    reach = [np.sort(_reach(sums, pooled, (n, m), side))[::-1] * scale for side in (-1.0, 1.0)]
    return Crossings(float(first.mean() - second.mean()), reach[0], reach[1], 0 if listed else 1)


def _reach(sums: Floats, pooled: Floats, shape: tuple[int, int], side: float) -> Floats:
    """Return for each way the distance u >= 0 from the estimate up to which its |t| is at least that of the samples.

    With u subtracted from the values of the first sample, centred like those of the second, all sums of a way are polynomials
    in u: `sums` holds its number of values from the first sample, their sum, and the sum and sum of squares of all its values.
    """
    n, m = shape
    from_first, sum_first, total, squares = sums
    first, second = pooled[:n], pooled[n:]
    all_squares = float(np.sum(pooled**2))
    error = np.sqrt(np.sum(first**2) / (n * (n - 1.0)) + np.sum(second**2) / (m * (m - 1.0)))

    def excess(u: Floats) -> Floats:
        move = side * u
        mine, my_squares = total - move * from_first, squares - 2.0 * move * sum_first + u**2 * from_first
        rest, rest_squares = -move * n - mine, all_squares + u**2 * n - my_squares
        within = np.maximum(my_squares - mine**2 / n, 0.0) / (n * (n - 1.0))
        within += np.maximum(rest_squares - rest**2 / m, 0.0) / (m * (m - 1.0))
        return np.asarray(np.abs(mine / n - rest / m) * error - u * np.sqrt(within))

    found = np.abs(find_roots(excess, np.full(total.shape, 1e-12), np.full(total.shape, FAR)))
    unchanged = (from_first == n) | ((from_first == 0) & (n == m))
    return np.where(unchanged, np.inf, found if error > 0 else 0.0)


def _centred(sample: Floats) -> Floats:
    """Return the deviations from the mean, all 0 if they are rounding alone."""
    deviation = sample - sample.mean()
    noise = FLOAT_NOISE * np.max(np.abs(sample))
    return np.where(np.max(np.abs(deviation)) <= noise, 0.0, deviation)


def _listed_sums(pooled: Floats, n: int) -> Floats:
    """Return the sums (4, ways) of all choices of n of the values."""
    chosen = np.array(list(combinations(range(pooled.size), n)), dtype=np.intp)
    return _sums(pooled, n, chosen)


def _drawn_sums(pooled: Floats, n: int, draws: int, generator: np.random.Generator) -> Floats:
    """Return the sums (4, draws) of random choices of n of the values."""
    return np.concatenate([_sums(pooled, n, chosen) for chosen in drawn(pooled.size, n, draws, generator)], axis=1)


def _sums(pooled: Floats, n: int, chosen: NDArray[np.intp]) -> Floats:
    is_first = np.arange(pooled.size) < n
    weights = (is_first.astype(np.float64), np.where(is_first, pooled, 0.0), pooled, pooled**2)
    return np.stack([weight[chosen].sum(axis=1) for weight in weights])
