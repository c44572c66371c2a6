"""Independent 0/1 outcomes: the z test of two proportions, and the chi-square test of all."""

import numpy as np
from scipy.special import chdtrc, erfc

from benchkit.methods.comparison.proportions import Proportions, proportions
from benchkit.methods.comparison.score_interval import score_interval
from benchkit.methods.records import Blocks, Floats, Overall, Remark, Unadjusted

# with fewer expected outcomes of a kind in a sample the normal distribution is a poor stand-in
FEWEST_EXPECTED = 5.0


def compare(blocks: Blocks) -> Unadjusted:
    """Compare the shares of right outcomes of the contrasts by z with the pooled variance, without continuity correction.

    z^2 is Pearson's chi-square of the 2 x 2 table. The interval is the score interval that belongs to it (Mee 1984: that of
    Miettinen & Nurminen 1985 without N/(N - 1)), so that it leaves out 0 exactly when the test rejects; std_error has no
    hypothesis. All outcomes of a pair the same: statistic 0, p 1, zero-variance; a sample without outcomes: NaN,
    not-estimable; small-n where fewer than 5 outcomes of a kind are expected (use fisher). overall: Pearson's chi-square on
    K - 1 degrees of freedom. n is n_a + n_b. own: n_a, n_b, odds_ratio (of being right, a against b, of the sample).
    """
    found = proportions(blocks)
    statistic = _z(found)
    return Unadjusted(
        method="proportions-z",
        n=found.total,
        mean_a=found.mean_a,
        mean_b=found.mean_b,
        estimate=found.estimate,
        p_value=erfc(np.abs(statistic) / np.sqrt(2.0)),
        std_error=found.std_error,
        statistic=statistic,
        df=found.known(np.full(statistic.shape, np.inf)),
        interval=lambda level: score_interval(found.x, found.n, found.y, found.m, level),
        overall=_overall(found),
        means=found.means,
        own={"n_a": found.n, "n_b": found.m, "odds_ratio": odds_ratio(found)},
        remarks=found.remarks() + _small(found),
    )


def odds_ratio(found: Proportions) -> Floats:
    """Return the odds of being right of a over those of b; infinite where only its numerator is positive, NaN for 0/0."""
    above, below = (found.n - found.x) * found.y, (found.m - found.y) * found.x
    return np.divide(above, below, out=np.where(above > 0, np.inf, np.nan), where=below > 0)


def _z(found: Proportions) -> Floats:
    total = found.n + found.m
    pooled = (found.x + found.y) / found.known(total)
    variance = pooled * (1.0 - pooled) * (1.0 / found.known(found.n) + 1.0 / found.known(found.m))
    return np.divide(found.estimate, np.sqrt(variance), out=variance * 0.0, where=variance > 0)


def _overall(found: Proportions) -> Overall:
    K = found.size.size
    if (found.size == 0).any():
        return Overall(np.nan, K - 1.0, np.nan, np.nan)
    share = found.wrong.sum() / found.size.sum()
    if share in (0.0, 1.0):
        return Overall(0.0, K - 1.0, np.nan, 1.0)
    statistic = float(np.sum((found.wrong - found.size * share) ** 2 / found.size) / (share * (1.0 - share)))
    return Overall(statistic, K - 1.0, np.nan, float(chdtrc(K - 1.0, statistic)))


def _small(found: Proportions) -> tuple[Remark, ...]:
    """Return small-n for pairs with outcomes of both kinds, of one of which too few are expected in a sample."""
    wrong = found.x + found.y
    kind = np.minimum(wrong, found.total - wrong)
    expected = kind * np.minimum(found.n, found.m) / np.maximum(found.total, 1)
    few = found.testable & (kind > 0) & (expected < FEWEST_EXPECTED)
    if not few.any():
        return ()
    numbers = {"expected": float(expected[few].min()), "replicates": float(np.minimum(found.n, found.m)[few].min())}
    return (Remark("small-n", tuple(np.flatnonzero(few).tolist()), numbers),)
