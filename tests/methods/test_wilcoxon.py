from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from experiments import all_pairs, blocks
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from published_ranks import DEMSAR, DEPRESSION, FLOAT_TIES, TWO
from scipy.stats import rankdata
from scipy.stats import wilcoxon as scipy_wilcoxon

from benchkit.errors import BenchkitError
from benchkit.methods.comparison import wilcoxon


def compare(values, **options):
    return wilcoxon.compare(replace(blocks(values), options=options))


def ends(found, level=0.95):
    return np.array(found.interval(np.full(found.n.size, level)))


def test_example_of_r():
    # R 4.2: wilcox.test(x, y, paired = TRUE, conf.int = TRUE), ?wilcox.test
    found = compare(DEPRESSION)
    assert (found.statistic[0], found.p_value[0], found.estimate[0]) == pytest.approx((40, 0.0390625, 0.46), abs=1e-12)
    assert ends(found)[:, 0] == pytest.approx([0.010, 0.786], abs=1e-12)
    assert ends(found, 0.8)[:, 0] == pytest.approx([0.220, 0.691], abs=1e-12)


def test_another_example_of_r():
    # R 4.2: wilcox.test(x, conf.int = TRUE, conf.level = .99, exact = TRUE)
    x = [2.287, -1.197, -0.694, -0.412, -0.971, -0.947, 0.748, -0.117, 0.153, 2.19, 0.357, 2.717]
    found = compare(np.column_stack([x, np.zeros(12)]))
    assert found.statistic[0] == 44
    assert found.p_value[0] == pytest.approx(0.7333984375, rel=1e-12)
    assert found.estimate[0] == pytest.approx(0.2115, rel=1e-12)
    assert ends(found, 0.99)[:, 0] == pytest.approx([-0.8325, 1.5370], rel=1e-12)


def test_demsar_splits_zeros():
    # Demsar 2006, p. 8: R+ = 93, R- = 12, the ranks of zeros split evenly
    found = compare(-DEMSAR, zeros="zsplit")
    assert found.statistic[0] == 93
    assert found.own["n_equal"][0] == 2


@pytest.mark.parametrize(("zeros", "p"), [("wilcox", 0.007934570), ("pratt", 0.010864258), ("zsplit", 0.010864258)])
def test_zeros(zeros, p):
    # recomputed by enumeration in the project's cases
    assert compare(-TWO, zeros=zeros).p_value[0] == pytest.approx(p, abs=1e-9)


def test_float_noise_ties():
    # scipy issue 26082: all |d| tie; W- = 11, p = .109375
    found = compare(FLOAT_TIES)
    assert (found.statistic[0], found.p_value[0]) == (44.0, 0.109375)
    assert ends(found)[0, 0] == 0.0


SMALL = arrays(np.float64, st.tuples(st.integers(1, 9), st.just(2)), elements=st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.7, 5.0]))


@settings(max_examples=60)
@given(SMALL, st.sampled_from(["pratt", "wilcox", "zsplit"]))
def test_p_is_that_of_enumeration(values, zeros):
    d = np.round(values[:, 0] - values[:, 1], 9)
    kept = d[d != 0] if zeros == "wilcox" else d
    ranks = rankdata(np.abs(kept)) if kept.size else np.empty(0)
    half = ranks[kept == 0].sum() / 2 if zeros == "zsplit" and d.any() else 0.0
    ranks, kept = ranks[kept != 0], kept[kept != 0]
    signs = np.array(list(product([0, 1], repeat=kept.size))).reshape(2**kept.size, kept.size)
    sums, w = signs @ ranks, ranks[kept > 0].sum()
    found = compare(values, zeros=zeros)
    assert found.statistic[0] == w + half
    assert found.p_value[0] == min(1.0, 2 * min((sums <= w).mean(), (sums >= w).mean()))
    assert found.own["smallest_p"][0] == min(1.0, 2 * (sums == 0).mean())


@pytest.mark.parametrize("zeros", ["pratt", "wilcox", "zsplit"])
def test_the_statistic_is_scipys(zeros):
    d = np.random.default_rng(4).integers(-4, 6, 60).astype(float)
    plus = compare(np.column_stack([d, np.zeros(60)]), zeros=zeros).statistic[0]
    assert plus == scipy_wilcoxon(d, zero_method=zeros, alternative="greater", method="asymptotic").statistic


def test_large_n_is_normal_with_ties_and_says_so():
    d = np.random.default_rng(5).integers(-9, 11, 2000).astype(float)
    found = compare(np.column_stack([d, np.zeros(2000)]), zeros="wilcox")
    expected = scipy_wilcoxon(d, zero_method="wilcox", method="asymptotic", correction=False).pvalue
    assert found.p_value[0] == pytest.approx(expected, rel=1e-10)
    assert [remark.code for remark in found.remarks] == ["normal-approximation"]


@settings(max_examples=25)
@given(st.integers(1, 14), st.integers(0, 2**32 - 1), st.sampled_from([0.8, 0.95, 0.99]))
def test_the_interval_excludes_zero_as_the_test_rejects(n, seed, level):
    d = np.random.default_rng(seed).normal(0.7, 1, n)
    found = compare(np.column_stack([d, np.zeros(n)]))
    low, high = ends(found, level)[:, 0]
    assert (low > 0 or high < 0) == (found.p_value[0] <= (1 - level) * (1 + 1e-12))
    assert low <= found.estimate[0] <= high


def test_levels_of_each_pair():
    values = np.random.default_rng(6).normal(size=(12, 3))
    low, high = compare(values).interval(np.array([0.5, 0.95, 0.9999]))
    assert (low[0], high[0]) == (ends(compare(values), 0.5)[0, 0], ends(compare(values), 0.5)[1, 0])
    assert (low[2], high[2]) == (-np.inf, np.inf)


def test_swapping_mirrors_and_relabelling_moves():
    values = np.random.default_rng(7).normal(size=(30, 3)).round(1)
    there, back = compare(values), wilcoxon.compare(blocks(values, all_pairs(3)[:, ::-1]))
    assert there.p_value.tolist() == back.p_value.tolist()
    assert there.estimate == pytest.approx(-back.estimate, abs=1e-15)
    assert ends(there) == pytest.approx(-ends(back)[::-1], abs=1e-15)
    assert there.own["rank_biserial"].tolist() == (-back.own["rank_biserial"]).tolist()
    moved = wilcoxon.compare(blocks(values[:, [2, 0, 1]], np.array([[1, 2], [1, 0], [2, 0]])))
    assert moved.p_value.tolist() == there.p_value.tolist()


def test_replicates_that_miss_one_are_left_out_pair_by_pair():
    values = np.array([[1.0, 2.0, np.nan], [3.0, 5.0, 1.0], [4.0, 4.5, np.nan], [np.nan, 1.0, 2.0]])
    found = compare(values)
    assert found.n.tolist() == [3, 1, 2]
    assert found.p_value[0] == compare(values[:3, :2]).p_value[0]
    assert found.mean_a[1] - found.mean_b[1] == 2.0


def test_no_difference_and_no_shared_replicate():
    found = compare(np.array([[1.0, 1.0, np.nan], [np.nan, np.nan, 2.0]]))
    assert (found.statistic[0], found.p_value[0], found.estimate[0]) == (0, 1, 0)
    assert np.isnan([found.p_value[1:], found.estimate[1:], found.statistic[1:], ends(found)[0, 1:]]).all()
    assert [(remark.code, remark.pairs) for remark in found.remarks] == [("not-estimable", (1, 2)), ("zero-variance", (0,))]


def test_unknown_choice():
    with pytest.raises(BenchkitError, match="'drop' is no choice of zeros"):
        compare(TWO, zeros="drop")
