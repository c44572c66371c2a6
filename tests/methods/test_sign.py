from dataclasses import replace

import numpy as np
import pytest
from experiments import all_pairs, blocks
from hypothesis import given
from hypothesis import strategies as st
from published_ranks import DEMSAR, TWO
from scipy.stats import binom, binomtest

from benchkit.methods.comparison import sign


def ends(found, level=0.95):
    return np.array(found.interval(np.full(found.n.size, level)))


def test_demsar_counts_wins():
    # Demsar 2006, p. 9: C4.5+m wins on 11 of 14 with ties split; here the two ties are dropped: 10 against 2
    found = sign.compare(blocks(-DEMSAR))
    assert (found.own["n_worse"][0], found.own["n_better"][0]) == (10, 2)
    assert found.p_value[0] == pytest.approx(2 * binom.cdf(2, 12, 0.5), rel=1e-12)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 5))
def test_binomial(more, less, ties):
    if more + less + ties == 0:
        return
    d = np.repeat([1.0, -1.0, 0.0], [more, less, ties])
    found = sign.compare(blocks(np.column_stack([d, np.zeros(d.size)])))
    expected = binomtest(more, more + less).pvalue if more + less else 1.0
    assert found.p_value[0] == pytest.approx(expected, rel=1e-12)
    assert found.statistic[0] == more
    assert found.estimate[0] == np.median(d)


def test_interval_is_between_order_statistics():
    # n = 10: P(X <= 1) = 11/1024, P(X <= 2) = 56/1024: the second and the ninth at 95%
    d = np.array([5.0, 1, 9, 2, 8, 4, 3, 7, 6, 10])
    found = sign.compare(blocks(np.column_stack([d, np.zeros(10)])))
    assert ends(found)[:, 0].tolist() == [2.0, 9.0]
    assert ends(found, 1 - 2 / 1024)[:, 0].tolist() == [1.0, 10.0]
    assert ends(found, 0.9999)[:, 0].tolist() == [-np.inf, np.inf]
    assert ends(found, 0.0)[:, 0].tolist() == [5.0, 6.0]


@given(st.integers(1, 15), st.integers(0, 2**32 - 1))
def test_the_interval_excludes_zero_as_the_test_rejects(n, seed):
    d = np.random.default_rng(seed).normal(1, 1, n)
    found = sign.compare(blocks(np.column_stack([d, np.zeros(n)])))
    low, high = ends(found, 0.9)[:, 0]
    assert (low > 0 or high < 0) == (found.p_value[0] <= 0.1)


def test_swapping_mirrors_and_transforming_keeps():
    there, back = sign.compare(blocks(TWO)), sign.compare(blocks(TWO, all_pairs(2)[:, ::-1]))
    assert (there.p_value, there.estimate) == (back.p_value, -back.estimate)
    assert sign.compare(blocks(np.exp(30 * TWO))).p_value == there.p_value


def test_degenerate():
    found = sign.compare(replace(blocks(np.array([[1.0, 1.0, np.nan]]))))
    assert (found.p_value[0], found.statistic[0], found.estimate[0]) == (1, 0, 0)
    assert np.isnan(found.p_value[1:]).all()
    assert [remark.code for remark in found.remarks] == ["not-estimable", "zero-variance"]
