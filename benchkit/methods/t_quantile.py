"""Quantiles of Student's t, wherever an interval needs one."""

import numpy as np
from scipy.special import ndtri, stdtrit

from benchkit.methods.records import Floats


def upper_t(df: Floats | float, tail: Floats | float) -> Floats:
    """Return the t that is exceeded with probability `tail` (0 to 1/2), elementwise; that of the normal where df is infinite.

    Never negative: infinite for a tail of 0 and where no double holds the quantile, NaN where df is NaN or below 0.
    """
    df, tail = np.asarray(df, dtype=np.float64), np.asarray(tail, dtype=np.float64)
    normal = np.isposinf(df)
    # the absolute value, since far in the tail stdtrit gives infinity without its sign
    quantile = np.abs(stdtrit(np.where(normal, 1.0, df), tail))
    return np.where(normal, np.abs(ndtri(tail)), quantile)
