import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import rankdata

from benchkit.core import places
from benchkit.methods.mid_ranks import doubled, mid_ranks


@given(arrays(np.float64, (4, 6), elements=st.sampled_from([0.0, 1.0, 2.5, -3.0, 1e9, np.nan])))
def test_as_scipy_and_as_the_places_of_core(values):
    assert mid_ranks(values) == pytest.approx(rankdata(values, axis=1, nan_policy="omit"), nan_ok=True)
    assert np.array_equal(mid_ranks(values), places.mid_ranks(values), equal_nan=True)


def test_float_noise_ties_and_ties_chain():
    assert mid_ranks(np.array([[0.1 + 0.2, 0.3, 0.1]])).tolist() == [[2.5, 2.5, 1.0]]
    assert mid_ranks(np.array([[0.0, 0.9e-12, 1.8e-12, 1.0]])).tolist() == [[2.0, 2.0, 2.0, 4.0]]
    assert mid_ranks(np.array([[1e-300, 2e-300]])).tolist() == [[1.0, 2.0]]


def test_noise_of_each_value():
    values = np.array([[1.0, 1.0 + 1e-6, 2.0]])
    assert mid_ranks(values, np.array([[1e-5, 0.0, 0.0]])).tolist() == [[1.5, 1.5, 3.0]]
    assert mid_ranks(values, np.zeros((1, 3))).tolist() == [[1.0, 2.0, 3.0]]


def test_infinite_values_tie_and_doubled_ranks_are_whole():
    ranks = mid_ranks(np.array([[np.inf, 1.0, np.inf, -np.inf]]))
    assert doubled(ranks).tolist() == [[7, 4, 7, 2]]


def test_no_rows_or_columns():
    assert mid_ranks(np.empty((0, 3))).shape == (0, 3)
    assert mid_ranks(np.empty((1, 0))).shape == (1, 0)
