"""Single-step adjustment by the largest absolute t statistic, for any correlation (Hothorn, Bretz & Westfall 2008).

T = A g / sqrt(chi2/df) with g standard normal of dimension r, the rank of the correlation A A'. In polar coordinates
g = |g| u the direction u and the radius part, and given u the event max|T| >= t is an F event:
P(max|T| >= t) = E sf_F(t^2 / (r m(u)^2); r, df), m(u) = max |a_j'u|. The mean over u is taken over 2^16 scrambled Sobol
directions; since only the distribution of m(u) matters, it is condensed to about a thousand weighted points.
"""

import copy

import numpy as np
from scipy.special import betainc, gammaincc, ndtri, stdtrit
from scipy.stats import qmc

from benchkit.methods.records import Floats
from benchkit.methods.roots import find_roots

_POWER = 16
_CELLS = 400
_BATCH = 2_000_000
_RANK_TOLERANCE = 1e-9
_FEW, _MANY = 8, 30
"""Interpolation nodes in 1/df over a narrow range (a factor 2) and over any range."""


class Maximum:
    """The distribution of the largest absolute statistic of a family with a given correlation.

    correlation (m, m): a contrast whose diagonal is NaN or not positive takes no part and gets NaN.
    The generator's state is read, not advanced: equal states give equal numbers, so that p-values and intervals agree.
    """

    def __init__(self, correlation: Floats, generator: np.random.Generator) -> None:
        correlation = np.asarray(correlation, dtype=np.float64)
        with np.errstate(invalid="ignore"):
            self.usable = np.diag(correlation) > 0
        block = correlation[np.ix_(self.usable, self.usable)]
        self.rank = 0
        if self.usable.any():
            factor = factorise(np.nan_to_num(block))
            self.rank = factor.shape[1]
            self.points, self.weights = _condense(_largest(factor, copy.deepcopy(generator)))

    def sf(self, t: Floats, df: Floats) -> Floats:
        """Return P(max|T| >= t) for each contrast's t >= 0 and df (inf: normal), both (m,)."""
        result = np.full(len(self.usable), np.nan)
        known = self.usable & ~np.isnan(t) & ~np.isnan(df)
        if known.any():
            result[known] = self._tail(np.asarray(t, dtype=np.float64)[known], np.asarray(df, dtype=np.float64)[known])
        return result

    def quantile(self, level: float, df: Floats) -> Floats:
        """Return for each contrast's df the t with P(max|T| < t) = level, (m,)."""
        result = np.full(len(self.usable), np.nan)
        known = self.usable & ~np.isnan(df)
        if known.any():
            result[known] = self._critical(level, np.asarray(df, dtype=np.float64)[known])
        return result

    def _tail(self, t: Floats, df: Floats) -> Floats:
        """Return the mean of the F tails over the condensed directions, in batches."""
        step = max(1, _BATCH // len(self.points))
        pieces = [slice(start, start + step) for start in range(0, len(t), step)]
        return np.concatenate([self._tails(t[piece], df[piece]) @ self.weights for piece in pieces])

    def _tails(self, t: Floats, df: Floats) -> Floats:
        """Return sf_F(t^2 / (r m^2); r, df) for each t (rows) and point m (columns)."""
        half = self.rank / 2.0
        with np.errstate(over="ignore"):
            squares = (t[:, None] / self.points) ** 2
        normal = np.isinf(df)
        tails = np.empty_like(squares)
        tails[normal] = gammaincc(half, squares[normal] / 2.0)
        scale = df[~normal, None]
        tails[~normal] = betainc(scale / 2.0, half, scale / (scale + squares[~normal]))
        return tails

    def _critical(self, level: float, df: Floats) -> Floats:
        """Return the quantiles; with many different df by interpolation in 1/df, where they are smooth."""
        different, position = np.unique(1.0 / df, return_inverse=True)
        low, high = different[0], different[-1]
        number = _FEW if high <= 2.0 * low else _MANY
        if len(different) <= number:
            return self._solve(level, different)[position]
        nodes = np.cos(np.pi * (np.arange(number) + 0.5) / number)
        fitted = np.polynomial.chebyshev.chebfit(
            nodes, np.log(self._solve(level, low + (nodes + 1.0) * (high - low) / 2.0)), number - 1
        )
        return np.asarray(np.exp(np.polynomial.chebyshev.chebval(2.0 * (different - low) / (high - low) - 1.0, fitted))[position])

    def _solve(self, level: float, inverse: Floats) -> Floats:
        """Return the quantiles for given 1/df, between the one of a single t and Bonferroni's."""
        with np.errstate(divide="ignore"):
            df = 1.0 / inverse
        alpha = 1.0 - level
        low, high = _two_sided(alpha, df), _two_sided(alpha / max(int(self.usable.sum()), 1), df)
        return find_roots(lambda t: np.log(self._tail(t, df)) - np.log(alpha), low * (1 - 1e-9), high * (1 + 1e-2))


def sf(t: Floats, df: Floats, correlation: Floats, generator: np.random.Generator) -> Floats:
    """Return the single-step adjusted p-values P(max|T| >= t), one for each contrast's t >= 0 and df (inf: normal).

    t, df (m,), correlation (m, m). NaN in t, df or the diagonal of the correlation gives NaN for that contrast only. Error about
    1e-4 near p .8, 3e-5 near .05 and relatively small in the tails. The generator's state is read, not advanced.
    """
    return Maximum(correlation, generator).sf(t, df)


def quantile(level: float, df: Floats, correlation: Floats, generator: np.random.Generator) -> Floats:
    """Return the critical values of simultaneous intervals at `level`, one for each contrast's df; see `sf`."""
    return Maximum(correlation, generator).quantile(level, df)


def factorise(correlation: Floats) -> Floats:
    """Return A (m, r) with unit rows and A A' = correlation, r its numerical rank.

    Cholesky with the largest pivot first, which costs m r^2, then turned to principal axes.
    """
    size = len(correlation)
    left = np.diag(correlation).copy()
    scale = left.copy()
    columns: list[Floats] = []
    factor = np.zeros((size, 0))
    while len(columns) < size:
        pivot = int(np.argmax(left / scale))
        if left[pivot] <= _RANK_TOLERANCE * scale[pivot]:
            break
        column = (correlation[:, pivot] - factor @ factor[pivot]) / np.sqrt(left[pivot])
        columns.append(column)
        factor = np.column_stack(columns)
        left = np.maximum(left - column**2, 0.0)
        left[pivot] = 0.0
    # principal axes first: the first coordinates of a Sobol point are the most even
    axes = np.linalg.svd(factor, full_matrices=False)[2].T
    factor = factor @ axes
    return np.asarray(factor / np.linalg.norm(factor, axis=1, keepdims=True))


def _largest(factor: Floats, generator: np.random.Generator) -> Floats:
    """Return m(u) for the Sobol directions u, (2^16,)."""
    rank = factor.shape[1]
    if rank == 1:
        return np.ones(1)
    # two dimensions need only the angle, and half a turn because of the absolute value
    uniform = qmc.Sobol(1 if rank == 2 else rank, rng=generator).random_base2(_POWER)
    if rank == 2:
        angle = np.pi * uniform[:, 0]
        directions = np.column_stack([np.cos(angle), np.sin(angle)])
    else:
        directions = ndtri(np.clip(uniform, 1e-12, 1.0 - 1e-12))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    step = max(1, 2 * _BATCH // len(factor))
    pieces = range(0, len(directions), step)
    return np.concatenate([np.abs(directions[start : start + step] @ factor.T).max(axis=1) for start in pieces])


def _condense(sample: Floats) -> tuple[Floats, Floats]:
    """Return points and weights with the sample's moments up to the third in each of many narrow cells.

    Two Gauss points for each cell: smooth functions have the same mean over them as over the sample.
    """
    low, high = float(sample.min()), float(sample.max())
    cell = np.minimum(((sample - low) / max(high - low, 1e-300) * _CELLS).astype(np.int64), _CELLS - 1)
    count = np.bincount(cell, minlength=_CELLS)
    used = count > 0
    number = np.maximum(count, 1)
    mean = np.bincount(cell, sample, _CELLS) / number
    rest = sample - mean[cell]
    spread = np.sqrt(np.bincount(cell, rest**2, _CELLS) / number)
    skew = np.bincount(cell, rest**3, _CELLS) / number / np.maximum(spread, 1e-12) ** 3
    root = np.sqrt(1.0 + skew**2 / 4.0)
    upper, lower = mean + spread * (skew / 2.0 + root), mean + spread * (skew / 2.0 - root)
    share = 0.5 - skew / (4.0 * root)
    weight = count / len(sample)
    points = np.concatenate([lower[used], upper[used]])
    weights = np.concatenate([((1.0 - share) * weight)[used], (share * weight)[used]])
    return points, weights


def _two_sided(alpha: float, df: Floats) -> Floats:
    """Return the two-sided critical value of one t (normal for infinite df)."""
    with np.errstate(invalid="ignore"):
        return np.where(np.isinf(df), -ndtri(alpha / 2.0), -stdtrit(np.where(np.isinf(df), 1.0, df), alpha / 2.0))
