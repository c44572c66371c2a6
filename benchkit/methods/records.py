"""What a comparison method is given and what it gives back. Arrays only: no tables, no names, no files."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Blocks:
    """One experiment: a replicate x algorithm matrix and the contrasts that are asked for.

    values: shape (B, K), oriented so that LESS IS BETTER; NaN where a cell is missing. Every row has at least one
    value. contrasts: shape (m, 2), columns (a, b): the difference a minus b is wanted. many_to_one: the contrasts all
    share their b (a baseline). level: the confidence level, 0.95. options: those of the method, by name
    (covariance, reference, df). generator: the only source of randomness. draws: resamples of a bootstrap.
    margins: shape (m,), differences that do not matter; None without. sizes: mean numbers of training and of test rows;
    None if unknown. layout: shape (B, 2), codes 0, 1, ... of the repeat and the fold of each replicate; None if unknown.
    clusters: shape (B,), codes of what replicates belong together; None if each stands alone.
    """

    values: Floats
    contrasts: Integers
    level: float
    generator: np.random.Generator
    many_to_one: bool = False
    options: Mapping[str, str] = field(default_factory=dict)
    draws: int = 9999
    margins: Floats | None = None
    sizes: tuple[float, float] | None = None
    layout: Integers | None = None
    clusters: Integers | None = None


@dataclass(frozen=True)
class Overall:
    """The test of 'all algorithms are equal'. df2 is NaN for a chi-square, infinite for one divided by df1."""

    statistic: float
    df1: float
    df2: float
    p_value: float


@dataclass(frozen=True)
class Pairs:
    """One entry for each contrast, in the order of Blocks.contrasts; shape (m,), NaN where not applicable.

    critical is the multiplier of std_error in the simultaneous interval (it may differ between pairs through df).
    n counts the replicates that have both algorithms.
    """

    n: Integers
    mean_a: Floats
    mean_b: Floats
    estimate: Floats
    std_error: Floats
    statistic: Floats
    df: Floats
    p_value: Floats
    p_adjusted: Floats
    critical: Floats


@dataclass(frozen=True)
class Means:
    """One entry for each algorithm, shape (K,): the model's mean, its standard error and degrees of freedom."""

    n: Integers
    estimate: Floats
    std_error: Floats
    df: Floats


@dataclass(frozen=True)
class Remark:
    """A note code of DESIGN, the contrasts that it concerns and numbers for its sentence."""

    code: str
    pairs: tuple[int, ...] = ()
    numbers: Mapping[str, float] = field(default_factory=dict)


# from (m,) confidence levels to (m,) lower and upper ends, each pair by itself, oriented
Interval = Callable[[Floats], tuple[Floats, Floats]]


@dataclass(frozen=True)
class Unadjusted:
    """What a method found that judges each pair by itself; core adjusts it for the number of pairs.

    Arrays have shape (m,), NaN where not applicable, in the order of Blocks.contrasts, oriented (less is better); n counts
    what the pair rests on. estimate: a minus b in the unit of the values. interval: of each pair alone; None for the one of
    t, estimate +/- t(df) std_error (infinite df: normal), which needs std_error and df. own: columns of the method's own,
    by name. overall_own: such columns of the overall test. posterior: shape (m, 3), probabilities that a is better, that
    the two are equivalent, that a is worse; then the verdict comes from it and nothing is adjusted. turned: the statistic
    that the values would give in the other direction (more is better); None if that is minus the statistic. direction: whose
    sign tells who is better where the p-value decides; None if that is the estimate's.
    """

    method: str
    n: Integers
    mean_a: Floats
    mean_b: Floats
    estimate: Floats
    p_value: Floats
    std_error: Floats
    statistic: Floats
    df: Floats
    interval: Interval | None = None
    overall: Overall | None = None
    means: Means | None = None
    own: Mapping[str, Floats] = field(default_factory=dict)
    overall_own: Mapping[str, float] = field(default_factory=dict)
    posterior: Floats | None = None
    turned: Floats | None = None
    direction: Floats | None = None
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True)
class Answer:
    """What a method found.

    method: its name with its variant; adjust, ci_kind: as in the pairs table. tail(t): for statistics t >= 0, shape
    (m,), one for each contrast, the probability that the family's interval gives to values beyond t: the adjusted
    p-value that belongs to the interval (with Bonferroni intervals min(1, m p), even where p_adjusted is step-wise).
    components: variance by name, or None. step_wise: p_adjusted has no matching intervals (holm). low, high: shape (m,), the
    family's intervals where they are not estimate +/- critical std_error; then p_equivalence(margins) gives the smallest
    alpha at which they lie within the margins. own, overall_own, posterior, turned, direction: as in Unadjusted.
    """

    method: str
    adjust: str
    ci_kind: str
    pairs: Pairs
    tail: Callable[[Floats], Floats]
    overall: Overall | None = None
    means: Means | None = None
    components: Mapping[str, float] | None = None
    step_wise: bool = False
    low: Floats | None = None
    high: Floats | None = None
    p_equivalence: Callable[[Floats], Floats] | None = None
    own: Mapping[str, Floats] = field(default_factory=dict)
    overall_own: Mapping[str, float] = field(default_factory=dict)
    posterior: Floats | None = None
    turned: Floats | None = None
    direction: Floats | None = None
    remarks: tuple[Remark, ...] = ()
