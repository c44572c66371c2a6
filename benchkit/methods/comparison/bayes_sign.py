"""The Bayesian sign test: how sure is it that 'a better', 'equivalent' or 'a worse' is the commonest outcome?"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from scipy.special import betainc, gammainc, gammainccinv, gammaincinv, gammaln

from benchkit.methods.comparison.bayes import FEWEST, posterior_answer, posterior_draws
from benchkit.methods.comparison.signed_differences import Differences
from benchkit.methods.records import Blocks, Floats, Remark, Unadjusted

# strength of the prior, an observation in the rope, and what keeps the shares of outcomes that never occurred above zero
PRIOR, STABLE = 1.0, 0.0001
POINTS, NEGLIGIBLE = 4001, 1e-18


def compare(blocks: Blocks) -> Unadjusted:
    """Give each contrast the posterior probabilities that 'a better', 'equivalent', 'a worse' is the commonest outcome.

    A replicate speaks for a where a - b < -margin, for b where a - b > margin, else (on the border, too) for the rope
    [-margin, margin]. The three shares have a Dirichlet posterior whose prior is one observation in the rope, as in baycomp
    1.0.3, whose 'left' (of y - x, more is better) is 'a better' for x = a here; the probabilities are integrals instead of its
    draws. Without a margin there is no rope: the prior observation counts one half for each side, ties speak for neither,
    and the middle probability is 0 (baycomp conditions on the rope not being the commonest, which a tie makes 0/0).

    estimate is the mean difference of the shared replicates. No p-value and no interval; NaN with fewer than two replicates.
    Own columns: n_better, n_equivalent, n_worse, replicates with each outcome. Where even replicates that all agree
    would leave the posterior below the level: remark too-few-to-reach. 0.0001 is added to each count
    for stability, as there. Source: Benavoli et al. 2017, JMLR 18:77.
    """
    found = posterior_answer("bayes-sign", blocks, lambda pair, margin: _judge(outcomes(pair, margin), margin), _own)
    return replace(found, remarks=found.remarks + _out_of_reach(blocks, found))


def _out_of_reach(blocks: Blocks, found: Unadjusted) -> tuple[Remark, ...]:
    """Return too-few-to-reach for pairs whose posterior stays below the level even if all replicates agree."""
    margins = np.zeros(len(blocks.contrasts)) if blocks.margins is None else blocks.margins
    # what if all replicates agreed
    best = [
        _judge(np.array([float(n), 0.0, 0.0]), margin)[0] if n >= FEWEST and not np.isnan(margin) else np.nan
        for n, margin in zip(found.n.tolist(), margins.tolist(), strict=True)
    ]
    largest = np.array(best, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        few = np.flatnonzero(largest < blocks.level)
    if not few.size:
        return ()
    numbers = {"replicates": float(found.n[few].max()), "largest_posterior": float(largest[few].max())}
    return (Remark("too-few-to-reach", tuple(few.tolist()), numbers),)


def draws(blocks: Blocks, count: int) -> Floats:
    """Return draws of the posterior shares of 'a better', 'equivalent', 'a worse', (m, count, 3), from blocks.generator.

    NaN for a pair without a margin, whose shares are two and no three, and for one with fewer than two replicates.
    """

    def of_pair(pair: Differences, margin: float) -> Floats:
        return blocks.generator.dirichlet(_parameters(outcomes(pair, margin)), count)

    return posterior_draws(blocks, count, of_pair)


def outcomes(pair: Differences, margin: float) -> Floats:
    """Return how many replicates say 'a better', 'equivalent', 'a worse', (3,); within float noise the border is the rope's."""
    better = int(np.count_nonzero(pair.values < -margin - pair.noise))
    worse = int(np.count_nonzero(pair.values > margin + pair.noise))
    return np.array([better, pair.values.size - better - worse, worse], dtype=np.float64)


def _own(pair: Differences, margin: float) -> Mapping[str, float]:
    return dict(zip(("n_better", "n_equivalent", "n_worse"), outcomes(pair, margin).tolist(), strict=True))


def _judge(counts: Floats, margin: float) -> Floats:
    if margin > 0:
        return commonest(_parameters(counts))
    better, _, worse = counts + STABLE + PRIOR / 2.0
    # the share of a among the two is beta distributed
    return np.array([betainc(worse, better, 0.5), 0.0, betainc(better, worse, 0.5)])


def _parameters(counts: Floats) -> Floats:
    """Return the Dirichlet parameters of the posterior, (3,), where there is a margin."""
    return np.asarray(counts + STABLE + np.array([0.0, PRIOR, 0.0]))


def commonest(alpha: Floats) -> Floats:
    """Return, for shares with a Dirichlet(alpha) distribution, the probability of each to be the largest, (3,).

    The shares are gamma variables over their sum: the probability is the integral of the density of one times the distribution
    functions of the others, over the logarithm of the variable by the trapezoidal rule, which converges exponentially here.
    """
    found = np.array([_largest(alpha[i], np.delete(alpha, i)) for i in range(alpha.size)])
    return np.asarray(found / found.sum())


def _largest(own: float, others: Floats) -> float:
    """Return the probability that a gamma variable of shape `own` exceeds independent ones of the shapes `others`."""
    # all together the integrand falls off to the left like exp((own + sum of others) log x)
    least = -np.log(1.0 / NEGLIGIBLE) / (own + float(others.sum()))
    with np.errstate(divide="ignore"):
        low = max(float(np.log(gammaincinv(own, NEGLIGIBLE))), least)
    log_x = np.linspace(low, np.log(gammainccinv(own, NEGLIGIBLE)), POINTS)
    x = np.exp(log_x)
    parts = np.exp(own * log_x - x - gammaln(own)) * np.prod([gammainc(other, x) for other in others], axis=0)
    return float(np.sum(parts) * (log_x[1] - log_x[0]))
