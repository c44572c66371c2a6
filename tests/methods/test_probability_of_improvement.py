from dataclasses import replace

import numpy as np
import pytest
from independent_samples import PAIN, samples

from benchkit.methods.comparison.probability_of_improvement import compare


def tasks(draws=999, tasks=3, runs=10, ahead=0.8, seed=1):
    """Two algorithms with ten runs on each of three tasks of very different scales; the first is ahead."""
    generator = np.random.default_rng(seed)
    columns = [np.concatenate([10.0**task * generator.normal(mean, 1, runs) for task in range(tasks)]) for mean in (0, ahead)]
    return replace(samples(*columns, draws=draws), clusters=np.repeat(np.arange(tasks), runs))


def interval(found, level=0.95):
    low, high = found.interval(np.full(found.p_value.shape, level))
    return low[0], high[0]


def test_probability_is_the_mean_over_the_strata():
    blocks = tasks()
    a, b = blocks.values.T
    by_hand = [np.mean(a[part][:, None] < b[part]) for part in (slice(0, 10), slice(10, 20), slice(20, 30))]
    found = compare(blocks)
    assert found.own["prob_better"][0] == pytest.approx(np.mean(by_hand), rel=1e-12)
    assert found.own["strata"][0] == 3
    assert found.own["prob_better_low"][0] < np.mean(by_hand) < found.own["prob_better_high"][0]


def test_one_stratum_is_the_relative_effect():
    found = compare(samples(*PAIN))
    # Brunner & Munzel 2000: .789, interval .5952 to .9827 by t
    assert found.own["prob_better"][0] == pytest.approx(0.788961, abs=1e-6)
    assert (found.own["prob_better_low"][0], found.own["prob_better_high"][0]) == pytest.approx((0.5952, 0.9827), abs=0.04)
    assert found.p_value[0] < 0.02


def test_seed_and_both_directions():
    blocks = tasks()
    found, again, swapped = compare(blocks), compare(tasks()), compare(replace(tasks(), values=blocks.values[:, ::-1]))
    assert found.own["prob_better_low"] == again.own["prob_better_low"]
    assert found.estimate[0] < 0 < swapped.estimate[0]
    assert swapped.own["prob_better"][0] == pytest.approx(1 - found.own["prob_better"][0])
    assert swapped.p_value[0] == pytest.approx(found.p_value[0], abs=0.02)


def test_interval_and_p_value_say_the_same():
    for seed in range(25):
        found = compare(tasks(ahead=0.35, seed=seed, draws=399))
        low, high = interval(found)
        inside = found.own["prob_better_low"][0] <= 0.5 <= found.own["prob_better_high"][0]
        assert (found.p_value[0] > 0.05) == inside == (low <= 0 <= high)


def test_strata_with_a_single_run_say_nothing():
    blocks = replace(samples(np.arange(8.0), np.arange(8.0) + 0.5, draws=99), clusters=np.arange(8))
    found = compare(blocks)
    assert (found.own["strata"][0], np.isnan(found.p_value[0])) == (0, True)
    assert found.remarks[0].code == "small-n"
    assert compare(replace(blocks, clusters=np.array([0, 0, 0, 0, 1, 1, 1, 2]))).own["strata"][0] == 2


def test_strata_separated_in_opposite_directions():
    first, second = np.array([1.0, 2, 1, 2, 9, 8]), np.array([5.0, 6, 5, 6, 1, 2])
    found = compare(replace(samples(first, second, draws=99), clusters=np.repeat([0, 1, 2], 2)))
    assert found.own["prob_better"][0] == pytest.approx(2 / 3)
    assert found.p_value[0] == pytest.approx((2 / 6) ** 3)


def test_limits():
    few = compare(samples(np.arange(3.0), np.arange(3.0) + 9, draws=399))
    assert few.p_value[0] == pytest.approx(0.1)
    assert interval(few) == (-np.inf, np.inf)
    assert few.own["smallest_p"][0] == pytest.approx(0.1)
    assert [remark.code for remark in few.remarks] == ["zero-variance"]
    nine, ten = np.arange(9.0), np.arange(10.0) + 0.5
    assert [remark.code for remark in compare(samples(nine, ten, draws=99)).remarks] == ["liberal-at-small-n"]
    assert [remark.code for remark in compare(samples(ten - 0.25, ten, draws=99)).remarks] == []
    equal = compare(samples(np.full(5, 2.0), np.full(4, 2.0), draws=99))
    assert (equal.estimate[0], equal.p_value[0], equal.own["prob_better"][0]) == (0, 1, 0.5)
    one = compare(samples(np.array([1.0]), np.arange(5.0), draws=99))
    assert np.isnan([one.p_value[0], one.estimate[0], interval(one)[0]]).all()
    assert one.remarks[0].code == "small-n"
