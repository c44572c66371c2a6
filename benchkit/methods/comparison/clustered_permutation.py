"""Permutation of clustered replicates: the signs of all differences in a cluster change together, for all pairs at once."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.comparison.clusters import Clustered, clustered_differences, clustered_means, remarks
from benchkit.methods.comparison.paired import studentise
from benchkit.methods.records import Answer, Blocks, Floats, Overall, Pairs

# all patterns of signs are taken while they times clusters or contrasts stay below this, else blocks.draws random ones
MOST_CELLS = 5_000_000
CHUNK = 1024
# statistics that agree to nine digits are equal: they are sums in another order
SAME = 1e-9
# a variation below this share of the sum of squares is rounding
NO_VARIATION = 1e-12


@dataclass(frozen=True)
class Signs:
    """The studentised statistics |t| of R patterns of signs, shape (R, m); the first row is the one observed, NaN untestable.

    Random patterns hold the observed one, too, so that shares of rows are (1 + hits)/(1 + draws).
    """

    statistics: Floats
    exact: bool


def compare(blocks: Blocks) -> Answer:
    """Compare the contrasts by t = mean/std_error of cluster-t, against its values when whole clusters swap a and b.

    If a and b are interchangeable within a cluster, the sign of its sum d_g is arbitrary. One pattern of signs is common to
    all contrasts: p_adjusted is max-T step-down, intervals are single-step, p_value counts each pair alone. All patterns that
    differ are taken when there are few (up to 19 clusters with d_g not 0 for one pair), else blocks.draws by blocks.generator
    with p = (1 + hits)/(1 + draws). overall is the largest |t| with its p-value.
    Own columns: clusters = G of the pair; smallest_p, the least p-value that so many patterns can give.

    Fewer patterns than 1/(1 - level): infinite intervals. No variation between clusters: the statistic is 0 or
    infinite but p is that of the patterns, remark zero-variance. Fewer than two clusters: NaN, not-estimable.
    Source: Westfall & Young 1993; Chung & Romano 2013 (studentised); Winkler et al. 2015 (whole blocks).
    """
    found, mean_a, mean_b = clustered_differences(blocks)
    mean, std_error = found.mean, found.std_error
    statistic = studentise(mean, std_error)
    signs = _signs(found, statistic, blocks)
    p_value = np.array([_share(column, column[0]) for column in signs.statistics.T])
    testable = ~np.isnan(statistic)
    largest = np.fmax.reduce(signs.statistics, axis=1, initial=0.0)
    critical = np.where(testable, _critical(largest, blocks.level), np.nan)
    half = np.where(np.isinf(critical), np.inf, np.where(np.isinf(critical), 0.0, critical) * std_error)
    several = int(testable.sum()) > 1
    p_adjusted, smallest_p = _step_down(signs.statistics), _smallest_p(found, signs)
    pairs = Pairs(
        n=found.n,
        mean_a=mean_a,
        mean_b=mean_b,
        estimate=mean,
        std_error=std_error,
        statistic=statistic,
        df=np.where(testable, found.clusters - 1.0, np.nan),
        p_value=p_value,
        p_adjusted=p_adjusted,
        critical=critical,
    )

    def tail(t: Floats) -> Floats:
        # the pattern that was observed always counts: no p-value is 0
        return np.where(testable, np.maximum([_share(largest, one) for one in t], 1.0 / largest.size), np.nan)

    return Answer(
        method="cluster-permutation",
        adjust="max-t" if several else "none",
        ci_kind="simultaneous",
        pairs=pairs,
        tail=tail,
        overall=Overall(float(largest[0]), np.nan, np.nan, float(p_adjusted[testable].min())) if testable.any() else None,
        means=clustered_means(blocks),
        step_wise=several,
        low=mean - half,
        high=mean + half,
        p_equivalence=lambda margins: tail(_reach(margins, mean, std_error)),
        own={
            "clusters": found.clusters.astype(np.float64),
            "smallest_p": np.where(testable, smallest_p, np.nan),
        },
        remarks=tuple(remark for remark in remarks(found) if remark.code != "few-clusters"),
    )


def _signs(found: Clustered, statistic: Floats, blocks: Blocks) -> Signs:
    """Return |t| under each pattern of signs of the clusters whose sums are not all 0: of the others the sign is no matter."""
    scale = np.abs(found.sums).max(axis=0, initial=0.0)
    scaled = replace(found, sums=found.sums / np.where(scale > 0, scale, 1.0))
    active = np.asarray(scaled.sums.any(axis=1))
    G, m = int(active.sum()), statistic.size
    exact = G < 63 and 2 ** max(G - 1, 0) * max(G, m) <= MOST_CELLS
    patterns = 2 ** max(G - 1, 0) if exact else blocks.draws + 1
    statistics = np.empty((patterns, m))
    chunk = max(min(CHUNK, MOST_CELLS // max(G, m)), 1)
    for start in range(0, patterns, chunk):
        rows = min(chunk, patterns - start)
        flipped = _binary(start, rows, G) if exact else blocks.generator.integers(0, 2, size=(rows, G)) == 1
        statistics[start : start + rows] = _studentised(np.where(flipped, -1.0, 1.0), scaled, active)
    statistics[0] = np.abs(statistic)
    statistics[:, np.isnan(statistic)] = np.nan
    return Signs(statistics, exact)


def _binary(start: int, rows: int, digits: int) -> NDArray[np.bool_]:
    """Return the binary digits of start, start + 1, ...; the last is never set, since to flip all is to flip none."""
    return (np.arange(start, start + rows)[:, None] >> np.arange(digits) & 1).astype(bool)


def _studentised(signs: Floats, found: Clustered, active: NDArray[np.bool_]) -> Floats:
    """Return |mean*|/std_error* for rows of signs, (rows, m): sum u^2 is sum d^2 - 2 mean* sum s d n + mean*^2 sum n^2."""
    sums, sizes, clusters = found.sums[active], found.sizes[active], np.maximum(found.clusters, 1)
    total = signs @ sums
    mean = total / np.maximum(found.n, 1)
    squares = (sums**2).sum(axis=0)
    variation = squares - 2.0 * mean * (signs @ (sums * sizes)) + mean**2 * (found.sizes**2).sum(axis=0)
    variation = np.where(variation > NO_VARIATION * squares, variation, 0.0)
    squared = np.divide(total**2, variation, out=np.where(np.abs(total) > SAME, np.inf, 0.0), where=variation > 0)
    return np.asarray(np.sqrt(squared * np.where(clusters > 1, (clusters - 1.0) / clusters, 1.0)))


def _share(statistics: Floats, t: float) -> float:
    """Return the share of patterns that reach t, NaN for NaN."""
    return np.nan if np.isnan(t) else float(np.mean(statistics >= t * (1.0 - SAME)))


def _critical(largest: Floats, level: float) -> float:
    """Return the value beyond which a statistic is reached by at most 1 - level of the patterns; infinite if by none."""
    allowed = int(np.floor((1.0 - level) * largest.size + 1e-9))
    if not allowed:
        return np.inf
    # a bit beyond, so that a statistic equal to it but for rounding is not beyond it
    return float(np.partition(largest, largest.size - allowed - 1)[-allowed - 1]) * (1.0 + SAME)


def _step_down(statistics: Floats) -> Floats:
    """Return Westfall and Young's step-down max-T p-values: each maximum leaves out the contrasts with larger statistics."""
    observed = statistics[0]
    adjusted, largest, p = np.full(observed.shape, np.nan), np.zeros(len(statistics)), []
    order = [j for j in np.argsort(observed) if not np.isnan(observed[j])]
    for j in order:
        largest = np.maximum(largest, statistics[:, j])
        p.append(_share(largest, observed[j]))
    adjusted[order] = np.maximum.accumulate(p[::-1])[::-1] if p else []
    return adjusted


def _reach(margins: Floats, mean: Floats, std_error: Floats) -> Floats:
    """Return how many standard errors lie between the estimate and the margin; 0 where it is outside."""
    room = np.where(np.abs(mean) < margins, margins - np.abs(mean), 0.0)
    return np.divide(room, std_error, out=np.where(room > 0, np.inf, 0.0), where=std_error > 0)


def _smallest_p(found: Clustered, signs: Signs) -> Floats:
    """Return 2^(1 - G) of each pair, G counting sums that are not 0, or 1/(1 + draws) where signs are drawn and that is more."""
    differ = np.maximum((found.sums != 0).sum(axis=0), 1)
    return np.asarray(np.maximum(2.0 ** (1.0 - differ), 0.0 if signs.exact else 1.0 / len(signs.statistics)))
