"""Independent 0/1 outcomes: Fisher's exact test of two proportions."""

import numpy as np
from scipy.special import gammaln

from benchkit.methods.comparison.proportions import Proportions, proportions
from benchkit.methods.comparison.proportions_z import odds_ratio
from benchkit.methods.comparison.score_interval import score_interval
from benchkit.methods.records import Blocks, Floats, Interval, Unadjusted

# tables whose probabilities agree to so many digits are equally likely, as in R's fisher.test
TIE = 1e-7


def compare(blocks: Blocks) -> Unadjusted:
    """Compare the shares of right outcomes of the contrasts by the hypergeometric distribution of the 2 x 2 table.

    p_value is two-sided: the probability of all tables that are at most as likely as this one. The interval of the difference is
    the score interval (Mee 1984: that of Miettinen & Nurminen 1985 without N/(N - 1)), stretched to 0 where Fisher's test,
    which is more cautious, does not reject. There is no statistic and no overall test. All outcomes of a pair the same: p 1,
    zero-variance; a sample without outcomes: NaN, not-estimable. n is n_a + n_b. own: n_a, n_b, odds_ratio (of being
    right, a against b, of the sample and not the conditional estimate of R), smallest_p (of the tables with these margins).
    Source: Fisher 1935.
    """
    found = proportions(blocks)
    tests = [_p_values(*table) for table in zip(found.x, found.n, found.y, found.m, strict=True)]
    p_value, smallest = np.array(tests, dtype=np.float64).reshape(-1, 2).T
    nothing = np.full(p_value.shape, np.nan)
    return Unadjusted(
        method="fisher",
        n=found.total,
        mean_a=found.mean_a,
        mean_b=found.mean_b,
        estimate=found.estimate,
        p_value=p_value,
        std_error=found.std_error,
        statistic=nothing,
        df=found.known(np.full(p_value.shape, np.inf)),
        interval=_interval(found, p_value),
        means=found.means,
        own={"n_a": found.n, "n_b": found.m, "odds_ratio": odds_ratio(found), "smallest_p": smallest},
        remarks=found.remarks(),
    )


def _p_values(x: float, n: float, y: float, m: float) -> tuple[float, float]:
    """Return the p-value of the table and the smallest one of the tables with its margins."""
    if min(n, m) == 0:
        return float("nan"), float("nan")
    drawn = x + y
    k = np.arange(max(0.0, drawn - m), min(n, drawn) + 1.0)
    log_chance = _log_choose(n, k) + _log_choose(np.full(k.shape, m), drawn - k) - _log_choose(n + m, np.array([drawn]))
    chance = np.exp(log_chance)
    whole = chance.sum()
    likely = np.array([chance[int(x - k[0])], chance.min()]) * (1.0 + TIE)
    p_value, smallest = (min(float(chance[chance <= limit].sum() / whole), 1.0) for limit in likely)
    return p_value, smallest


def _log_choose(n: float | Floats, k: Floats) -> Floats:
    return np.asarray(gammaln(np.asarray(n) + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0))


def _interval(found: Proportions, p_value: Floats) -> Interval:
    def interval(level: Floats) -> tuple[Floats, Floats]:
        low, high = score_interval(found.x, found.n, found.y, found.m, level)
        kept = p_value > 1.0 - level
        return np.where(kept, np.minimum(low, 0.0), low), np.where(kept, np.maximum(high, 0.0), high)

    return interval
