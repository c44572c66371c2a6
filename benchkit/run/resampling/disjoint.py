"""Training sets that share no row, all tested on the same rows."""

from functools import partial

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.run.plan import ResamplingPlan
from benchkit.run.resampling.amounts import numbered, rows_asked, whole
from benchkit.run.resampling.splits import Index, Rows, Split, Splits
from benchkit.run.resampling.stratified import check_room, deal, strata, take
from benchkit.run.resampling.subsampling import TEST_SHARE
from benchkit.run.seeds import generator_for


def disjoint(rows: Rows, plan: ResamplingPlan, seed: int) -> Splits:
    """Set test rows aside (`test`: a share, default 1/3, or a number); deal the others to `replicates` training sets (10).

    The sizes of the training sets differ by at most one; with stratify, so do their numbers of rows of each class. Another
    number of replicates keeps the test rows but changes every training set: here replicates cannot be added to earlier ones.
    """
    parts = strata(rows, plan)
    count = rows_asked(rows, "test", TEST_SHARE if plan.test is None else plan.test)
    check_room(rows, parts, count, "test")
    replicates = whole(rows, "replicates", plan.replicates, 10)
    shuffled, (test,) = take(generator_for(seed, "disjoint", "test"), parts, [count])
    left = [np.setdiff1d(part, test, assume_unique=True) for part in parts]
    smallest = min(part.size for part in left)
    if smallest < replicates:
        where, ways = rows.where, f"set replicates to {smallest} or fewer, or test to fewer rows"
        if plan.stratify:
            where, ways = f"the smallest class of {where}", f"{ways}, or leave out stratify"
        raise BenchkitError(f"{where} has too few rows beside the test rows for {replicates} training sets: {smallest}", ways)
    dealt = deal(generator_for(seed, "disjoint", "train"), left, rows.n, replicates)
    return Splits(numbered(replicates), partial(_draw, shuffled, dealt, test))


def _draw(shuffled: Index, dealt: Index, test: Index, index: int) -> Split:
    return Split(shuffled[dealt[shuffled] == index], test)
