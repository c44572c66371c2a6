"""Which variance answers which question (roc.md, section 2.6): what is random, and what the interval is about.

In its letters: rerun = b (voters), c (both); mean = d; deployed = a; prediction = e.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.methods.curve.records import Moments, Spread
from benchkit.methods.records import Floats

Vary = Literal["voters", "items", "both"]
Target = Literal["rerun", "mean", "deployed", "prediction"]
# a standard deviation of a rate below 1e-10 is what rounding leaves of none
ROUNDING = 1e-20
VARY: tuple[Vary, ...] = ("voters", "items", "both")
TARGETS: tuple[Target, ...] = ("rerun", "mean", "deployed", "prediction")


@dataclass(frozen=True)
class Asked:
    """vary: what is random; target: what the interval is about."""

    vary: Vary = "both"
    target: Target = "rerun"

    def check(self) -> None:
        """Raise BenchkitError for a combination that has no meaning."""
        if self.target == "deployed" and self.vary != "items":
            message = "--target deployed is about these very voters, so only items vary"
            raise BenchkitError(message, "add --vary items, or leave out --target deployed")
        if self.target == "prediction" and self.vary == "items":
            message = "--target prediction is about the rerun of an ensemble, whose voters vary"
            raise BenchkitError(message, "--vary voters is a rerun on these items, --vary both one on new items")


@dataclass(frozen=True)
class Parts:
    """The variance in its parts: of voters, of items, and what of both belongs together. Numbers or arrays of one shape."""

    voters: Floats
    items: Floats

    @property
    def total(self) -> Floats:
        """The variance; NaN where its estimate is negative, 0 where rounding is all there is."""
        total = np.asarray(self.voters + self.items, dtype=np.float64)
        return np.where(np.abs(total) < ROUNDING, 0.0, np.where(total < 0, np.nan, total))

    @property
    def share_of_voters(self) -> Floats:
        """The voters' share of the variance, NaN where that is 0 or unknown."""
        voters, items = np.maximum(self.voters, 0.0), np.maximum(self.items, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.asarray(voters / (voters + items), dtype=np.float64)
        return np.where(self.total > 0, share, np.nan)


def parts(asked: Asked, same: Floats, first: Floats, own: Floats, sampling: Floats, ratio: float, floored: bool = True) -> Parts:
    """Return the variance in its parts from D, FO, G1, the items' sampling variance F (1 - F)/n and m/M.

    D + O is the voters' part of a rerun, and F (1 - F)/n - D the items', so that both together are F (1 - F)/n + O without
    counting D twice (2.5). A mean has (m/M) FO for the voters; a prediction has a rerun's and a mean's.
    """
    across = first - own
    zero = np.zeros(np.shape(same))
    items = sampling - same
    if floored and asked.target in ("mean", "prediction") and asked.vary == "both":
        items = np.maximum(items, 0.0)  # what is estimated as negative is not taken off the voters' part
    if asked.target == "deployed":
        return Parts(zero, sampling)
    voters = {"rerun": same + across, "mean": ratio * first, "prediction": same + across + ratio * first}[asked.target]
    if asked.target == "prediction":
        items = 2 * items  # the rerun's new items, and the items that the mean was estimated on
    return Parts(voters if asked.vary != "items" else zero, items if asked.vary != "voters" else zero)


def of_number(asked: Asked, spread: Spread, ratio: float) -> Parts:
    """Return the parts of the variance of one number. Shapes ()."""
    same, first, own, items = map(np.asarray, (spread.same_item, spread.first_order, spread.own, spread.items))
    return parts(asked, same, first, kept_positive(same, first, own, items), items, ratio)


def kept_positive(same: Floats, first: Floats, own: Floats, sampling: Floats) -> Floats:
    """Return G1, less where O = FO - G1 is estimated as so negative that it leaves D + O or F (1 - F)/n + O below 0.

    There O is taken as 0: in truth it is none or more, but estimates of a tiny one vary (roc.md, section 8).
    """
    across = first - own
    enough = (same + across > 0) & (sampling + across > 0)
    return np.where(enough, own, np.minimum(own, first))


def covariance(asked: Asked, moments: Moments, rates: Floats, items: Floats, ratio: float) -> Floats:
    """Return the covariance of the rates, shape (2, 2, T, T), from the moments and the rates F at the same thresholds.

    (F(max(t, s)) - F(t) F(s))/n_c is the items' part within a class; between classes only voters are shared.
    """
    size = rates.shape[1]
    whole = np.zeros((2, 2, size, size))
    later = np.maximum.outer(np.arange(size), np.arange(size))
    for c in range(2):
        sampling = (rates[c][later] - np.outer(rates[c], rates[c])) / items[c]
        found = parts(asked, moments.same_item[c], moments.first_order[c, c], moments.own[c], sampling, ratio, False)
        whole[c, c] = found.voters + found.items
        other = moments.first_order[c, 1 - c]
        between = parts(asked, np.zeros_like(other), other, np.zeros_like(other), np.zeros_like(other), ratio)
        whole[c, 1 - c] = between.voters + between.items
    return whole
