"""How many times as large a is as b: the geometric mean of the ratios within replicates."""

import numpy as np

from benchkit.methods.comparison.paired import FLOAT_NOISE
from benchkit.methods.effect.mean_difference import Effect, differences_of, half_width, throughout
from benchkit.methods.records import Floats, Integers


def ratio(values: Floats, contrasts: Integers, level: float, _generator: np.random.Generator) -> Effect:
    """Return exp(mean log(a / b)) over the shared replicates and exp of its paired t interval: three arrays (m,).

    values: shape (B, K), less is better, NaN where missing; contrasts: shape (m, 2). All values of both algorithms must be
    positive, or all negative, as those of a positive metric are where higher is better: the ratio is the same, so core takes
    it as it is (and must not offer it for a metric whose own values are negative). Else NaN, and so without a shared
    replicate; no interval for one replicate. Logarithms within 1e-12 do not vary: zero width.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(np.abs(values))
    n, mean, sd = differences_of(logs, contrasts)
    constant = sd <= FLOAT_NOISE  # of logarithms the noise is absolute
    sd = np.where(constant, 0.0, sd)
    mean = np.where(constant & (np.abs(mean) <= FLOAT_NOISE), 0.0, mean)
    missing = np.isnan(values)
    one_sign = throughout((values > 0) | missing, contrasts) | throughout((values < 0) | missing, contrasts)
    mean = np.where(one_sign, mean, np.nan)
    half = half_width(n, sd, level)
    with np.errstate(over="ignore"):
        return np.exp(mean), np.exp(mean - half), np.exp(mean + half)
