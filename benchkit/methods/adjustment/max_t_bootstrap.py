"""The studentised bootstrap of the largest |t|: whole replicates are drawn, so every dependence between pairs stays."""

from collections.abc import Iterator
from math import ceil

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.methods.records import Floats

# Resamples per matrix product. Part of the stream of random numbers: it depends on nothing, so that the same seed
# draws the same replicates whichever contrasts are asked for.
CHUNK = 256
# A resampled variance below this share of the mean square is rounding: the resample repeats one value.
NO_VARIATION = 1e-12


def resample_counts(replicates: int, draws: int, generator: np.random.Generator) -> Iterator[Floats]:
    """How often each replicate occurs in each resample: blocks of shape (at most 256, replicates), `draws` rows in all."""
    for start in range(0, draws, CHUNK):
        rows = min(CHUNK, draws - start)
        drawn = generator.integers(0, replicates, size=(rows, replicates))
        drawn += replicates * np.arange(rows)[:, None]
        yield np.bincount(drawn.ravel(), minlength=rows * replicates).reshape(rows, replicates).astype(np.float64)


def statistics(differences: Floats, draws: int, generator: np.random.Generator) -> Floats:
    """T* of each resample, ascending, shape (draws,): max over pairs of |mean*| / (sd* / sqrt B).

    differences: shape (B, m), each column must vary; they are centred by their observed means. A resample in which some
    column has no spread gives infinity: it counts as reaching every value.
    Source: Westfall & Young 1993, section 2.3; Romano & Wolf 2005.
    """
    B = differences.shape[0]
    centred = differences - differences.mean(axis=0)
    centred = centred / np.abs(centred).max(axis=0)
    squares = centred**2
    largest = np.empty(draws)
    done = 0
    for counts in resample_counts(B, draws, generator):
        square_of_mean = (counts @ centred / B) ** 2
        mean_square = counts @ squares / B
        variance = mean_square - square_of_mean
        ratio = np.full(variance.shape, np.inf)
        np.divide(square_of_mean, variance, out=ratio, where=variance > NO_VARIATION * mean_square)
        largest[done : done + len(counts)] = ratio.max(axis=1)
        done += len(counts)
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
