"""Cross-validation that keeps the rows of a group together: rows of one patient never both train and test."""

import heapq
from functools import partial

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.run.plan import ResamplingPlan
from benchkit.run.resampling.amounts import whole
from benchkit.run.resampling.splits import Index, Name, Rows, Split, Splits
from benchkit.run.seeds import generator_for


def group_kfold(rows: Rows, plan: ResamplingPlan, seed: int) -> Splits:
    """Divide the groups among `folds` parts (10), each tested once.

    The largest group goes first, each into the part with the fewest rows; groups of equal size come in random order.
    """
    folds = whole(rows, "folds", plan.folds, 10, least=2)
    groups, sizes = _groups(rows)
    if sizes.size < folds:
        raise BenchkitError(
            f"{rows.where} has too few groups for {folds} folds: {sizes.size}", f"set folds to {sizes.size} or fewer"
        )
    shuffled = generator_for(seed, "group-kfold").permutation(sizes.size)
    lightest = [(0, fold) for fold in range(folds)]
    fold_of = np.empty(sizes.size, dtype=np.int64)
    for group in shuffled[np.argsort(-sizes[shuffled], kind="stable")]:
        load, fold = lightest[0]
        heapq.heapreplace(lightest, (load + int(sizes[group]), fold))
        fold_of[group] = fold
    return _tested_once(fold_of[groups], folds)


def leave_one_group_out(rows: Rows, _plan: ResamplingPlan, _seed: int) -> Splits:
    """Test every group once by what all others trained: one replicate, which is one fold, per group, in their order."""
    groups, sizes = _groups(rows)
    return _tested_once(groups, sizes.size)


def _groups(rows: Rows) -> tuple[Index, Index]:
    """Return the group of each row as codes without gaps, and the number of rows of each group; at least two groups."""
    if rows.groups is None:
        raise BenchkitError(f"{rows.where} has no group column", 'add group = "COLUMN" to its [[dataset]]')
    _, groups, sizes = np.unique(rows.groups, return_inverse=True, return_counts=True)
    if sizes.size < 2:
        raise BenchkitError(
            f"{rows.where} has too few groups to train and test on: {sizes.size}", "name a group column with 2 groups or more"
        )
    return groups, sizes


def _tested_once(fold_of_row: Index, folds: int) -> Splits:
    names = [Name(str(fold), None, str(fold)) for fold in range(1, folds + 1)]
    return Splits(names, partial(_draw, fold_of_row))


def _draw(fold_of_row: Index, fold: int) -> Split:
    return Split(np.flatnonzero(fold_of_row != fold), np.flatnonzero(fold_of_row == fold))
