"""What is known of an ensemble's votes, and what follows: arrays only, class 0 (negative) before class 1 (positive)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.records import Floats, Integers

Votes = Integers | NDArray[np.uint32]


@dataclass(frozen=True)
class VoteCounts:
    """The sufficient statistics of one ensemble of M voters on n = (n_0, n_1) items; independent of the size m asked about.

    histogram: shape (2, M + 1), items of each class with k votes for the positive class, k = 0..M. sums: shape (2, M + 1, M),
    for each class and k the number of items with k votes for which voter i voted, so that sums.sum(axis=2) = k * histogram;
    None where only the number of votes of each item is known: then nothing can be said of the voters' covariance.
    """

    voters: int
    histogram: Integers
    sums: Votes | None = None

    @property
    def items(self) -> Floats:
        """The number of items of each class, shape (2,)."""
        return np.asarray(self.histogram.sum(axis=1), dtype=np.float64)


@dataclass(frozen=True)
class Curve:
    """Mean operating characteristics of ensembles of m voters: predicted positive if at least `threshold` of them say so.

    thresholds: shape (T,), increasing from 0 to m (a subset if thinned); rates: shape (2, T), false and true positive rate.
    realised: rates are those of the M voters at hand (m = M without replacement), else means over resampled voters.
    """

    voters_used: int
    thresholds: Integers
    rates: Floats
    realised: bool


@dataclass(frozen=True)
class Moments:
    """The parts of the covariance of the rates at thresholds s and t (roc.md, 2.3 and 2.5), from binomial tables at k/M.

    same_item: D, shape (2, T, T). first_order: FO, shape (2, 2, T, T), voters' first-order covariance of classes c and c'.
    own: G1, shape (2, T, T), the part of FO that one item makes by itself. influence: Phi, shape (2, T, M), of each voter.
    """

    same_item: Floats
    first_order: Floats
    own: Floats
    influence: Floats

    @property
    def across_items(self) -> Floats:
        """O, shape (2, 2, T, T): what items share since they share the voters. FO - G1 within a class, FO between."""
        shared = self.first_order.copy()
        for c in range(2):
            shared[c, c] -= self.own[c]
        return shared


@dataclass(frozen=True)
class Spread:
    """The parts of the variance of one number, the area or a rate (roc.md, 2.8).

    same_item: D. first_order: FO. own: G1. items: MIX, of new items and the votes on them, which holds D. poisson: of Poisson
    weights of the items whose sum is not held fixed, the mean square instead of the variance over items (the paper's).
    """

    same_item: float
    first_order: float
    own: float
    items: float
    poisson: float = 0.0

    @property
    def across_items(self) -> float:
        """O = FO - G1; may be slightly negative by chance."""
        return self.first_order - self.own
