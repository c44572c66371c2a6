"""Two quick answers between which the unstructured comparison of many replicates must lie."""

import copy
from dataclasses import replace

import numpy as np

from benchkit.methods.comparison.sums import ROUNDING
from benchkit.methods.comparison.unstructured import MOST_FOR_RESAMPLING
from benchkit.methods.records import Answer, Blocks, Floats, Pairs
from benchkit.methods.t_quantile import upper_t

DRAWS = 20_000
# Four standard errors of the .95 quantile of that many draws, and what separates the t of 2000 df from the normal.
SLACK = 0.07


def bracket(blocks: Blocks) -> tuple[Answer, Answer] | None:
    """Return answers with critical values below and above that of the multivariate t, or None where there are none.

    The critical value of max|T| for B complete replicates is simulated from the normal distribution with the covariance
    of the differences, give or take SLACK, and lies between t(1 - alpha/2) and Bonferroni's t(1 - alpha/(2m)). A verdict
    on which both ends agree is therefore the verdict of unstructured.compare, at the cost of a few matrix products. None
    for incomplete replicates, for so few that they are resampled, and where a difference does not vary. p-values are NaN.
    """
    values, (a, b) = blocks.values, blocks.contrasts.T
    B, m = len(values), len(blocks.contrasts)
    if B <= MOST_FOR_RESAMPLING or np.isnan(values).any():
        return None
    # differences within a replicate first: an offset that all share must not cost them digits
    rest = values - values[:, :1]
    relative = rest.mean(axis=0)
    rest -= relative
    covariance = rest.T @ rest / (B - 1)
    spread = np.diag(covariance)
    variance = spread[a] + spread[b] - 2 * covariance[a, b]
    if (variance <= (ROUNDING * np.abs(values).max()) ** 2).any():
        return None
    means, error = relative + values[:, 0].mean(), np.sqrt(variance / B)
    difference = relative[a] - relative[b]
    df, nothing = np.full(m, B - 1.0), np.full(m, np.nan)
    alpha, middle = 1 - blocks.level, _critical(blocks, covariance)
    low = max(float(upper_t(B - 1.0, alpha / 2)), middle - SLACK)
    high = min(float(upper_t(B - 1.0, alpha / (2 * m))), middle + SLACK)
    pairs = Pairs(np.full(m, B), means[a], means[b], difference, error, difference / error, df, nothing, nothing, np.full(m, low))
    lower = Answer("mixed-unstructured", "max-t", "simultaneous", pairs, lambda t: np.full(t.shape, np.nan))
    return lower, replace(lower, pairs=replace(pairs, critical=np.full(m, high)))


def _critical(blocks: Blocks, covariance: Floats) -> float:
    """Simulate the quantile of the largest |difference| / sd of normal values with this covariance (K, K)."""
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    a, b = blocks.contrasts.T
    rows = root[a] - root[b]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    draws = copy.deepcopy(blocks.generator).normal(size=(DRAWS, rows.shape[1]))
    return float(np.quantile(np.abs(draws @ rows.T).max(axis=1), blocks.level))
