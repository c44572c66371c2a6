"""All pairs of K means with equal variances: the studentized range (Tukey 1953), by quadrature.

Everything is said in t = |difference| / its standard error; the studentized range is q = t sqrt(2).
"""

import numpy as np
from scipy.special import ndtr

from benchkit.methods.adjustment import studentised
from benchkit.methods.records import Floats

_STEP = 0.16
_OFFSETS = np.arange(-9.0, 9.0 + _STEP / 2, _STEP)
_DENSITY = np.log(_STEP / np.sqrt(2.0 * np.pi))


def sf(t: Floats, K: int, df: float) -> Floats:
    """Return P(largest |difference| / its standard error > t) among K equal means, for t >= 0 of any shape.

    df: degrees of freedom of the standard error, inf for a known one. NaN gives NaN. Absolute error below 1e-10, and the
    relative error stays small in the far tail.
    """
    return studentised.tail(lambda r: _range_tail(r, K), t, df)


def quantile(level: float, K: int, df: float) -> float:
    """Return the t that the largest of the K (K - 1) / 2 statistics stays below with probability `level`."""
    return studentised.quantile(lambda t: sf(t, K, df), level, df, K * (K - 1) // 2)


def _range_tail(t: Floats, K: int) -> Floats:
    """Return P(range of K standard normals > t sqrt(2)), (m,).

    With z the largest: K int phi(z) [F(z)^(K-1) - (F(z) - F(z - r))^(K-1)] dz, where no near-equal numbers are subtracted
    because the bracket is F(z)^(K-1) (1 - (1 - F(z-r)/F(z))^(K-1)). The integrand lies around z = r/2.
    """
    r = t[:, None] * np.sqrt(2.0)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        z = r / 2.0 + _OFFSETS
        below = ndtr(z)
        share = np.minimum(ndtr(z - r) / below, 1.0)
        inside = -np.expm1((K - 1) * np.log1p(-share))
        parts = np.exp(_DENSITY - z * z / 2.0 + (K - 1) * np.log(below)) * inside
    result = np.minimum(K * parts.sum(axis=1), 1.0)
    result[np.isposinf(t)] = 0.0
    return np.asarray(result)
