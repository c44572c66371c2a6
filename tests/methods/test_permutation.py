import time
import warnings
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from experiments import all_pairs, blocks, codes
from scipy import stats

from benchkit.methods.comparison import permutation


def by_hand(values, contrasts, level=0.95):
    """Raw, single-step and step-down p-values and the critical value from every pattern of signs, one at a time."""
    B = len(values)
    differences = np.array([values[:, a] - values[:, b] for a, b in contrasts])
    scores = []
    for pattern in product([1.0, -1.0], repeat=B):
        flipped = differences * pattern
        scores.append([abs(d.mean()) / (d.std(ddof=1) / np.sqrt(B)) for d in flipped])
    scores, slack = np.array(scores), 1 - 1e-9
    seen = scores[0]
    raw = (scores >= seen * slack).mean(axis=0)
    single = (scores.max(axis=1)[:, None] >= seen * slack).mean(axis=0)
    order = np.argsort(-seen)
    step, least = np.empty(len(seen)), 0.0
    for place, j in enumerate(order):
        least = max(least, (scores[:, order[place:]].max(axis=1) >= seen[j] * slack).mean())
        step[j] = least
    largest = np.sort(scores.max(axis=1))
    allowed = [t for t in largest if (largest >= t * slack).mean() > 1 - level]
    return raw, single, step, max(allowed)


@pytest.mark.parametrize("seed", range(4))
def test_exact_p_values_by_enumeration(seed):
    values = np.random.default_rng(seed).normal(size=(8, 3)) + np.array([0.0, 0.4 * seed, 1.0])
    if seed == 3:
        values = np.round(2 * values) / 10  # ties between patterns, differences of 0, sums that agree but for rounding
    raw, single, step, critical = by_hand(values, all_pairs(3))
    found = permutation.compare(blocks(values))
    assert found.pairs.p_value == pytest.approx(raw, rel=1e-12)
    assert found.pairs.p_adjusted == pytest.approx(step, rel=1e-12)
    assert found.tail(np.abs(found.pairs.statistic)) == pytest.approx(single, rel=1e-12)
    assert found.pairs.critical == pytest.approx([critical] * 3, rel=1e-6)
    assert found.overall.p_value == pytest.approx(single.min(), rel=1e-12)
    # flipping differences of 0 changes nothing
    ties = [int(np.isclose(values[:, a], values[:, b], rtol=1e-12).sum()) for a, b in all_pairs(3)]
    assert found.own["smallest_p"] == pytest.approx([2.0 ** (zeros - 7) for zeros in ties])
    assert any(ties) == (seed == 3)
    assert (found.adjust, found.step_wise, found.ci_kind) == ("max-t", True, "simultaneous")


def test_as_scipy():
    a, b = np.random.default_rng(9).normal(size=(2, 9)) + np.array([[0.8], [0.0]])

    def mean_difference(x, y, axis):
        return np.mean(x - y, axis=axis)

    known = stats.permutation_test((a, b), mean_difference, permutation_type="samples", n_resamples=np.inf, vectorized=True)
    found = permutation.compare(blocks(np.column_stack([a, b])))
    assert found.pairs.p_value[0] == pytest.approx(known.pvalue, rel=1e-12)
    assert found.pairs.p_adjusted[0] == found.pairs.p_value[0]
    assert (found.adjust, found.step_wise) == ("none", False)


def test_constant_group_of_five_pairs():
    # golang/go#19634: 115, 114, 115, 115, 115 against 78.8 five times; the smallest p of five pairs is 2/32
    values = np.column_stack([[115.0, 114.0, 115.0, 115.0, 115.0], np.full(5, 78.8)])
    found = permutation.compare(blocks(values))
    assert found.pairs.p_value[0] == pytest.approx(0.0625)
    assert (found.low[0], found.high[0]) == (-np.inf, np.inf)
    assert (found.own["smallest_p"][0], found.remarks) == (0.0625, ())
    at_ninety = permutation.compare(blocks(values, level=0.9))
    assert 0 < at_ninety.low[0] < at_ninety.pairs.estimate[0]
    assert codes(at_ninety) == []


def test_sums_that_differ_by_rounding_alone_are_hits():
    # rasbt/mlxtend#718: only strictly greater ones were counted; here .3 + .1 - .2 and .3 - .1 have last bits of their own
    differences = np.array([0.1, 0.2, 0.3, 0.1, 0.2, -0.3])
    values = np.column_stack([0.7 + differences, np.full(6, 0.7)])
    tenths = np.array([1, 2, 3, 1, 2, -3])
    sums = np.array([abs((tenths * pattern).sum()) for pattern in product([1, -1], repeat=6)])
    assert permutation.compare(blocks(values)).pairs.p_value[0] == (sums >= 6).mean()


def test_random_patterns_agree_with_all_of_them():
    values = np.random.default_rng(4).normal(size=(30, 3)) + np.array([0.0, 0.3, 0.6])
    found = permutation.compare(blocks(values))
    paired_t = [stats.ttest_rel(values[:, a], values[:, b]).pvalue for a, b in all_pairs(3)]
    assert found.pairs.p_value == pytest.approx(paired_t, abs=0.015)
    assert found.own["smallest_p"] == pytest.approx([1e-4] * 3)
    assert (found.pairs.p_adjusted >= found.pairs.p_value).all()
    assert (found.pairs.p_adjusted <= found.tail(np.abs(found.pairs.statistic)) + 1e-15).all()
    far = permutation.compare(blocks(values + np.array([0.0, 100.0, 300.0])))
    assert far.pairs.p_adjusted == pytest.approx([1e-4] * 3, rel=1e-12)  # (1 + 0)/(1 + 9999), never 0
    again = permutation.compare(blocks(values))
    assert (again.pairs.p_adjusted == found.pairs.p_adjusted).all()


@pytest.mark.parametrize("B", [9, 40])
def test_interval_and_single_step_p_say_the_same(B):
    values = np.random.default_rng(B).normal(size=(B, 5)) + 0.4 * np.arange(5)
    for level in (0.9, 0.95, 0.98):
        found = permutation.compare(blocks(values, level=level))
        excluded = (found.low > 0) | (found.high < 0)
        assert (excluded == (found.tail(np.abs(found.pairs.statistic)) <= 1 - level + 1e-12)).all()
    margins = np.full(10, 4.0)
    reach = (margins - np.abs(found.pairs.estimate)) / found.pairs.std_error
    assert found.p_equivalence(margins) == pytest.approx(found.tail(np.maximum(reach, 0.0)), rel=1e-12)


def test_swapping_relabelling_shift_and_unit():
    values = np.random.default_rng(6).normal(size=(12, 4)) + np.array([0.0, 0.4, 0.8, 1.0])
    there = permutation.compare(blocks(values))
    back = permutation.compare(replace(blocks(values), contrasts=all_pairs(4)[:, ::-1]))
    moved = permutation.compare(blocks(8.0 * values + 100.0 * np.arange(12)[:, None]))
    reversed_labels = permutation.compare(blocks(values[:, ::-1]))
    shuffled = permutation.compare(blocks(values[::-1]))
    for other in (back, moved, shuffled):
        assert other.pairs.p_adjusted == pytest.approx(there.pairs.p_adjusted, rel=1e-12)
        assert other.pairs.p_value == pytest.approx(there.pairs.p_value, rel=1e-12)
    assert np.sort(reversed_labels.pairs.p_adjusted) == pytest.approx(np.sort(there.pairs.p_adjusted), rel=1e-12)
    assert back.low == pytest.approx(-there.high, rel=1e-9)


def test_a_baseline_is_a_smaller_family():
    values = np.random.default_rng(7).normal(size=(12, 4)) + np.array([0.0, 0.4, 0.8, 1.0])
    against = np.array([[1, 0], [2, 0], [3, 0]])
    few, whole = permutation.compare(blocks(values, contrasts=against, many_to_one=True)), permutation.compare(blocks(values))
    assert few.pairs.p_value == pytest.approx(whole.pairs.p_value[:3], rel=1e-12)
    assert (few.pairs.p_adjusted <= whole.pairs.p_adjusted[:3] + 1e-15).all()
    assert few.pairs.critical[0] <= whole.pairs.critical[0]


def test_missing_cells_leave_each_pair_its_shared_replicates():
    values = np.random.default_rng(8).normal(size=(10, 3)) + np.array([0.0, 1.0, 0.5])
    values[[1, 4], 2] = np.nan
    found = permutation.compare(blocks(values))
    assert found.pairs.n.tolist() == [10, 8, 8]
    for i, (a, b) in enumerate(all_pairs(3)):
        alone = values[:, [a, b]]
        alone = alone[~np.isnan(alone).any(axis=1)]
        assert found.pairs.p_value[i] == pytest.approx(permutation.compare(blocks(alone)).pairs.p_value[0], rel=1e-12)


def test_degenerate_data_have_limits_and_no_warnings():
    base = np.array([0.1, 0.2, 0.3, 0.7, 0.5, 0.6])
    values = np.column_stack([base, base * (1 + 1e-15), base + 0.1, np.full(6, np.nan)])
    values[0, 3] = 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = permutation.compare(replace(blocks(values), contrasts=np.array([[0, 1], [0, 2], [0, 3]])))
        equal = permutation.compare(blocks(np.ones((6, 3))))
        one = permutation.compare(blocks(np.array([[1.0, 2.0]])))
        many = permutation.compare(blocks(np.column_stack([np.zeros(30), np.ones(30), np.arange(30.0)])))
        ends = found.p_equivalence(np.full(3, 0.5))
    assert found.pairs.statistic == pytest.approx([0.0, -np.inf, np.nan], nan_ok=True)
    assert found.pairs.p_value == pytest.approx([1.0, 1 / 32, np.nan], nan_ok=True)  # that of the patterns, not 0
    assert found.low == pytest.approx([0.0, -0.1, np.nan], nan_ok=True, abs=1e-16)
    assert ends == pytest.approx([0.0, 1 / 32, np.nan], nan_ok=True)
    assert {remark.code: remark.pairs for remark in found.remarks} == {"not-estimable": (2,), "zero-variance": (0, 1)}
    assert equal.pairs.p_adjusted.tolist() == [1.0, 1.0, 1.0]
    assert equal.low.tolist() == equal.high.tolist() == [0.0, 0.0, 0.0]
    assert equal.p_equivalence(np.full(3, 0.5)).tolist() == [0.0, 0.0, 0.0]
    assert np.isnan([one.pairs.p_value[0], one.low[0], one.tail(np.array([1.0]))[0]]).all()
    assert one.overall is None
    assert codes(one) == ["small-n"]
    assert many.pairs.p_value == pytest.approx([1e-4, 1e-4, 1e-4])


def test_level_is_kept_with_a_true_difference_elsewhere():
    # equal a, b and c; d is far off: step-down judges their three pairs at the full level, about 5 in 100 false alarms
    generator = np.random.default_rng(10)
    alarms = 0
    for _ in range(300):
        values = generator.exponential(size=(8, 4)) + np.array([0.0, 0.0, 0.0, 30.0])
        alarms += int((permutation.compare(blocks(values)).pairs.p_adjusted[[0, 1, 3]] <= 0.05).any())
    assert 2 <= alarms <= 28


def test_twenty_one_pairs_of_250_replicates_take_less_than_a_second():
    values = np.random.default_rng(11).normal(size=(250, 7))
    start = time.process_time()
    permutation.compare(blocks(values))
    assert time.process_time() - start < 1.0
