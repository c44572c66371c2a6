"""Kendall's coefficient of concordance for two algorithms: how far replicates agree on which of the two is better."""

import numpy as np

from benchkit.methods.effect import dominance
from benchkit.methods.effect.mean_difference import Effect
from benchkit.methods.records import Floats, Integers


def kendalls_w(values: Floats, contrasts: Integers, level: float, generator: np.random.Generator) -> Effect:
    """Return W of the pair's ranks within the n shared replicates, corrected for ties, with an interval: three arrays (m,).

    Of two algorithms that win w and l replicates W = chi2 / n = (w - l)^2 / (n (w + l)), chi2 Friedman's with K = 2: 0 where
    neither is ahead (and where all tie, the limit), 1 where one wins every replicate. It says nothing of who is ahead, so
    core takes it as it is. values: shape (B, K), NaN where missing; contrasts: shape (m, 2). Values within 1e-12 of the larger
    tie. Interval: that of the root with the sign of w - l, squared, as for Cliff's delta (BCa of 999 resamples of whole
    replicates up to 500, its large-sample limit beyond, Wilson's at 1); from 0 if that one covers 0. NaN without a shared
    replicate, and no interval of one. Source: Kendall & Babington Smith 1939; Kendall & Gibbons 1990, section 6.8 (ties).
    """
    weights: dict[int, Integers] = {}
    found = np.full((len(contrasts), 3), np.nan)
    for i, (a, b) in enumerate(contrasts):
        both = values[~np.isnan(values[:, [a, b]]).any(axis=1)][:, [a, b]]
        if len(both):
            found[i] = _one(_signs(both), level, weights, generator)
    effect, low, high = found.T
    return effect, low, high


def _signs(both: Floats) -> Integers:
    """Return 1 where the first value is the larger, -1 where the second is, 0 for ties; shape (n,)."""
    with np.errstate(invalid="ignore"):  # two equal infinities differ by NaN: a tie
        difference = both[:, 0] - both[:, 1]
    slack = dominance.TIE * np.abs(both).max(axis=1)
    slack[np.isinf(slack)] = 0.0
    return np.asarray((difference > slack).astype(np.int64) - (difference < -slack).astype(np.int64))


def _one(
    signs: Integers, level: float, weights: dict[int, Integers], generator: np.random.Generator
) -> tuple[float, float, float]:
    n = signs.size
    lead, decided = float(signs.mean()), float(np.abs(signs).mean())
    if n < 2 or not decided:
        return lead * lead, *((np.nan, np.nan) if n < 2 else (0.0, 0.0))
    root = lead / np.sqrt(decided)
    if abs(root) == 1:
        return 1.0, *_squared(*dominance.at_limit(root, n, level))
    influence = (signs - lead) / np.sqrt(decided) - root / (2 * decided) * (np.abs(signs) - decided)
    if n > dominance.MOST_FOR_RESAMPLING:
        return root * root, *_squared(*dominance.of_many(root, influence, level))
    if n not in weights:
        weights[n] = dominance.resamples(n, generator)
    leads, shares = signs @ weights[n] / n, np.abs(signs) @ weights[n] / n
    resampled = np.divide(leads, np.sqrt(shares), out=np.zeros(leads.shape), where=shares > 0)
    return root * root, *_squared(*dominance.bca(root, resampled, influence, level))


def _squared(low: float, high: float) -> tuple[float, float]:
    """Return the squares that the roots between low and high have."""
    least = 0.0 if low <= 0 <= high else min(low * low, high * high)
    return least, max(low * low, high * high)
