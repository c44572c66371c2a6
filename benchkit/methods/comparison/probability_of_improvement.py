"""How probably is one run of a better than one of b? By the bootstrap of independent runs within each stratum."""

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from benchkit.methods.comparison.samples import liberal, remarks, samples_of
from benchkit.methods.comparison.shifts import Shifts, placements, shifts_of
from benchkit.methods.records import Blocks, Floats, Integers, Interval, Remark, Unadjusted

CHUNK = 1 << 20


@dataclass(frozen=True)
class Improvement:
    """The probability of improvement of one pair, its resamples, ascending, the shifts between runs, and the least p-value."""

    probability: float
    resampled: Floats
    shifts: Shifts
    least: float

    @property
    def p_value(self) -> float:
        """Return twice the smaller share of resamples on either side of 1/2, at least what samples of these sizes allow."""
        below = np.searchsorted(self.resampled, 0.5 + 1e-12, "right")
        above = self.resampled.size - np.searchsorted(self.resampled, 0.5 - 1e-12, "left")
        return float(min(1.0, max(2.0 * (1.0 + min(below, above)) / (1.0 + self.resampled.size), self.least)))

    @property
    def smallest_p(self) -> float:
        """Return the least p-value that samples of these sizes and so many resamples allow."""
        return max(self.least, 2.0 / (1.0 + self.resampled.size))

    def ends(self, level: float) -> tuple[float, float]:
        """Return the percentile interval of the probability, which leaves out 1/2 when p_value is at most 1 - level."""
        spared = int(np.floor((1.0 - level) * (1.0 + self.resampled.size) / 2.0 + 1e-9)) - 1
        if spared < 0 or self.least > 1.0 - level:
            return 0.0, 1.0
        return float(self.resampled[spared]), float(self.resampled[-1 - spared])


def compare(blocks: Blocks) -> Unadjusted:
    """Compare the contrasts by the mean over the strata of P(a < b) + P(a = b)/2, the probability of improvement.

    blocks.clusters names the stratum of each replicate (the task, the data set); without it all are one. The runs of a and of b
    in a stratum are independent samples, and each is resampled by itself, blocks.draws times; strata with fewer than two runs
    of either are left out of all but the means (strata-left-out), since nothing says how much those vary. p is two-sided by
    percentiles, (1 + hits)/(1 + draws), but at least the chance of samples that are separated in all strata, in one direction
    if that is so: 2/(product of
    C(n_a + n_b, n_a)), else in any. estimate: the median difference between a run of a and one of b of the same
    stratum; its interval leaves out 0 exactly when that of the probability leaves out 1/2. own: n_a, n_b, strata, prob_better,
    prob_better_low, prob_better_high (percentiles at 1 - (1 - level)/m for m contrasts), smallest_p. Fewer than ten runs
    of one of them: too many rejections (liberal-at-small-n).
    Source: Agarwal et al. 2021. No stratum with two runs of both: NaN, small-n; no spread at all: zero-variance.
    """
    samples = samples_of(blocks.values)
    codes = np.zeros(len(blocks.values), dtype=np.int64) if blocks.clusters is None else blocks.clusters
    strata = [_strata(blocks.values[:, a], blocks.values[:, b], codes) for a, b in blocks.contrasts]
    found = [_improvement(shared, blocks) if shared else None for shared in strata]
    n_a, n_b = np.array([[sum(one[side].size for one in shared) for shared in strata] for side in (0, 1)], dtype=np.int64)
    ends = np.array([(np.nan, np.nan) if one is None else one.ends(_one_of(blocks)) for one in found], dtype=np.float64)
    flat = tuple(i for i, one in enumerate(found) if one is not None and np.ptp(one.resampled) == 0)
    untested = np.array([one is None for one in found])
    said = [remark for remark in remarks(samples, blocks.contrasts, untested) if remark.code != "zero-variance"]
    said += [Remark("zero-variance", flat)] if flat else []
    left_out = tuple(i for i, shared in enumerate(strata) if 0 < len(shared) < len(np.unique(codes)))
    said += [Remark("strata-left-out", left_out)] if left_out else []
    a, b = blocks.contrasts.T
    nothing = np.full(a.shape, np.nan)
    return Unadjusted(
        method="probability-of-improvement",
        n=n_a + n_b,
        mean_a=samples.mean[a],
        mean_b=samples.mean[b],
        estimate=np.array([np.nan if one is None else one.shifts.quantile(0.5) for one in found]),
        p_value=np.array([np.nan if one is None else one.p_value for one in found]),
        std_error=nothing,
        statistic=nothing,
        df=nothing,
        interval=_interval(found),
        means=samples.means,
        own={
            "n_a": n_a.astype(np.float64),
            "n_b": n_b.astype(np.float64),
            "strata": np.array([float(len(shared)) for shared in strata]),
            "prob_better": np.array([np.nan if one is None else one.probability for one in found]),
            "prob_better_low": ends[:, 0],
            "prob_better_high": ends[:, 1],
            "smallest_p": np.array([np.nan if one is None else one.smallest_p for one in found]),
        },
        remarks=(*said, *liberal(samples, blocks.contrasts, flat)),
    )


def _one_of(blocks: Blocks) -> float:
    return 1.0 - (1.0 - blocks.level) / len(blocks.contrasts)


def _strata(first: Floats, second: Floats, codes: Integers) -> list[tuple[Floats, Floats]]:
    """Return the runs of both in each stratum that has two runs or more of both."""
    both = [tuple(column[(codes == code) & ~np.isnan(column)] for column in (first, second)) for code in np.unique(codes)]
    return [(mine, other) for mine, other in both if min(mine.size, other.size) > 1]


def _improvement(strata: list[tuple[Floats, Floats]], blocks: Blocks) -> Improvement:
    probability, resampled, log_ways = 0.0, np.zeros(blocks.draws), 0.0
    for first, second in strata:
        probability += float(placements(first, second).mean()) / len(strata)
        resampled += _resampled(first, second, blocks) / len(strata)
        n, m = first.size, second.size
        log_ways += float(gammaln(n + m + 1.0) - gammaln(n + 1.0) - gammaln(m + 1.0))
    directions = 1 if probability in (0.0, 1.0) else len(strata)
    least = min(1.0, float(np.exp(directions * np.log(2.0) - log_ways)))
    return Improvement(probability, np.sort(resampled), shifts_of(strata, probability), least)


def _resampled(first: Floats, second: Floats, blocks: Blocks) -> Floats:
    """Return the probability of improvement in resamples of both samples, (draws,)."""
    n, m = first.size, second.size
    ahead = np.stack([placements(first, second[j : j + 1]) for j in range(m)], axis=1)
    step = max(CHUNK // (n + m), 1)
    parts = []
    for start in range(0, blocks.draws, step):
        rows = min(step, blocks.draws - start)
        mine, other = (blocks.generator.multinomial(size, np.full(size, 1.0 / size), rows) for size in (n, m))
        parts.append(np.einsum("ij,ij->i", mine.astype(np.float64) @ ahead, other.astype(np.float64)) / (n * m))
    return np.concatenate(parts)


def _interval(found: list[Improvement | None]) -> Interval:
    def interval(levels: Floats) -> tuple[Floats, Floats]:
        ends = [
            (np.nan, np.nan) if one is None else _shifts(one, level) for one, level in zip(found, levels.tolist(), strict=True)
        ]
        low, high = np.array(ends, dtype=np.float64).reshape(-1, 2).T
        return low, high

    return interval


def _shifts(one: Improvement, level: float) -> tuple[float, float]:
    """Return the differences as far from the middle as the ends of the interval are from the probability."""
    low, high = one.ends(level)
    if (low, high) == (0.0, 1.0):
        return -np.inf, np.inf
    return one.shifts.quantile(0.5 - (high - one.probability)), one.shifts.quantile(0.5 + one.probability - low)
