import numpy as np
import pytest
import scipy.stats
from independent_samples import samples, zeros_and_ones
from scipy.optimize import minimize_scalar

from benchkit.errors import BenchkitError
from benchkit.methods.comparison import fisher, proportions_z
from benchkit.methods.comparison.score_interval import restricted_variance, score_interval

METHODS = (proportions_z.compare, fisher.compare)


def tables(*counts, right=False):
    return samples(*(zeros_and_ones(ones, size) * (-1 if right else 1) for ones, size in counts))


def ends(x, n, y, m, level=0.95):
    low, high = score_interval(*(np.array([float(one)]) for one in (x, n, y, m)), np.array([level]))
    return low[0], high[0]


@pytest.mark.parametrize(
    ("counts", "published"),
    # Newcombe 1998, Statistics in Medicine 17, p. 873-890, table II, method 5 (Mee)
    [
        ((56, 70, 48, 80), (0.0533, 0.3377)),
        ((9, 10, 3, 10), (0.1821, 0.8370)),
        ((5, 56, 0, 29), (-0.0313, 0.1926)),
        ((10, 10, 0, 10), (0.6777, 1.0)),
    ],
)
def test_published_score_intervals(counts, published):
    assert ends(*counts) == pytest.approx(published, abs=6e-5)
    x, n, y, m = counts
    assert ends(y, m, x, n) == pytest.approx((-published[1], -published[0]), abs=6e-5)


def test_restricted_variance_by_maximising_the_likelihood():
    generator = np.random.default_rng(2)
    for _ in range(60):
        n, m = generator.integers(1, 30, 2)
        x, y, difference = generator.integers(0, n + 1), generator.integers(0, m + 1), generator.uniform(-0.9, 0.9)

        def unlikely(q, x=x, n=n, y=y, m=m, difference=difference):
            p = q + difference
            terms = ((x, p), (n - x, 1 - p), (y, q), (m - y, 1 - q))
            return -sum(count * np.log(chance) for count, chance in terms if count)

        bounds = (max(0, -difference), min(1, 1 - difference))
        q = minimize_scalar(unlikely, bounds=bounds, method="bounded", options={"xatol": 1e-12}).x
        p = q + difference
        found = restricted_variance(*(np.array([float(one)]) for one in (x, n, y, m, difference)))
        assert found[0] == pytest.approx(p * (1 - p) / n + q * (1 - q) / m, abs=1e-7)


def test_r_on_two_tables():
    # R 4: prop.test(c(15, 25), c(40, 42), correct = FALSE), fisher.test of the same and of (10, 2; 3, 15), (3, 1; 1, 3)
    z, exact = (compare(tables((15, 40), (25, 42))) for compare in METHODS)
    assert z.statistic[0] ** 2 == pytest.approx(3.9773951247165522, rel=1e-12)
    assert z.p_value[0] == pytest.approx(0.0461148261227484, rel=1e-12)
    assert exact.p_value[0] == pytest.approx(0.0512125849729256, rel=1e-11)
    assert fisher.compare(tables((10, 12), (3, 18))).p_value[0] == pytest.approx(5.36724119143437e-04, rel=1e-11)
    assert fisher.compare(tables((3, 4), (1, 4))).p_value[0] == pytest.approx(0.485714285714286, rel=1e-12)


def test_fisher_agrees_with_scipy():
    generator = np.random.default_rng(3)
    for _ in range(40):
        n, m = generator.integers(1, 40, 2)
        x, y = generator.integers(0, n + 1), generator.integers(0, m + 1)
        p = fisher.compare(tables((x, n), (y, m))).p_value[0]
        assert p == pytest.approx(scipy.stats.fisher_exact([[x, n - x], [y, m - y]]).pvalue, rel=1e-9)


def test_intervals_leave_out_zero_exactly_when_the_test_rejects():
    generator = np.random.default_rng(4)
    for _ in range(60):
        n, m = generator.integers(3, 40, 2)
        found = [compare(tables((generator.integers(0, n + 1), n), (generator.integers(0, m + 1), m))) for compare in METHODS]
        for one, exact in zip(found, (False, True), strict=True):
            low, high = one.interval(np.array([0.95]))
            left_out = low[0] > 0 or high[0] < 0
            assert left_out <= (one.p_value[0] <= 0.05)
            assert exact or left_out == (one.p_value[0] <= 0.05)


@pytest.mark.parametrize("compare", METHODS)
def test_fewer_errors_are_better_however_they_are_coded(compare):
    wrong = compare(tables((4, 30), (15, 32)))
    right = compare(tables((26, 30), (17, 32), right=True))
    assert wrong.estimate[0] == pytest.approx(4 / 30 - 15 / 32, rel=1e-12)
    assert right.estimate == pytest.approx(wrong.estimate)
    assert right.p_value == pytest.approx(wrong.p_value, rel=1e-12)
    assert right.own["odds_ratio"][0] == wrong.own["odds_ratio"][0] == pytest.approx((26 * 15) / (4 * 17))
    assert np.array(right.interval(np.array([0.95]))) == pytest.approx(np.array(wrong.interval(np.array([0.95]))))
    assert (right.mean_a[0], right.mean_b[0]) == pytest.approx((-26 / 30, -17 / 32))
    assert right.own["n_a"][0] == 30


def test_overall_chi_square_of_three():
    table = np.array([[12, 18], [20, 20], [9, 31]])
    found = proportions_z.compare(tables((12, 30), (20, 40), (9, 40)))
    theirs = scipy.stats.chi2_contingency(table, correction=False)
    assert (found.overall.statistic, found.overall.df1, found.overall.p_value) == pytest.approx(
        (theirs.statistic, theirs.dof, theirs.pvalue), rel=1e-11
    )
    assert fisher.compare(tables((12, 30), (20, 40), (9, 40))).overall is None


@pytest.mark.parametrize("compare", METHODS)
def test_limits(compare):
    found = compare(tables((0, 5), (0, 7), (6, 6), right=True))
    assert (found.estimate[0], found.p_value[0]) == (0, 1)
    assert "zero-variance" in {remark.code for remark in found.remarks}
    assert found.remarks[0].pairs == (0,)
    low, high = found.interval(np.full(3, 0.95))
    assert -1 < low[0] < 0 < high[0] < 1
    assert (found.estimate[1], high[1]) == (1, 1)
    alone = compare(samples(zeros_and_ones(1, 4), np.array([np.nan])))
    assert np.isnan([alone.estimate[0], alone.p_value[0], alone.interval(np.array([0.95]))[0][0]]).all()
    assert [remark.code for remark in alone.remarks] == ["not-estimable"]
    with pytest.raises(BenchkitError, match="0 or 1"):
        compare(samples(np.array([0.5, 1.0]), np.array([0.0, 1.0])))


def test_small_expectations_are_said():
    found = proportions_z.compare(tables((3, 4), (1, 4)))
    assert found.remarks[0].code == "small-n"
    assert found.remarks[0].numbers == {"expected": 2.0, "replicates": 4.0}
    assert proportions_z.compare(tables((30, 60), (20, 60))).remarks == ()


@pytest.mark.parametrize(("n", "m", "wrong"), [(3, 3, 3), (4, 6, 2), (5, 5, 9), (8, 7, 6)])
def test_the_smallest_p_value_of_all_tables_with_the_same_margins(n, m, wrong):
    all_tables = [(x, wrong - x) for x in range(wrong + 1) if x <= n and wrong - x <= m]
    found = [fisher.compare(tables((x, n), (y, m))) for x, y in all_tables]
    smallest = min(one.p_value[0] for one in found)
    assert [one.own["smallest_p"][0] for one in found] == pytest.approx([smallest] * len(found), rel=1e-9)
