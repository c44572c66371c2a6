"""The matched-pairs rank-biserial correlation: the effect that belongs to Wilcoxon's signed-rank test."""

import numpy as np

from benchkit.methods.effect import dominance
from benchkit.methods.effect.mean_difference import Effect
from benchkit.methods.records import Floats, Integers


def rank_biserial(values: Floats, contrasts: Integers, level: float, generator: np.random.Generator) -> Effect:
    """Return (W- - W+) / (n (n + 1) / 2) of the differences a - b, with an interval: three arrays (m,).

    values: shape (B, K), less is better, NaN where missing; contrasts: shape (m, 2). Above 0 if a is
    better, whatever the direction: core takes it as it is. Differences of 0 (within 1e-12 of the larger value) have their ranks
    but no side, as in Pratt's test; without them it is Kerby's f - u. The effect is the share of the n (n + 1) / 2 averages
    of two differences below 0 less the share above. Interval: as for Cliff's delta. NaN where a difference is undefined.
    Source: King & Minium 2003; Kerby 2014.
    """
    weights: dict[int, Integers] = {}
    found = np.full((len(contrasts), 3), np.nan)
    for i, (a, b) in enumerate(contrasts):
        both = values[~np.isnan(values[:, [a, b]]).any(axis=1)][:, [a, b]]
        if len(both) and np.isfinite(both).all():
            found[i] = _one(both, level, weights, generator)
    effect, low, high = found.T
    return effect, low, high


def _one(both: Floats, level: float, weights: dict[int, Integers], generator: np.random.Generator) -> tuple[float, float, float]:
    n = len(both)
    scale = np.abs(both).max(axis=1)
    difference = both[:, 1] - both[:, 0]  # above 0 where a is better
    difference[np.abs(difference) <= dominance.TIE * scale] = 0.0
    # the average of d_i and d_j is above 0 if d_i exceeds -d_j: the sign matrix of d and -d, its upper half with the diagonal
    x, y = dominance.tie_codes(np.stack([difference, -difference]), np.stack([scale, scale]))
    signs, own = dominance.signs(x, y), np.sign(difference).astype(np.int64)
    effect = float(signs.rows.sum() + own.sum()) / (n * (n + 1))
    if n < 2:
        return effect, np.nan, np.nan
    if abs(effect) == 1:
        return effect, *dominance.at_limit(effect, n, level)
    centred = signs.rows - signs.rows.mean()
    influence = 2 * centred / n
    if n > dominance.MOST_FOR_RESAMPLING:
        return effect, *dominance.of_many(effect, influence, level)
    if n not in weights:
        weights[n] = dominance.resamples(n, generator)
    resampled = (dominance.resampled_sums(signs, weights[n]) + own @ weights[n]) / (n * (n + 1))
    return effect, *dominance.bca(effect, resampled, influence, level)
