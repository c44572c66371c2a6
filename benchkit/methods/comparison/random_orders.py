"""Column sums when the scores of each replicate stand in random orders."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.records import Floats

MOST_CELLS = 5_000_000
"""With more scores to move, over all draws, no orders are drawn: there the known distributions are good."""

_BATCH = 1_000_000


def is_affordable(scores: Floats, draws: int) -> bool:
    """Say whether there are scores, and few enough to draw so many orders."""
    return 0 < scores.size * draws <= MOST_CELLS


def random_sums(
    scores: Floats, present: NDArray[np.bool_], generator: np.random.Generator, draws: int
) -> Iterator[NDArray[np.float64]]:
    """Yield `draws` rows of column sums, (some, K) at a time, of `scores`, (B, K), in random orders within the rows.

    Only the present cells of a row change places; the others count 0.
    """
    # the scores of a row in front, zeros behind: the order of random keys, missing cells last, takes them to their places
    compact = np.take_along_axis(np.where(present, scores, 0.0), np.argsort(~present, axis=1, kind="stable"), axis=1)
    while draws > 0:
        batch = min(draws, max(_BATCH // scores.size, 1))
        keys = generator.random((batch, *scores.shape))
        keys[:, ~present] = 2.0
        moved = np.empty(keys.shape)
        np.put_along_axis(moved, np.argsort(keys, axis=2), np.broadcast_to(compact, keys.shape), axis=2)
        yield moved.sum(axis=1)
        draws -= batch
