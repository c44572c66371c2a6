"""Cross-validation over random folds, and over single rows."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.run.plan import ResamplingPlan
from benchkit.run.resampling.amounts import check_enough, whole
from benchkit.run.resampling.splits import Index, Name, Rows, Split, Splits
from benchkit.run.resampling.stratified import deal, strata
from benchkit.run.seeds import generator_for


def kfold(rows: Rows, plan: ResamplingPlan, seed: int) -> Splits:
    """Deal the rows at random to `folds` parts (10), each tested once; with stratify class by class.

    The sizes of the parts differ by at most one, and so do their numbers of rows of each class. These are the folds of the
    first repeat of `repeated_kfold`.
    """
    folds = whole(rows, "folds", plan.folds, 10, least=2)
    parts = _strata_for(rows, plan, folds)
    names = [Name(str(fold), None, str(fold)) for fold in range(1, folds + 1)]
    return Splits(names, partial(_draw, parts, rows.n, folds, seed))


def repeated_kfold(rows: Rows, plan: ResamplingPlan, seed: int) -> Splits:
    """Repeat k-fold cross-validation `repeats` times (10) with new random folds (10).

    Replicates count over (repeat, fold). Each repeat has a random stream of its own, so more repeats keep the earlier ones;
    another number of folds changes all.
    """
    folds = whole(rows, "folds", plan.folds, 10, least=2)
    repeats = whole(rows, "repeats", plan.repeats, 10)
    parts = _strata_for(rows, plan, folds)
    return Splits(_names(repeats, folds), partial(_draw, parts, rows.n, folds, seed))


def five_times_two(rows: Rows, plan: ResamplingPlan, seed: int) -> Splits:
    """Repeat two-fold cross-validation five times: `repeated_kfold` with 5 repeats of 2 folds. Source: Dietterich 1998."""
    parts = _strata_for(rows, plan, 2)
    return Splits(_names(5, 2), partial(_draw, parts, rows.n, 2, seed))


def leave_one_out(rows: Rows, _plan: ResamplingPlan, _seed: int) -> Splits:
    """Test every row once by what all others trained: one replicate, which is one fold, per row, in the order of the rows."""
    check_enough(rows)
    names = [Name(str(row), None, str(row)) for row in range(1, rows.n + 1)]
    return Splits(names, partial(_leave_out, rows.n))


def _strata_for(rows: Rows, plan: ResamplingPlan, folds: int) -> list[Index]:
    """Return the strata, each of which must have a row for every fold."""
    parts = strata(rows, plan)
    smallest = min(part.size for part in parts)
    if smallest < folds:
        where, ways = rows.where, [f"set folds to {smallest} or fewer"] if smallest > 1 else []
        if plan.stratify:
            where, ways = f"the smallest class of {where}", [*ways, "leave out stratify"]
        raise BenchkitError(f"{where} has too few rows for {folds} folds: {smallest}", ", or ".join(ways))
    return parts


def _names(repeats: int, folds: int) -> list[Name]:
    return [
        Name(str(repeat * folds + fold + 1), str(repeat + 1), str(fold + 1)) for repeat in range(repeats) for fold in range(folds)
    ]


def _draw(parts: Sequence[Index], n: int, folds: int, seed: int, index: int) -> Split:
    repeat, fold = divmod(index, folds)
    dealt = deal(generator_for(seed, "folds", str(repeat + 1)), parts, n, folds)
    return Split(np.flatnonzero(dealt != fold), np.flatnonzero(dealt == fold))


def _leave_out(n: int, index: int) -> Split:
    row = np.arange(n, dtype=np.int64)
    return Split(row[row != index], row[index : index + 1])
