"""Everything that the mixed model over data sets needs to know of its values: for each data set a few small sums.

Every data set holds its own mean of each algorithm plus what is left within it. Since the effects of the data set and of
data set x algorithm lie in the span of the algorithms' columns, a data set enters the likelihood only through those K means
and through the sums of what is left, and nothing larger than K x K is ever needed.
"""

from dataclasses import dataclass

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.methods.comparison.sums import ROUNDING, rotation
from benchkit.methods.records import Floats, Integers

_RANK = 1e-10
"""Eigenvalues below this share of the largest are rounding."""


@dataclass(frozen=True)
class Part:
    """Coefficients of all D data sets that share no information with those of another part, k of them, in c like copies.

    means (D, k, c): rotated means of the data sets. common (k,): what the variance of the data sets adds to each coefficient.
    within (D, k, k), within_totals (D, k, c): information and left sums on differences within replicates. together
    (D, g, k, k), totals (D, g, k, c): the same of the sums of the replicates that have n values, for the g sizes n.
    """

    means: Floats
    common: Floats
    within: Floats
    within_totals: Floats
    together: Floats
    totals: Floats

    @property
    def copies(self) -> int:
        """How many like coefficients each entry stands for."""
        return int(self.means.shape[2])


@dataclass(frozen=True)
class DataSets:
    """Sums over D data sets that hold K algorithms.

    means (D, K): least-squares means within each data set, NaN where an algorithm is absent. parts: one of K
    coefficients, or, if no cell is missing, the K - 1 like contrasts and the level. centre (K,): was taken off before the
    rotation. scale: the largest absolute value. sizes, replicates (g,): numbers n of values in a replicate and how many
    replicates have n. rows (D,): replicates of each data set. counts (D, K): values. squares (g,), within_squares: squares
    of what is left, of the replicates' sums and of the deviations within them. freedom: degrees of freedom of within_squares.
    complete: no cell is missing.
    """

    means: Floats
    parts: tuple[Part, ...]
    centre: Floats
    scale: float
    sizes: Integers
    replicates: Integers
    rows: Integers
    counts: Integers
    squares: Floats
    within_squares: float
    freedom: int
    complete: bool

    @property
    def n_values(self) -> int:
        """Cells with a value."""
        return int(self.counts.sum())

    @property
    def rounding(self) -> float:
        """A sum of squares up to which all that is left is rounding."""
        return max(self.n_values * (ROUNDING * self.scale) ** 2, 1e-300)

    @property
    def balanced(self) -> bool:
        """No cell is missing and every data set has as many replicates."""
        return self.complete and int(np.ptp(self.rows)) == 0


def summarise(values: Floats, clusters: Integers) -> DataSets:
    """Return the sums of a (B, K) matrix whose rows belong to the data sets `clusters` (B,); NaN marks a missing cell.

    Rows without a value are ignored. Raises BenchkitError for a column without a value.
    """
    kept = np.flatnonzero(~np.isnan(values).all(axis=1))
    kept = kept[np.argsort(clusters[kept], kind="stable")]
    values, present = values[kept], (~np.isnan(values[kept])).astype(np.float64)
    if not present.any(axis=0).all():
        raise BenchkitError("an algorithm has no value at all", "leave it out with --where 'algorithm!=NAME'")
    starts, place, rows = np.unique(clusters[kept], return_index=True, return_inverse=True, return_counts=True)[1:]
    centre = np.where(present > 0, values, 0.0).sum(axis=0) / present.sum(axis=0)
    # a common offset, then the level of the data set, are taken off before anything is added up
    rest = np.where(present > 0, values - centre, 0.0)
    counts = np.add.reduceat(present, starts)
    level = np.add.reduceat(rest.sum(axis=1), starts) / counts.sum(axis=1)
    rest -= level[place][:, None] * present
    cells = np.add.reduceat(rest, starts) / np.maximum(counts, 1.0)
    rest -= cells[place] * present
    number = present.sum(axis=1)
    complete = bool((counts == rows[:, None]).all())
    if not complete:
        within = _within(present, number, starts)
        shift = _least_squares(within, np.add.reduceat(_deviations(rest, present, number), starts))
        cells += shift
        rest -= shift[place] * present
    left = _deviations(rest, present, number)
    sums = rest.sum(axis=1)
    sizes, size = np.unique(number, return_inverse=True)
    parts: tuple[Part, ...]
    if complete:
        parts, rank = _like_parts(cells, level, rows), len(rows) * (values.shape[1] - 1)
    else:
        totals = np.add.reduceat(left, starts)
        parts, rank = (_one_part(cells, level, within, totals, present, sums, size, starts),), _rank(within)
    return DataSets(
        means=np.where(counts > 0, centre + (level[:, None] + cells), np.nan),
        parts=parts,
        centre=centre,
        scale=float(np.abs(values[present > 0]).max()),
        sizes=sizes.astype(np.int64),
        replicates=np.bincount(size),
        rows=rows,
        counts=counts.astype(np.int64),
        squares=np.bincount(size, sums**2).astype(np.float64),
        within_squares=float(np.vdot(left, left)),
        freedom=int(counts.sum()) - len(kept) - rank,
        complete=complete,
    )


def _deviations(rest: Floats, present: Floats, number: Floats) -> Floats:
    """Return the deviations from each replicate's mean, 0 where a cell is missing."""
    return np.asarray(rest - (rest.sum(axis=1) / number)[:, None] * present)


def _within(present: Floats, number: Floats, starts: Integers) -> Floats:
    """Return sum of X'(I - J/n)X over the replicates of each data set, (D, K, K)."""
    groups = np.split(np.arange(len(present)), starts[1:])
    return np.stack([np.diag(present[own].sum(axis=0)) - (present[own].T / number[own]) @ present[own] for own in groups])


def _least_squares(within: Floats, totals: Floats) -> Floats:
    """Return the shift of the algorithms' means in each data set that explains the totals, (D, K); 0 where absent."""
    return np.asarray((np.linalg.pinv(within, rcond=_RANK, hermitian=True) @ totals[..., None])[..., 0])


def _rank(within: Floats) -> int:
    """Return how many differences can be estimated within data sets, in all."""
    values = np.linalg.eigvalsh(within)
    return int((values > _RANK * np.maximum(values[:, -1:], 1e-300)).sum())


def _like_parts(cells: Floats, level: Floats, rows: Integers) -> tuple[Part, Part]:
    """Return the contrasts, all alike, and the level of complete data sets: nothing is left in their totals."""
    D, K = cells.shape
    turned = cells @ rotation(K)
    turned[:, -1] += np.sqrt(K) * level
    number = rows.astype(np.float64)[:, None, None]
    nothing = np.zeros((D, 1, 1))
    contrasts = Part(
        means=turned[:, None, :-1],
        common=np.zeros(1),
        within=number,
        within_totals=np.zeros((D, 1, K - 1)),
        together=nothing[:, None],
        totals=np.zeros((D, 1, 1, K - 1)),
    )
    levels = Part(
        means=turned[:, None, -1:],
        common=np.full(1, float(K)),
        within=nothing,
        within_totals=nothing,
        together=K * number[:, None],
        totals=nothing[:, None],
    )
    return contrasts, levels


def _one_part(
    cells: Floats, level: Floats, within: Floats, totals: Floats, present: Floats, sums: Floats, size: Integers, starts: Integers
) -> Part:
    """Return all coefficients of data sets with missing cells, rotated as in sums.rotate."""
    (D, K), g = cells.shape, int(size.max()) + 1
    turn = rotation(K)
    means = cells @ turn
    means[:, -1] += np.sqrt(K) * level
    within, totals = turn.T @ within @ turn, totals @ turn
    # within replicates nothing is known of the common level
    within[:, -1, :] = within[:, :, -1] = totals[:, -1] = 0.0
    together, between = np.zeros((D, g, K, K)), np.zeros((D, g, K))
    for d, own in enumerate(np.split(np.arange(len(present)), starts[1:])):
        for s in np.unique(size[own]):
            x = present[own[size[own] == s]]
            together[d, s], between[d, s] = turn.T @ (x.T @ x) @ turn, sums[own[size[own] == s]] @ x @ turn
    common = np.zeros(K)
    common[-1] = K
    return Part(means[..., None], common, within, totals[..., None], together, between[..., None])
