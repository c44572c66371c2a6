from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from benchkit.methods.comparison.permuted_totals import exact_p_value, p_values
from benchkit.methods.comparison.random_orders import random_sums


def enumerated(scores):
    observed = (scores.sum(axis=0) ** 2).sum()
    orders = [list(permutations(row)) for row in scores.tolist()]
    return np.mean([(np.sum(one, axis=0) ** 2).sum() >= observed for one in product(*orders)])


@settings(max_examples=25)
@given(arrays(np.int64, st.sampled_from([(1, 3), (2, 2), (5, 2), (3, 3), (4, 3), (2, 4)]), elements=st.integers(0, 9)))
def test_exact_is_enumeration(scores):
    assert exact_p_value(scores) == pytest.approx(enumerated(scores), rel=1e-12)


def test_published_table_of_friedman():
    # Hollander & Wolfe 1999, Table A.22: k = 3, n = 4: P(S >= 6.5) = .042, P(S >= 8) = .005; k = 4, n = 3: P(S >= 7.4) = .033
    four = np.array([[1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 3, 2]])
    assert exact_p_value(four) == pytest.approx(0.042, abs=5e-4)
    assert exact_p_value(np.tile([1, 2, 3], (4, 1))) == pytest.approx(1 / 6**3)


def test_too_many_states_are_drawn_when_the_data_are_small():
    generator = np.random.default_rng(1)
    ranks = np.argsort(generator.random((30, 6)), axis=1) + 1
    found = p_values(ranks, generator, 999)
    assert np.isnan(found["p_exact"])
    assert 0.001 <= found["p_monte_carlo"] <= 1
    assert np.isnan(p_values(np.tile(ranks, (40, 1)), generator, 9999)["p_monte_carlo"])


def test_drawn_agrees_with_exact():
    generator = np.random.default_rng(3)
    scores = np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0], [1.0, 2.0, 3.0], [2.0, 1.0, 3.0]])
    every = np.ones(scores.shape, dtype=bool)
    squares = np.concatenate([(sums**2).sum(axis=1) for sums in random_sums(scores, every, generator, 20_000)])
    p = exact_p_value(scores.astype(np.int64))
    assert (squares >= (scores.sum(axis=0) ** 2).sum()).mean() == pytest.approx(p, abs=4 * np.sqrt(p / 20_000))


def test_missing_cells_stay_where_they_are():
    scores, present = np.array([[5.0, 0.0, 7.0]]), np.array([[True, False, True]])
    sums = np.concatenate(list(random_sums(scores, present, np.random.default_rng(1), 50)))
    assert {tuple(row) for row in sums.tolist()} == {(5.0, 0.0, 7.0), (7.0, 0.0, 5.0)}
