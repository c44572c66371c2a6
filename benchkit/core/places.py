"""Places within a replicate, with ties where values differ by float noise only."""

import numpy as np

from benchkit.methods.mid_ranks import mid_ranks
from benchkit.methods.records import Floats


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
