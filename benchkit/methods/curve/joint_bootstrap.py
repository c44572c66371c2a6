"""Brute force: resample voters and items of a voting ensemble many times, and look how its curve varies (roc.md, 2.3 to 2.5).

Voters: m of M with replacement. Items: as many of each class as there are, with replacement; since the curve needs to know
only how many items have how many votes, that is one multinomial draw from each histogram, with the very same distribution.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.curve.functionals import Functional
from benchkit.methods.records import Floats, Integers

Bytes = NDArray[np.uint8]
# scores (items times draws) that are held at a time
MOST_SCORES = 1 << 22


class VoterBootstrap:
    """How many items have how many votes with each draw of m of M voters; `add` the blocks of an ensemble, then look.

    Memory grows with draws times m, not with the number of items.
    """

    def __init__(self, voters: int, m: int, draws: int, generator: np.random.Generator) -> None:
        """Draw the voters."""
        # whole numbers up to 2^24 are exact in 32 bits, and so are their sums of products with votes
        chosen = generator.multinomial(m, np.full(voters, 1 / voters), size=draws)
        self._chosen = np.ascontiguousarray(chosen.T, dtype=np.float32)
        self._voters = voters
        self._places = np.arange(draws) * (m + 1)
        self._counts = np.zeros((2, draws, m + 1), dtype=np.int64)

    def add(self, labels: NDArray[np.int8], votes: Bytes, packed: bool) -> None:
        """Count a block: labels (n,) of 0 and 1, votes (n, M) of 0 and 1, or packed bits (n, bytes), big end first."""
        step = max(1, MOST_SCORES // max(len(self._places), self._voters))
        for start in range(0, len(labels), step):
            part = votes[start : start + step]
            part = np.unpackbits(part, axis=1, count=self._voters) if packed else part
            places = (part.astype(np.float32) @ self._chosen).astype(np.int64) + self._places
            for c in range(2):
                rows = places[labels[start : start + step] == c].ravel()
                counted = self._counts[c]
                counted += np.bincount(rows, minlength=counted.size).reshape(counted.shape)

    @property
    def histograms(self) -> Iterator[Integers]:
        """The items of each class with k votes in each draw, shape (2, m + 1)."""
        return (self._counts[:, draw] for draw in range(self._counts.shape[1]))


def with_new_items(histograms: Iterable[Integers], generator: np.random.Generator) -> Iterator[Integers]:
    """Yield each histogram, shape (2, m + 1), with its items drawn anew within their class. Each class has items."""
    for histogram in histograms:
        yield np.stack([generator.multinomial(items.sum(), items / items.sum()) for items in histogram])


def draws_of(
    histograms: Iterable[Integers], functionals: Sequence[Functional], chosen: Integers | slice = slice(None)
) -> tuple[Floats, Floats]:
    """Return the rates of each draw at the chosen thresholds, shape (draws, 2, T), and the numbers, shape (draws, K)."""
    rates, numbers = [], []
    for histogram in histograms:
        above = np.cumsum(histogram[:, ::-1], axis=1)[:, ::-1]
        curve = above / above[:, :1]
        rates.append(curve[:, chosen])
        numbers.append([functional(curve)[0] for functional in functionals])
    return np.array(rates), np.array(numbers).reshape(len(rates), -1)
