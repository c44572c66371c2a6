"""Single-step adjustment by the largest absolute t statistic, for any correlation (Hothorn, Bretz & Westfall 2008).

T = A g / sqrt(chi2/df) with g standard normal of dimension r, the rank of the correlation A A'. In polar coordinates
g = |g| u the direction u and the radius part, and given u the event max|T| >= t is an F event:
P(max|T| >= t) = E sf_F(t^2 / (r m(u)^2); r, df), m(u) = max |a_j'u|. The mean over u is taken over 2^16 scrambled Sobol
directions; since only the distribution of m(u) matters, it is condensed to about a thousand weighted points.
"""

import copy

import numpy as np
from scipy.special import betainc, gammaincc, ndtr, ndtri, poch, stdtr
from scipy.stats import qmc

from benchkit.methods.records import Floats
from benchkit.methods.roots import find_roots
from benchkit.methods.t_quantile import upper_t

_POWER = 16
_FEW_CONTRASTS = 150
_CELLS = 400
_MOMENTS = (4, 8, 16)
_BATCH = 250_000
"""Elements at a time, so that they stay in the processor's cache."""

_RESOLVED = 0.02
"""The sum of the single tails down to which the directions alone are trusted."""

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
            self.points, self.weights = _condense(*_largest(factor, copy.deepcopy(generator)))

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
        """Return the tail, at most Bonferroni's, and in the far tail no lower than the last ratio to it that is resolved.

        The ratio grows with t, while ever fewer directions reach the corners that matter there.
        """
        result = self._mean(t, df)
        m = int(self.usable.sum())
        bonferroni = m * _two_sided_tail(t, df)
        far = bonferroni < _RESOLVED
        if far.any():
            ratio = self._mean(_two_sided(_RESOLVED / m, df[far]), df[far]) / _RESOLVED
            result[far] = np.maximum(result[far], ratio * bonferroni[far])
        return np.minimum(result, bonferroni)

    def _mean(self, t: Floats, df: Floats) -> Floats:
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

    Cholesky with the largest pivot first, at a cost of m r^2. Equal pivots are taken in the order of the fourth powers of
    their correlations, and columns get the sign of the first, so that neither the order of the contrasts nor which
    algorithm of a pair comes first decides how the factor meets the directions.
    """
    size = len(correlation)
    left = np.diag(correlation).copy()
    scale = left.copy()
    columns: list[Floats] = []
    factor = np.zeros((size, 0))
    ties = np.round((correlation**4).sum(axis=0), 9)
    while len(columns) < size:
        share = left / scale
        # nearly equal pivots count as equal, so that rounding in the last digit changes nothing
        pivot = int(np.argmax(np.where(share >= (1.0 - 1e-6) * share.max(), ties, -np.inf)))
        if left[pivot] <= _RANK_TOLERANCE * scale[pivot]:
            break
        column = (correlation[:, pivot] - factor @ factor[pivot]) / np.sqrt(left[pivot])
        if columns and float((columns[0] ** 3) @ column) < 0:
            column = -column
        columns.append(column)
        factor = np.column_stack(columns)
        left = np.maximum(left - column**2, 0.0)
        left[pivot] = 0.0
    return np.asarray(factor / np.linalg.norm(factor, axis=1, keepdims=True))


def _largest(factor: Floats, generator: np.random.Generator) -> tuple[Floats, Floats]:
    """Return m(u) of the Sobol directions u, (2^16,) or twice as many for few contrasts, and the weight of each direction.

    In one dimension all directions are the same; in two the angle says all, and half a turn because of the absolute value.
    """
    rank = factor.shape[1]
    if rank == 1:
        return np.ones(1), np.ones(1)
    power = _POWER + (len(factor) <= _FEW_CONTRASTS)
    uniform = qmc.Sobol(1 if rank == 2 else rank, rng=generator).random_base2(power)
    if rank == 2:
        angle = np.pi * uniform[:, 0]
        directions = np.column_stack([np.cos(angle), np.sin(angle)])
    else:
        directions = ndtri(np.clip(uniform, 1e-12, 1.0 - 1e-12))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    step = max(1, 8 * _BATCH // len(factor))
    largest, moments = np.empty(len(directions)), np.empty((len(directions), len(_MOMENTS)))
    for start in range(0, len(directions), step):
        piece = slice(start, start + step)
        squares = (directions[piece] @ factor.T) ** 2
        largest[piece] = np.sqrt(squares.max(axis=1))
        for column in range(len(_MOMENTS)):
            squares *= squares
            moments[piece, column] = squares.mean(axis=1)
    return largest, _calibrated(moments, rank)


def _calibrated(moments: Floats, rank: int) -> Floats:
    """Return weights of the directions with which mean |a'u|^k over the contrasts has its true mean for k in _MOMENTS.

    These means are known for a uniform u; correcting for them (a regression estimate) removes most of the error in the
    tails, where the largest statistic is nearly the sum over all.
    """
    half = np.array(_MOMENTS) / 2.0
    relative = moments / (poch(0.5, half) / poch(rank / 2.0, half))
    mean = relative.mean(axis=0)
    centred = relative - mean
    coefficients = np.linalg.lstsq(centred.T @ centred / len(moments), 1.0 - mean, rcond=1e-10)[0]
    return np.asarray((1.0 + centred @ coefficients) / len(moments))


def _condense(sample: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return points and weights with the weighted sample's moments up to the third in each of many narrow cells.

    Two Gauss points for each cell: smooth functions have the same mean over them as over the sample.
    """
    low, high = float(sample.min()), float(sample.max())
    cell = np.minimum(((sample - low) / max(high - low, 1e-300) * _CELLS).astype(np.int64), _CELLS - 1)
    mass = np.bincount(cell, weights, _CELLS)
    used = mass > 0
    share = np.where(used, mass, 1.0)
    mean = np.bincount(cell, weights * sample, _CELLS) / share
    rest = sample - mean[cell]
    spread = np.sqrt(np.maximum(np.bincount(cell, weights * rest**2, _CELLS) / share, 0.0))
    skew = np.bincount(cell, weights * rest**3, _CELLS) / share / np.maximum(spread, 1e-12) ** 3
    root = np.sqrt(1.0 + skew**2 / 4.0)
    upper, lower = mean + spread * (skew / 2.0 + root), mean + spread * (skew / 2.0 - root)
    above = 0.5 - skew / (4.0 * root)
    points = np.concatenate([lower[used], upper[used]])
    return points, np.concatenate([((1.0 - above) * mass)[used], (above * mass)[used]])


def _two_sided(alpha: float, df: Floats) -> Floats:
    """Return the two-sided critical value of one t (normal for infinite df)."""
    return upper_t(df, alpha / 2.0)


def _two_sided_tail(t: Floats, df: Floats) -> Floats:
    """Return the two-sided tail of one t (normal for infinite df)."""
    normal = np.isinf(df)
    return np.asarray(2.0 * np.where(normal, ndtr(-t), stdtr(np.where(normal, 1.0, df), -t)))
