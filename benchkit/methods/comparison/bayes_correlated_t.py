"""The Bayesian correlated t test: what is the probability that one algorithm is better, by more than the margin?"""

import numpy as np
from scipy.special import stdtr

from benchkit.methods.comparison.paired import studentise
from benchkit.methods.comparison.resampled_t import folds, size_ratio
from benchkit.methods.comparison.shared import algorithm_means, remarks, shared
from benchkit.methods.records import Blocks, Floats, Remark, Unadjusted


def compare(blocks: Blocks) -> Unadjusted:
    """Return for each pair the posterior probabilities (a better, equivalent, a worse) of its mean difference.

    The posterior is Student's t around the mean of the n shared differences with n - 1 degrees of freedom and the squared
    scale (1/n + rho/(1 - rho)) s2; std_error is the scale, and the interval the credible one. rho, in the own column
    correlation, is n_test/(n_train + n_test), or 1/k of k folds if no sizes are known; without either all but the estimates
    is NaN (sizes-unknown). Equivalent is a difference within +/- margins. Differences that do not vary give the limit: all
    probability on the side of their mean, half and half on the border. Better is less: baycomp's left, rope, right for
    scores of which more is better are our worse, equivalent, better of the same difference.
    Source: Corani & Benavoli, A Bayesian approach for comparing cross-validated algorithms on multiple data sets, 2015,
    equation 9.
    """
    found = shared(blocks.values, blocks.contrasts)
    correlation = _correlation(blocks)
    scale = found.sd * np.sqrt(1.0 / np.maximum(found.n, 1) + correlation / (1.0 - correlation))
    df = np.where(np.isnan(scale), np.nan, found.n - 1.0)
    margins = np.zeros(scale.shape) if blocks.margins is None else blocks.margins
    better, worse = _below(-margins - found.estimate, scale, df), _below(found.estimate - margins, scale, df)
    # the difference of the two tails that are small, so that a small probability keeps its digits
    not_worse, not_better = _below(margins - found.estimate, scale, df), _below(found.estimate + margins, scale, df)
    equivalent = np.where(found.estimate > 0, not_worse - better, not_better - worse)
    unknown = np.full(scale.shape, np.nan)
    said = (Remark("sizes-unknown"),) if np.isnan(correlation) else ()
    return Unadjusted(
        method="bayes-correlated-t",
        n=found.n,
        mean_a=found.mean_a,
        mean_b=found.mean_b,
        estimate=found.estimate,
        p_value=unknown,
        std_error=scale,
        statistic=unknown,
        df=df,
        means=algorithm_means(blocks.values),
        own={"correlation": np.full(scale.shape, correlation)},
        posterior=np.column_stack([better, equivalent, worse]),
        remarks=said + remarks(found, len(blocks.values)),
    )


def _correlation(blocks: Blocks) -> float:
    """Return the correlation of two replicates that the overlap of their training sets makes; NaN if unknown."""
    ratio = size_ratio(blocks)
    if not np.isnan(ratio):
        return ratio / (1.0 + ratio)
    k = folds(blocks)
    return 1.0 / k if k > 1 else np.nan


def _below(distance: Floats, scale: Floats, df: Floats) -> Floats:
    """Return the probability of less than `distance` above the centre; without scale 0, 1/2 or 1."""
    t = studentise(distance, scale)
    finite = np.where(np.isinf(t), 0.0, t)
    return np.where(np.isinf(t), np.where(t > 0, 1.0, 0.0), stdtr(df, finite))
