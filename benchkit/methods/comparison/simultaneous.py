"""How m statistics become simultaneous conclusions when nothing is pooled: one record for each way."""

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.adjustment import holm, max_t_bootstrap
from benchkit.methods.comparison.paired import two_sided
from benchkit.methods.records import Floats
from benchkit.registry import Entry

# Loaded when asked for: it needs scipy.stats, which costs more than everything else here.
MAX_T = Entry("max-t", "the distribution of max|T|", target="benchkit.methods.adjustment.max_t:Maximum")


@dataclass(frozen=True)
class Tested:
    """Statistics of the m contrasts: t, its df and p_value; NaN where a contrast cannot be tested.

    varies: where the standard error is positive. The other tested contrasts are at a limit (t is 0 or infinite, p is 1 or
    0): they keep it, and count in Bonferroni's and Holm's family but not in the distribution of the maximum.
    """

    statistic: Floats
    df: Floats
    std_error: Floats
    level: float
    p_value: Floats = field(init=False)
    varies: NDArray[np.bool_] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "p_value", two_sided(self.statistic, np.where(self.std_error == 0, 1.0, self.df)))
        object.__setattr__(self, "varies", self.std_error > 0)

    @property
    def size(self) -> int:
        """Contrasts that can be tested."""
        return int((~np.isnan(self.statistic)).sum())


@dataclass(frozen=True)
class Family:
    """The fields of Answer and Pairs that depend on the adjustment."""

    adjust: str
    ci_kind: str
    p_adjusted: Floats
    critical: Floats
    tail: Callable[[Floats], Floats]
    step_wise: bool = False


def single(tested: Tested) -> Family:
    """One contrast: nothing to adjust."""
    bonferroni = step_down(tested)
    return Family("none", "simultaneous", tested.p_value, bonferroni.critical, bonferroni.tail)


def pointwise(tested: Tested) -> Family:
    """Each pair by itself: core adjusts its p-value by the name that was asked for."""
    critical = _critical(tested, holm.bonferroni_quantile(tested.level, tested.df, 1))
    tail = _with_limits(tested, lambda t: holm.bonferroni_sf(t, tested.df, 1))
    return Family("none", "pointwise", tested.p_value, critical, tail)


def step_down(tested: Tested) -> Family:
    """Holm's p-values beside Bonferroni intervals."""
    size = max(tested.size, 1)
    return Family(
        "holm",
        "bonferroni",
        holm.step_down_p_values(tested.p_value),
        _critical(tested, holm.bonferroni_quantile(tested.level, tested.df, size)),
        _with_limits(tested, lambda t: holm.bonferroni_sf(t, tested.df, size)),
        step_wise=True,
    )


def max_t(tested: Tested, correlation: Floats, generator: np.random.Generator) -> Family:
    """Single step by the multivariate t with this correlation (m, m), of which only contrasts that vary are read."""
    distribution = _maximum(tested, correlation, generator)
    tail = _with_limits(tested, lambda t: distribution.sf(t, tested.df))
    critical = _critical(tested, distribution.quantile(tested.level, tested.df))
    return Family("max-t", "simultaneous", tail(np.abs(tested.statistic)), critical, tail)


def bootstrap(tested: Tested, resampled: Floats, correlation: Callable[[], Floats], generator: np.random.Generator) -> Family:
    """Single step by the resampled maxima T* (ascending); beyond the largest, by max-t where that is smaller."""
    beyond: list[Any] = []

    def sf(t: Floats) -> Floats:
        p = np.where(np.isnan(t), np.nan, max_t_bootstrap.sf(t, resampled))
        far = tested.varies & (t > resampled[-1])
        if far.any():
            if not beyond:
                beyond.append(_maximum(tested, correlation(), generator))
            analytic = beyond[0].sf(t, tested.df)
            p = np.where(far, np.fmin(p, analytic), p)
        return p

    tail = _with_limits(tested, sf)
    critical = np.full(tested.statistic.shape, max_t_bootstrap.quantile(tested.level, resampled))
    return Family("max-t-bootstrap", "simultaneous", tail(np.abs(tested.statistic)), _critical(tested, critical), tail)


def _maximum(tested: Tested, correlation: Floats, generator: np.random.Generator) -> Any:
    """Return the distribution of the largest |t| among the contrasts that vary; fixed from here on."""
    only = np.full(correlation.shape, np.nan)
    varying = np.ix_(tested.varies, tested.varies)
    only[varying] = correlation[varying]
    return MAX_T.load()(only, copy.deepcopy(generator))


def _critical(tested: Tested, quantile: Floats) -> Floats:
    """Multiplier of the standard error: 0 where that is 0, so that an infinite quantile leaves the width zero."""
    return np.where(np.isnan(tested.statistic), np.nan, np.where(tested.varies, quantile, 0.0))


def _with_limits(tested: Tested, sf: Callable[[Floats], Floats]) -> Callable[[Floats], Floats]:
    """Complete a tail function: contrasts without variation have probability 0 beyond t > 0, and 1 at t = 0."""

    def tail(t: Floats) -> Floats:
        limit = np.where(t > 0, 0.0, 1.0)
        p = np.where(tested.varies, np.minimum(sf(t), 1.0), limit) if tested.varies.any() else limit
        return np.where(np.isnan(t) | np.isnan(tested.statistic), np.nan, p)

    return tail
