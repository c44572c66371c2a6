import numpy as np
import pytest
import scipy.stats
from independent_samples import PAIN, PLANTS, samples

from benchkit.methods.comparison.brunner_munzel import compare


def interval(found, level=0.95):
    low, high = found.interval(np.full(found.p_value.shape, level))
    return low[0], high[0]


def test_published_pain_scores():
    # the example of Brunner & Munzel 2000 as scipy's documentation and R's lawstat print it: 3.1375, df 17.683, p .005786, .789
    found = compare(samples(*PAIN))
    assert found.statistic[0] == pytest.approx(-3.1374674823029505, rel=1e-12)
    assert found.df[0] == pytest.approx(17.683, abs=0.0005)
    assert found.p_value[0] == pytest.approx(0.0057862086661515377, rel=1e-11)
    assert found.own["prob_better"][0] == pytest.approx(0.788961, abs=1e-6)
    # its interval for the effect, .5952 to .9827
    half = scipy.stats.t.ppf(0.975, found.df[0]) * found.own["prob_better_std_error"][0]
    assert (found.own["prob_better"][0] - half, found.own["prob_better"][0] + half) == pytest.approx((0.5952, 0.9827), abs=5e-5)
    assert found.estimate[0] < 0
    assert interval(found)[1] < 0


def test_scipy_on_samples_of_all_kinds():
    generator = np.random.default_rng(9)
    for n, m, digits in ((5, 6, 9), (10, 7, 0), (30, 5, 1)):
        first, second = generator.normal(0, 2, n).round(digits), generator.normal(0.5, 3, m).round(digits)
        found, theirs = compare(samples(first, second)), scipy.stats.brunnermunzel(first, second)
        assert (-found.statistic[0], found.p_value[0]) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-10)
        assert found.n.tolist() == [n + m]


@pytest.mark.parametrize("digits", [0, 9])
def test_interval_estimate_and_p_value_say_the_same(digits):
    generator = np.random.default_rng(6)
    for _ in range(60):
        first = generator.normal(size=generator.integers(2, 12)).round(digits)
        second = generator.normal(1.2, 1, size=generator.integers(2, 12)).round(digits)
        found = compare(samples(first, second))
        low, high = interval(found)
        assert (found.p_value[0] <= 0.05) == (low > 0 or high < 0)
        assert low <= found.estimate[0] <= high
        assert np.sign(found.estimate[0]) == np.sign(found.statistic[0]) == np.sign(0.5 - found.own["prob_better"][0])


def test_estimate_without_ties_is_the_median_difference():
    first, second = np.array([1.0, 4.0, 9.0]), np.array([2.5, 3.0, 6.1])
    assert compare(samples(first, second)).estimate[0] == pytest.approx(np.median(np.subtract.outer(first, second)))


def test_monotone_transformation_swap_and_noise():
    first, second = PLANTS[0], PLANTS[2]
    plain = compare(samples(first, second))
    assert compare(samples(np.exp(first), np.exp(second))).p_value == pytest.approx(plain.p_value, rel=1e-12)
    swapped = compare(samples(second, first))
    assert swapped.statistic == pytest.approx(-plain.statistic, rel=1e-12)
    assert interval(swapped) == pytest.approx((-interval(plain)[1], -interval(plain)[0]))
    noisy = compare(samples(PAIN[0] * (1 + 1e-15), PAIN[1]))
    assert noisy.statistic == pytest.approx(compare(samples(*PAIN)).statistic, rel=1e-12)


def test_separated_samples_are_no_surer_than_their_sizes_allow():
    few = compare(samples(np.arange(3.0), np.arange(3.0) + 10))
    assert few.p_value[0] == pytest.approx(0.1, rel=1e-12)
    assert few.statistic[0] == -np.inf
    assert interval(few) == (-np.inf, np.inf)
    more = compare(samples(np.arange(10.0) + 20, np.arange(10.0)))
    assert more.p_value[0] == pytest.approx(2 / 184756, rel=1e-10)
    assert interval(more)[0] > 0
    assert more.estimate[0] == pytest.approx(20)
    assert [remark.code for remark in more.remarks] == ["separated-samples"]


def test_other_limits():
    found = compare(samples(np.full(4, 2.0), np.full(5, 2.0), np.array([3.0])))
    assert (found.estimate[0], found.statistic[0], found.p_value[0]) == (0, 0, 1)
    assert interval(found) == (0, 0)
    assert np.isnan(found.p_value[1:]).all()
    assert {remark.code: remark.pairs for remark in found.remarks} == {"small-n": (1, 2), "zero-variance": (0,)}


def test_fewer_than_ten_values_are_told():
    nine, ten = np.arange(9.0), np.arange(10.0) + 0.5
    said = compare(samples(nine, ten)).remarks
    numbers = {"least": 9.0, "limit": 10.0}
    assert [(remark.code, remark.pairs, remark.numbers) for remark in said] == [("liberal-at-small-n", (0,), numbers)]
    assert compare(samples(ten, ten + 0.25)).remarks == ()
    # several pairs ask for the far tails
    assert compare(samples(nine, ten, ten + 0.25)).remarks[0].numbers == {"least": 9.0, "limit": 20.0}


def test_long_samples():
    generator = np.random.default_rng(7)
    first, second = generator.normal(0, 1, 3000), generator.normal(0.2, 1, 2500)
    found = compare(samples(first, second))
    assert found.estimate[0] == pytest.approx(first.mean() - second.mean(), abs=0.03)
    low, high = interval(found)
    assert high - low == pytest.approx(2 * 1.96 * np.sqrt(np.pi / 3) * np.sqrt(1 / 3000 + 1 / 2500), rel=0.05)
