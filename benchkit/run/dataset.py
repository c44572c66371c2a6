"""One data set in the form in which algorithms, metrics and resampling take it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchkit.run.plan import Task
from benchkit.run.resampling.splits import Index, Rows

Values = NDArray[Any]


class DataFile(Protocol):
    """A table as reading gives it: columns of floats, whole numbers, truth values or texts (None where one is missing).

    spelled(name) gives the cells of a column as they are written, where they are written, so that 007 is not 7. place(i)
    says where row i (from 0) stands, digest is the SHA-256 of the file's bytes.
    """

    @property
    def name(self) -> str:
        """How messages call it."""

    @property
    def columns(self) -> Mapping[str, Values]:
        """The columns by name, all of the same length."""

    @property
    def spelled(self) -> Callable[[str], Values]:
        """The cells of a column as texts where they are written (None where missing), else as in `columns`."""

    @property
    def place(self) -> Callable[[int], str]:
        """Where a row stands in the file."""

    @property
    def digest(self) -> str:
        """What identifies the content."""


ReadData = Callable[[Path], DataFile]


@dataclass(frozen=True, eq=False)
class Dataset:
    """A data set that is ready to be resampled.

    features: one row for each case; numbers, or texts as categories. target: floats for regression; for classification
    whole numbers, truth values or texts as in the file, with `classes` ascending and `positive` one of them where there
    are two. items: what predictions call the rows. weights: case weights or None. rows: what resampling may know.
    """

    name: str
    features: pd.DataFrame
    target: Values
    target_name: str
    task: Task
    classes: Values | None
    positive: Any
    items: Sequence[str]
    weights: NDArray[np.float64] | None
    rows: Rows
    digest: str

    @property
    def n(self) -> int:
        """The number of rows."""
        return len(self.target)

    @cached_property
    def texts(self) -> list[str]:
        """The names of the features that hold texts."""
        return [name for name, kind in self.features.dtypes.items() if not pd.api.types.is_numeric_dtype(kind)]

    @cached_property
    def gaps(self) -> frozenset[str]:
        """The names of the features in which a cell is missing."""
        return frozenset(self.features.columns[self.features.isna().any()])

    def rows_of(self, index: Index) -> pd.DataFrame:
        """Return the features of some rows, numbered anew, which share no memory with the data set."""
        if self._numbers is not None:
            return pd.DataFrame(self._numbers[index], columns=self.features.columns, copy=False)
        return self.features.take(index).reset_index(drop=True)

    @cached_property
    def _numbers(self) -> NDArray[np.float64] | None:
        """The features as one array where all are numbers: rows are taken from it several times faster."""
        return None if self.texts else self.features.to_numpy(dtype=np.float64)
