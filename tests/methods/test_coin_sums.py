from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.methods.comparison import coin_sums

WEIGHTS = st.lists(st.integers(1, 12), min_size=1, max_size=9).map(np.array)


@given(WEIGHTS)
def test_probabilities_are_those_of_enumeration(weights):
    sums = np.array(list(product([0, 1], repeat=weights.size))) @ weights
    expected = np.bincount(sums, minlength=weights.sum() + 1) / 2.0**weights.size
    assert coin_sums.probabilities(weights).tolist() == expected.tolist()  # dyadic numbers: exact


@given(WEIGHTS, st.data())
def test_two_sided_is_that_of_enumeration(weights, data):
    sums = np.array(list(product([0, 1], repeat=weights.size))) @ weights
    observed = data.draw(st.sampled_from(sums.tolist()))
    expected = min(1.0, 2 * min((sums <= observed).mean(), (sums >= observed).mean()))
    assert coin_sums.two_sided(weights, observed) == expected


def test_no_weights():
    assert coin_sums.two_sided(np.empty(0, dtype=np.int64), 0) == 1.0


def test_normal_approximation_beyond_the_limit():
    weights = 2 * np.arange(1, 401)
    assert not coin_sums.is_feasible(weights)
    exact = 2 * coin_sums.probabilities(np.arange(1, 401))[:36_001].sum()
    assert coin_sums.two_sided(weights, 72_000) == pytest.approx(exact, rel=0.01)


def test_depths_of_published_tables():
    # Hollander & Wolfe 1999, Table A.4, n = 10: P(T+ >= 47) = .024, P(T+ >= 44) = .053, so 8 and 10 are critical
    assert coin_sums.rank_sum_depth(10)(np.array([0.95, 0.90])).tolist() == [9, 11]
    assert coin_sums.rank_sum_depth(5)(np.array([0.95, 1 - 2 / 32])).tolist() == [0, 1]
    assert coin_sums.count_depth(6)(np.array([0.95, 1 - 2 / 64, 0.99])).tolist() == [1, 1, 0]


@pytest.mark.parametrize("n", [391, 600])
def test_normal_depth_is_close_to_the_exact_one(n):
    below = np.cumsum(coin_sums.probabilities(np.arange(1, n + 1)))
    levels = np.array([0.9, 0.95, 0.999])
    exact = np.searchsorted(below, (1 - levels) / 2, side="right")
    assert coin_sums.rank_sum_depth(n)(levels) == pytest.approx(exact, abs=0.0008 * n * n)
