"""The Bayesian signed-rank test: is the mean of two differences drawn at random likely to favour a?"""

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.comparison.bayes import posterior_answer, posterior_draws
from benchkit.methods.comparison.signed_differences import Differences
from benchkit.methods.mid_ranks import NOISE
from benchkit.methods.records import Blocks, Floats, Unadjusted

PRIOR, DRAWS = 0.5, 50_000
# numbers in a chunk of draws: the two matrices of a chunk stay in the cache
CHUNK = 1 << 16

Positions = NDArray[np.intp]


def compare(blocks: Blocks) -> Unadjusted:
    """Give each contrast the posterior probabilities of 'a better', 'equivalent' and 'a worse'.

    The differences a - b and a pseudo-difference 0 get Dirichlet(1, ..., 1, 0.5) weights w. The masses of a draw are the sums of
    w_i w_j over the pairs (i, j) with mean difference below -margin (a better), in the rope [-margin, margin], and above it
    (a worse), a mean on a border counting one half on each side. The probabilities are the shares of 50,000 draws, from
    blocks.generator, in which each mass is the largest (equally large ones share the draw). Without a margin the middle mass
    is 0.

    That is baycomp 1.0.3's SignedRankTest, whose 'left' (of y - x, more is better) is 'a better' for x = a here. estimate is the
    mean difference of the shared replicates. No p-value and no interval; NaN with fewer than two replicates.
    Source: Benavoli et al. 2014, ICML (PMLR 32); Benavoli et al. 2017, JMLR 18:77.
    """
    return posterior_answer("bayes-signed-rank", blocks, lambda pair, margin: posterior(pair, margin, blocks.generator))


def draws(blocks: Blocks, count: int) -> Floats:
    """Return draws of the three masses, (m, count, 3), from blocks.generator.

    NaN for a pair without a margin, whose masses are two and no three, and for one with fewer than two replicates.
    """

    def of_pair(pair: Differences, margin: float) -> Floats:
        points, counts, borders = _setting(pair, margin)
        rows = max(CHUNK // points.size, 1)
        parts = [masses(_weights(counts, min(rows, count - start), blocks.generator), borders) for start in range(0, count, rows)]
        return np.concatenate(parts, axis=1).T

    return posterior_draws(blocks, count, of_pair)


def posterior(pair: Differences, margin: float, generator: np.random.Generator) -> Floats:
    """Return the probabilities (3,) of the three outcomes."""
    points, counts, borders = _setting(pair, margin)
    won = np.zeros(3)
    rows = max(CHUNK // points.size, 1)
    for start in range(0, DRAWS, rows):
        weights = _weights(counts, min(rows, DRAWS - start), generator)
        mass = masses(weights, borders)
        largest = mass >= mass.max(axis=0) - NOISE
        won += np.sum(largest / largest.sum(axis=0), axis=1)
    return np.asarray(won / DRAWS)


def _setting(pair: Differences, margin: float) -> tuple[Floats, Floats, list[tuple[Positions, Positions]]]:
    """Return the points with their Dirichlet parameters, and the positions that the borders give to them."""
    noise = float(np.max(pair.noise, initial=NOISE * margin))
    points, counts = merged(pair.values, noise)
    around = (-2.0 * margin, 2.0 * margin) if margin > 0 else (0.0,)
    return points, counts, [_positions(points, border, noise) for border in around]


def merged(difference: Floats, noise: float) -> tuple[Floats, Floats]:
    """Return the distinct differences with the pseudo-difference 0, ascending, and their Dirichlet parameters.

    Neighbours at most `noise` apart are one: the weight of equal differences is a gamma variable whose shape is their number.
    """
    order = np.argsort(np.append(difference, 0.0), kind="stable")
    ordered, strength = np.append(difference, 0.0)[order], np.append(np.ones(difference.size), PRIOR)[order]
    first = np.flatnonzero(np.append(True, np.diff(ordered) > noise))
    return ordered[first], np.add.reduceat(strength, first)


def masses(weights: Floats, borders: list[tuple[Positions, Positions]]) -> Floats:
    """Return the masses (3, draws) below the first border, between the borders and above the last one.

    weights: (points, draws), of any sum. Each mass is one pass: for the point i all points up to the position that the border
    gives to it count.
    """
    upto = np.zeros((len(weights) + 1, weights.shape[1]))
    np.cumsum(weights, axis=0, out=upto[1:])
    total = upto[-1] ** 2
    below = []
    for left, right in borders:
        mass = np.einsum("ij,ij->j", weights, upto[left])
        if not np.array_equal(left, right):
            mass = (mass + np.einsum("ij,ij->j", weights, upto[right])) / 2.0
        below.append(mass / total)
    middle = np.maximum(below[-1] - below[0], 0.0) if len(below) > 1 else np.full(total.shape, -1.0)
    return np.stack([below[0], middle, 1.0 - below[-1]])


def _positions(points: Floats, border: float, noise: float) -> tuple[Positions, Positions]:
    """Return for each point how many points make a sum with it below the border, and how many below or on it."""
    reach = border - points
    return np.searchsorted(points, reach - 2.0 * noise, "left"), np.searchsorted(points, reach + 2.0 * noise, "right")


def _weights(counts: Floats, draws: int, generator: np.random.Generator) -> Floats:
    """Return gamma variables, (points, draws), whose shares of their sum are Dirichlet(counts)."""
    weights = np.empty((counts.size, draws))
    single = counts == 1.0
    weights[single] = generator.standard_exponential((int(single.sum()), draws))
    weights[~single] = generator.standard_gamma(counts[~single, None], (int((~single).sum()), draws))
    return weights
