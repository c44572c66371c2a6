"""Ranks within rows, with ties where values differ by float noise only."""

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.records import Floats, Integers

NOISE = 1e-12
"""Values closer than this share of the largest value that they come from tie."""


def mid_ranks(values: Floats, noise: Floats | None = None) -> Floats:
    """Return each value's rank within its row, 1 = least, ties sharing the middle; NaN stays NaN. Shape (B, K).

    Neighbours closer than 1e-12 of the row's largest absolute finite value tie, and ties chain. noise: shape (B, K), what
    each value may be off by, for values that are differences of larger ones; neighbours then tie within the larger of two.
    """
    order, begins = _tie_classes(values, noise)
    if begins.all() and not np.isnan(values).any():
        return _scatter(order, np.broadcast_to(np.arange(1.0, values.shape[1] + 1), values.shape))
    position = np.arange(values.shape[1])
    first = np.maximum.accumulate(np.where(begins, position, 0), axis=1)
    ends = np.concatenate([begins[:, 1:], np.ones((len(begins), 1), dtype=bool)], axis=1)
    last = np.minimum.accumulate(np.where(ends, position, values.shape[1])[:, ::-1], axis=1)[:, ::-1]
    ranks = _scatter(order, (first + last) / 2 + 1)
    ranks[np.isnan(values)] = np.nan
    return ranks


def doubled(ranks: Floats) -> Integers:
    """Return mid-ranks as integers, twice as large, so that sums of them are exact."""
    return np.rint(2.0 * ranks).astype(np.int64)


def _tie_classes(values: Floats, noise: Floats | None) -> tuple[Integers, NDArray[np.bool_]]:
    """Sort each row, missing values last; return the order and where a new class of ties begins. Shapes (B, K)."""
    order = np.argsort(values, axis=1)
    ordered = np.take_along_axis(values, order, axis=1)
    with np.errstate(invalid="ignore"):
        gaps = np.diff(ordered, axis=1)
    if noise is None:
        slack = NOISE * np.max(np.abs(values), axis=1, initial=0.0, where=np.isfinite(values))[:, None]
    else:
        slack = np.take_along_axis(noise, order, axis=1)
        slack = np.maximum(slack[:, 1:], slack[:, :-1])
    begins = np.ones(values.shape, dtype=bool)
    # equal infinities differ by NaN, and so do missing values: only the former tie
    same_infinity = (ordered[:, 1:] == ordered[:, :-1]) & np.isinf(ordered[:, 1:])
    begins[:, 1:] = ~((gaps <= slack) | same_infinity)
    return order, begins


def _scatter(order: Integers, sorted_ranks: Floats) -> Floats:
    ranks = np.empty(order.shape)
    np.put_along_axis(ranks, order, sorted_ranks, axis=1)
    return ranks
