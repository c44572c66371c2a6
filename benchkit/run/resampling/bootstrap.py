"""The bootstrap: as many rows as there are, drawn with replacement, tested on those never drawn."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.run.plan import ResamplingPlan
from benchkit.run.resampling.amounts import numbered, whole
from benchkit.run.resampling.splits import Index, Rows, Split, Splits
from benchkit.run.resampling.stratified import strata
from benchkit.run.seeds import generator_for


def bootstrap(rows: Rows, plan: ResamplingPlan, seed: int) -> Splits:
    """Draw n of n rows with replacement (with stratify: of each class as many as it has), `replicates` times (100).

    Samples that leave no row to test on, which only tiny data sets give, are drawn again. Each replicate has a random
    stream of its own, so more replicates keep the earlier ones. Source: Efron & Tibshirani 1997, the leave-one-out bootstrap.
    """
    parts = strata(rows, plan)
    if all(part.size == 1 for part in parts):
        raise BenchkitError(
            f"each of the {rows.n} rows of {rows.where} is a class of its own: drawn within classes, none is left to test on",
            "leave out stratify",
        )
    names = numbered(whole(rows, "replicates", plan.replicates, 100))
    return Splits(names, partial(_draw, parts, rows.n, seed))


def _draw(parts: Sequence[Index], n: int, seed: int, index: int) -> Split:
    generator = generator_for(seed, "bootstrap", str(index + 1))
    while True:
        drawn = np.concatenate([part[generator.integers(part.size, size=part.size)] for part in parts])
        test = never_drawn(n, drawn)
        if test.size:
            # strata stand one after the other; algorithms that learn in the order of the rows should not see that
            return Split(generator.permutation(drawn) if len(parts) > 1 else drawn, test)


def never_drawn(n: int, drawn: Index) -> Index:
    """Return which of n rows are not among those drawn, ascending."""
    return np.flatnonzero(np.bincount(drawn, minlength=n) == 0)
