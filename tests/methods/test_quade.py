from dataclasses import replace

import numpy as np
import pytest
from experiments import blocks
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from published_ranks import GARCIA, LOTION, ROUNDING, TWO
from scipy.stats import rankdata, t

from benchkit.methods.comparison import quade, wilcoxon


def compare(values, **options):
    return quade.compare(replace(blocks(values, draws=199), options=options))


@pytest.mark.parametrize(
    ("values", "statistic", "p"),
    [
        (LOTION, 3.82925158417537, 0.0151890200732746),
        (-GARCIA, 11.7671019284455, 2.57983784314518e-06),
        # R on round(100 * x): on the times themselves float noise breaks ties of ranges and it says 7.0423
        (ROUNDING, 6.370413749897857, 0.003834392582135086),
    ],
)
def test_quade_test_of_r(values, statistic, p):
    found = compare(values)
    assert (found.overall.statistic, found.overall.p_value) == pytest.approx((statistic, p), rel=1e-10)


def test_post_hoc_of_conover():
    # Conover 1999, p. 375: |T_a - T_b| / sqrt(2 B (A - sum T^2 / B) / ((B-1)(K-1))), A the sum of S^2, against t
    ranges = rankdata(np.ptp(LOTION, axis=1))
    scores = ranges[:, None] * (rankdata(LOTION, axis=1) - 3)
    sums = scores.sum(axis=0)
    error = np.sqrt(2 * 7 * ((scores**2).sum() - (sums**2).sum() / 7) / (6 * 4))
    found = compare(LOTION, post_hoc="quade")
    assert found.statistic[[0, 9]] == pytest.approx([(sums[0] - sums[1]) / error, (sums[3] - sums[4]) / error], rel=1e-12)
    assert found.p_value == pytest.approx(2 * t.sf(np.abs(found.statistic), 24), rel=1e-10)
    assert found.df.tolist() == [24.0] * 10


def test_weighted_ranks_of_garcia():
    # recomputed in the project's cases: 1.3883 2.5383 2.5917 3.4817
    found = compare(-GARCIA)
    assert found.own["mean_rank_a"][[0, 3, 5]] == pytest.approx([1.3883333333, 2.5383333333, 2.5916666667], rel=1e-9)
    assert found.own["mean_rank_b"][5] == pytest.approx(3.4816666667, rel=1e-9)


@settings(max_examples=30)
@given(arrays(np.float64, st.tuples(st.integers(1, 8), st.just(2)), elements=st.integers(0, 9).map(float)))
def test_two_algorithms_are_the_signed_rank_test(values):
    found = compare(values)
    assert found.overall_own["p_exact"] == pytest.approx(wilcoxon.compare(blocks(values)).p_value[0], rel=1e-12)
    assert found.p_value[0] == wilcoxon.compare(blocks(values)).p_value[0]


def test_limits():
    found = compare(np.ones((4, 3)))
    assert (found.overall.statistic, found.overall.p_value) == (0, 1)
    found = compare(np.tile([1.0, 2.0, 3.0], (4, 1)))
    assert (found.overall.statistic, found.overall.p_value) == (np.inf, 0)
    # R: p = (K!)^(1 - B)
    assert found.overall_own["p_exact"] == pytest.approx(1 / 6**3)
    assert np.isnan(compare(np.array([[1.0, 2.0, 3.0]]), post_hoc="quade").overall.p_value)
    found = compare(np.array([[1.0, np.nan, 3.0]]), post_hoc="quade")
    assert np.isnan(found.overall.statistic)
    assert [remark.code for remark in found.remarks] == ["incomplete-replicates", "small-n", "mean-ranks"]


def test_relabelling_and_shifting():
    values = np.random.default_rng(1).normal(size=(8, 4)).round(2)
    found = compare(values)
    assert compare(values[:, [2, 0, 3, 1]]).overall.statistic == pytest.approx(found.overall.statistic, rel=1e-12)
    shifted = compare(values + 1000.0 * np.arange(8)[:, None])
    assert shifted.overall.statistic == pytest.approx(found.overall.statistic, rel=1e-12)
    assert compare(-TWO).overall == compare(TWO).overall
