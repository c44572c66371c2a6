"""Two quick answers between which the unstructured comparison of many replicates must lie."""

from dataclasses import replace

import numpy as np
from scipy.special import stdtrit

from benchkit.methods.comparison.spread import spread
from benchkit.methods.comparison.sums import ROUNDING, summarise
from benchkit.methods.comparison.unstructured import MOST_FOR_RESAMPLING
from benchkit.methods.records import Answer, Blocks, Pairs


def bracket(blocks: Blocks) -> tuple[Answer, Answer] | None:
    """Return answers with critical values below and above that of the multivariate t, or None where there are none.

    With m contrasts and B complete replicates the critical value of max|T| lies between t(1 - alpha/2) and
    Bonferroni's t(1 - alpha/(2m)), both with B - 1 df. A verdict on which both agree is therefore the verdict of
    unstructured.compare, at the cost of a few matrix products. None for incomplete replicates, for so few that they
    are resampled, and where a difference does not vary. p-values are NaN.
    """
    values, (a, b) = blocks.values, blocks.contrasts.T
    B, m = len(values), len(blocks.contrasts)
    if B <= MOST_FOR_RESAMPLING or np.isnan(values).any():
        return None
    sums = summarise(values)
    found = spread(values, sums, blocks.contrasts)
    error = np.sqrt(found.variance / B)
    if (found.variance <= (ROUNDING * sums.scale) ** 2).any():
        return None
    # differences within a replicate first: an offset that all share must not cost them digits
    relative = (values - values[:, :1]).mean(axis=0)
    means = relative + values[:, 0].mean()
    nothing = np.full(m, np.nan)
    difference = relative[a] - relative[b]
    df = np.full(m, B - 1.0)
    critical = np.full(m, float(stdtrit(B - 1.0, 1 - (1 - blocks.level) / 2)))
    pairs = Pairs(found.n, means[a], means[b], difference, error, difference / error, df, nothing, nothing, critical)
    low = Answer("mixed-unstructured", "none", "pointwise", pairs, lambda t: np.full(t.shape, np.nan))
    wide = np.full(m, float(stdtrit(B - 1.0, 1 - (1 - blocks.level) / (2 * m))))
    return low, replace(low, adjust="bonferroni", ci_kind="bonferroni", pairs=replace(pairs, critical=wide))
