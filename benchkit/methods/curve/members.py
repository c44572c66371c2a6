"""Ensembles whose members weigh differently or say numbers instead of votes: curves and variances by the joint bootstrap.

Score of an item: the weighted mean of what m members say. A draw takes m of M members with replacement, each with its
weight, and as many items of each class as there are; the variances are then taken apart as for votes (roc.md, 2.5).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.curve.functionals import Functional
from benchkit.methods.curve.moments import thinned
from benchkit.methods.curve.scores import ranked
from benchkit.methods.records import Floats, Integers

Labels = NDArray[np.int8]
# numbers that are held at a time beside what the members say
MOST_SCORES = 1 << 22
MOST_THRESHOLDS = 256
# thresholds of ensembles that are not at hand come from so many drawn ones
FOR_THRESHOLDS = 8
# scores this many digits below the largest value are equal: sums in another order give other last digits
DIGITS = 12
NOISE = 1e-12


@dataclass(frozen=True)
class Members:
    """What M members say of n items: said, shape (n, M), votes or real numbers; weights, shape (M,), positive."""

    said: NDArray[np.uint8] | Floats
    weights: Floats

    @property
    def count(self) -> int:
        """M."""
        return int(self.said.shape[1])

    @cached_property
    def _digits(self) -> int:
        """Decimals that scores have."""
        largest = max(float(self.said.max(initial=0)), -float(self.said.min(initial=0)))
        return DIGITS - int(np.ceil(np.log10(largest))) if largest > 0 else DIGITS

    def scores(self, chosen: NDArray[np.integer] | Floats) -> Floats:
        """Return the means to 12 digits of the largest value, so that equal ones are equal whatever the order of the sums."""
        found = self.means(chosen)
        return np.asarray(np.round(found, self._digits) if abs(self._digits) < 300 else found, dtype=np.float64)

    def means(self, chosen: NDArray[np.integer] | Floats) -> Floats:
        """Return the weighted means, shape (n, B), of members chosen so and so often, shape (M, B)."""
        weights = self.weights[:, None] * chosen
        weights = weights / weights.sum(axis=0)
        found = np.empty((len(self.said), weights.shape[1]))
        step = max(1, MOST_SCORES // self.count)
        for start in range(0, len(found), step):
            found[start : start + step] = self.said[start : start + step].astype(np.float64, copy=False) @ weights
        return found


@dataclass(frozen=True)
class Resampled:
    """What the draws tell of ensembles of m members. Rates: false before true positive; numbers: those asked for, K.

    thresholds: (T,), the first -inf. rates: (2, T) of the ensembles asked about; smooth: (2, T), means over draws with
    replacement. voters: covariance of the rates over draws of members, (2, 2, T, T); same_item: D, (2, T, T), what there
    would be if items did not share the members. numbers, number_voters, number_same, number_items: (K,), values and variances,
    the last for items drawn anew. deviations: (draws, K), of the numbers when items are drawn; ensembles with the same items
    and generator saw the same draws. realised: rates and numbers are those of all members at hand.
    """

    thresholds: Floats
    rates: Floats
    smooth: Floats
    voters: Floats
    same_item: Floats
    numbers: Floats
    number_voters: Floats
    number_same: Floats
    number_items: Floats
    deviations: Floats
    realised: bool


def with_replacement(members: int, m: int, draws: int, generator: np.random.Generator) -> Integers:
    """Return how often each member is in each draw of m, shape (M, draws)."""
    return np.ascontiguousarray(generator.multinomial(m, np.full(members, 1 / members), size=draws).T)


def without_replacement(members: int, m: int, draws: int, generator: np.random.Generator) -> Integers:
    """Return 1 where a member is in a draw of m <= M of them, shape (M, draws)."""
    first = np.broadcast_to(np.arange(members) < m, (draws, members)).astype(np.int64)
    return np.ascontiguousarray(generator.permuted(first, axis=1).T)


def resample(
    members: Members,
    labels: Labels,
    m: int,
    smoothed: bool,
    functionals: Sequence[Functional],
    draws: int,
    generators: tuple[np.random.Generator, np.random.Generator],
) -> Resampled:
    """Resample members and items. labels: (n,) of 0 and 1, both present. generators: of the members, of the items.

    smoothed: means over members drawn with replacement; otherwise without, at m = M the ensemble at hand. Needs draws times n
    times a sort: about a second for 10 million.
    """
    M = members.count
    realised = m == M and not smoothed
    chosen = with_replacement(M, m, draws, generators[0])
    at_hand = members.scores(np.ones((M, 1)))[:, 0]
    pool = at_hand if realised else members.scores(chosen[:, :FOR_THRESHOLDS]).T.ravel()
    thresholds = _thresholds(pool, np.tile(labels, len(pool) // len(labels)))
    drawn = _Draws(labels, thresholds, functionals, None if realised else generators[1])
    drawn.add(members, chosen)
    smooth, voters = drawn.rates.mean(axis=0), _covariance(drawn.rates)
    asked = drawn
    if realised:
        asked = _Draws(labels, thresholds, functionals, None)
        asked.add(members, np.ones((M, 1), dtype=np.int64))
        again = np.array([_numbers(at_hand, labels, functionals, _weights(labels, generators[1])) for _ in range(draws)])
        deviations = again - again.mean(axis=0)
    else:
        deviations = drawn.weighted - drawn.numbers
        if not smoothed and m <= M:
            asked = _Draws(labels, thresholds, functionals, None)
            asked.add(members, without_replacement(M, m, draws, generators[0]))
    return Resampled(
        thresholds,
        asked.rates.mean(axis=0),
        smooth,
        voters,
        drawn.same_item(),
        asked.numbers.mean(axis=0),
        _without_noise(drawn.numbers.var(axis=0, ddof=1)),
        np.array([drawn.same_item_of(functional(smooth)[1]) for functional in functionals]),
        _without_noise(np.sum(deviations**2, axis=0) / (draws - 1)),
        deviations,
        realised,
    )


def _thresholds(scores: Floats, labels: Labels) -> Floats:
    """Return -inf and at most MOST_THRESHOLDS - 1 of the scores, evenly along their curve."""
    counts, _, distinct = ranked(scores, labels)
    rates = np.cumsum(counts.histogram[:, ::-1], axis=1)[:, ::-1] / counts.items[:, None]
    return np.concatenate([[-np.inf], distinct])[thinned(rates, MOST_THRESHOLDS)]


def _weights(labels: Labels, generator: np.random.Generator) -> Floats:
    """Return how often each item is in a resample of as many of each class, shape (n,)."""
    weights = np.zeros(len(labels))
    for c in range(2):
        rows = np.flatnonzero(labels == c)
        weights[rows] = np.bincount(generator.integers(0, len(rows), len(rows)), minlength=len(rows))
    return weights


def _numbers(scores: Floats, labels: Labels, functionals: Sequence[Functional], *weights: Floats | None) -> Floats:
    """Return the numbers of the curve of these scores with each of the weights of items in turn, flat."""
    distinct, rank = np.unique(scores, return_inverse=True)
    place = rank + 1 + labels.astype(np.int64) * (len(distinct) + 1)
    found = []
    for weight in weights:
        histogram = np.bincount(place, weight, 2 * len(distinct) + 2).reshape(2, -1)
        above = np.cumsum(histogram[:, ::-1], axis=1)[:, ::-1]
        curve = above / above[:, :1]
        found += [functional(curve)[0] for functional in functionals]
    return np.array(found)


def _without_noise(variance: Floats) -> Floats:
    """Return 0 for variances of numbers in [0, 1] that are rounding alone."""
    return np.where(variance > NOISE**2, variance, 0.0)


def _covariance(rates: Floats) -> Floats:
    """Return the covariance over draws of rates (draws, 2, T), shape (2, 2, T, T)."""
    size = rates.shape[2]
    if len(rates) < 2:
        return np.full((2, 2, size, size), np.nan)
    flat = (rates - rates.mean(axis=0)).reshape(len(rates), -1)
    whole = flat.T @ flat / (len(rates) - 1)
    return np.asarray(whole.reshape(2, size, 2, size).transpose(0, 2, 1, 3), dtype=np.float64)


class _Draws:
    """The curves of draws of members: rates (draws, 2, T), numbers (draws, K), and weighted, with items drawn anew."""

    def __init__(
        self, labels: Labels, thresholds: Floats, functionals: Sequence[Functional], items: np.random.Generator | None
    ) -> None:
        self._labels, self._thresholds, self._functionals, self._items = labels, thresholds, functionals, items
        # how often each item was between each threshold and the next
        self._between = np.zeros((len(labels), len(thresholds)), dtype=np.int32)
        self.rates, self.numbers, self.weighted = np.empty((0, 2, len(thresholds))), np.empty(0), np.empty(0)

    def add(self, members: Members, chosen: Integers) -> None:
        """Look at all draws, some at a time."""
        rates, numbers = [], []
        step = max(1, MOST_SCORES // len(self._labels))
        for start in range(0, chosen.shape[1], step):
            scores = members.scores(chosen[:, start : start + step])
            rates.append(self._curves(scores))
            for draw in scores.T:
                new = (None,) if self._items is None else (None, _weights(self._labels, self._items))
                numbers.append(_numbers(draw, self._labels, self._functionals, *new))
        self.rates = np.concatenate(rates)
        found = np.array(numbers)
        self.numbers, self.weighted = found[:, : len(self._functionals)], found[:, len(self._functionals) :]

    def _curves(self, scores: Floats) -> Floats:
        """Return the rates of each column of scores, (draws, 2, T), and remember where the items were."""
        size, (n, draws) = len(self._thresholds), scores.shape
        cell = np.searchsorted(self._thresholds[1:], scores, side="right")
        for row in range(0, n, max(1, MOST_SCORES // size)):
            part = cell[row : row + max(1, MOST_SCORES // size)]
            flat = (part + np.arange(len(part))[:, None] * size).ravel()
            self._between[row : row + len(part)] += (
                np.bincount(flat, minlength=len(part) * size).reshape(-1, size).astype(np.int32)
            )
        rates = np.empty((draws, 2, size))
        for c in range(2):
            rows = cell[self._labels == c]
            counts = np.bincount((rows + np.arange(draws) * size).ravel(), minlength=draws * size).reshape(draws, size)
            rates[:, c] = np.cumsum(counts[:, ::-1], axis=1)[:, ::-1] / len(rows)
        return rates

    def same_item(self) -> Floats:
        """Return D_c(t, s), shape (2, T, T): the sum over items of the covariance of being positive at t and s, by n_c^2."""
        size = len(self._thresholds)
        later = np.maximum.outer(np.arange(size), np.arange(size))
        found = np.empty((2, size, size))
        for c in range(2):
            mine = self._between[self._labels == c]
            above = np.cumsum(mine[:, ::-1], axis=1)[:, ::-1] / mine[:1].sum()
            found[c] = (above.sum(axis=0)[later] - above.T @ above) / len(mine) ** 2
        return found

    def same_item_of(self, gradient: Floats) -> float:
        """Return D of a number with this gradient, (2, T): of what each item adds to it, the variance over draws."""
        total = 0.0
        for c in range(2):
            mine = self._between[self._labels == c]
            adds = np.cumsum(gradient[c]) - gradient[c, 0]
            draws = mine[:1].sum()
            mean, square = mine @ adds / draws, mine @ adds**2 / draws
            variance = square - mean**2
            total += float(variance[variance > NOISE * square].sum()) / len(mine) ** 2
        return total
