"""Results in memory, as a file would give them."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
import pytest
from in_memory import Read

from benchkit.core.blocks import Reading, experiments
from benchkit.core.direction import parse_directions


@pytest.fixture
def read() -> Read:
    """Return a function that makes a Reading of columns, or of a matrix (replicates x algorithms)."""

    def make(
        columns: Mapping[str, Sequence[object]] | np.ndarray, better: str | None = "lower", duplicates: str = "error"
    ) -> Reading:
        if isinstance(columns, np.ndarray):
            rows, names = columns.shape
            columns = {
                "replicate": [str(i + 1) for i in range(rows) for _ in range(names)],
                "algorithm": [f"a{j + 1}" for _ in range(rows) for j in range(names)],
                "performance": columns.ravel(),
            }
        frame = pl.DataFrame(columns).with_columns(pl.col("performance").cast(pl.Float64).fill_nan(None)).lazy()
        return experiments(frame, "results", parse_directions([better] if better else []), duplicates)

    return make
