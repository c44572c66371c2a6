"""Drawing within classes: the strata of a data set, what is taken from each, and rows dealt out evenly."""

from collections.abc import Sequence

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.run.plan import ResamplingPlan
from benchkit.run.resampling.amounts import check_enough
from benchkit.run.resampling.splits import Index, Rows


def strata(rows: Rows, plan: ResamplingPlan) -> list[Index]:
    """Return the row numbers of each class with `stratify`, else of all rows as one stratum; ascending, none empty."""
    check_enough(rows)
    if not plan.stratify:
        return [np.arange(rows.n, dtype=np.int64)]
    if rows.classes is None:
        raise BenchkitError(
            f"{rows.where} has no classes to stratify by: its task is regression",
            'leave out stratify, or set task = "classification" for it',
        )
    order = np.argsort(rows.classes, kind="stable")
    starts = np.flatnonzero(np.diff(rows.classes[order])) + 1
    return [np.asarray(part, dtype=np.int64) for part in np.split(order, starts)]


def check_room(rows: Rows, parts: Sequence[Index], wanted: int, option: str) -> None:
    """Raise an error if taking so many rows leaves a stratum without a training row."""
    most = rows.n - len(parts)
    if wanted > most:
        whom = "no training row" if len(parts) == 1 else f"no training row for some of the {len(parts)} classes"
        raise BenchkitError(
            f"{option} takes {wanted} of the {rows.n} rows of {rows.where}, which leaves {whom}",
            f"take {most} or fewer" if most else "leave out stratify",
        )


def take(generator: np.random.Generator, parts: Sequence[Index], amounts: Sequence[int]) -> tuple[Index, list[Index]]:
    """Return the rows left over, in random order, and for each amount that many random rows, ascending.

    Each amount is divided among the strata in proportion to what they still hold, see `_proportional`.
    """
    left = [generator.permutation(part) for part in parts]
    taken = []
    for amount in amounts:
        counts = _proportional(generator, np.array([part.size for part in left]), amount)
        taken.append(np.sort(np.concatenate([part[:count] for part, count in zip(left, counts, strict=True)])))
        left = [part[count:] for part, count in zip(left, counts, strict=True)]
    rest = np.concatenate(left)
    # strata stand one after the other; algorithms that learn in the order of the rows should not see that
    return (generator.permutation(rest) if len(left) > 1 else rest), taken


def _proportional(generator: np.random.Generator, sizes: Index, wanted: int) -> Index:
    """Divide a number of rows among strata: largest remainders first, equal ones in random order, one row of each kept."""
    total = int(sizes.sum())
    counts, remainders = np.divmod(sizes * wanted, total)
    while missing := wanted - int(counts.sum()):
        lottery = generator.permutation(sizes.size)
        eager = lottery[np.argsort(-remainders[lottery], kind="stable")]
        counts[eager[counts[eager] < sizes[eager] - 1][:missing]] += 1
    return counts


def deal(generator: np.random.Generator, parts: Sequence[Index], n: int, hands: int) -> Index:
    """Return for each of n rows the number (from 0) of the hand that it is dealt to at random; -1 for rows in no stratum.

    The sizes of the hands differ by at most one, and so do their numbers of rows from each stratum.
    """
    order = np.concatenate([generator.permutation(part) for part in parts])
    dealt = np.full(n, -1, dtype=np.int64)
    dealt[order] = np.arange(order.size) % hands
    return dealt
