"""Votes as they flow: blocks of items of one ensemble, never all at once; and plain scores beside them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchkit.tables.result import Note


@dataclass(frozen=True)
class VoteBlock:
    """Some items of one ensemble of `voters` members.

    items: their names as text, (n,), unique within the ensemble over all of its blocks. labels: (n,) of 1 (positive) and 0.
    One of the others is there: votes, shape (n, voters) of 0 and 1; packed, shape (n, bytes), bits of the votes, big end
    first, zeros beyond the last voter; taken, shape (n,), only the number of votes for the positive class (or beside votes,
    which were counted when they were checked); values, shape (n, voters), what members say where that is no vote (a
    probability, a prediction). targets: the numbers to be predicted, for regression; labels mean nothing then. names: what
    the voters are called, in order.
    """

    ensemble: str
    voters: int
    items: pl.Series
    labels: NDArray[np.int8]
    votes: NDArray[np.uint8] | None = None
    packed: NDArray[np.uint8] | None = None
    taken: NDArray[np.int64] | None = None
    values: NDArray[np.float64] | None = None
    targets: NDArray[np.float64] | None = None
    names: Sequence[str] = ()


@dataclass(frozen=True)
class VoteSource:
    """What `roc` reads. kind: votes, values or scores.

    blocks() streams the votes anew with every call, and may find a fault on the way (BenchkitError); scores: item, algorithm,
    label (0 or 1), score, one row each, for kind scores. digests: computes file name -> sha256. names: what was read, for
    messages. notes: complete once blocks() has run through. positive: the label that was taken as positive, as it is written.
    weights: of the voters by their names. regression: blocks have targets.
    """

    kind: str
    blocks: Callable[[], Iterator[VoteBlock]]
    names: Sequence[str]
    digests: Callable[[], dict[str, str]]
    scores: pl.LazyFrame | None = None
    notes: Sequence[Note] = field(default_factory=tuple)
    positive: str = "1"
    weights: Mapping[str, float] | None = None
    regression: bool = False
