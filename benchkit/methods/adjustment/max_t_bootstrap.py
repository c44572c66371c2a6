"""The studentised bootstrap of the largest |t|: whole replicates are drawn, so every dependence between pairs stays."""

from collections.abc import Iterator
from math import ceil

import numpy as np
from numpy.typing import NDArray

from benchkit.errors import BenchkitError
from benchkit.methods.records import Floats

# Resamples per matrix product. Part of the stream of random numbers: it depends on nothing, so that the same seed
# draws the same replicates whichever contrasts are asked for.
CHUNK = 256
# More replicates than MANY are drawn block by block, a byte each, so that the counts stay in the cache; part of the stream, too.
# SLICE, some blocks, go into one matrix product: each wakes all threads.
MANY, BLOCK, SLICE = 8192, 256, 8192
# A resampled variance below this share of the mean square is rounding: the resample repeats one value.
NO_VARIATION = 1e-12


def resample_counts(replicates: int, draws: int, generator: np.random.Generator) -> Iterator[Floats]:
    """How often each replicate occurs in each resample: blocks of shape (at most 256, replicates), `draws` rows in all."""
    for start in range(0, draws, CHUNK):
        rows = min(CHUNK, draws - start)
        drawn = generator.integers(0, replicates, size=(rows, replicates))
        drawn += replicates * np.arange(rows)[:, None]
        yield np.bincount(drawn.ravel(), minlength=rows * replicates).reshape(rows, replicates).astype(np.float64)


def resampled_sums(columns: Floats, draws: int, generator: np.random.Generator) -> Iterator[Floats]:
    """Yield the sums of the columns, (B, q), over each resample of replicates: shape (at most 256, q), `draws` rows in all.

    Up to 8192 replicates the resamples are those of `resample_counts`. Of more, the number of a resample's draws that fall into
    each block of replicates comes first (multinomial), then which of its block each draw takes: the same distribution.
    """
    B = len(columns)
    if B <= MANY:
        for counts in resample_counts(B, draws, generator):
            yield counts @ columns
        return
    chances = np.diff(np.append(np.arange(0, B, BLOCK), B)) / B
    for start in range(0, draws, CHUNK):
        rows = min(CHUNK, draws - start)
        numbers = generator.multinomial(B, chances, size=rows)
        sums = np.zeros((rows, columns.shape[1]))
        for first in range(0, B, SLICE):
            part = columns[first : first + SLICE]
            counts = np.empty((rows, len(part)))
            for at in range(0, len(part), BLOCK):
                width = min(BLOCK, len(part) - at)
                drawn = np.repeat(width * np.arange(rows), numbers[:, (first + at) // BLOCK])
                drawn += _places(width, drawn.size, generator)
                counts[:, at : at + width] = np.bincount(drawn, minlength=rows * width).reshape(rows, width)
            sums += counts @ part
        yield sums


def _places(width: int, number: int, generator: np.random.Generator) -> NDArray[np.uint8]:
    """Return `number` independent places among `width` <= 256."""
    if width < BLOCK:
        return generator.integers(0, width, number, dtype=np.uint8)
    # every byte of a random word is a place
    words = generator.integers(0, 2**64 - 1, -(-number // 8), dtype=np.uint64, endpoint=True)
    return words.view(np.uint8)[:number]


def statistics(differences: Floats, draws: int, generator: np.random.Generator) -> Floats:
    """T* of each resample, ascending, shape (draws,): max over pairs of |mean*| / (sd* / sqrt B).

    differences: shape (B, m), each column must vary; they are centred by their observed means. A resample in which some
    column has no spread gives infinity: it counts as reaching every value.
    Source: Westfall & Young 1993, section 2.3; Romano & Wolf 2005.
    """
    B = differences.shape[0]
    centred = differences - differences.mean(axis=0)
    centred = centred / np.abs(centred).max(axis=0)
    m = centred.shape[1]
    largest = np.empty(draws)
    done = 0
    for sums in resampled_sums(np.hstack([centred, centred**2]), draws, generator):
        square_of_mean = (sums[:, :m] / B) ** 2
        mean_square = sums[:, m:] / B
        variance = mean_square - square_of_mean
        ratio = np.full(variance.shape, np.inf)
        np.divide(square_of_mean, variance, out=ratio, where=variance > NO_VARIATION * mean_square)
        largest[done : done + len(sums)] = ratio.max(axis=1)
        done += len(sums)
    largest.sort()
    return np.asarray(np.sqrt((B - 1) * largest))


def quantile(level: float, resampled: Floats) -> float:
    """Return the ceil(level (R + 1))-th smallest of R ascending T*.

    BenchkitError when R resamples cannot hold the level (the index would exceed R).
    """
    draws = resampled.size
    index = ceil(level * (draws + 1) - 1e-9)  # .95 x 10000 must be 9500 whatever the last bit says
    if index > draws:
        raise BenchkitError(
            f"a level of {level:.10g} needs more than {draws} bootstrap resamples",
            f"the highest level that {draws} resamples can hold is {draws / (draws + 1):g}",
        )
    return float(resampled[index - 1])


def sf(t: Floats, resampled: Floats) -> Floats:
    """(1 + #{T* >= t}) / (R + 1) for each t: single-step p-values that agree with the interval of `quantile`."""
    reaching = resampled.size - np.searchsorted(resampled, t, side="left")
    return np.asarray((1.0 + reaching) / (resampled.size + 1.0), dtype=np.float64)
