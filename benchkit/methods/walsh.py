"""Order statistics of the Walsh averages (d_i + d_j) / 2, i <= j, without forming them all."""

import numpy as np

from benchkit.methods.records import Floats, Integers

FEW = 50_000
"""So many averages are simply sorted, and kept."""

COARSE = 300
"""About so many values stand for all of them in a first guess."""


class WalshAverages:
    """The n (n + 1) / 2 averages of all pairs of `values`, each value with itself included; averages within `noise` are 0."""

    def __init__(self, values: Floats, noise: float = 0.0) -> None:
        self.values = np.sort(values)
        self.noise = noise
        n = self.values.size
        self.size = n * (n + 1) // 2
        self._sorted = _all_sums(self.values) if self.size <= FEW else None

    def smallest(self, k: int) -> float:
        """Return the k-th smallest average, k from 1 to size."""
        return self._middle(k, k)

    def median(self) -> float:
        """Return the median of the averages: the pseudo-median of Hodges & Lehmann 1963."""
        return self._middle((self.size + 1) // 2, self.size // 2 + 1)

    def _middle(self, k: int, following: int) -> float:
        if self._sorted is None:
            found = _select(self.values, k, following) / 2.0
        else:
            found = float(self._sorted[k - 1]) / 4.0 + float(self._sorted[following - 1]) / 4.0
        return 0.0 if abs(found) <= self.noise else found


def _all_sums(values: Floats) -> Floats:
    i, j = np.triu_indices(values.size)
    return np.sort(values[i] + values[j])


def _select(values: Floats, k: int, following: int) -> float:
    """Return the k-th smallest of the sums values_i + values_j, i <= j, values ascending; to a few units of rounding.

    following: k, or k + 1 for the mean of the two. The range is narrowed by counting, O(n log n) each, until it holds few
    enough sums to list.
    """
    n = values.size
    first = np.arange(n)
    low, high = 2.0 * float(values[0]), 2.0 * float(values[-1])
    # at_low sums, those with j < starts_i, are below low; at_high, those with j < ends_i, are at most high
    starts, ends = first, np.full(n, n)
    at_low, at_high = 0, n * (n + 1) // 2
    resolution = 1e-15 * max(abs(low), abs(high))
    guesses = _guesses(values, k / at_high)
    while at_high - at_low > 4 * n and high - low > resolution:
        middle = guesses.pop() if guesses else low + (high - low) / 2.0
        if not low <= middle < high:
            continue
        # searched for in ascending order, which saves a third of the time
        upto = np.maximum(np.searchsorted(values, middle - values[::-1], side="right")[::-1], first)
        count = int((upto - first).sum())
        # on to the next sums that exist, so that heavy ties end the search at once
        below, above = _neighbours(values, upto)
        if count >= following:
            high, ends, at_high = below, upto, count
        elif count < k:
            low, starts, at_low = above, upto, count
        else:
            return below / 2.0 + above / 2.0
    if high - low <= resolution:
        return low
    places = [k - at_low - 1, following - at_low - 1]
    return float(np.partition(_listed(values, starts, ends), places)[places].mean())


def _neighbours(values: Floats, upto: Integers) -> tuple[float, float]:
    """Return the largest sum with j < upto_i and the smallest one with j >= upto_i."""
    below, above = upto > np.arange(values.size), upto < values.size
    return float((values[below] + values[upto[below] - 1]).max()), float((values[above] + values[upto[above]]).min())


def _guesses(values: Floats, share: float) -> list[float]:
    """Return sums that are likely to lie just below and above the one sought, from every so-many-th value."""
    coarse = values[:: max(values.size // COARSE, 1)]
    sums = _all_sums(coarse)
    places = [share + step / coarse.size for step in (3.0, -3.0, 0.5, -0.5)]
    return [float(sums[min(max(int(place * sums.size), 0), sums.size - 1)]) for place in places]


def _listed(values: Floats, starts: Integers, ends: Integers) -> Floats:
    """Return values_i + values_j for starts_i <= j < ends_i."""
    number = ends - starts
    i = np.repeat(np.arange(values.size), number)
    j = np.arange(number.sum()) - np.repeat(np.cumsum(number) - number, number) + np.repeat(starts, number)
    return np.asarray(values[i] + values[j])
