import numpy as np
import pytest
import scipy.stats
from independent_samples import samples
from scipy.special import ndtri

from benchkit.methods.comparison.almost_stochastic_order import compare, epsilon_quantile, violation_ratios

A = np.array([0.2, 0.5, 0.55, 0.9, 1.4, 0.3])
B = np.array([0.4, 0.45, 1.1, 1.0])


def test_level_of_the_bound():
    # the level 1 - (1 - c)/m: .95, .98333, .99889 for m = 1, 3, 45 (deepsig 1.2.8 uses 1, .96667, .95111)
    for comparisons, level in ((1, 0.95), (3, 1 - 0.05 / 3), (45, 1 - 0.05 / 45)):
        assert epsilon_quantile(0.95, comparisons) == pytest.approx(ndtri(level), rel=1e-12)


def test_ratio_by_fine_sums():
    # deepsig's integral over a fine lattice: the quantile of p is the value number ceil(n p)
    p = (np.arange(120_000) + 0.5) / 120_000
    quantiles = [np.sort(sample)[np.ceil(sample.size * p).astype(int) - 1] for sample in (A, B)]
    distance = quantiles[0] - quantiles[1]
    expected = np.sum(np.maximum(distance, 0) ** 2) / np.sum(distance**2)
    found = violation_ratios(np.sort(A)[None], np.sort(B)[None], 0.0)[0]
    assert 0.05 < expected < 0.95
    assert found == pytest.approx(expected, rel=1e-9)
    assert violation_ratios(np.sort(B)[None], np.sort(A)[None], 0.0)[0] == pytest.approx(1 - found, rel=1e-12)


def test_a_better_one_is_found_in_both_directions():
    generator = np.random.default_rng(1)
    good, bad = generator.normal(0, 1, 40), generator.normal(1.5, 1, 50)
    found, swapped = compare(samples(good, bad, draws=999)), compare(samples(bad, good, draws=999))
    assert found.estimate[0] < 0 < swapped.estimate[0]
    assert found.p_value[0] < 0.01
    assert found.own["epsilon_min_a"][0] < 0.1 < 0.9 < found.own["epsilon_min_b"][0]
    assert swapped.own["epsilon_min_b"][0] == pytest.approx(found.own["epsilon_min_a"][0], abs=0.02)
    assert (compare(samples(good, bad, draws=999)).own["epsilon_min_a"] == found.own["epsilon_min_a"]).all()


def test_bound_and_error():
    found = compare(samples(A, B, np.append(A, B), draws=999))
    ratio, error = found.own["violation_ratio"], found.own["violation_std_error"]
    assert found.own["epsilon_min_a"] == pytest.approx(np.minimum(ratio + ndtri(1 - 0.05 / 3) * error, 1))
    assert found.own["epsilon_min_b"] == pytest.approx(np.minimum(1 - ratio + ndtri(1 - 0.05 / 3) * error, 1))
    assert found.overall is None


def test_a_verdict_needs_the_means_too():
    found = compare(samples(A, B, draws=999))
    welch = scipy.stats.ttest_ind(A, B, equal_var=False)
    assert found.p_value[0] == pytest.approx(max(welch.pvalue, found.own["violation_p_value"][0]), rel=1e-10)
    low, high = found.interval(np.array([0.95]))
    assert (low[0], high[0]) == pytest.approx(tuple(welch.confidence_interval(0.95)), rel=1e-10)


def test_equal_algorithms_are_seldom_told_apart():
    generator = np.random.default_rng(2)
    found = [compare(samples(*generator.normal(size=(2, 10)), draws=99)) for _ in range(200)]
    assert np.mean([one.p_value[0] <= 0.05 for one in found]) < 0.09
    assert np.mean([one.own["violation_p_value"][0] <= 0.05 for one in found]) > 0.2


def test_directions_can_disagree():
    # a is a little worse nearly everywhere, b very bad once
    found = compare(samples(np.arange(20.0) + 0.5, np.append(np.arange(19.0), 26.0), draws=99))
    assert found.estimate[0] > 0
    assert found.own["violation_ratio"][0] < 0.5
    assert found.p_value[0] == 1
    assert [remark.code for remark in found.remarks] == ["directions-disagree"]
    low, high = found.interval(np.array([0.95]))
    assert low[0] <= 0 <= high[0]


def test_limits():
    few = compare(samples(np.arange(3.0), np.arange(3.0) + 9, draws=99))
    assert few.p_value[0] == pytest.approx(0.1)
    assert few.interval(np.array([0.95]))[1][0] == 0
    assert few.own["violation_ratio"][0] == 0
    assert [remark.code for remark in few.remarks] == ["separated-samples"]
    # one of 100 couples overlaps, and yet no resample turns the order of a quantile
    touching = compare(samples(np.arange(10.0), np.arange(10.0) + 8.5, draws=99))
    assert touching.own["violation_std_error"][0] == 0
    assert [remark.code for remark in touching.remarks] == ["ratio-without-error"]
    equal = compare(samples(np.full(5, 2.0), np.full(4, 2.0), draws=99))
    assert [remark.code for remark in equal.remarks] == ["zero-variance"]
    assert (equal.estimate[0], equal.own["violation_ratio"][0], equal.p_value[0]) == (0, 0.5, 1)
    one = compare(samples(np.array([1.0]), np.arange(5.0), draws=99))
    assert np.isnan([one.p_value[0], one.own["epsilon_min_a"][0]]).all()
    assert one.remarks[0].code == "small-n"
