"""The family of contrasts that a pooled model judges together: its name, its tail and its critical values."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchkit.methods.adjustment import dunnett, tukey
from benchkit.methods.records import Blocks, Floats
from benchkit.registry import Entry

# the only adjustment that needs scipy.stats, and only for incomplete data or odd families
_MAX_T = Entry("max-t", "largest |t| of any correlated family", target="benchkit.methods.adjustment.max_t:Maximum")


@dataclass(frozen=True)
class Family:
    """adjust: its name. tail(t) (m,) -> (m,): single-step p-values. critical (m,): multipliers of the standard errors."""

    adjust: str
    tail: Callable[[Floats], Floats]
    critical: Floats


def choose(blocks: Blocks, df: Floats, covariance: Floats, exchangeable: bool) -> Family:
    """Return the family of blocks.contrasts.

    df (m,). covariance (K, K): of the means, for the correlation of the differences. exchangeable: all means have equal
    variances and covariances and all df are equal, so that the studentized range and Dunnett's distribution are exact;
    otherwise the multivariate t with the real correlation stands in, under the same name. All NaN if a df is missing.
    """
    K, m = blocks.values.shape[1], len(blocks.contrasts)
    adjust = "dunnett" if blocks.many_to_one else "tukey" if _all_pairs(blocks) else "max-t"
    if not (df > 0).all():
        return Family(adjust, lambda t: np.full(np.shape(t), np.nan), np.full(m, np.nan))
    one = float(df[0])
    if m == 1:
        return _common(adjust, lambda t: tukey.sf(t, 2, one), tukey.quantile(blocks.level, 2, one), m)
    if exchangeable and adjust == "tukey":
        return _common(adjust, lambda t: tukey.sf(t, K, one), tukey.quantile(blocks.level, K, one), m)
    if exchangeable and adjust == "dunnett":
        return _common(adjust, lambda t: dunnett.sf(t, m, one), dunnett.quantile(blocks.level, m, one), m)
    maximum = _MAX_T.load()(_correlation(blocks, covariance), blocks.generator)
    return Family(adjust, lambda t: np.asarray(maximum.sf(t, df)), maximum.quantile(blocks.level, df))


def _common(adjust: str, tail: Callable[[Floats], Floats], critical: float, m: int) -> Family:
    """Return a family whose contrasts share one critical value."""
    return Family(adjust, tail, np.full(m, critical))


def _all_pairs(blocks: Blocks) -> bool:
    """Say whether the contrasts are each pair of algorithms once."""
    K = blocks.values.shape[1]
    different = {frozenset((int(a), int(b))) for a, b in blocks.contrasts if a != b}
    return len(different) == K * (K - 1) // 2 and len(blocks.contrasts) == len(different)


def _correlation(blocks: Blocks, covariance: Floats) -> Floats:
    """Return the correlation of the differences, (m, m); NaN for one without a positive variance."""
    a, b = blocks.contrasts.T
    rows = covariance[a] - covariance[b]
    joint = rows[:, a] - rows[:, b]
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(np.diag(joint))
        return np.asarray(joint / np.outer(error, error))
