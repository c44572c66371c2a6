"""Everything that the mixed model needs to know of a replicate x algorithm matrix: a few sums, from one pass.

With one random intercept a replicate enters the likelihood only through which algorithms it holds and through its
sum. Replicates of the same size n share the weight of that sum, so the sums are kept for each size that occurs.
What happens within replicates is kept apart from what happens between them, because a large variance between
replicates would otherwise drown the small one within.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from benchkit.errors import BenchkitError
from benchkit.methods.records import Floats, Integers

ROUNDING = 1e-12
"""Standard deviations below this share of the largest value are rounding, not variation."""

_CANCELLED = 1e-3
"""A share of squares left by the fixed effects below which the sums are taken again around better centres."""


@dataclass(frozen=True)
class Sums:
    """Sums over the cells of a (B, K) matrix, centred: `centre` (K,) was taken off each algorithm first.

    counts (K,): values of each algorithm. scale: the largest absolute value before centring.
    sizes (g,): the numbers of values n that replicates have, ascending; replicates (g,): how many have n.
    together (g, K, K), totals (g, K), squares (g,): sums of x x', S x and S^2 over the replicates of that size, x the
    0/1 vector of the algorithms present and S the replicate's sum.
    within_together (K, K): sum of X'(I - J/n)X, the information on differences within replicates. within_totals (K,),
    within_squares: sums of the deviations from the replicate's mean, and of their squares.
    balanced: no cell is missing.
    """

    centre: Floats
    scale: float
    counts: Integers
    sizes: Integers
    replicates: Integers
    together: Floats
    totals: Floats
    squares: Floats
    within_together: Floats
    within_totals: Floats
    within_squares: float
    balanced: bool

    @property
    def n_values(self) -> int:
        """Cells with a value."""
        return int(self.counts.sum())

    @property
    def n_replicates(self) -> int:
        """Replicates with a value."""
        return int(self.replicates.sum())

    @property
    def sums(self) -> Floats:
        """Sum of the centred values of each algorithm, (K,)."""
        return np.asarray(self.within_totals + (self.totals / self.sizes[:, None]).sum(0))


def summarise(values: Floats) -> Sums:
    """Return the sums of a (B, K) matrix; NaN marks a missing cell, rows without any value are ignored.

    Raises BenchkitError for a column without a value.
    """
    values = np.ascontiguousarray(values, dtype=np.float64)
    mask = np.isnan(values)
    if not mask.any():
        return _balanced(values)
    counts = (~mask).sum(0)
    if not counts.all():
        raise BenchkitError("an algorithm has no value at all", "leave it out with --where 'algorithm!=NAME'")
    centre = np.where(mask, 0.0, values).sum(0) / counts
    sums = _incomplete(values, mask, centre)
    shift = np.linalg.pinv(sums.within_together, rcond=1e-10, hermitian=True) @ sums.within_totals
    if sums.within_squares - shift @ sums.within_totals < _CANCELLED * sums.within_squares:
        return _incomplete(values, mask, centre + shift)
    return sums


def _balanced(values: Floats) -> Sums:
    """Return the sums of a matrix without missing cells."""
    rows, columns = values.shape
    scale = float(max(values.max(), -values.min()))
    ones = np.ones(rows)
    centre = ones @ values / rows
    rest = values - centre
    sums = rest @ np.ones(columns)
    rest -= (sums / columns)[:, None]
    return Sums(
        centre=centre,
        scale=scale,
        counts=np.full(columns, rows),
        sizes=np.array([columns]),
        replicates=np.array([rows]),
        together=np.full((1, columns, columns), float(rows)),
        totals=np.full((1, columns), sums.sum()),
        squares=np.array([sums @ sums]),
        within_together=rows * (np.eye(columns) - 1.0 / columns),
        within_totals=ones @ rest,
        within_squares=float(np.vdot(rest, rest)),
        balanced=True,
    )


def _incomplete(values: Floats, mask: NDArray[np.bool_], centre: Floats) -> Sums:
    """Return the sums of a matrix with missing cells, `mask` true where a cell is missing."""
    rows, columns = values.shape
    ones = np.ones(columns)
    present = (~mask).astype(np.float64)
    number = (present @ ones).astype(np.int64)
    rest = values - centre
    rest[mask] = 0.0
    sums = rest @ ones
    order = np.argsort(number, kind="stable")
    sizes, starts = np.unique(number[order], return_index=True)
    ends = [*starts[1:], rows]
    blocks = [(present[order[a:b]], sums[order[a:b]]) for size, a, b in zip(sizes, starts, ends, strict=True) if size > 0]
    sizes = sizes[sizes > 0]
    together = np.stack([x.T @ x for x, _ in blocks])
    counts = present.sum(0).astype(np.int64)
    rest -= (sums / np.maximum(number, 1))[:, None]
    rest[mask] = 0.0
    return Sums(
        centre=centre,
        scale=float(np.nanmax(np.abs(values))),
        counts=counts,
        sizes=sizes,
        replicates=np.array([len(x) for x, _ in blocks]),
        together=together,
        totals=np.stack([total @ x for x, total in blocks]),
        squares=np.array([total @ total for _, total in blocks]),
        within_together=np.diag(counts) - np.tensordot(1.0 / sizes, together, 1),
        within_totals=np.ones(rows) @ rest,
        within_squares=float(np.vdot(rest, rest)),
        balanced=False,
    )


def orthonormal_contrasts(K: int) -> Floats:
    """Return K - 1 orthonormal rows that sum to zero (Helmert's), (K - 1, K)."""
    rows = np.tril(np.ones((K - 1, K)))
    number = np.arange(1, K)
    rows[np.arange(K - 1), number] = -number
    return np.asarray(rows / np.sqrt(number * (number + 1.0))[:, None])


def rotation(K: int) -> Floats:
    """Return U (K, K), whose first K - 1 columns are orthonormal contrasts and whose last is the common level."""
    return np.column_stack([orthonormal_contrasts(K).T, np.full(K, K**-0.5)])


def rotate(sums: Sums) -> Sums:
    """Return the same sums for the coefficients U'mu.

    Within replicates nothing is known of the common level, so that its row there is exactly zero: the differences keep
    their digits however much the replicates vary.
    """
    turn = rotation(len(sums.counts))
    within, totals = turn.T @ sums.within_together @ turn, sums.within_totals @ turn
    within[-1] = within[:, -1] = totals[-1] = 0.0
    return replace(
        sums,
        together=turn.T @ sums.together @ turn,
        totals=sums.totals @ turn,
        within_together=within,
        within_totals=totals,
    )
