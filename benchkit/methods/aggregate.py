"""Aggregates of scores that are robust to a few odd runs, with stratified bootstrap intervals (Agarwal et al. 2021)."""

from collections.abc import Callable, Sequence

import numpy as np

from benchkit.methods.interval import CHUNK, DRAWS
from benchkit.methods.records import Floats

# from (..., n) scores to one number for each row
Aggregate = Callable[[Floats], Floats]


def interquartile_mean(values: Floats) -> Floats:
    """Return the mean of the middle half along the last axis, shape (...): int(n / 4) values are left out at either end.

    As scipy.stats.trim_mean(values, 0.25), which rliable takes. No NaN. Source: Agarwal et al. 2021, section 4.3.
    """
    n = values.shape[-1]
    cut = n // 4
    inner = np.partition(values, (cut, n - cut - 1), axis=-1)[..., cut : n - cut] if cut else values
    return np.asarray(inner.mean(axis=-1))


def optimality_gap(target: float) -> Aggregate:
    """Return the aggregate that gives the mean amount by which values stay short of the target; less is better.

    Values at the target or beyond count 0: mean max(0, value - target). Source: Agarwal et al. 2021, section 4.3.
    """
    return lambda values: np.asarray(np.maximum(values - target, 0.0).mean(axis=-1))


def percentile_interval(
    aggregate: Aggregate, strata: Sequence[Floats], level: float, generator: np.random.Generator, draws: int = DRAWS
) -> tuple[float, float]:
    """Return the percentile bootstrap interval of the aggregate of all values together, each stratum resampled by itself.

    strata: arrays without NaN, of any sizes. NaN with fewer than two values in all. Source: Agarwal et al. 2021, section 4.2.
    """
    n = sum(stratum.size for stratum in strata)
    if n < 2:
        return np.nan, np.nan
    found = np.empty(draws)
    step = max(1, CHUNK // n)
    for start in range(0, draws, step):
        size = min(step, draws - start)
        drawn = [stratum[generator.integers(0, stratum.size, (size, stratum.size))] for stratum in strata if stratum.size]
        found[start : start + size] = aggregate(np.concatenate(drawn, axis=1))
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
