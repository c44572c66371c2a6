"""Errors of the mean prediction of m members: their expectation and variance over draws of members and over items."""

from dataclasses import dataclass

import numpy as np

from benchkit.methods.curve.members import MOST_SCORES, Members, with_replacement, without_replacement
from benchkit.methods.records import Floats


@dataclass(frozen=True)
class Errors:
    """Mean squared error, then mean absolute error, each of shape (2,) unless said otherwise.

    estimate: expected for ensembles of m members. limit: what more and more members lead to, MSE only (MAE NaN). voters:
    variance over draws of members. same_item: D, what of it there would be if items did not share the members. items: variance
    over items drawn anew, which holds D. losses: expected losses of each item, (2, n). realised: of all members at hand.
    """

    estimate: Floats
    limit: Floats
    voters: Floats
    same_item: Floats
    items: Floats
    losses: Floats
    realised: bool


def mean_errors(members: Members, targets: Floats, m: int, smoothed: bool, draws: int, generator: np.random.Generator) -> Errors:
    """Return the errors of ensembles of m members. targets: (n,). smoothed: means over members drawn with replacement.

    With equal weights the expected MSE is exact: that of the members' mean plus their sample variance s^2 of each item,
    averaged, times 1/m - 1/M without and (M - 1)/(M m) with replacement; limit is at m infinite, without. Else, and for the
    MAE, means over draws. items: the sample variance of losses over n; plus D where losses are expectations over members.
    """
    M, n = members.count, len(targets)
    realised = m == M and not smoothed
    chosen = with_replacement(M, m, draws, generator)
    asked = chosen if realised or smoothed or m > M else without_replacement(M, m, draws, generator)
    at_hand = np.ones((M, 1))
    equal = bool(np.ptp(members.weights) == 0)
    losses, of_draws, same = np.empty((2, n)), np.zeros((2, draws)), np.zeros(2)
    spread = np.empty(n)
    step = max(1, MOST_SCORES // max(draws, M))
    for start in range(0, n, step):
        rows = slice(start, min(start + step, n))
        part, wanted = Members(members.said[rows], members.weights), targets[rows, None]
        drawn = _losses(part.means(chosen) - wanted)
        of_draws += drawn.sum(axis=1)
        same += drawn.var(axis=2, ddof=1).sum(axis=1)
        if realised:
            losses[:, rows] = _losses(part.means(at_hand) - wanted)[:, :, 0]
        elif asked is chosen:
            losses[:, rows] = drawn.mean(axis=2)
        else:
            losses[:, rows] = _losses(part.means(asked) - wanted).mean(axis=2)
        spread[rows] = part.said.var(axis=1, ddof=1) if M > 1 else np.nan
        if equal and not realised and M > 1:
            squared = _losses(part.means(at_hand) - wanted)[0, :, 0]
            more = (M - 1) / (M * m) if asked is chosen else 1 / m - 1 / M
            losses[0, rows] = squared + more * spread[rows]
    same /= n**2
    centred = losses.var(axis=1, ddof=1) / n if n > 1 else np.full(2, np.nan)
    estimate = losses.mean(axis=1)
    return Errors(
        estimate,
        np.array(
            [_limit(estimate[0], float(spread.mean()), M, m, asked is chosen and not realised) if equal else np.nan, np.nan]
        ),
        (of_draws / n).var(axis=1, ddof=1),
        same,
        centred if realised else centred + same,
        losses,
        realised,
    )


def _losses(errors: Floats) -> Floats:
    """Return squared and absolute errors, shape (2, *)."""
    return np.stack([errors**2, np.abs(errors)])


def _limit(estimate: float, spread: float, M: int, m: int, replaced: bool) -> float:
    """Return the MSE without what the variance of members adds at the size m."""
    return estimate - spread * ((M - 1) / (M * m) + 1 / M if replaced else 1 / m)
