"""Independent samples: Brunner and Munzel's test, by ranks and with unequal variances, and the shift that belongs to it."""

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln, ndtri

from benchkit.methods.comparison.paired import two_sided
from benchkit.methods.comparison.samples import columns_of, liberal, remarks, samples_of, sizes
from benchkit.methods.comparison.shifts import Shifts, placements, shifts_of
from benchkit.methods.records import Blocks, Floats, Interval, Remark, Unadjusted
from benchkit.methods.t_quantile import upper_t


@dataclass(frozen=True)
class Effect:
    """One pair: P(a < b) + P(a = b)/2, its standard error, df and two-sided p-value, and the sizes n and m of the samples."""

    prob_better: float
    std_error: float
    df: float
    p_value: float
    shifts: Shifts
    n: int
    m: int

    @property
    def separated(self) -> bool:
        """Say whether all values of one sample lie below all of the other."""
        return self.prob_better in (0.0, 1.0)

    @property
    def statistic(self) -> float:
        """Return (1/2 - prob_better)/std_error, positive where a is worse; infinite if separated, 0 without any difference."""
        distance = 0.5 - self.prob_better
        if self.std_error > 0:
            return distance / self.std_error
        return 0.0 if distance == 0 else float(np.copysign(np.inf, distance))


def compare(blocks: Blocks) -> Unadjusted:
    """Compare the contrasts by the relative effect P(a < b) + P(a = b)/2 against 1/2, t with Satterthwaite's df.

    estimate: the median difference between a value of a and one of b (Hodges & Lehmann 1963). The interval lies between the
    quantiles of these differences at 1/2 +/- t std_error of the effect; its ends are infinite where that leaves [0, 1]. All three
    are quantiles of the mid-distribution (Parzen 2004), linear between the distinct differences and 0, so that the estimate
    has the sign of the effect, with ties, too, and the interval leaves out 0 exactly when the test rejects. Values within
    1e-12 of the largest are ties.

    Separated samples (separated-samples) have no variance: statistic infinite, p = 2/C(n_a + n_b, n_a), the chance of a
    separation in either direction if nothing differs (t gives 0, whatever the sizes), Mann and Whitney's variance for the
    interval. p 1 if all values are equal (zero-variance). Fewer than two values give NaN (small-n), fewer than ten too many
    rejections (liberal-at-small-n). n is n_a + n_b. own: n_a, n_b, prob_better, prob_better_std_error. std_error is NaN, since
    that of the shift is not estimated.
    Source: Brunner & Munzel 2000, Biometrical Journal 42.
    """
    samples, columns = samples_of(blocks.values), columns_of(blocks.values)
    found = [_effect(columns[a], columns[b]) if min(columns[a].size, columns[b].size) > 1 else None for a, b in blocks.contrasts]
    a, b = blocks.contrasts.T
    separated = tuple(i for i, one in enumerate(found) if one is not None and one.separated)
    equal = tuple(i for i, one in enumerate(found) if one is not None and one.std_error == 0 and not one.separated)
    said = [remark for remark in remarks(samples, blocks.contrasts) if remark.code != "zero-variance"]
    said += [Remark(code, which) for code, which in (("separated-samples", separated), ("zero-variance", equal)) if which]

    def of_each(name: str) -> Floats:
        return np.array([np.nan if one is None else getattr(one, name) for one in found], dtype=np.float64)

    return Unadjusted(
        method="brunner-munzel",
        n=samples.n[a] + samples.n[b],
        mean_a=samples.mean[a],
        mean_b=samples.mean[b],
        estimate=np.array([np.nan if one is None else one.shifts.quantile(0.5) for one in found]),
        p_value=of_each("p_value"),
        std_error=np.full(a.shape, np.nan),
        statistic=of_each("statistic"),
        df=of_each("df"),
        interval=_interval(found),
        means=samples.means,
        own={
            **sizes(samples, blocks.contrasts),
            "prob_better": of_each("prob_better"),
            "prob_better_std_error": of_each("std_error"),
        },
        remarks=(*said, *liberal(samples, blocks.contrasts, separated + equal)),
    )


def _effect(first: Floats, second: Floats) -> Effect:
    """Return the relative effect of two samples of two values or more.

    The placement of a value is the share of the other sample above it (ties one half); the variance of the effect is the sum
    of the variances of the placements over the sizes.
    """
    n, m = first.size, second.size
    of_first, of_second = placements(first, second), 1.0 - placements(second, first)
    prob_better = float(of_first.mean())
    parts = np.array([of_first.var(ddof=1) / n, of_second.var(ddof=1) / m])
    variance = float(parts.sum())
    extreme = prob_better in (0.0, 1.0)
    shifts = shifts_of([(first, second)], prob_better)
    if variance == 0 or extreme:
        # neither varies only if the samples are separated or all values are equal
        p = float(2.0 * np.exp(gammaln(n + 1.0) + gammaln(m + 1.0) - gammaln(n + m + 1.0))) if extreme else 1.0
        return Effect(prob_better, 0.0, np.nan, p, shifts, n, m)
    share = parts / variance
    df = float(1.0 / (share[0] ** 2 / (n - 1.0) + share[1] ** 2 / (m - 1.0)))
    error = float(np.sqrt(variance))
    p = float(two_sided(np.array([(0.5 - prob_better) / error]), df)[0])
    return Effect(prob_better, error, df, p, shifts, n, m)


def _interval(found: list[Effect | None]) -> Interval:
    def interval(levels: Floats) -> tuple[Floats, Floats]:
        ends = [(np.nan, np.nan) if one is None else _ends(one, level) for one, level in zip(found, levels.tolist(), strict=True)]
        low, high = np.array(ends, dtype=np.float64).reshape(-1, 2).T
        return low, high

    return interval


def _ends(effect: Effect, level: float) -> tuple[float, float]:
    """Return the differences at the ranks that half an interval of the effect lies below and above the middle one."""
    tail = (1.0 - level) / 2.0
    if effect.std_error > 0:
        half = float(upper_t(effect.df, tail)) * effect.std_error
    elif not effect.separated:
        return float(effect.shifts.points[0]), float(effect.shifts.points[-1])
    elif effect.p_value > 1.0 - level:
        half = np.inf
    else:
        # at most the outermost differences: the p-value says that 0 lies outside
        n, m = effect.n, effect.m
        half = min(-float(ndtri(tail)) * np.sqrt((n + m + 1.0) / (12.0 * n * m)), 0.5)
    if half > 0.5:
        return -np.inf, np.inf
    return effect.shifts.quantile(0.5 - half), effect.shifts.quantile(0.5 + half)
