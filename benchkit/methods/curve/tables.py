"""How many of m resampled voters vote for an item that k of M voters vote for: binomial and hypergeometric tables.

One recursion outward from the mode for each k: ratios of neighbouring probabilities, multiplied up and normalised, then
summed from above, so that upper tails keep their relative accuracy (about 1e-12 for m up to 1e5).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchkit.methods.records import Floats, Integers

# numbers in a table at a time
MOST_CELLS = 1 << 21


@dataclass(frozen=True)
class Rows:
    """Tables for some k, shape (rows, m + 1). probability: of exactly t votes; upper: of t or more, 1 at t = 0."""

    k: Integers
    probability: Floats
    upper: Floats


def binomial(shares: Floats, m: int) -> tuple[Floats, Floats]:
    """Return P(Bin(m, p) = t) and P(Bin(m, p) >= t) for t = 0..m, each of shape (L, m + 1), for shares p in [0, 1]."""
    p = np.asarray(shares, dtype=np.float64)[:, None]
    inside = np.clip(p, 1e-300, 1 - 1e-16)
    odds = inside / (1 - inside)
    t = np.arange(m, dtype=np.float64)
    up = (m - t) / (t + 1) * odds
    down = (t + 1) / (m - t) / odds
    probability = _outward(up, down, np.minimum(np.floor((m + 1) * p[:, 0]), m))
    for edge, votes in ((0.0, 0), (1.0, m)):
        certain = p[:, 0] == edge
        probability[certain] = 0.0
        probability[certain, votes] = 1.0
    return probability, _from_above(probability)


def hypergeometric(k: Integers, voters: int, m: int) -> tuple[Floats, Floats]:
    """Return the same for m of M voters drawn without replacement, m <= M: P(Hypergeometric(M, k, m) = t) and >= t."""
    votes = np.asarray(k, dtype=np.float64)[:, None]
    t = np.arange(m, dtype=np.float64)
    drawn, left = (votes - t) * (m - t), (t + 1) * (voters - votes - m + t + 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        up, down = drawn / left, left / drawn
    mode = np.floor((votes[:, 0] + 1) * (m + 1) / (voters + 2))
    # the mode of ties lies within the support, which rounding must not leave
    mode = np.clip(mode, np.maximum(0, m - voters + votes[:, 0]), np.minimum(votes[:, 0], m))
    probability = _outward(up, down, mode)
    return probability, _from_above(probability)


def _outward(up: Floats, down: Floats, mode: Floats) -> Floats:
    """Return probabilities (L, m + 1) from ratios up[:, t] = P(t + 1)/P(t) above the mode and their inverses down below."""
    t = np.arange(up.shape[1])
    above = t >= mode[:, None]
    probability = np.ones((up.shape[0], up.shape[1] + 1))
    with np.errstate(under="ignore"):
        np.cumprod(np.where(above, np.abs(up), 1.0), axis=1, out=probability[:, 1:])
        probability[:, :-1] *= np.cumprod(np.where(above, 1.0, np.abs(down))[:, ::-1], axis=1)[:, ::-1]
    probability /= probability.sum(axis=1, keepdims=True)
    return probability


def _from_above(probability: Floats) -> Floats:
    """Return P(>= t); exactly 1 at t = 0 and never more."""
    upper = np.minimum(np.cumsum(probability[:, ::-1], axis=1)[:, ::-1], 1.0)
    upper[:, 0] = 1.0
    return upper


def density(probability: Floats, shares: Floats) -> Floats:
    """Return D, shape (L, m + 1): P(Bin(m - 1, p) = t - 1) = P(Bin(m, p) = t) t/(m p), so that dQ/dp = m D; 0 at p = 0, 1."""
    m = probability.shape[1] - 1
    inside = (shares > 0) & (shares < 1)
    scale = np.divide(1.0, m * shares, out=np.zeros(len(shares)), where=inside)
    return np.asarray(probability * np.arange(m + 1) * scale[:, None], dtype=np.float64)


def blocks(voters: int, m: int, present: Integers, with_replacement: bool) -> Iterator[Rows]:
    """Yield the tables of the numbers of votes `present`, a bounded number of them at a time."""
    step = max(1, MOST_CELLS // (m + 1))
    for start in range(0, len(present), step):
        k = present[start : start + step]
        table = binomial(k / voters, m) if with_replacement else hypergeometric(k, voters, m)
        yield Rows(k, *table)
