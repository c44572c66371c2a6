"""Restricted maximum likelihood of the random-intercept model, as a function of one ratio, from sums.

p_ij = mu_j + b_i + e_ij with Var(b) = gamma s^2 and Var(e) = s^2 (Eugster & Leisch 2008, section 3). The criterion is
-2 log restricted likelihood with mu and s^2 profiled out (Bates et al. 2015, section 3.4); its derivative in gamma is
analytic, so that its minimum is the root of a function that is known to machine precision.
"""

from dataclasses import dataclass, replace

import numpy as np

from benchkit.methods.comparison.sums import ROUNDING, Sums, rotate, rotation
from benchkit.methods.records import Floats
from benchkit.methods.roots import find_roots

_FADED = 27.0
_GRID = np.linspace(-9.0, 57.0, 89)
"""Trial values of log(1 + (largest n) gamma): from near the edge of what is possible, where replicates
have constant sums (ranks, shares), to where the residual is rounding."""


@dataclass(frozen=True)
class Fit:
    """The model at one gamma. Means are those of Sums with the centre put back.

    gamma: variance of replicates over residual variance, negative down to -1/(largest n) when unconstrained, inf when
    the residual variance is zero. variance: s^2. replicate_variance: gamma s^2. means (K,).
    relative_means (K,): the means less a common constant, whose differences keep their digits. information (K, K):
    s^2 X'V^-1X. covariance (K, K): of the means. criterion: -2 log restricted likelihood. at_boundary: gamma stands
    at an end of what is allowed (0 when constrained), or the data cannot tell it and 0 stands in.

    Without residual degrees of freedom the variances, the covariance and the criterion are NaN.
    """

    gamma: float
    variance: float
    replicate_variance: float
    means: Floats
    relative_means: Floats
    information: Floats
    covariance: Floats
    criterion: float
    at_boundary: bool


def fit(sums: Sums, constrained: bool) -> Fit:
    """Return the best fit over gamma >= 0 (constrained) or over gamma > -1/(largest n)."""
    squares, freedom = residual_within(sums)
    if freedom > 0 and squares <= freedom * (ROUNDING * sums.scale) ** 2:
        return _without_residual(sums)
    if freedom <= 0:
        return _independent(sums)
    if sums.balanced:
        return _balanced(sums, squares, constrained)
    return at(sums, *_search(rotate(sums), constrained))


def _independent(sums: Sums) -> Fit:
    """Return the fit without replicates, where no replicate tells differences apart from noise."""
    found = at(sums, 0.0, at_boundary=True)
    if found.variance <= (ROUNDING * sums.scale) ** 2:
        nothing = np.zeros_like(found.covariance)
        return replace(found, variance=0.0, replicate_variance=0.0, covariance=nothing, criterion=-np.inf)
    return found


def residual_within(sums: Sums) -> tuple[float, int]:
    """Return the residual sum of squares with fixed replicates and its degrees of freedom."""
    gram = sums.within_together
    values, vectors = np.linalg.eigh(gram)
    kept = values > 1e-10 * max(float(values[-1]), 1e-300)
    scores = vectors.T[kept] @ sums.within_totals
    explained = float(np.sum(scores**2 / values[kept]))
    freedom = sums.n_values - sums.n_replicates - int(kept.sum())
    return max(sums.within_squares - explained, 0.0), freedom


def at(sums: Sums, gamma: float, at_boundary: bool = False) -> Fit:
    """Return the fit with `gamma` held fixed, -1/(largest n) < gamma < inf."""
    turned, turn = rotate(sums), rotation(len(sums.counts))
    information, means, squares, _ = _solve(turned, np.array([gamma]))
    freedom = sums.n_values - len(sums.counts)
    variance = float(squares[0]) / freedom if freedom > 0 else np.nan
    criterion = float(_criterion(turned, np.array([gamma]), information, squares)[0]) if variance > 0 else np.nan
    return Fit(
        gamma=gamma,
        variance=variance,
        replicate_variance=gamma * variance,
        means=sums.centre + turn @ means[0],
        relative_means=_relative(sums, turn @ means[0]),
        information=turn @ information[0] @ turn.T,
        covariance=variance * turn @ np.linalg.inv(information[0]) @ turn.T,
        criterion=criterion,
        at_boundary=at_boundary,
    )


def _relative(sums: Sums, centred: Floats) -> Floats:
    """Return the means less the mean of the centres: a large common offset cancels before anything is added."""
    return np.asarray((sums.centre - sums.centre.mean()) + centred)


def _balanced(sums: Sums, squares: float, constrained: bool) -> Fit:
    """Return the fit of a complete matrix: the mean squares of the two-way analysis of variance."""
    rows, columns = sums.n_replicates, len(sums.counts)
    total = float(sums.totals[0, 0])
    between = max(float(sums.squares[0]) - total**2 / rows, 0.0) / columns
    residual, replicates = squares / ((rows - 1) * (columns - 1)), between / (rows - 1)
    gamma = (replicates / residual - 1.0) / columns
    at_boundary = replicates <= 0
    if constrained and gamma <= 0:
        gamma, residual, at_boundary = 0.0, (squares + between) / (rows * columns - columns), True
    ratio = 1.0 + columns * gamma
    ones = np.ones((columns, columns))
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = np.float64(gamma) / ratio
        information = rows * (np.eye(columns) - weight * ones)
        determinant = columns * np.log(rows) - np.log(ratio)
        freedom = rows * columns - columns
        criterion = freedom * (np.log(2 * np.pi * residual) + 1.0) + rows * np.log(ratio) + determinant
    return Fit(
        gamma=gamma,
        variance=residual,
        replicate_variance=gamma * residual,
        means=sums.centre + sums.sums / rows,
        relative_means=_relative(sums, sums.sums / rows),
        information=information,
        covariance=residual * (np.eye(columns) + gamma * ones) / rows,
        criterion=float(criterion),
        at_boundary=at_boundary,
    )


def _search(sums: Sums, constrained: bool) -> tuple[float, bool]:
    """Return the best gamma of all local minima and of the ends, and whether it is an end.

    The search is over u = log(1 + (largest n) gamma).
    """
    largest = float(sums.sizes[-1])
    grid = _GRID[_GRID >= 0] if constrained else _GRID
    if np.linalg.matrix_rank(sums.within_together, rtol=1e-10, hermitian=True) < len(sums.counts) - 1:
        # algorithms that no chain of replicates links are compared through replicates' means, which fade in the limit
        grid = grid[grid <= _FADED]
    slopes = _slope(sums, grid)
    turns = np.flatnonzero((slopes[:-1] < 0) & (slopes[1:] >= 0))
    points, ends = [], []
    if turns.size:
        points = list(find_roots(lambda u: _slope(sums, u), grid[turns], grid[turns + 1]))
    if slopes[0] >= 0:
        ends.append(grid[0])
    if slopes[-1] <= 0:
        ends.append(grid[-1])
    gammas = np.expm1(np.array(points + ends)) / largest
    information, _, squares, _ = _solve(sums, gammas)
    best = int(np.argmin(_criterion(sums, gammas, information, squares)))
    return float(gammas[best]), best >= len(points)


def _solve(sums: Sums, gammas: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return what the criterion is made of for each gamma (T,).

    s^2 X'V^-1X (T, K, K), the centred means (T, K), the residual sum of squares (T,), and the squared residual sums of
    the replicates of each size (T, g).
    """
    shrink = 1.0 / (1.0 + gammas[:, None] * sums.sizes)
    weights = shrink / sums.sizes
    within = sums.within_together
    information = within + np.tensordot(weights, sums.together, 1)
    means = np.linalg.solve(information, (sums.within_totals + weights @ sums.totals)[..., None])[..., 0]
    quadratic = np.einsum("tk,gkl,tl->tg", means, sums.together, means, optimize=True)
    between = np.maximum(sums.squares - 2.0 * means @ sums.totals.T + quadratic, 0.0)
    inside = sums.within_squares - 2.0 * means @ sums.within_totals + np.einsum("tk,kl,tl->t", means, within, means)
    squares = np.maximum(inside, 0.0) + np.sum(weights * between, axis=1)
    return np.asarray(information), np.asarray(means), np.asarray(squares), np.asarray(between)


def _criterion(sums: Sums, gammas: Floats, information: Floats, squares: Floats) -> Floats:
    """Return -2 log restricted likelihood at each gamma."""
    freedom = sums.n_values - len(sums.counts)
    spread = np.log1p(gammas[:, None] * sums.sizes) @ sums.replicates
    return np.asarray(freedom * (np.log(2 * np.pi * squares / freedom) + 1.0) + spread + np.linalg.slogdet(information).logabsdet)


def _slope(sums: Sums, u: Floats) -> Floats:
    """Return the derivative of the criterion in u = log(1 + (largest n) gamma)."""
    largest = float(sums.sizes[-1])
    gammas = np.expm1(u) / largest
    information, _, squares, between = _solve(sums, gammas)
    shrink = 1.0 / (1.0 + gammas[:, None] * sums.sizes)
    freedom = sums.n_values - len(sums.counts)
    change = np.tensordot(shrink**2, sums.together, 1)
    traces = np.trace(np.linalg.solve(information, change), axis1=1, axis2=2)
    slope = shrink @ (sums.sizes * sums.replicates) - freedom * np.sum(shrink**2 * between, axis=1) / squares - traces
    return np.asarray(slope * np.exp(u) / largest)


def _without_residual(sums: Sums) -> Fit:
    """Return the limit of a residual variance of zero: differences are exact, every replicate's mean counts the same."""
    within = sums.within_together
    values, vectors = np.linalg.eigh(within)
    flat = values <= 1e-10 * values[-1]
    exact = vectors[:, ~flat] @ ((vectors.T[~flat] @ sums.within_totals) / values[~flat])
    squared = 1.0 / sums.sizes.astype(np.float64) ** 2
    together, totals = np.tensordot(squared, sums.together, 1), squared @ sums.totals
    loose = vectors[:, flat]
    means = exact + loose @ np.linalg.solve(loose.T @ together @ loose, loose.T @ (totals - together @ exact))
    left = float(squared @ sums.squares) - 2.0 * float(means @ totals) + float(means @ together @ means)
    freedom = sums.n_replicates - loose.shape[1]
    replicates = left / freedom if freedom > 0 and left > freedom * (ROUNDING * sums.scale) ** 2 else 0.0
    return Fit(
        gamma=np.inf if replicates > 0 else 0.0,
        variance=0.0,
        replicate_variance=replicates,
        means=sums.centre + means,
        relative_means=_relative(sums, means),
        information=within,
        covariance=np.full_like(within, replicates / max(sums.n_replicates, 1)),
        criterion=-np.inf,
        at_boundary=replicates <= 0,
    )
