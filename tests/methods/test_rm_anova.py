import warnings

import numpy as np
import pytest
from experiments import blocks, codes, experiment
from published import ERGOSTOOL, IMMER

from benchkit.methods.comparison import paired_t, rm_anova


@pytest.mark.parametrize(
    ("values", "statistic", "p_sphericity", "p", "epsilon"),
    [
        (ERGOSTOOL, 22.355640535372743, 3.9345638093967625e-07, 3.0055638391647314e-05, 0.6459),
        (IMMER, 5.9891170446497366, 0.0024526451797411905, 0.018545435561605133, 0.5118),
    ],
)
def test_as_r(values, statistic, p_sphericity, p, epsilon):
    # R 4: anova(lm(values ~ 1), X = ~1, test = "Spherical"); aov(y ~ a + Error(s/a)) gives the same F and p
    found = rm_anova.compare(blocks(values))
    B, K = values.shape
    assert found.overall.statistic == pytest.approx(statistic, rel=1e-12)
    assert found.overall.p_value == pytest.approx(p, rel=1e-10)
    assert found.overall_own["p_sphericity"] == pytest.approx(p_sphericity, rel=1e-11)
    assert found.overall_own["epsilon"] == pytest.approx(epsilon, abs=5e-5)
    assert found.overall.df1 == pytest.approx(found.overall_own["epsilon"] * (K - 1))
    assert found.overall.df2 == pytest.approx(found.overall_own["epsilon"] * (K - 1) * (B - 1))
    assert found.method == "rm-anova"
    assert (found.p_value == paired_t.compare(blocks(values)).p_value).all()


def test_epsilon_is_that_of_the_double_centred_covariance_even_with_few_replicates():
    for B, K in ((3, 6), (30, 4)):
        values = np.random.default_rng(B).normal(size=(B, K)) * np.arange(1, K + 1)
        covariance = np.cov(values, rowvar=False)
        centring = np.eye(K) - 1 / K
        eigenvalues = np.linalg.eigvalsh(centring @ covariance @ centring)
        expected = eigenvalues.sum() ** 2 / ((K - 1) * (eigenvalues**2).sum())
        assert rm_anova.compare(blocks(values)).overall_own["epsilon"] == pytest.approx(expected, rel=1e-10)


def test_two_algorithms_give_the_squared_paired_t():
    found = rm_anova.compare(blocks(ERGOSTOOL[:, :2]))
    assert found.overall_own["epsilon"] == pytest.approx(1.0, rel=1e-15)
    assert found.overall.statistic == pytest.approx(found.statistic[0] ** 2, rel=1e-12)
    assert found.overall.p_value == pytest.approx(found.p_value[0], rel=1e-10)


def test_shift_of_replicates_and_unit_do_not_matter():
    values, _ = experiment("motorcycle")
    found = rm_anova.compare(blocks(values))
    assert found.overall.df1 < values.shape[1] - 1
    scaled = rm_anova.compare(blocks(values * 1e-150 + 1e-150 * np.arange(len(values))[:, None]))
    assert scaled.overall.statistic == pytest.approx(found.overall.statistic, rel=1e-9)


def test_incomplete_replicates_count_for_pairs_only():
    values = ERGOSTOOL.copy()
    values[0, 3] = np.nan
    found = rm_anova.compare(blocks(values))
    assert found.overall == rm_anova.compare(blocks(ERGOSTOOL[1:])).overall
    assert found.n.tolist() == [9, 9, 8, 9, 8, 8]
    assert [(remark.code, remark.numbers) for remark in found.remarks] == [
        ("incomplete-replicates", {"left_out": 1.0, "replicates": 9.0})
    ]


def test_degenerate_data_have_limits_and_no_warnings():
    base = np.array([[0.1], [0.2], [0.7]])
    holes = np.array([[1.0, 2.0, np.nan], [np.nan, 2.0, 4.0], [2.0, 1.0, 3.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        equal = rm_anova.compare(blocks(base + np.zeros((1, 3))))
        apart = rm_anova.compare(blocks(base + np.array([[0.0, 0.1, 0.3]])))
        one = rm_anova.compare(blocks(base[:1] + np.zeros((1, 3))))
        broken = rm_anova.compare(blocks(holes))
    assert (equal.overall.statistic, equal.overall.p_value) == (0.0, 1.0)
    assert (apart.overall.statistic, apart.overall.p_value) == (np.inf, 0.0)
    assert np.isnan(equal.overall_own["epsilon"])
    assert codes(equal) == codes(apart) == ["zero-variance"]
    assert np.isnan([one.overall.p_value, one.overall.statistic]).all()
    assert codes(one) == ["small-n"]
    assert np.isnan(broken.overall.p_value)
    assert codes(broken)[:2] == codes(paired_t.compare(blocks(holes)))[:2] == ["incomplete-replicates", "small-n"]
