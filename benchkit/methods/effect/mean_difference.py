"""The mean of the paired differences, in the unit of the metric, with its t interval."""

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.comparison.shared import shared
from benchkit.methods.records import Floats, Integers
from benchkit.methods.t_quantile import upper_t

Effect = tuple[Floats, Floats, Floats]


def mean_difference(values: Floats, contrasts: Integers, level: float, _generator: np.random.Generator) -> Effect:
    """Return the mean of a - b over the shared replicates, with mean +/- t(n - 1) sd / sqrt(n): three arrays (m,).

    values: shape (B, K), less is better, NaN where missing; contrasts: shape (m, 2). Signed, a minus b: where higher is
    better core multiplies by -1 and swaps the ends. Differences that do not vary give zero width; NaN without a shared
    replicate or with an infinite value, and no interval for one replicate.
    """
    n, mean, sd = differences_of(values, contrasts)
    half = half_width(n, sd, level)
    return mean, mean - half, mean + half


def differences_of(values: Floats, contrasts: Integers) -> tuple[Integers, Floats, Floats]:
    """Return n, mean and sd of a - b on the shared replicates of each pair; mean and sd NaN where a value is infinite."""
    infinite = np.isinf(values)
    found = shared(np.where(infinite, np.nan, values), contrasts)
    defined = throughout(~infinite, contrasts)
    return found.n, np.where(defined, found.estimate, np.nan), np.where(defined, found.sd, np.nan)


def throughout(condition: NDArray[np.bool_], contrasts: Integers) -> NDArray[np.bool_]:
    """Return, for each contrast, whether the condition, (B, K), holds on all replicates for both algorithms."""
    algorithms = np.asarray(condition.all(axis=0))
    return np.asarray(algorithms[contrasts[:, 0]] & algorithms[contrasts[:, 1]])


def half_width(n: Integers, sd: Floats, level: float) -> Floats:
    """Return t(n - 1) sd / sqrt(n); NaN for n < 2."""
    df = np.maximum(n - 1.0, 1.0)
    return np.asarray(np.where(n > 1, upper_t(df, (1.0 - level) / 2.0) * sd / np.sqrt(df + 1.0), np.nan))
