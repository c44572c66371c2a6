"""Interquartile mean, optimality gap and their stratified bootstrap."""

import numpy as np
import pytest
import scipy.stats

from benchkit.methods.aggregate import interquartile_mean, optimality_gap, percentile_interval


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 7, 8, 9, 100, 1001])
def test_iqm_is_the_trimmed_mean_that_rliable_takes(n: int) -> None:
    values = np.random.default_rng(n).normal(size=(3, n))
    expected = scipy.stats.trim_mean(values, 0.25, axis=1)
    np.testing.assert_allclose(interquartile_mean(values), expected, rtol=1e-12)


def test_iqm_by_hand() -> None:
    # of eight values two go at either end: (3 + 4 + 5 + 6) / 4; a wild one changes nothing
    assert interquartile_mean(np.array([8.0, 1, 7, 2, 6, 3, 5, 4])) == 4.5
    assert interquartile_mean(np.array([8e9, 1, 7, 2, 6, 3, 5, 4])) == 4.5


def test_gap_is_rliables_for_scores_turned_round() -> None:
    scores = np.random.default_rng(1).normal(0.8, 0.3, 50)
    expected = 1.0 - np.mean(np.minimum(scores, 1.0))  # rliable.metrics.aggregate_optimality_gap, gamma = 1
    assert optimality_gap(-1.0)(-scores) == pytest.approx(expected, rel=1e-12)
    assert optimality_gap(2.0)(np.array([1.0, 2.0, 5.0])) == 1.0


def test_one_stratum_agrees_with_scipy() -> None:
    values = np.random.default_rng(2).exponential(size=60)
    low, high = percentile_interval(interquartile_mean, [values], 0.9, np.random.default_rng(1))
    other = scipy.stats.bootstrap(
        (values,), lambda x, axis: scipy.stats.trim_mean(x, 0.25, axis=axis), method="percentile", confidence_level=0.9,
        n_resamples=9999, rng=np.random.default_rng(7),
    ).confidence_interval  # fmt: skip
    # two Monte Carlo runs of 9999 draws: the ends agree to about two percent of the width
    assert (low, high) == pytest.approx((other.low, other.high), abs=0.04 * (other.high - other.low))


def test_strata_are_resampled_apart() -> None:
    # constant strata never change, whatever lies between them: the interval has no width; pooled into one it has
    strata = [np.zeros(5), np.ones(5), np.full(4, 9.0)]
    generator = np.random.default_rng(1)
    low, high = percentile_interval(interquartile_mean, strata, 0.95, generator)
    assert low == high == interquartile_mean(np.concatenate(strata))
    low, high = percentile_interval(interquartile_mean, [np.concatenate(strata)], 0.95, generator)
    assert low < high


def test_too_little_for_an_interval() -> None:
    assert np.isnan(percentile_interval(interquartile_mean, [np.ones(1), np.empty(0)], 0.95, np.random.default_rng(1))).all()
