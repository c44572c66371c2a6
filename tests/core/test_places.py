"""Places and their ties, against scipy and by hand."""

import numpy as np
import pytest
from scipy.stats import rankdata

from benchkit.core.places import broken_ranks, tie_spans
from benchkit.methods.mid_ranks import mid_ranks


def test_mid_ranks_agree_with_scipy_on_tied_data() -> None:
    values = np.random.default_rng(1).integers(0, 4, (50, 6)).astype(float)
    np.testing.assert_array_equal(mid_ranks(values), rankdata(values, axis=1))


def test_float_noise_ties_and_chains() -> None:
    # 0.3 - 0.2 and 0.1 differ by rounding only
    assert mid_ranks(np.array([[0.3 - 0.2, 0.1, 0.5]])).tolist() == [[1.5, 1.5, 3.0]]
    # each neighbour is within 1e-12 of the largest, so all three tie
    assert mid_ranks(np.array([[1.0, 1.0 + 0.9e-12, 1.0 + 1.8e-12]])).tolist() == [[2.0, 2.0, 2.0]]
    assert mid_ranks(np.array([[1.0, 1.0 + 3e-12, 2.0]])).tolist() == [[1.0, 2.0, 3.0]]


def test_the_tolerance_is_relative() -> None:
    assert mid_ranks(np.array([[1e-20, 2e-20, 3e-20]])).tolist() == [[1.0, 2.0, 3.0]]


def test_missing_and_infinite_values() -> None:
    ranks = mid_ranks(np.array([[np.nan, 2.0, 1.0], [np.inf, np.inf, -np.inf]]))
    assert np.isnan(ranks[0, 0])
    assert ranks[0, 1:].tolist() == [2.0, 1.0]
    assert ranks[1].tolist() == [2.5, 2.5, 1.0]


def test_broken_ranks_are_a_permutation_and_fair() -> None:
    values = np.tile([1.0, 1.0, 0.0], (4000, 1))
    ranks = broken_ranks(values, np.random.default_rng(2))
    assert np.sort(ranks, axis=1).tolist() == [[1.0, 2.0, 3.0]] * 4000
    assert (ranks[:, 2] == 1).all()
    # a fair coin: within four standard errors of one half
    assert abs((ranks[:, 0] == 2).mean() - 0.5) < 4 * 0.5 / np.sqrt(4000)


def test_tie_spans() -> None:
    first, last = tie_spans(np.array([[2.0, 1.0, 2.0, 2.0]]))
    assert first.tolist() == [[2.0, 1.0, 2.0, 2.0]]
    assert last.tolist() == [[4.0, 1.0, 4.0, 4.0]]


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_ranks_do_not_depend_on_scale(scale: float) -> None:
    values = np.random.default_rng(3).normal(size=(20, 5))
    np.testing.assert_array_equal(mid_ranks(values * scale), mid_ranks(values))
