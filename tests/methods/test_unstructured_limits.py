import numpy as np
import pytest
import scipy.stats
from experiments import all_pairs, blocks, codes, experiment, interval
from hypothesis import given
from hypothesis import strategies as st

from benchkit.errors import BenchkitError
from benchkit.methods.comparison.unstructured import compare


@pytest.mark.parametrize("B", [12, 40, 2100])
@pytest.mark.parametrize("holes", [0, 4])
def test_pairs_without_variation_keep_their_limits_and_harm_nobody(B, holes):
    generator = np.random.default_rng(B)
    values = generator.normal(size=(B, 3)) + 5
    values[:holes, 2] = np.nan
    twins = np.column_stack([values, values[:, 1], values[:, 1] + 0.1])
    answer, plain = compare(blocks(twins)), compare(blocks(values))
    place = {(int(a), int(b)): i for i, (a, b) in enumerate(all_pairs(5))}
    same, shifted = place[1, 3], place[1, 4]
    pairs = answer.pairs
    assert [pairs.estimate[same], pairs.std_error[same], pairs.statistic[same]] == [0, 0, 0]
    assert [pairs.p_value[same], pairs.p_adjusted[same]] == [1, 1]
    assert pairs.estimate[shifted] == pytest.approx(-0.1, abs=1e-12)
    assert [pairs.std_error[shifted], pairs.statistic[shifted]] == [0, -np.inf]
    assert [pairs.p_value[shifted], pairs.p_adjusted[shifted]] == [0, 0]
    assert np.ptp(interval(answer)[:, [same, shifted]], axis=0) == pytest.approx([0, 0], abs=0)
    remark = next(remark for remark in answer.remarks if remark.code == "zero-variance")
    assert remark.pairs == (same, shifted, place[3, 4])
    assert np.isnan(answer.overall.statistic)
    if not holes:
        kept = [place[0, 1], place[0, 2], place[1, 2]]
        assert pairs.statistic[kept] == pytest.approx(plain.pairs.statistic, rel=1e-12)
    others = ~np.isin(np.arange(10), remark.pairs)
    assert np.isfinite(pairs.critical[others]).all()
    assert (pairs.critical[others] > 0).all()
    assert answer.tail(np.where(others, pairs.critical, np.inf))[others] == pytest.approx(np.full(others.sum(), 0.05), abs=2e-4)


@pytest.mark.parametrize("B", [2, 40, 2100])
def test_nothing_varies_at_all(B):
    answer = compare(blocks(np.tile([1.0, 1.0, 2.0], (B, 1)) + np.arange(B)[:, None]))
    assert answer.pairs.p_adjusted == pytest.approx([1, 0, 0])
    assert answer.pairs.estimate == pytest.approx([0, -1, -1])
    assert answer.tail(np.array([0.0, np.inf, np.inf])) == pytest.approx([1, 0, 0])
    assert "zero-variance" in codes(answer)


def test_exact_differences_with_missing_cells():
    values = np.tile([1.0, 1.0, 2.0], (40, 1)) + np.arange(40)[:, None]
    values[::7, 0], values[3::5, 2] = np.nan, np.nan
    answer = compare(blocks(values))
    assert answer.pairs.p_adjusted == pytest.approx([1, 0, 0])
    assert answer.pairs.estimate == pytest.approx([0, -1, -1])
    assert (answer.pairs.std_error == 0).all()
    assert np.isnan(answer.overall.statistic)


@pytest.mark.parametrize("values", [[[1.0, 2.0, 4.0]], [[1.0, 2.0, 4.0], [np.nan, np.nan, 4.0]]])
def test_one_replicate_gives_differences_without_errors(values):
    answer = compare(blocks(np.array(values)))
    assert answer.pairs.estimate == pytest.approx([-1, -3, -2])
    for name in ("std_error", "statistic", "p_value", "p_adjusted", "critical"):
        assert np.isnan(getattr(answer.pairs, name)).all()
    assert np.isnan(answer.tail(np.ones(3))).all()
    assert np.isnan(answer.means.std_error).all()
    assert codes(answer) == ["small-n"]


@pytest.mark.parametrize("B", [2, 3])
def test_two_and_three_replicates(B):
    values = np.array([[1.0, 2.0, 4.0], [2.0, 2.5, 7.0], [1.5, 4.0, 5.0]])[:B]
    answer = compare(blocks(values))
    a, b = all_pairs(3).T
    assert answer.pairs.p_value == pytest.approx(scipy.stats.ttest_rel(values[:, a], values[:, b]).pvalue, rel=1e-10)
    assert np.isnan(answer.overall.statistic) == (B < 3)


def test_more_algorithms_than_replicates_loses_only_the_overall_test():
    answer = compare(blocks(np.random.default_rng(23).normal(size=(31, 33)), draws=199))
    assert np.isnan(answer.overall.p_value)
    assert np.isfinite(answer.pairs.p_adjusted).all()
    assert [(remark.code, dict(remark.numbers)) for remark in answer.remarks] == [
        ("small-n", {"replicates": 31.0, "algorithms": 33.0})
    ]


def test_what_is_not_estimable_is_null_and_the_rest_is_unharmed():
    values = np.full((80, 6), np.nan)
    generator = np.random.default_rng(24)
    values[:40, :3] = generator.normal(size=(40, 3))
    values[40:, 3:5] = generator.normal(size=(40, 2))  # never beside the first three
    values[5, 5] = 1.0  # a single value
    answer = compare(blocks(values))
    pairs = all_pairs(6)
    known = ((pairs < 3).all(axis=1)) | ((pairs == [3, 4]).all(axis=1))
    assert (np.isfinite(answer.pairs.p_adjusted) == known).all()
    assert (np.isfinite(answer.pairs.critical) == known).all()
    assert (np.isnan(answer.pairs.estimate) == (answer.pairs.n == 0)).all()
    assert codes(answer) == ["not-estimable"]
    assert answer.remarks[0].pairs == tuple(np.flatnonzero(~known))
    # without the single value and within the first three: nothing but paired tests
    a, b = pairs[known].T
    difference = values[:, a] - values[:, b]
    assert answer.pairs.std_error[known] == pytest.approx(np.nanstd(difference, axis=0, ddof=1) / 40**0.5, rel=1e-9)
    assert answer.means.n.tolist() == [40, 40, 40, 40, 40, 1]
    assert np.isnan(answer.means.std_error).tolist() == [False] * 5 + [True]


def test_no_replicate_is_shared_by_anybody():
    answer = compare(blocks(np.array([[1.0, np.nan], [2.0, np.nan], [np.nan, 3.0], [np.nan, 4.0]])))
    assert np.isnan([answer.pairs.estimate[0], answer.pairs.p_adjusted[0], answer.overall.statistic]).all()
    assert answer.pairs.n.tolist() == [0]
    assert codes(answer) == ["small-n"]


def test_a_level_beyond_the_resamples_is_refused():
    with pytest.raises(BenchkitError, match="more than 999 bootstrap resamples"):
        compare(blocks(experiment("motorcycle")[0][:40], level=0.9995, draws=999))


def test_differences_that_mostly_repeat_one_value_widen_the_interval_and_say_so():
    values = np.zeros((50, 3))
    values[:, 2] = np.random.default_rng(25).normal(size=50)
    values[0, 1] = 1.0  # one replicate in fifty: (49/50)^50 = .36 of the resamples do not see it
    answer = compare(blocks(values, draws=999))
    assert np.isinf(answer.pairs.critical).all()
    assert answer.pairs.p_adjusted.min() > 0.3
    assert [(remark.code, remark.pairs) for remark in answer.remarks] == [("few-distinct-differences", (0,))]


@given(st.integers(2, 12), st.integers(2, 5), st.integers(0, 10**6), st.floats(0, 0.6))
def test_any_small_table_has_an_answer(B, K, seed, missing):
    generator = np.random.default_rng(seed)
    values = np.round(generator.normal(size=(B, K)), generator.integers(0, 4))
    values[generator.random((B, K)) < missing] = np.nan
    values[generator.integers(0, B), generator.permutation(K)[:2]] = 0.5
    values = values[:, ~np.isnan(values).all(axis=0)]
    answer = compare(blocks(values[~np.isnan(values).all(axis=1)]))
    pairs = answer.pairs
    tested = ~np.isnan(pairs.statistic)
    assert (~np.isnan(pairs.p_adjusted) == tested).all()
    assert (~np.isnan(pairs.critical) == tested).all()
    assert (pairs.n[tested] > 0).all()
    assert (pairs.p_adjusted[tested] >= pairs.p_value[tested]).all()
    assert tested.all() or {"small-n", "not-estimable"} & set(codes(answer))
    assert not np.isnan(answer.overall.statistic) or answer.remarks
