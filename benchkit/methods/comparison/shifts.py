"""Differences between independent values as a distribution, and its quantiles: shifts from one sample to another."""

from dataclasses import dataclass

import numpy as np

from benchkit.methods.comparison.paired import FLOAT_NOISE
from benchkit.methods.records import Floats

# of a longer sample so many evenly spaced values, in order, stand for it
LONGEST = 2000


@dataclass(frozen=True)
class Shifts:
    """The distinct differences, ascending, and the share of all differences below each, those equal to it counting one half."""

    points: Floats
    below: Floats

    def quantile(self, share: float) -> float:
        """Return the difference with this share of the differences below it: linear between the distinct ones and 0.

        Quantiles of the mid-distribution (Parzen 2004), the usual ones without ties.
        """
        return float(np.interp(share, self.below, self.points))


def shifts_of(strata: list[tuple[Floats, Floats]], below_zero: float) -> Shifts:
    """Return the differences of all values of the first and of the second sample of each stratum; strata weigh the same.

    below_zero: the share of differences below 0 (ties one half), which stands at 0, so that quantiles are on the side of 0 on
    which it says they are. Differences within 1e-12 of the largest value are equal.
    """
    found, weights, noise = [], [], 0.0
    for first, second in strata:
        noise = max(noise, FLOAT_NOISE * float(np.max(np.abs(np.concatenate([first, second])))))
        difference = np.subtract.outer(_thinned(first), _thinned(second)).ravel()
        found.append(difference)
        weights.append(np.full(difference.size, 1.0 / (difference.size * len(strata))))
    differences = np.concatenate(found)
    differences[np.abs(differences) <= noise] = 0.0
    order = np.argsort(differences, kind="stable")
    ordered = differences[order]
    first_of = np.flatnonzero(np.append(True, np.diff(ordered) > noise))
    share = np.add.reduceat(np.concatenate(weights)[order], first_of)
    points, below = ordered[first_of], np.cumsum(share) - share / 2.0
    if points[0] < 0 < points[-1]:
        other = points != 0
        place = np.searchsorted(points[other], 0.0)
        points, below = np.insert(points[other], place, 0.0), np.insert(below[other], place, below_zero)
    return Shifts(points, below)


def placements(values: Floats, others: Floats) -> Floats:
    """Return for each value the share of the others that are greater, ties (within 1e-12 of the largest) counting one half."""
    noise = FLOAT_NOISE * float(np.max(np.abs(np.concatenate([values, others]))))
    ordered = np.sort(others)
    below, upto = np.searchsorted(ordered, values - noise, "left"), np.searchsorted(ordered, values + noise, "right")
    return np.asarray(1.0 - (below + upto) / (2.0 * others.size))


def _thinned(values: Floats) -> Floats:
    if values.size <= LONGEST:
        return values
    return np.quantile(values, (np.arange(LONGEST) + 0.5) / LONGEST, method="inverted_cdf")
