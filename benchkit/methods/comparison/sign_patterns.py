"""What random signs of whole replicates would make of the statistics of all pairs: counts and maxima, exact or drawn."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.records import Floats, Integers

# all patterns of signs are taken of so many replicates, 2^19 that differ, if they have no more statistics than this
MOST_EXACT, MOST_STATISTICS = 20, 20_000_000
# patterns per matrix product: few large ones, since each wakes all threads. That of random patterns is part of their stream,
# so it depends on the replicates alone.
CHUNK_OF_ALL = 2**15
SIGNS, FEWEST, MOST = 2**20, 256, 1024
# rows per matrix product: not the signs of all rows at once as floats, but few products, as each wakes all threads
SLICE = 2**13
# one minus the squared cosine below this is rounding: the statistic is infinite
NO_VARIATION = 1e-12
# statistics that agree to nine digits are equal
SAME = 1e-9


@dataclass(frozen=True)
class Patterns:
    """How the patterns of signs compare with what was observed, for m pairs.

    hits, hits_step_down: shape (m,), the patterns in which |t| of the pair, or the largest |t| of it and the pairs with
    smaller observed ones, reaches the observed |t|. largest: shape (size,), ascending, the largest |t| of each pattern.
    exact: all patterns that differ, the observed one among them; else independent draws.
    """

    hits: Floats
    hits_step_down: Floats
    largest: Floats
    exact: bool

    @property
    def smallest_p(self) -> float:
        """Return the least p-value that so many patterns can give."""
        return 1.0 / (self.largest.size if self.exact else self.largest.size + 1.0)

    def share(self, hits: Floats) -> Floats:
        """Return the p-value of so many hits: their share if exact, else (1 + hits)/(1 + draws)."""
        return np.asarray(np.maximum(hits, 1.0) / self.largest.size if self.exact else (1.0 + hits) * self.smallest_p)

    def tail(self, t: Floats) -> Floats:
        """Return the p-value of max|t| for each t, any shape; NaN for NaN."""
        reaching = self.largest.size - np.searchsorted(self.largest, t * (1.0 - SAME), side="left")
        return np.where(np.isnan(t), np.nan, self.share(reaching.astype(np.float64)))

    def critical(self, level: float) -> float:
        """Return the value beyond which tail is at most 1 - level; infinite if the patterns are too few for that."""
        allowed = int(np.floor((1.0 - level) / self.smallest_p + 1e-9)) - (0 if self.exact else 1)
        if (1.0 - level) < self.smallest_p * (1.0 - SAME):
            return np.inf
        # a bit beyond, so that a statistic equal to it by all but rounding is not beyond it
        return float(self.largest[self.largest.size - 1 - allowed] * (1.0 + SAME))


def sign_patterns(differences: Floats, noise: Floats, draws: int, generator: np.random.Generator) -> Patterns:
    """Flip the signs of whole rows of differences, (B, m), 0 where the two tie and NaN where one is missing; B > 0.

    Every column needs two values. noise: shape (m,), what one difference may owe to rounding: sums that differ by less than
    sqrt(n) times that are equal. All 2^(B - 1) patterns that differ are taken when at most 20 rows have a difference that is not
    zero (fewer with more than 38 columns), else `draws` random ones.
    """
    n = (~np.isnan(differences)).sum(axis=0)
    filled = np.where(np.isnan(differences), 0.0, differences)
    largest = np.abs(filled).max(axis=0)
    unit = np.where(largest > 0, largest, 1.0)
    filled = filled / unit
    squares = (filled**2).sum(axis=0)
    observed = np.maximum(np.abs(filled.sum(axis=0)) - np.sqrt(n) * noise / unit, 0.0)
    reached = _squared_t(observed[:, None], squares, n)[:, 0]
    order = np.argsort(reached)
    used = filled.any(axis=1)
    exact = int(used.sum()) <= MOST_EXACT and 2 ** max(int(used.sum()) - 1, 0) * len(n) <= MOST_STATISTICS
    rows = filled[used] if exact else filled
    hits, hits_step_down, maxima = np.zeros(len(n)), np.zeros(len(n)), []
    total, twice = rows.sum(axis=0), 2.0 * rows
    for turned in _all_patterns(len(rows)) if exact else _random_patterns(len(rows), draws, generator):
        squared = _squared_t(total[:, None] - _turned_sums(twice, turned), squares, n)
        running = np.zeros(len(turned))
        for j in order:
            hits[j] += np.count_nonzero(squared[j] >= reached[j])
            np.maximum(running, squared[j], out=running)
            hits_step_down[j] += np.count_nonzero(running >= reached[j])
        maxima.append(running)
    # a pair may not have less than one with a larger statistic
    hits_step_down[order[::-1]] = np.maximum.accumulate(hits_step_down[order[::-1]])
    return Patterns(hits, hits_step_down, np.sort(np.sqrt(np.concatenate(maxima))), exact)


def _turned_sums(rows: Floats, turned: NDArray[np.uint8]) -> Floats:
    """Return the sums of the rows, (B, m), whose sign turns in each pattern, shape (m, patterns)."""
    sums = np.zeros((rows.shape[1], len(turned)))
    for start in range(0, len(rows), SLICE):
        part = slice(start, start + SLICE)
        sums += rows[part].T @ turned[:, part].T.astype(np.float64)
    return sums


def _squared_t(sums: Floats, squares: Floats, n: Integers) -> Floats:
    """Return (n - 1) c / (1 - c), c = sums^2 / (n squares), which is t^2: signs change no square. 0 without any difference.

    sums: shape (m, patterns); it is overwritten.
    """
    sums *= sums
    sums /= np.where(squares > 0, n * squares, 1.0)[:, None]
    rest = 1.0 - sums
    rest[rest <= NO_VARIATION] = 0.0
    sums *= (n - 1.0)[:, None]
    with np.errstate(divide="ignore"):
        sums /= rest
    return sums


def _all_patterns(rows: int) -> Iterator[NDArray[np.uint8]]:
    """Give all patterns, a block at a time: 1 where a sign turns; the last stays, since to flip all is to flip none."""
    patterns = 2 ** max(rows - 1, 0)
    for start in range(0, patterns, CHUNK_OF_ALL):
        numbers = np.arange(start, min(start + CHUNK_OF_ALL, patterns))
        yield (numbers[:, None] >> np.arange(rows) & 1).astype(np.uint8)


def _random_patterns(rows: int, draws: int, generator: np.random.Generator) -> Iterator[NDArray[np.uint8]]:
    """Give `draws` random patterns, a block at a time."""
    chunk = min(max(SIGNS // rows, FEWEST), MOST)
    width = -(-rows // 8)  # bytes that hold the bits of one pattern
    for start in range(0, draws, chunk):
        size = min(chunk, draws - start)
        drawn = np.frombuffer(generator.bytes(size * width), dtype=np.uint8).reshape(size, width)
        yield np.unpackbits(drawn, axis=1, count=rows)
