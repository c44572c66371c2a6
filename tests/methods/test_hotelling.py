import numpy as np
import pytest
from experiments import experiment
from statsmodels.stats.multivariate import test_mvmean as mean_vector_test

from benchkit.methods.comparison.hotelling import hotelling


def test_motorcycle():
    overall, reason = hotelling(experiment("motorcycle")[0])
    assert reason == ""
    assert (overall.df1, overall.df2) == (6, 244)
    assert overall.statistic == pytest.approx(1566.97757, rel=5e-9)
    assert overall.statistic * 249 * 6 / 244 == pytest.approx(9594.52659, rel=1e-9)


def test_an_offset_of_1e9_changes_nothing():
    there = hotelling(experiment("awkward_offset_1e9")[0])[0]
    here = hotelling(experiment("motorcycle")[0])[0]
    assert there.statistic == pytest.approx(here.statistic, rel=1e-8)
    assert there.p_value == pytest.approx(here.p_value, abs=1e-8)


@pytest.mark.parametrize(("B", "K"), [(4, 4), (12, 3), (40, 7)])
def test_same_as_statsmodels(B, K):
    values = np.random.default_rng(B).normal(size=(B, K)) + 0.3 * np.arange(K)
    theirs = mean_vector_test(values[:, 1:] - values[:, :1])
    overall = hotelling(values)[0]
    assert overall.statistic == pytest.approx(theirs.statistic, rel=1e-10)
    assert overall.p_value == pytest.approx(theirs.pvalue, rel=1e-10)
    assert (overall.df1, overall.df2) == theirs.df


@pytest.mark.parametrize("scale", [1e-200, 1e-6, 1e6, 1e150])
def test_unit_and_order_of_the_algorithms_do_not_matter(scale):
    values = experiment("motorcycle")[0]
    changed = hotelling(scale * values[:, ::-1])[0]
    assert changed.statistic == pytest.approx(hotelling(values)[0].statistic, rel=1e-10)


def test_more_algorithms_than_replicates_is_unknown():
    overall, reason = hotelling(np.random.default_rng(1).normal(size=(4, 5)))
    assert reason == "small-n"
    assert np.isnan([overall.statistic, overall.df1, overall.df2, overall.p_value]).all()


@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize("last", ["twin", "shifted twin", "average"])
def test_a_combination_without_variance_is_unknown_not_inverted(last, offset):
    values = np.random.default_rng(2).normal(size=(30, 3)) + offset
    column = {"twin": values[:, 2], "shifted twin": values[:, 1] + 0.1, "average": values.mean(axis=1)}[last]
    overall, reason = hotelling(np.column_stack([values, column]))
    assert reason == "zero-variance"
    assert np.isnan(overall.statistic)
