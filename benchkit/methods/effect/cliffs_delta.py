"""Cliff's delta: how often any value of a is better than any value of b, less how often it is worse."""

import numpy as np

from benchkit.methods.effect import dominance
from benchkit.methods.effect.dominance import Signs
from benchkit.methods.effect.mean_difference import Effect
from benchkit.methods.records import Floats, Integers


def cliffs_delta(values: Floats, contrasts: Integers, level: float, generator: np.random.Generator) -> Effect:
    """Return P(a better) - P(a worse) over all n^2 couples of a value of a and one of b, with an interval: three arrays (m,).

    values: shape (B, K), less is better, NaN where missing; contrasts: shape (m, 2). Above 0 if a is
    better, whatever the direction: core takes it as it is. The n shared replicates count; pairing matters for the interval
    only. Values within 1e-12 of the larger tie. Interval: BCa of 999 resamples of whole replicates (up to 500 replicates),
    its large-sample limit on Fisher's scale beyond, Wilson's at -1 and 1; NaN for one replicate. O(n log n) for the effect.
    Source: Cliff 1993; Feng & Cliff 2004.
    """
    codes = dominance.tie_codes(values, np.abs(values))
    missing = np.isnan(values)
    weights: dict[int, Integers] = {}
    found = np.full((len(contrasts), 3), np.nan)
    for i, (a, b) in enumerate(contrasts):
        both = ~(missing[:, a] | missing[:, b])
        if both.any():
            found[i] = _one(dominance.signs(codes[both, b], codes[both, a]), level, weights, generator)
    effect, low, high = found.T
    return effect, low, high


def _one(signs: Signs, level: float, weights: dict[int, Integers], generator: np.random.Generator) -> tuple[float, float, float]:
    n = signs.n
    delta = float(signs.rows.sum()) / n**2
    if n < 2:
        return delta, np.nan, np.nan
    if abs(delta) == 1:
        return delta, *dominance.at_limit(delta, n, level)
    influence = (signs.rows + signs.columns) / n - 2 * delta
    if n > dominance.MOST_FOR_RESAMPLING:
        return delta, *dominance.of_many(delta, influence, level)
    if n not in weights:
        weights[n] = dominance.resamples(n, generator)
    resampled = dominance.resampled_sums(signs, weights[n]) / n**2
    return delta, *dominance.bca(delta, resampled, influence, level)
