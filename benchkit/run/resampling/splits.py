"""What every way of resampling takes and gives: facts about the rows, and a lazy sequence of splits."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Index = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rows:
    """What resampling may know of a data set: nothing about the features.

    n: the number of rows. classes, groups: codes 0, 1, ... of the class (None for regression) and of the group of each row
    (None without a group column). times: values that sort the rows in time (None without a time column). columns: the
    texts of the columns that a predefined split names. samples: of a predefined resampling, the row numbers (from 0) that
    each replicate draws, by its name. where: what messages call the data set, such as `dataset 'iris'`.
    """

    where: str
    n: int
    classes: NDArray[np.int64] | None = None
    groups: NDArray[np.int64] | None = None
    times: NDArray[np.int64] | None = None
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    samples: Mapping[str, Index] = field(default_factory=dict)


@dataclass(frozen=True)
class Name:
    """What a replicate is called; repeat and fold only where it is a fold."""

    replicate: str
    repeat: str | None = None
    fold: str | None = None


@dataclass(frozen=True, eq=False)
class Split:
    """Row numbers (from 0): train in the order drawn, with repetition; test and validation ascending, each row once."""

    train: Index
    test: Index
    validation: Index | None = None


@dataclass(frozen=True, eq=False)
class Splits:
    """All replicates of one data set: their names, and draw(i), which makes the i-th split, always the same."""

    names: Sequence[Name]
    draw: Callable[[int], Split]
