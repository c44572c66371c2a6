"""How far one sample lies above another that was measured on the same replicates: the sign matrix, without forming it.

Everything rests on S with S_ij = sign(x_i - y_j); its sums follow from sorted values in O(n log n).
"""

import copy
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from benchkit.methods.records import Floats, Integers

DRAWS = 999
MOST_FOR_RESAMPLING = 500
"""With more replicates the interval is the bootstrap's limit for many, on Fisher's scale."""
TIE = 1e-12


@dataclass(frozen=True)
class Signs:
    """The sums of the sign matrix. rows: sum_j S_ij, columns: sum_i S_ij, shape (n,), both in the order of replicates.

    below, upto: how many y are less than x_i, and at most x_i.
    """

    rows: Integers
    columns: Integers
    y: Integers
    below: Integers
    upto: Integers

    @property
    def n(self) -> int:
        """Replicates."""
        return self.rows.size


def tie_codes(values: Floats, scale: Floats) -> Integers:
    """Return the place of each value among the distinct ones, any shape; missing values come last.

    Neighbours within 1e-12 of the larger of their scales (the original values) tie, and ties chain.
    """
    flat = values.ravel()
    order = np.argsort(flat, kind="stable")
    ordered = flat[order]
    size = scale.ravel()[order]
    with np.errstate(invalid="ignore"):
        gap = np.diff(ordered)
        slack = TIE * np.maximum(size[1:], size[:-1])
    slack[np.isinf(gap)] = 0.0  # infinite values tie with their equals only, from which they differ by NaN
    codes = np.empty(flat.size, dtype=np.int64)
    codes[order] = np.concatenate([[0], np.cumsum(gap > slack)])[: flat.size]
    return codes.reshape(values.shape)


def signs(x: Integers, y: Integers) -> Signs:
    """Return the sums of S for the codes x and y (0, 1, ...) of n >= 1 replicates."""
    n = x.size
    distinct = 1 + int(max(x.max(), y.max()))
    of_x, of_y = _less_than(x, distinct), _less_than(y, distinct)
    below, upto = of_y[x], of_y[x + 1]
    return Signs(rows=below + upto - n, columns=n - of_x[y] - of_x[y + 1], y=y, below=below, upto=upto)


def resampled_sums(found: Signs, weights: Integers) -> Integers:
    """Return w' S w for each resample: weights has shape (n, draws), how often each replicate was drawn."""
    total = np.zeros((found.n + 1, weights.shape[1]), dtype=weights.dtype)
    np.cumsum(weights[np.argsort(found.y)], axis=0, out=total[1:])
    inner = total[found.below]
    inner += total[found.upto]
    inner -= found.n
    return np.asarray(np.einsum("ij,ij->j", weights, inner), dtype=np.int64)


def resamples(n: int, generator: np.random.Generator) -> Integers:
    """Return how often each of n replicates is drawn in each resample, (n, DRAWS); the same for the same generator and n."""
    drawn = copy.deepcopy(generator).integers(0, n, (DRAWS, n)) * DRAWS + np.arange(DRAWS)[:, None]
    counts = np.bincount(drawn.ravel(), minlength=DRAWS * n).reshape(n, DRAWS)
    return counts.astype(np.int32)  # sums stay below 2 MOST_FOR_RESAMPLING^2, and narrow numbers are quicker


def _less_than(codes: Integers, distinct: int) -> Integers:
    """Return how many codes are less than 0, 1, ..., distinct; shape (distinct + 1,)."""
    counts = np.zeros(distinct + 1, dtype=np.int64)
    np.cumsum(np.bincount(codes, minlength=distinct), out=counts[1:])
    return counts


def bca(estimate: float, resampled: Floats, influence: Floats, level: float) -> tuple[float, float]:
    """Return the bias-corrected and accelerated interval (Efron 1987) of a statistic with this influence, shape (n,)."""
    slack = TIE
    equal = float(np.count_nonzero(np.abs(resampled - estimate) <= slack))
    below = float(np.count_nonzero(resampled < estimate - slack))
    z0 = float(ndtri(np.clip((below + equal / 2) / resampled.size, 0.5 / resampled.size, 1 - 0.5 / resampled.size)))
    squares = float(np.sum(influence**2))
    acceleration = float(np.sum(influence**3)) / (6 * squares**1.5) if squares > 0 else 0.0
    tails = z0 + ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))
    low, high = np.quantile(resampled, ndtr(z0 + tails / (1 - acceleration * tails)), method="median_unbiased")
    return float(low), float(high)


def of_many(estimate: float, influence: Floats, level: float) -> tuple[float, float]:
    """Return the interval for many replicates: normal on the scale of artanh, which keeps it within -1..1."""
    std_error = float(np.sqrt(np.sum(influence**2) / (influence.size * (influence.size - 1.0))))
    half = float(ndtri((1 + level) / 2)) * std_error / (1 - estimate**2)
    return float(np.tanh(np.arctanh(estimate) - half)), float(np.tanh(np.arctanh(estimate) + half))


def at_limit(estimate: float, n: int, level: float) -> tuple[float, float]:
    """Return the interval of an estimate of -1 or 1, of which resamples know nothing: Wilson's for n wins of n.

    Its other end is (n - z^2) / (n + z^2). Source: Feng & Cliff 2004.
    """
    z2 = float(ndtri((1 + level) / 2)) ** 2
    other = (n - z2) / (n + z2)
    return (other, 1.0) if estimate > 0 else (-1.0, -other)
