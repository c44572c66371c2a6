"""The family of contrasts that a pooled model judges together: its name, its tail and its critical values."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, stdtr

from benchkit.errors import BenchkitError
from benchkit.methods.adjustment import SIMULTANEOUS, dunnett, tukey
from benchkit.methods.records import Blocks, Floats
from benchkit.methods.t_quantile import upper_t
from benchkit.registry import Entry

# the only adjustment that needs scipy.stats, and only for incomplete data or odd families
_MAX_T = Entry("max-t", "largest |t| of any correlated family", target="benchkit.methods.adjustment.max_t:Maximum")


@dataclass(frozen=True)
class Family:
    """adjust: its name. tail(t) (m,) -> (m,): single-step p-values. critical (m,): multipliers of the standard errors."""

    adjust: str
    tail: Callable[[Floats], Floats]
    critical: Floats

    @property
    def ci_kind(self) -> str:
        """What the intervals cover."""
        return "pointwise" if self.adjust == "none" else "simultaneous"


def choose(blocks: Blocks, df: Floats, covariance: Floats, exchangeable: bool) -> Family:
    """Return the family of blocks.contrasts.

    df (m,). covariance (K, K): of the means, for the correlation of the differences. exchangeable: all means have equal
    variances and covariances and all df are equal, so that the studentized range and Dunnett's distribution are exact;
    otherwise the multivariate t with the real correlation stands in, under the same name. All NaN if a df is missing.
    options["adjust"]: tukey, dunnett or max-t ask for that family (BenchkitError where it does not hold); any other name is an
    adjustment of p-values, which is core's: each pair then stands by itself, under the name none.
    """
    K, m = blocks.values.shape[1], len(blocks.contrasts)
    adjust = _name(blocks, exchangeable)
    if not (df > 0).all():
        return Family(adjust, lambda t: np.full(np.shape(t), np.nan), np.full(m, np.nan))
    if adjust == "none":
        return Family(adjust, lambda t: _two_sided(t, df), _quantile(blocks.level, df))
    one = float(df[0])
    if m == 1:
        return _common(adjust, lambda t: tukey.sf(t, 2, one), tukey.quantile(blocks.level, 2, one), m)
    if exchangeable and adjust == "tukey":
        return _common(adjust, lambda t: tukey.sf(t, K, one), tukey.quantile(blocks.level, K, one), m)
    if exchangeable and adjust == "dunnett":
        return _common(adjust, lambda t: dunnett.sf(t, m, one), dunnett.quantile(blocks.level, m, one), m)
    maximum = _MAX_T.load()(_correlation(blocks, covariance), blocks.generator)
    return Family(adjust, lambda t: np.asarray(maximum.sf(t, df)), maximum.quantile(blocks.level, df))


def _name(blocks: Blocks, exchangeable: bool) -> str:
    """Return the name of the family: the one that was asked for, or what the contrasts suggest."""
    wanted = blocks.options.get("adjust")
    if wanted is None:
        return "dunnett" if blocks.many_to_one else "tukey" if _all_pairs(blocks) else "max-t"
    if wanted not in SIMULTANEOUS:
        return "none"
    if wanted == "max-t-bootstrap":
        raise BenchkitError(
            "max-t-bootstrap pools no variances, and this model does", "add --covariance unstructured, or use --adjust max-t"
        )
    if wanted == "dunnett" and not blocks.many_to_one:
        raise BenchkitError("dunnett compares with one baseline", "add --baseline NAME, or use --adjust tukey")
    if wanted == "tukey" and not _all_pairs(blocks):
        raise BenchkitError("tukey compares all pairs", "leave out --baseline, or use --adjust dunnett")
    if wanted == "tukey" and not exchangeable:
        raise BenchkitError("tukey's distribution needs complete replicates, and some cells are missing", "use --adjust max-t")
    return wanted


def _two_sided(t: Floats, df: Floats) -> Floats:
    """Return the two-sided tails of single t, normal for infinite df."""
    normal = np.isinf(df)
    return np.asarray(2.0 * np.where(normal, ndtr(-t), stdtr(np.where(normal, 1.0, df), -t)))


def _quantile(level: float, df: Floats) -> Floats:
    """Return the two-sided quantiles of single t, normal for infinite df."""
    return upper_t(df, (1.0 - level) / 2.0)


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
