"""Kendall's W of a pair: Friedman's chi-square over n (K - 1), corrected for ties, and its interval."""

import numpy as np
import pytest
from experiments import all_pairs, blocks
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, rankdata

from benchkit.methods.comparison import friedman
from benchkit.methods.effect.kendalls_w import kendalls_w

ONE = np.array([[0, 1]])


def effect(values, contrasts=ONE, level=0.95, seed=1):
    return np.array(kendalls_w(np.asarray(values, dtype=np.float64), contrasts, level, np.random.default_rng(seed)))


def outcomes(wins, losses, ties):
    return np.repeat([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [wins, losses, ties], axis=0)


@given(st.integers(1, 12), st.integers(2, 5), st.integers(0, 10**6))
def test_w_of_a_pair_is_the_textbooks(n, K, seed):
    values = np.random.default_rng(seed).integers(0, 4, (n, K)).astype(float)
    found = effect(values, all_pairs(K))[0]
    for i, (a, b) in enumerate(all_pairs(K)):
        ranks = np.array([rankdata(row) for row in values[:, [a, b]]])
        # Kendall & Gibbons 1990: 12 S / (m^2 (k^3 - k) - m sum T), T = t^3 - t of each group of t ties; k = 2 objects
        S = float(((ranks.sum(axis=0) - n * 1.5) ** 2).sum())
        T = 6.0 * float((ranks[:, 0] == 1.5).sum())
        bottom = 6 * n * n - n * T
        assert found[i] == pytest.approx(12 * S / bottom if bottom else 0.0, abs=1e-12)


@given(st.integers(2, 12), st.integers(0, 10**6))
def test_overall_w_is_chi_square_over_its_largest_value(n, seed):
    values = np.random.default_rng(seed).integers(0, 5, (n, 4)).astype(float)
    own = friedman.compare(blocks(values)).overall_own
    if not np.isnan(own["kendall_w"]):
        assert own["kendall_w"] == pytest.approx(own["chi_square"] / (n * 3), abs=1e-12)
        pair = friedman.compare(blocks(values[:, :2])).overall_own["kendall_w"]
        if not np.isnan(pair):
            assert effect(values)[0, 0] == pytest.approx(pair, abs=1e-12)


def test_by_hand():
    assert effect(outcomes(9, 1, 0))[0, 0] == pytest.approx(0.64)
    assert effect(outcomes(6, 2, 2))[0, 0] == pytest.approx(16 / 80)
    assert effect(outcomes(5, 5, 3))[0, 0] == 0.0
    # three rows of ties: the limit is 0
    assert effect(outcomes(0, 0, 3))[:, 0].tolist() == [0.0, 0.0, 0.0]


def test_complete_agreement_is_not_certainty():
    found = effect(outcomes(10, 0, 0))[:, 0]
    z2 = chi2.ppf(0.95, 1)
    assert found == pytest.approx([1.0, ((10 - z2) / (10 + z2)) ** 2, 1.0])
    assert effect(outcomes(2, 0, 0))[1, 0] == 0.0  # Wilson's interval for 2 of 2 covers a half


@pytest.mark.parametrize("n", [20, 501])
def test_the_interval(n):
    values = outcomes(int(0.7 * n), n - int(0.7 * n) - 2, 2)
    narrow, wide = effect(values, level=0.8)[:, 0], effect(values, level=0.99)[:, 0]
    assert wide[1] <= narrow[1] < narrow[0] < narrow[2] < wide[2] <= 1
    assert effect(values[:, ::-1])[:, 0] == pytest.approx(effect(values)[:, 0], abs=1e-9)
    # no agreement at all: the interval begins at 0 and has an upper end
    low, high = effect(outcomes(n // 2, n // 2, 1))[1:, 0]
    assert (low, high > 0) == (0.0, True)


def test_coverage():
    # 300 samples of 40 replicates, wins with probability .7, ties .1: W of the population is (.7 - .2)^2 / .9
    generator, covered = np.random.default_rng(3), 0
    for _ in range(300):
        low, high = effect(outcomes(*generator.multinomial(40, [0.7, 0.2, 0.1])))[1:, 0]
        covered += low <= 0.25 / 0.9 <= high
    assert 0.91 <= covered / 300 <= 0.99  # .95 +/- 3 sd of the simulation


def test_missing_single_and_infinite_values():
    values = np.array([[1.0, 2.0], [np.nan, 1.0], [np.inf, 3.0], [np.inf, np.inf], [-np.inf, 0.0]])
    assert effect(values)[0, 0] == pytest.approx((2 - 1) ** 2 / (4 * 3))
    assert np.isnan(effect(values[:1])[1:]).all()
    assert effect(values[:1])[0, 0] == 1.0
    assert np.isnan(effect([[np.nan, 1.0]])).all()
    assert effect([[0.1 + 0.2, 0.3], [0.3, 0.1 + 0.2]])[0, 0] == 0.0  # rounding is a tie
