"""Replicates grouped by which algorithms they hold: replicates with one pattern share every matrix of the model.

All matrices are in Helmert coordinates (first the scaled sum, then orthonormal contrasts), both for the n values of a
replicate and for the K means. The covariance of a replicate, I + gamma J, is diagonal there, and what is common to all
algorithms stays apart from their differences: however large gamma is, contrasts keep their digits.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.records import Floats, Integers

# Numbers in one batch of matrices; bounds the memory.
BATCH = 2**21


@dataclass(frozen=True)
class Patterns:
    """P patterns of n algorithms each. algorithms: (P, n) column numbers; rows: the replicates of each pattern."""

    algorithms: Integers
    rows: tuple[Integers, ...]

    @property
    def counts(self) -> Floats:
        """Replicates of each pattern, (P,)."""
        return np.array([len(rows) for rows in self.rows], dtype=np.float64)


def group(present: NDArray[np.bool_]) -> Iterator[Patterns]:
    """Group the rows of a (B, K) presence matrix by pattern: batches in which all patterns have the same size n >= 1."""
    K = present.shape[1]
    _, first, inverse = np.unique(np.packbits(present, axis=1), axis=0, return_index=True, return_inverse=True)
    inverse = inverse.ravel()
    order = np.argsort(inverse, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(inverse))[:-1])
    sizes = present[first].sum(axis=1)
    step = max(1, BATCH // K**2)
    for n in np.unique(sizes[sizes > 0]):
        chosen = np.flatnonzero(sizes == n)
        for start in range(0, chosen.size, step):
            batch = chosen[start : start + step]
            columns = np.nonzero(present[first[batch]])[1].reshape(batch.size, n)
            yield Patterns(columns, tuple(members[i] for i in batch))


def helmert(n: int) -> Floats:
    """Return the orthogonal n x n matrix whose first column is constant and whose others are contrasts."""
    j = np.arange(1, n)
    length = np.sqrt(j * (j + 1.0))
    basis = np.zeros((n, n))
    basis[:, 0] = 1.0 / np.sqrt(n)
    basis[:, 1:] = np.triu(np.ones((n, n - 1))) / length
    basis[j, j] = -j / length
    return basis


def design(patterns: Patterns, basis: Floats) -> Floats:
    """Design matrices of the patterns in Helmert coordinates, (P, n, K); contrasts do not see the common mean: exact zeros."""
    n, K = patterns.algorithms.shape[1], basis.shape[0]
    matrices: Floats = helmert(n).T @ basis[patterns.algorithms]
    matrices[:, 1:, 0] = 0.0
    matrices[:, 0, 0] = np.sqrt(n / K)
    return matrices
