"""A file of samples, columns replicate and indices: the rows that each replicate of a predefined resampling draws."""

from pathlib import Path

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.run.columns import text
from benchkit.run.dataset import ReadData
from benchkit.run.resampling.splits import Index


def read_samples(path: Path, read: ReadData) -> dict[str, Index]:
    """Return the drawn rows (from 0, with repetition) of each replicate by its name, in the order of the file.

    In the file rows count from 1. BenchkitError names the first line that is not of this form.
    """
    file = read(path)
    for name in ("replicate", "indices"):
        if name not in file.columns:
            raise BenchkitError(
                f"{file.name} has no column '{name}' (it has: {', '.join(file.columns)})",
                "samples have the columns replicate,indices",
            )
    samples: dict[str, Index] = {}
    for row, (replicate, cell) in enumerate(zip(file.spelled("replicate"), file.spelled("indices"), strict=True)):
        name, words = text(replicate), text(cell).split()
        place = f"{file.name} {file.place(row)}"
        if not name or name in samples:
            raise BenchkitError(f"{place}: the replicate '{name}' is empty or stands twice", "give every replicate its own name")
        wrong = next((word for word in words if not (word.isascii() and word.isdigit() and int(word))), None)
        if wrong is not None or not words:
            raise BenchkitError(
                f"{place}, column indices: '{wrong or ''}' is no row number", "row numbers count from 1, parted by blanks"
            )
        samples[name] = np.array([int(word) - 1 for word in words], dtype=np.int64)
    return samples
