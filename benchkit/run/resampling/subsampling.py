"""Random splits without replacement: one (holdout) or many (subsampling)."""

from collections.abc import Sequence
from functools import partial

from benchkit.run.plan import ResamplingPlan
from benchkit.run.resampling.amounts import numbered, rows_asked, whole
from benchkit.run.resampling.splits import Index, Rows, Split, Splits
from benchkit.run.resampling.stratified import check_room, strata, take
from benchkit.run.seeds import generator_for

TEST_SHARE = 1 / 3


def subsampling(rows: Rows, plan: ResamplingPlan, seed: int) -> Splits:
    """Split the rows at random into test rows (`test`: a share, default 1/3, or a number) and training rows, 100 times.

    With stratify, the test rows are divided among the classes in proportion to their sizes, and each class keeps a training
    row. Each replicate has a random stream of its own, so more replicates keep the earlier ones.
    """
    parts = strata(rows, plan)
    count = rows_asked(rows, "test", TEST_SHARE if plan.test is None else plan.test)
    check_room(rows, parts, count, "test")
    names = numbered(whole(rows, "replicates", plan.replicates, 100))
    return Splits(names, partial(_draw, parts, (count,), seed, "subsampling"))


def holdout(rows: Rows, plan: ResamplingPlan, seed: int) -> Splits:
    """Split the rows once into training and test rows, or, with `validation`, training, validation and test rows.

    test and validation are shares of all rows or numbers of rows; the test rows do not depend on validation.
    """
    parts = strata(rows, plan)
    counts = [rows_asked(rows, "test", TEST_SHARE if plan.test is None else plan.test)]
    if plan.validation is not None:
        counts.append(rows_asked(rows, "validation", plan.validation))
    check_room(rows, parts, sum(counts), "test" if len(counts) == 1 else "test with validation")
    return Splits(numbered(1), partial(_draw, parts, tuple(counts), seed, "holdout"))


def _draw(parts: Sequence[Index], counts: Sequence[int], seed: int, stream: str, index: int) -> Split:
    train, taken = take(generator_for(seed, stream, str(index + 1)), parts, counts)
    return Split(train, *taken)
