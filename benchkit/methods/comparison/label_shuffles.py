"""All ways to share out the values of two samples anew, and how often Welch's statistic is then as large as it was."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from benchkit.methods.comparison.paired import FLOAT_NOISE
from benchkit.methods.records import Floats, Integers

MOST_STATES, MOST_COUNTED = 1e7, 1e12
# with more distinct values (and too many ways) nothing is gained by ties
MOST_DISTINCT = 64
CHUNK = 1 << 20
# statistics that agree to so many digits are equal
TIE = 1e-10


def distinct(pooled: Floats) -> tuple[Floats, Integers]:
    """Return the distinct values, ascending, and how often each occurs; neighbours within 1e-12 of the largest are one."""
    ordered = np.sort(pooled)
    noise = FLOAT_NOISE * float(np.max(np.abs(ordered), initial=0.0))
    first = np.flatnonzero(np.append(True, np.diff(ordered) > noise))
    return ordered[first], np.diff(np.append(first, ordered.size))


def states(numbers: Integers, size: int) -> float:
    """Return how many samples of `size`, different in their values, there are; infinity if certainly too many to visit.

    numbers: how often each distinct value occurs.
    """
    total = int(numbers.sum())
    if _log_ways(total, size) <= np.log(MOST_STATES):
        return float(np.exp(_log_ways(total, size))) if (numbers == 1).all() else _count(numbers, size)
    return _count(numbers, size) if numbers.size <= MOST_DISTINCT else np.inf


def p_value(first: Floats, second: Floats, draws: int, generator: np.random.Generator) -> tuple[float, bool]:
    """Return the share of all ways in which Welch's t^2 is at least that of the samples given, and whether it is exact.

    Both samples have two values or more. The statistic depends on the first sample's sum and sum of squares only, so equal
    values need no visits of their own. With more than 1e7 different ways it is (1 + hits)/(1 + draws) of random ones.
    """
    pooled = np.concatenate([first, second])
    values, numbers = distinct(pooled)
    n, m = first.size, second.size
    values = values - np.average(values, weights=numbers)
    values /= np.max(np.abs(values), initial=0.0) or 1.0
    which = np.empty(pooled.size, dtype=np.intp)
    which[np.argsort(pooled, kind="stable")] = np.repeat(np.arange(numbers.size), numbers)
    sample = values[which]
    whole = np.array([sample.sum(), np.sum(sample**2)])
    distance, variance = welch_parts(np.asarray(sample[:n].sum()), np.asarray(np.sum(sample[:n] ** 2)), whole, (n, m))
    if abs(distance) <= FLOAT_NOISE:
        return 1.0, True

    def as_large(total: Floats, squares: Floats) -> NDArray[np.bool_]:
        """Say where distance^2/variance is at least the observed one; x/0 is infinite."""
        d, v = welch_parts(total, squares, whole, (n, m))
        return np.asarray(d**2 * variance >= distance**2 * v * (1.0 - TIE))

    if states(numbers, min(n, m)) > MOST_STATES:
        drawn_hits = sum(
            int(as_large(sample[chosen].sum(axis=1), np.sum(sample[chosen] ** 2, axis=1)).sum())
            for chosen in drawn(n + m, n, draws, generator)
        )
        return (1.0 + drawn_hits) / (1.0 + draws), False
    log_all = _log_ways(n + m, n)
    # as long as they are exact in a double, ways are counted; else their shares are added
    whole_numbers = log_all < np.log(MOST_COUNTED)
    hits, unit = 0.0, 0.0 if whole_numbers else log_all
    for total, squares, log_ways in _ways(values, numbers, n):
        hits += float(np.exp(log_ways[as_large(total, squares)] - unit).sum())
    return min(float(np.rint(hits) / np.rint(np.exp(log_all))) if whole_numbers else hits, 1.0), True


def drawn(total: int, size: int, draws: int, generator: np.random.Generator) -> Iterator[NDArray[np.intp]]:
    """Yield random choices of `size` of the numbers 0 .. total - 1, in pieces (r, size)."""
    step = max(CHUNK // total, 1)
    for start in range(0, draws, step):
        order = np.tile(np.arange(total), (min(step, draws - start), 1))
        yield generator.permuted(order, axis=1, out=order)[:, :size]


def welch_parts(total: Floats, squares: Floats, whole: Floats, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    """Return the difference of means and the square of its standard error for first samples with these sums.

    whole: sum and sum of squares of both samples together; shape: the sizes of the two. Values are at most about 1, so that a
    squared standard error below 1e-14 is rounding alone, and 0.
    """
    n, m = shape
    rest = whole[0] - total
    within_first = np.maximum(squares - total**2 / n, 0.0) / (n * (n - 1.0))
    within_second = np.maximum(whole[1] - squares - rest**2 / m, 0.0) / (m * (m - 1.0))
    variance = within_first + within_second
    return total / n - rest / m, np.where(variance < 1e-14, 0.0, variance)


def _ways(values: Floats, numbers: Integers, size: int) -> Iterator[tuple[Floats, Floats, Floats]]:
    """Yield, in pieces, sum, sum of squares and log number of ways of all samples of `size`; shapes (r, s).

    The distinct values are split into two halves, and each choice from one half meets each choice from the other.
    """
    middle = (values.size + 1) // 2
    left, right = (_choices(values[part], numbers[part], size) for part in (slice(middle), slice(middle, None)))
    for chosen in range(size + 1):
        (left_from, left_to), (right_from, right_to) = (
            np.searchsorted(half[0], [wanted, wanted + 1]) for half, wanted in ((left, chosen), (right, size - chosen))
        )
        if left_from == left_to or right_from == right_to:
            continue
        step = max(CHUNK // int(right_to - right_from), 1)
        for start in range(left_from, left_to, step):
            rows = slice(start, min(start + step, left_to))
            total, squares, log_ways = (left[i][rows, None] + right[i][None, right_from:right_to] for i in (1, 2, 3))
            yield total, squares, log_ways


def _choices(values: Floats, numbers: Integers, most: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Return all choices of at most `most` of these values: how many, sum, sum of squares, log of the ways; by how many."""
    found = np.zeros((4, 1))
    for value, number in zip(values.tolist(), numbers.tolist(), strict=True):
        taken = np.arange(min(number, most) + 1.0)
        ways = gammaln(number + 1.0) - gammaln(taken + 1.0) - gammaln(number - taken + 1.0)
        step = np.stack([taken, taken * value, taken * value**2, ways])
        found = (found[:, :, None] + step[:, None, :]).reshape(4, -1)
        found = found[:, found[0] <= most]
    size, total, squares, log_ways = found[:, np.argsort(found[0], kind="stable")]
    return size, total, squares, log_ways


def _log_ways(total: int, size: int) -> float:
    return float(gammaln(total + 1.0) - gammaln(size + 1.0) - gammaln(total - size + 1.0))


def _count(numbers: Integers, size: int) -> float:
    """Return the coefficient of x^size in the product of 1 + x + ... + x^number; infinity once coefficients get huge."""
    ways = np.zeros(size + 1)
    ways[0] = 1.0
    for number in numbers.tolist():
        cumulated = np.cumsum(ways)
        if number < size:
            cumulated[number + 1 :] -= cumulated[: size - number].copy()
        ways = cumulated
        if ways.max() > 1e15:
            return np.inf
    return float(ways[size])
