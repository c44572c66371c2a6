"""The bootstrap of the mean paired difference, with BCa intervals: bias-corrected and accelerated."""

import numpy as np
from scipy.special import ndtr, ndtri

from benchkit.methods.adjustment.max_t_bootstrap import resampled_sums
from benchkit.methods.comparison.shared import Shared, algorithm_means, difference_matrix, noise, remarks, shared
from benchkit.methods.records import Blocks, Floats, Remark, Unadjusted


def compare(blocks: Blocks) -> Unadjusted:
    """Return the mean difference of each pair with its BCa interval from blocks.draws resamples of whole replicates.

    All pairs see the same resamples; a pair uses what a resample holds of its shared replicates (one that holds none is left
    out for it). The ends are order statistics of the R resampled means, taken outwards, at the BCa percentiles of (R + 1);
    bias from the share of resampled means below the mean, ties one half; acceleration by the jackknife, in closed form for
    a mean. An end beyond the R is infinite, both are for an alpha below 2/(R + 1); remark few-draws where that happens with
    the Bonferroni level of the family. p_value inverts the interval: the smallest alpha at which it leaves out 0.
    std_error is sqrt(sum (d - mean)^2) / n, that of infinitely many resamples, with infinite df; there is no statistic.
    Differences that do not vary have no width and p 0, or 1 if they are zero (zero-variance); fewer than two give NaN,
    fewer than 20, with several pairs 100, too narrow intervals (liberal-at-small-n). own: smallest_p = 2/(R + 1).
    Source: Efron 1987; DiCiccio & Efron 1996, equation 2.3; Davison & Hinkley 1997, section 5.3.2.
    """
    found = shared(blocks.values, blocks.contrasts)
    ends = Ends(blocks, found)
    m = len(blocks.contrasts)
    low, high = ends.interval(np.full(m, 1.0 - (1.0 - blocks.level) / m))
    said = remarks(found, len(blocks.values))
    few = np.flatnonzero(np.isinf(low) | np.isinf(high))
    if few.size:
        said += (Remark("few-draws", tuple(few.tolist()), {"draws": float(blocks.draws)}),)
    limit = FEW_FOR_BCA if m == 1 else FEW_OF_SEVERAL
    fewer = np.flatnonzero(ends.varies & (found.n < limit))
    if fewer.size:
        numbers = {"least": float(found.n[fewer].min()), "limit": float(limit)}
        said += (Remark("liberal-at-small-n", tuple(fewer.tolist()), numbers),)
    std_error = found.sd * np.sqrt(np.maximum(found.n - 1.0, 0.0)) / np.maximum(found.n, 1)
    return Unadjusted(
        method="bootstrap",
        n=found.n,
        mean_a=found.mean_a,
        mean_b=found.mean_b,
        estimate=found.estimate,
        p_value=ends.p_value(),
        std_error=std_error,
        statistic=np.full(m, np.nan),
        df=np.where(np.isnan(std_error), np.nan, np.inf),
        interval=ends.interval,
        means=algorithm_means(blocks.values),
        own={"smallest_p": np.where(np.isnan(std_error), np.nan, ends.smallest_p())},
        remarks=said,
    )


# intervals of one pair, or of several, from fewer replicates are too narrow in simulations (docs/validity.md)
FEW_FOR_BCA, FEW_OF_SEVERAL = 20, 100

# normal quantiles beyond this are those of 0 and 1
FARTHEST = 40.0


class Ends:
    """The resampled means of every pair, ascending, and what moves the percentiles: bias and acceleration, shapes (m,)."""

    def __init__(self, blocks: Blocks, found: Shared) -> None:
        self.found = found
        self.varies = found.sd > 0
        self.means = _resampled(blocks)
        self.draws = (~np.isnan(self.means)).sum(axis=0)
        slack = noise(blocks.values, blocks.contrasts)
        self.means[np.abs(self.means) <= slack] = 0.0
        below = (self.means < found.estimate - slack).sum(axis=0)
        above = (self.means > found.estimate + slack).sum(axis=0)
        share = 0.5 + (below - above) / (2.0 * np.maximum(self.draws, 1))
        self.bias = np.where(self.varies, ndtri(np.where(self.varies, share, 0.5)), 0.0)
        self.acceleration = _acceleration(blocks)

    def interval(self, level: Floats) -> tuple[Floats, Floats]:
        """Return both ends at the levels, shape (m,); the estimate itself where nothing varies, NaN where sd is unknown."""
        normal = np.maximum(ndtri((1.0 - level) / 2.0), -FARTHEST)
        # an upper end is the lower end of b - a, with the signs of bias and acceleration turned
        low = self._order_statistic(_percentile(normal, self.bias, self.acceleration))
        high = -self._order_statistic(_percentile(normal, -self.bias, -self.acceleration), upper=True)
        beyond = 1.0 - level < self.smallest_p() * (1.0 - 1e-9)
        low, high = np.where(beyond, -np.inf, low), np.where(beyond, np.inf, high)
        constant = np.where(np.isnan(self.found.sd), np.nan, self.found.estimate)
        return np.where(self.varies, low, constant), np.where(self.varies, high, constant)

    def p_value(self) -> Floats:
        """Return the smallest alpha at which the interval leaves out 0, shape (m,)."""
        not_above = (1.0 + (self.means <= 0).sum(axis=0)) / (self.draws + 1.0)
        not_below = (1.0 + (self.means >= 0).sum(axis=0)) / (self.draws + 1.0)
        lower = _level_of(not_above, self.bias, self.acceleration)
        upper = _level_of(not_below, -self.bias, -self.acceleration)
        p = np.clip(2.0 * np.minimum(lower, upper), self.smallest_p(), 1.0)
        constant = np.where(np.isnan(self.found.sd), np.nan, np.where(self.found.estimate == 0, 1.0, 0.0))
        return np.where(self.varies, p, constant)

    def smallest_p(self) -> Floats:
        """Return what R draws can tell at best, two-sided; acceleration must not stretch it."""
        return np.asarray(2.0 / (self.draws + 1.0))

    def _order_statistic(self, share: Floats, upper: bool = False) -> Floats:
        """Return the floor((R + 1) share)-th smallest mean of a - b, or of b - a; minus infinity for the 0-th."""
        place = np.floor(share * (self.draws + 1.0) + 1e-9).astype(np.int64)
        last = np.maximum(self.draws, 1)
        row = np.clip(last - place if upper else place - 1, 0, last - 1)
        chosen = self.means[row, np.arange(len(share))]
        return np.where(place < 1, -np.inf, -chosen if upper else chosen)


def _resampled(blocks: Blocks) -> Floats:
    """Return the mean difference of every resample and pair, shape (draws, m), each column ascending, NaN last."""
    difference = difference_matrix(blocks.values, blocks.contrasts)
    present = ~np.isnan(difference)
    difference[~present] = 0.0
    complete = bool(present.all())
    m = difference.shape[1]
    columns = difference if complete else np.hstack([difference, present.astype(np.float64)])
    means = np.empty((blocks.draws, m))
    done = 0
    for sums in resampled_sums(columns, blocks.draws, blocks.generator):
        rows = slice(done, done + len(sums))
        sizes = np.full((1, 1), float(len(difference))) if complete else sums[:, m:]
        np.divide(sums[:, :m], sizes, out=means[rows], where=sizes > 0)
        if not complete:
            means[rows][sizes == 0] = np.nan
        done += len(sums)
    means.sort(axis=0)
    return means


def _acceleration(blocks: Blocks) -> Floats:
    """Return sum (d - mean)^3 / (6 (sum (d - mean)^2)^1.5) of each pair, shape (m,); 0 where nothing varies."""
    found = []
    for difference in difference_matrix(blocks.values, blocks.contrasts).T:
        deviation = difference[~np.isnan(difference)]
        deviation = deviation - deviation.mean() if deviation.size else np.zeros(1)
        largest = float(np.abs(deviation).max())
        deviation = deviation / largest if largest > 0 else deviation
        square = float((deviation**2).sum())
        found.append(float((deviation**3).sum()) / (6.0 * square**1.5) if square > 0 else 0.0)
    return np.array(found)


def _percentile(normal: Floats, bias: Floats, acceleration: Floats) -> Floats:
    """Return the share of resampled means below the lower end: normal cdf of z0 + (z0 + z)/(1 - a (z0 + z))."""
    moved = bias + normal
    room = 1.0 - acceleration * moved
    stretched = np.divide(moved, room, out=np.full(moved.shape, -np.inf), where=room > 0)
    return np.asarray(ndtr(bias + stretched))


def _level_of(share: Floats, bias: Floats, acceleration: Floats) -> Floats:
    """Return the normal cdf of the z whose _percentile is `share`."""
    distance = np.minimum(ndtri(share), FARTHEST) - bias
    room = 1.0 + acceleration * distance
    # the percentiles of all levels stay on this side of such a share
    moved = np.divide(distance, room, out=np.where(distance < 0, -np.inf, np.inf), where=room > 0)
    return np.asarray(ndtr(moved - bias))
