"""m means against one baseline, all with equal variances (Dunnett 1955), two-sided, by quadrature.

The m differences have correlation one half because they share the baseline.
"""

import numpy as np
from scipy.special import ndtr

from benchkit.methods.adjustment import studentised
from benchkit.methods.records import Floats

_STEP = 0.16
_REACH = 9.0


def sf(t: Floats, m: int, df: float) -> Floats:
    """Return P(largest of m |difference from the baseline| / its standard error > t), for t >= 0 of any shape.

    df: degrees of freedom of the standard error, inf for a known one. NaN gives NaN. Absolute error below 1e-10, and the
    relative error stays small in the far tail.
    """
    return studentised.tail(lambda r: _largest_tail(r, m), t, df)


def quantile(level: float, m: int, df: float) -> float:
    """Return the t that the largest of the m statistics stays below with probability `level`."""
    return studentised.quantile(lambda t: sf(t, m, df), level, df, m)


def _largest_tail(t: Floats, m: int) -> Floats:
    """Return P(max |X_j - X_0| > t sqrt(2)) for m + 1 standard normals, (size,).

    With x the baseline's value: 2 int_0^inf phi(x) [1 - (1 - d(x))^m] dx, d(x) = F(x - r) + F(-x - r), r = t sqrt(2).
    """
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        r = t[:, None] * np.sqrt(2.0)
        # the integrand is even and its upper half lies around r/2; a lattice through 0 keeps the trapezoidal rule exact
        first = np.where(np.isfinite(r), np.maximum(np.floor((r / 2.0 - _REACH) / _STEP), 0.0), np.nan)
        x = (first + np.arange(np.ceil(2.0 * _REACH / _STEP) + 1)) * _STEP
        outside = np.minimum(ndtr(x - r) + ndtr(-x - r), 1.0)
        parts = np.exp(-x * x / 2.0) * -np.expm1(m * np.log1p(-outside))
    parts = np.where(x == 0, parts / 2.0, parts)
    result = np.minimum(2.0 * _STEP / np.sqrt(2.0 * np.pi) * parts.sum(axis=1), 1.0)
    result[np.isposinf(t)] = 0.0
    return np.asarray(result)
