"""Plain scores as votes: each distinct score is a threshold, so that curves, areas and DeLong's variance are the same code."""

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.curve.records import VoteCounts
from benchkit.methods.records import Floats, Integers


def ranked(scores: Floats, labels: NDArray[np.int8]) -> tuple[VoteCounts, Integers, Floats]:
    """Return counts in which an item has k votes if its score is the k-th smallest of L, k, and the L distinct scores.

    scores: shape (n,), larger for the positive class, no NaN; labels: (n,) of 0 and 1. There are no voters behind scores, so
    sums is None; infinite scores sort as they should.
    """
    distinct, rank = np.unique(scores, return_inverse=True)
    rank = rank.astype(np.int64) + 1
    histogram = np.stack([np.bincount(rank[labels == c], minlength=len(distinct) + 1) for c in range(2)])
    return VoteCounts(len(distinct), histogram.astype(np.int64)), rank, distinct
