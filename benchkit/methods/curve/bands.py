"""Simultaneous bands around a curve (roc.md, section 2.10): deviations along the curve do not move it, those across do."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from benchkit.methods.records import Floats, Integers

# thresholds at which some cell of the two classes expects fewer items are outside the band's claim
LEAST_COUNT = 10.0
DRAWS = 10_000


@dataclass(frozen=True)
class Band:
    """A band over the thresholds numbered `inside`, shape (P,): its upper and lower lines, shape (2, P), FPR before TPR.

    critical: the multiplier of the standard deviation across the curve, 1.96 for a single point at level 0.95.
    """

    inside: Integers
    upper: Floats
    lower: Floats
    critical: float


def band(
    centre: Floats, smooth: Floats, covariance: Floats, items: Floats, level: float, generator: np.random.Generator
) -> Band | None:
    """Return the band in which the whole curve lies with probability `level`; None if no threshold has enough items.

    centre: rates (2, T) that it is drawn around; smooth: rates (2, T) of the mean curve, whose slope gives the direction
    across; covariance: of the rates, shape (2, 2, T, T); items: of each class. In the plane of logit FPR and logit TPR the
    deviation across the curve is delta = n . (dF_0/(F_0 (1 - F_0)), dF_1/(F_1 (1 - F_1))); critical is the `level` quantile of
    the largest |delta/sd| under a normal distribution with its correlations, by seeded draws.
    """
    cells = np.concatenate([items[:, None] * centre, items[:, None] * (1 - centre)])
    inside = np.flatnonzero((cells >= LEAST_COUNT).all(axis=0))
    if not len(inside):
        return None
    rates = centre[:, inside]
    u, v = np.log(rates) - np.log1p(-rates)
    across = _normals(u, _slopes(smooth, u))
    weights = across / (rates * (1 - rates))
    delta = np.einsum("ct,cdts,ds->ts", weights, covariance[:, :, inside[:, None], inside], weights, optimize=True)
    sd = np.sqrt(np.maximum(np.diag(delta), 0.0))
    critical = largest_quantile(delta, level, generator)
    step = critical * sd * across
    points = np.stack([u, v])
    return Band(inside, expit(points + step), expit(points - step), critical)


def _slopes(smooth: Floats, u: Floats) -> Floats:
    """Return d logit TPR/d logit FPR of the smooth curve where its logit FPR is u; 1 where it cannot be told."""
    usable = ((smooth > 1e-12) & (smooth < 1 - 1e-12)).all(axis=0)
    along, up = np.log(smooth[:, usable]) - np.log1p(-smooth[:, usable])
    along, first = np.unique(along, return_index=True)
    if len(along) < 2:
        return np.ones(u.shape)
    slope = np.gradient(up[first], along)
    return np.asarray(np.interp(u, along, np.maximum(slope, 0.0)), dtype=np.float64)


def _normals(u: Floats, slope: Floats) -> Floats:
    """Return unit vectors across the curve, shape (2, P), towards fewer false and more true positives."""
    length = np.sqrt(1 + slope**2)
    return np.stack([-slope / length, np.ones(u.shape) / length])


def largest_quantile(covariance: Floats, level: float, generator: np.random.Generator) -> float:
    """Return the `level` quantile of max |Z_t/sd_t| for Z normal with this covariance, by DRAWS draws.

    Estimated covariances may have slightly negative eigenvalues: these are taken as 0. Coordinates without variance do not
    count; NaN if none has any.
    """
    values, vectors = np.linalg.eigh(covariance)
    kept = values > 1e-12 * max(values.max(initial=0.0), 0.0)
    root = vectors[:, kept] * np.sqrt(values[kept])
    sd = np.sqrt(np.sum(root**2, axis=1))
    varying = sd > 1e-9 * max(sd.max(initial=0.0), 0.0)
    if not varying.any():
        return float("nan")
    root = root[varying] / sd[varying, None]
    largest = np.abs(generator.standard_normal((DRAWS, root.shape[1])) @ root.T).max(axis=1)
    return float(np.quantile(largest, level, method="higher"))
