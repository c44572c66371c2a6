import numpy as np
import pytest
import scipy.stats
from independent_samples import PLANTS, permutation_p_value, samples, zeros_and_ones

from benchkit.methods.comparison.label_shuffles import p_value, states
from benchkit.methods.comparison.shift_interval import crossings
from benchkit.methods.comparison.unpaired_permutation import compare

# bug_20 (golang/go#19634): timings of which one group is constant
OLD, NEW = np.array([115.0, 114.0, 115.0, 115.0, 115.0]), np.full(5, 78.8)


def interval(found, level=0.95):
    low, high = found.interval(np.full(found.p_value.shape, level))
    return low[0], high[0]


def test_a_constant_group_is_no_reason_to_see_no_difference():
    found = compare(samples(NEW, OLD))
    assert found.p_value[0] == 2 / 252
    assert found.own["exact"].tolist() == [1]
    assert interval(found)[1] < 0
    assert found.remarks == ()


@pytest.mark.parametrize(("n", "m", "digits"), [(5, 6, 9), (4, 7, 0), (3, 3, 9), (5, 5, 1), (6, 4, 0), (2, 6, 1), (4, 4, 0)])
def test_p_value_and_interval_by_listing_all_ways(n, m, digits):
    generator = np.random.default_rng([n, m])
    first, second = generator.normal(1.0, 1.0, n).round(digits), generator.normal(0.0, 2.0, m).round(digits)
    found = compare(samples(first, second))
    assert found.p_value[0] == pytest.approx(permutation_p_value(first, second), rel=1e-13)
    low, high = interval(found, 0.9)
    for end, inside in ((low, 1e-6), (high, -1e-6)):
        if np.isfinite(end):
            assert permutation_p_value(first - end - inside, second) > 0.1
            assert permutation_p_value(first - end + inside, second) <= 0.1 + 1e-12


def test_three_against_three_cannot_reach_the_level():
    found = compare(samples(np.array([1.0, 1.1, 1.2]), np.array([5.0, 5.1, 5.2])))
    assert found.p_value[0] == pytest.approx(0.1, rel=1e-15)
    assert interval(found) == (-np.inf, np.inf)


def test_ties_make_large_samples_exact():
    first, second = zeros_and_ones(90, 300), zeros_and_ones(120, 320)
    p, exact = p_value(first, second, 999, np.random.default_rng(1))
    # the statistic grows with the distance of the ones from their expectation: the hypergeometric distribution
    k = np.arange(0, 211)
    chance = scipy.stats.hypergeom(620, 210, 300).pmf(k)

    def t(k):
        a, b = k / 300, (210 - k) / 320
        with np.errstate(divide="ignore"):
            return np.abs(a - b) / np.sqrt(a * (1 - a) / 299 + b * (1 - b) / 319)

    assert exact
    assert p == pytest.approx(chance[t(k) >= t(90) * (1 - 1e-9)].sum(), rel=1e-10)


def test_number_of_states():
    assert states(np.array([1] * 10), 5) == pytest.approx(252)
    assert states(np.array([3, 2]), 2) == 3
    assert states(np.array([1] * 100), 50) == np.inf
    assert states(np.array([400, 400]), 300) == 301


def test_random_ways_are_seeded_and_close_to_welch():
    generator = np.random.default_rng(8)
    first, second = generator.normal(0.4, 1, 40), generator.normal(0, 2, 60)
    found, again = compare(samples(first, second)), compare(samples(first, second))
    welch = scipy.stats.ttest_ind(first, second, equal_var=False)
    assert found.p_value == again.p_value
    assert interval(found) == interval(again)
    assert found.own["exact"].tolist() == [0]
    assert found.p_value[0] == pytest.approx(welch.pvalue, abs=0.02)
    assert interval(found) == pytest.approx(tuple(welch.confidence_interval(0.95)), abs=0.06)
    assert found.p_value[0] * 10_000 == pytest.approx(round(found.p_value[0] * 10_000))


def test_random_ways_never_give_zero():
    found = compare(samples(np.arange(30.0), np.arange(30.0) + 100))
    assert found.p_value[0] == pytest.approx(1 / 10_000)
    assert interval(found)[1] < 0


def test_swapping_and_moving():
    first, second = PLANTS[0][:6], PLANTS[1][:7]
    found, swapped, moved = (
        compare(samples(first, second)),
        compare(samples(second, first)),
        compare(samples(first + 9, second + 9)),
    )
    assert swapped.p_value[0] == found.p_value[0] == moved.p_value[0]
    assert interval(swapped) == pytest.approx(tuple(-end for end in interval(found)[::-1]), rel=1e-6)
    assert interval(moved) == pytest.approx(interval(found), rel=1e-6)


def test_limits():
    constant = np.full(5, 2.0)
    found = compare(samples(constant, constant, constant + 1, np.array([1.0])))
    assert found.p_value[:2].tolist() == [1, 2 / 252]
    assert np.isnan(found.p_value[2])
    assert found.statistic[:2].tolist() == [0, -np.inf]
    low, high = found.interval(np.full(6, 0.95))
    assert (low[:2].tolist(), high[:2].tolist()) == ([0, -1], [0, -1])
    assert np.isnan(low[2])
    assert {remark.code for remark in found.remarks} == {"small-n", "zero-variance"}


def test_wider_levels_give_wider_intervals():
    reach = crossings(PLANTS[0], PLANTS[1], 999, np.random.default_rng(1))
    ends = np.array([reach.interval(level) for level in (0.0, 0.5, 0.8, 0.95, 0.99)])
    assert ends[0].tolist() == pytest.approx([reach.estimate] * 2)
    assert (np.diff(ends[:, 0]) < 0).all()
    assert (np.diff(ends[:, 1]) > 0).all()


def test_the_smallest_p_value_of_all_samples_of_these_sizes():
    three, four = np.array([1.0, 1.1, 1.2]), np.array([5.0, 5.1, 5.2, 5.4])
    equal, unequal = compare(samples(three, three + 1)), compare(samples(three, four))
    assert equal.own["smallest_p"][0] == pytest.approx(2 / 20)
    assert unequal.own["smallest_p"][0] == pytest.approx(1 / 35)
    assert equal.remarks == unequal.remarks == ()
