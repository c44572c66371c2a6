"""The interval of a shift between two independent samples that belongs to the permutation test of Welch's statistic."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import comb

from benchkit.methods.comparison.label_shuffles import drawn
from benchkit.methods.comparison.paired import FLOAT_NOISE
from benchkit.methods.records import Floats

MOST_LISTED = 20_000
NEAR, FAR = 1e-12, 1e8
# of Newton's steps, each at least as good as halving the digits that are open
MOST_STEPS, CLOSE = 100, 1e-12


@dataclass(frozen=True)
class Crossings:
    """The ways to share the values out anew: `sums`() are those, (4, ways), of `pooled`, centred and divided by `scale`.

    added: the ways that count in addition to those drawn (1 for random draws, 0 if all are listed). Sums are made anew each
    time and reaches when asked for, since most of many pairs never need them.
    """

    estimate: float
    sums: Callable[[], Floats]
    pooled: Floats
    shape: tuple[int, int]
    scale: float
    added: int

    @cached_property
    def below(self) -> Floats:
        """How far the shift may lie below the estimate so that the |t| of each way is still as large; descending."""
        return self._reach(-1.0)

    @cached_property
    def above(self) -> Floats:
        """The same above the estimate; infinite for the samples as they are."""
        return self._reach(1.0)

    @cached_property
    def unchanged(self) -> NDArray[np.bool_]:
        """Which ways leave the samples as they are, or exchange them."""
        from_first, (n, m) = self.sums()[0], self.shape
        return np.asarray((from_first == n) | ((from_first == 0) & (n == m)))

    def _reach(self, side: float) -> Floats:
        found = _reach(self.sums(), self.pooled, self.shape, side)
        return np.sort(np.where(self.unchanged, np.inf, found))[::-1] * self.scale

    def interval(self, level: float) -> tuple[float, float]:
        """Return the shifts whose p-value exceeds 1 - level; infinite ends where so small a p-value cannot occur."""
        ways = self.unchanged.size
        spared = int(np.floor((1.0 - level) * (ways + self.added) + 1e-9)) - self.added
        if spared < np.count_nonzero(self.unchanged):  # no need to look at the others
            return -np.inf, np.inf
        if spared >= ways:
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
    same = copy.deepcopy(generator)  # the same ways each time

    def sums() -> Floats:
        return _listed_sums(pooled, n) if listed else _drawn_sums(pooled, n, draws, copy.deepcopy(same))

    return Crossings(float(first.mean() - second.mean()), sums, pooled, (n, m), scale, 0 if listed else 1)


def _reach(sums: Floats, pooled: Floats, shape: tuple[int, int], side: float) -> Floats:
    """Return for each way the distance u >= 0 from the estimate up to which its |t| is at least that of the samples.

    With u subtracted from the values of the first sample, centred like those of the second, all sums of a way are polynomials
    in u: `sums` holds its number of values from the first sample, their sum, and the sum and sum of squares of all its values.
    So the way's |t| is that of the samples where distance(u)^2 error^2 = u^2 variance(u), of degree 4 in u.
    """
    n, m = shape
    from_first, sum_first, total, squares = sums
    first, second = pooled[:n], pooled[n:]
    all_squares = float(np.sum(pooled**2))
    error = np.sqrt(np.sum(first**2) / (n * (n - 1.0)) + np.sum(second**2) / (m * (m - 1.0)))
    # the sums of the way, mine, and of the rest, by powers of u
    mine, rest = (total, -side * from_first), (-total, side * (from_first - n))
    my_squares = (squares, -2.0 * side * sum_first, from_first)
    rest_squares = (all_squares - squares, 2.0 * side * sum_first, n - from_first)
    variance = _within(mine, my_squares, n) + _within(rest, rest_squares, m)
    d = np.stack([mine[power] / n - rest[power] / m for power in (0, 1)]) * error
    quartic = np.stack([d[0] ** 2, 2.0 * d[0] * d[1], d[1] ** 2 - variance[0], -variance[1], -variance[2]])
    return _last_positive(quartic) if error > 0 else np.zeros(total.shape)


def _within(total: tuple[Floats, Floats], squares: tuple[Floats, Floats, Floats], size: int) -> Floats:
    """Return the squared standard error of the mean of `size` values by powers of u, (3, ways), from sum and sum of squares."""
    straight, bent = total
    powers = (squares[0] - straight**2 / size, squares[1] - 2.0 * straight * bent / size, squares[2] - bent**2 / size)
    return np.stack(powers) / (size * (size - 1.0))


def _last_positive(quartic: Floats) -> Floats:
    """Return where polynomials, coefficients (5, ways) by ascending powers, stop being positive between 0 and 1e8.

    Newton's steps within a bracket that shrinks with every sign; where a step leaves it, its geometric middle.
    """
    found = np.full(quartic.shape[1], 0.0)
    at_near, at_far = (np.polynomial.polynomial.polyval(u, quartic) > 0 for u in (NEAR, FAR))
    found[at_far] = FAR
    open_ = np.flatnonzero(at_near & ~at_far)
    c0, c1, c2, c3, c4 = quartic[:, open_]
    low, high, u = np.full(open_.size, NEAR), np.full(open_.size, FAR), np.ones(open_.size)
    for _ in range(MOST_STEPS):
        value = (((c4 * u + c3) * u + c2) * u + c1) * u + c0
        slope = ((4.0 * c4 * u + 3.0 * c3) * u + 2.0 * c2) * u + c1
        positive = value > 0
        low, high = np.where(positive, u, low), np.where(positive, high, u)
        step = u - np.divide(value, slope, out=np.full(u.shape, np.inf), where=slope != 0)
        following = np.where((step > low) & (step < high), step, np.sqrt(low * high))
        found[open_] = following
        going = (np.abs(following - u) > CLOSE * u) & (high - low > CLOSE * high)
        if not going.any():
            break
        open_, low, high, u = open_[going], low[going], high[going], following[going]
        c0, c1, c2, c3, c4 = (c[going] for c in (c0, c1, c2, c3, c4))
    return found


def _centred(sample: Floats) -> Floats:
    """Return the deviations from the mean, all 0 if they are rounding alone."""
    deviation = sample - sample.mean()
    noise = FLOAT_NOISE * np.max(np.abs(sample))
    return np.where(np.max(np.abs(deviation)) <= noise, 0.0, deviation)


def _listed_sums(pooled: Floats, n: int) -> Floats:
    """Return the sums (4, ways) of all choices of n of the values."""
    return _sums(pooled, n, _choices(pooled.size, n))


@lru_cache(maxsize=4)
def _choices(total: int, size: int) -> NDArray[np.intp]:
    """Return all choices of `size` of the numbers 0 .. total - 1, the same for each pair of samples of one size."""
    return np.array(list(combinations(range(total), size)), dtype=np.intp)


def _drawn_sums(pooled: Floats, n: int, draws: int, generator: np.random.Generator) -> Floats:
    """Return the sums (4, draws) of random choices of n of the values."""
    return np.concatenate([_sums(pooled, n, chosen) for chosen in drawn(pooled.size, n, draws, generator)], axis=1)


def _sums(pooled: Floats, n: int, chosen: NDArray[np.intp]) -> Floats:
    is_first = np.arange(pooled.size) < n
    weights = (is_first.astype(np.float64), np.where(is_first, pooled, 0.0), pooled, pooled**2)
    return np.stack([weight[chosen].sum(axis=1) for weight in weights])
