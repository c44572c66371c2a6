"""Places within a replicate, with ties where values differ by float noise only."""

import numpy as np

from benchkit.methods.records import Floats, Integers

NOISE = 1e-12


def _sorted(oriented: Floats) -> tuple[Integers, np.ndarray]:
    """Sort each row, missing values last; return the order and where a new tie class begins. Shapes (B, K).

    Neighbours closer than 1e-12 of the row's largest absolute finite value tie, and ties chain.
    """
    order = np.argsort(oriented, axis=1, kind="stable")
    values = np.take_along_axis(oriented, order, axis=1)
    largest = np.max(np.abs(values), axis=1, initial=0.0, where=np.isfinite(values))
    with np.errstate(invalid="ignore"):
        gaps = np.diff(values, axis=1)
    begins = np.ones(values.shape, dtype=bool)
    # equal infinities differ by NaN, and so do missing values: only the former tie
    same_infinity = (values[:, 1:] == values[:, :-1]) & np.isinf(values[:, 1:])
    begins[:, 1:] = ~((gaps <= NOISE * largest[:, None]) | same_infinity)
    return order, begins


def mid_ranks(oriented: Floats) -> Floats:
    """Return each value's rank within its row, 1 = least, ties sharing the middle; NaN stays NaN. Shape (B, K)."""
    order, begins = _sorted(oriented)
    position = np.arange(oriented.shape[1])
    first = np.maximum.accumulate(np.where(begins, position, 0), axis=1)
    ends = np.concatenate([begins[:, 1:], np.ones((len(begins), 1), dtype=bool)], axis=1)
    last = np.minimum.accumulate(np.where(ends, position, oriented.shape[1])[:, ::-1], axis=1)[:, ::-1]
    ranks = np.empty(oriented.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=1)
    ranks[np.isnan(oriented)] = np.nan
    return ranks


def broken_ranks(oriented: Floats, generator: np.random.Generator) -> Floats:
    """Return ranks 1, 2 ... within each row with ties broken at random; NaN stays NaN. Shape (B, K)."""
    ranks = mid_ranks(oriented)
    noise = generator.random(ranks.shape)
    order = np.lexsort((noise, ranks), axis=1)
    broken = np.empty(ranks.shape)
    np.put_along_axis(broken, order, np.broadcast_to(np.arange(1.0, ranks.shape[1] + 1), ranks.shape), axis=1)
    broken[np.isnan(oriented)] = np.nan
    return broken


def tie_spans(oriented: Floats) -> tuple[Floats, Floats]:
    """Return the first and the last place that each value shares with those tied with it. Shapes (B, K)."""
    ranks = mid_ranks(oriented)
    tied = np.zeros(ranks.shape)
    for column in range(ranks.shape[1]):
        tied[:, column] = (ranks == ranks[:, [column]]).sum(axis=1)
    half = (tied - 1) / 2
    return ranks - half, ranks + half
