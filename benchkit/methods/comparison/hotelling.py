"""Hotelling's T2 on complete replicates: are all means equal, whatever the covariance of the algorithms?"""

import numpy as np

from benchkit.methods.comparison.judgement import f_test
from benchkit.methods.comparison.paired import FLOAT_NOISE, triangle
from benchkit.methods.records import Floats, Overall

UNKNOWN = Overall(statistic=float("nan"), df1=float("nan"), df2=float("nan"), p_value=float("nan"))
# Below this the smallest singular value of the studentised differences is taken for 0: no statistic has digits left.
SINGULAR = 1e-10


def hotelling(values: Floats) -> tuple[Overall, str]:
    """Return F = T2 (B-K+1) / ((B-1)(K-1)) on (K-1, B-K+1) for the K - 1 differences to the first algorithm.

    values: shape (B, K), complete. Everything is NaN, and the second result says why, with fewer replicates than algorithms
    (small-n) and with a singular covariance, when some combination of the differences does not vary (zero-variance).
    Source: Hotelling 1931; Anderson, An Introduction to Multivariate Statistical Analysis, section 5.3.
    """
    B, K = values.shape
    if B < K:
        return UNKNOWN, "small-n"
    largest = float(np.abs(values).max())
    if largest == 0.0:
        return UNKNOWN, "zero-variance"
    values = values / largest
    against_first = np.column_stack([np.arange(1, K), np.zeros(K - 1, dtype=np.int64)])
    mean = (values[:, 1:] - values[:, :1]).mean(axis=0)
    factor = triangle(values - values.mean(axis=0), against_first)
    distance = squared_distance(mean, factor, FLOAT_NOISE * np.sqrt(B))
    if np.isnan(distance):
        return UNKNOWN, "zero-variance"
    t2 = B * (B - 1) * distance
    return f_test(t2 * (B - K + 1) / ((B - 1) * (K - 1)), K - 1, B - K + 1), ""


def squared_distance(estimate: Floats, factor: Floats, noise: float) -> float:
    """Return estimate'(F'F)^-1 estimate, (q,) and (p, q); NaN if F'F is singular. noise: the rounding in a column of F."""
    length = np.linalg.norm(factor, axis=0)
    if (length <= noise).any():
        return float("nan")
    _, singular, right = np.linalg.svd(factor / length, full_matrices=False)
    if len(singular) < estimate.size or singular[-1] <= max(SINGULAR, noise / float(length.min())):
        return float("nan")
    whitened = right @ (estimate / length) / singular
    return float(whitened @ whitened)
