"""Mean curves and their covariances from vote counts (Gamst, Reyes & Walker 2017; roc.md, sections 2.1 to 2.5)."""

from typing import Any

import numpy as np

from benchkit.methods.curve.records import Curve, Moments, VoteCounts, Votes
from benchkit.methods.curve.tables import blocks, density
from benchkit.methods.records import Floats, Integers

# all of an ensemble of 512
MOST_THRESHOLDS = 513
# numbers of votes that are multiplied at a time, and from how many numbers on with 32 bits
STEP, MOST_EXACT = 256, 1 << 22
# smaller ones change no digit, and numbers at the edge of what 32 or 64 bits hold take a hundred times as long
NOTHING = 1e-30
# what 32 bits do not see beside the largest
FAINT = 1e-9


def curve(counts: VoteCounts, m: int, with_replacement: bool = False) -> Curve:
    """Return the mean rates at all thresholds 0..m of ensembles of m voters; F_c(t) = sum_k h_c[k] Q[k, t]/n_c.

    Without replacement (m <= M) unbiased, and at m = M the curve of the voters at hand; with replacement the paper's plug-in,
    whose voters are as if 1/m were 1/m + 1/M. A class without items has NaN.
    """
    if m == counts.voters and not with_replacement:
        rates = np.cumsum(counts.histogram[:, ::-1], axis=1)[:, ::-1].astype(np.float64)
    else:
        rates = np.zeros((2, m + 1))
        for rows in blocks(counts.voters, m, _present(counts), with_replacement):
            rates += counts.histogram[:, rows.k] @ rows.upper
    with np.errstate(invalid="ignore"):
        rates /= counts.items[:, None]
    return Curve(m, np.arange(m + 1), rates, realised=m == counts.voters and not with_replacement)


def same_item_variance(counts: VoteCounts, m: int) -> Floats:
    """Return D_c(t) = sum_k h_c[k] Q (1 - Q)/n_c^2 at all thresholds, shape (2, m + 1): the paper's variance."""
    total = np.zeros((2, m + 1))
    for rows in blocks(counts.voters, m, _present(counts), with_replacement=True):
        total += counts.histogram[:, rows.k] @ (rows.upper * (1 - rows.upper))
    return np.asarray(total / counts.items[:, None] ** 2, dtype=np.float64)


def thinned(rates: Floats, most: int = MOST_THRESHOLDS) -> Integers:
    """Return at most `most` thresholds, always 0 and the last.

    Half of them are about equally far apart in logit of the false positive rate, half in number of votes. rates: shape
    (2, m + 1), from the mean curve.
    """
    last = rates.shape[1] - 1
    if last < most:
        return np.arange(last + 1)
    inside = np.clip(rates[0], 1e-12, 1 - 1e-12)
    place = np.log(inside) - np.log1p(-inside)
    half = most // 2
    wanted = np.linspace(place[1], place[-1], half)
    # place falls with the threshold
    nearest = np.clip(np.searchsorted(-place[1:], -wanted) + 1, 1, last)
    return np.unique(np.concatenate([nearest, np.linspace(0, last, most - half).round().astype(np.int64)]))


def moments(counts: VoteCounts, m: int, thresholds: Integers) -> Moments:
    """Return D, FO, G1 and Phi at the thresholds, from binomial tables at k/M whatever the mean's are.

    D_c(t, s) = sum_k h_c[k] (Q[k, max(t, s)] - Q[k, t] Q[k, s])/n_c^2. Phi_c[t, i] = sum_k D[k, t] (A_c[k, i] - h_c[k] k/M)/n_c.
    FO = m/(M - 1) Phi Phi'. G1_c(t, s) = m/n_c^2 M/(M - 1) sum_k h_c[k] p (1 - p) D[k, t] D[k, s].
    FO and G1 are NaN for a single voter, FO and Phi without counts.sums.
    """
    size, M = len(thresholds), counts.voters
    mixed = np.zeros((2, size))
    product, own = np.zeros((2, size, size)), np.zeros((2, size, size))
    influence = np.zeros((2, size, M)) if counts.sums is not None else np.full((2, size, M), np.nan)
    for rows in blocks(M, m, _present(counts), with_replacement=True):
        share = rows.k / M
        upper = _plain(rows.upper[:, thresholds])
        slope = _plain(density(rows.probability, share)[:, thresholds])
        for c in range(2):
            h = counts.histogram[c, rows.k].astype(np.float64)
            mixed[c] += h @ upper
            product[c] += (upper.T * h) @ upper
            own[c] += (slope.T * (h * share * (1 - share))) @ slope
            if counts.sums is not None:
                _add_influence(influence[c], slope, counts.sums[c], rows.k, h * share)
    n = counts.items
    influence /= n[:, None, None]
    later = np.maximum.outer(np.arange(size), np.arange(size))
    same_item = (mixed[:, later] - product) / n[:, None, None] ** 2
    several = M / (M - 1) if M > 1 else np.nan
    first_order = np.einsum("cti,dsi->cdts", influence, influence, optimize=True) * (m * several / M)
    return Moments(same_item, first_order, own * (m * several) / n[:, None, None] ** 2, influence)


def _plain(table: Floats) -> Floats:
    """Return the table with 0 for what is next to nothing."""
    return np.where(table < NOTHING, 0.0, table)


def _add_influence(influence: Floats, slope: Floats, sums: Votes, k: Integers, expected: Floats) -> None:
    """Add sum_k slope[k, t] (sums[k, i] - expected[k]) to influence[t, i], a bounded number of k at a time.

    Large products are of 32-bit numbers, after the expected votes are taken off, and of those thresholds only that ensembles
    reach with such k: six digits of a standard deviation, at a quarter of the time.
    """
    large = len(k) * sums.shape[1] > MOST_EXACT
    kind: type[np.floating[Any]] = np.float32 if large else np.float64
    weight = slope * expected[:, None]
    least = weight.max(axis=0) * FAINT if large else np.zeros(slope.shape[1])
    voted = expected > 0
    for start in range(0, len(k), STEP):
        part = np.arange(start, min(start + STEP, len(k)))[voted[start : start + STEP]]
        reached = np.flatnonzero((weight[part] > least).any(axis=0))
        if not len(reached):
            continue
        columns = slice(int(reached[0]), int(reached[-1]) + 1)
        run = k[part[-1]] - k[part[0]] == len(part) - 1  # as a rule no number of votes is left out: no copy
        beyond = sums[k[part[0]] : k[part[-1]] + 1].astype(kind) if run else sums[k[part]].astype(kind)
        np.subtract(beyond, expected[part, None].astype(kind), out=beyond)
        influence[columns] += slope[part, columns].T.astype(kind) @ beyond


def _present(counts: VoteCounts) -> Integers:
    """Return the numbers of votes that occur."""
    return np.flatnonzero(counts.histogram.any(axis=0))
