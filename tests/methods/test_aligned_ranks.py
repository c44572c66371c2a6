from dataclasses import replace

import numpy as np
import pytest
from experiments import blocks
from published_ranks import GARCIA
from scipy.stats import rankdata

from benchkit.methods.comparison import aligned_ranks


def compare(values, **options):
    return aligned_ranks.compare(replace(blocks(values, draws=199), options=options))


def test_formula_of_garcia():
    # Garcia et al. 2010, equation 3, on data without ties
    values = np.random.default_rng(1).normal(size=(9, 4)) + np.array([0.0, 0.3, 0.6, 0.9])
    n, k = values.shape
    ranks = rankdata(values - values.mean(axis=1, keepdims=True)).reshape(n, k)
    over, down = ranks.sum(axis=1), ranks.sum(axis=0)
    top = (k - 1) * ((down**2).sum() - k * n**2 / 4 * (k * n + 1) ** 2)
    bottom = k * n * (k * n + 1) * (2 * k * n + 1) / 6 - (over**2).sum() / k
    found = compare(values)
    assert found.overall.statistic == pytest.approx(top / bottom, rel=1e-12)
    assert found.own["mean_rank_a"][0] == pytest.approx(down[0] / n, rel=1e-14)
    assert (found.overall.df1, np.isnan(found.overall.df2)) == (3, True)


def test_ranks_of_garcia():
    # recomputed in the project's cases; their statistic 22.2671 has no tie correction
    found = compare(-GARCIA)
    assert found.own["mean_rank_a"][[0, 3, 5]] == pytest.approx([29.3541666667, 46.7708333333, 46.9583333333], rel=1e-9)
    assert found.own["mean_rank_b"][5] == pytest.approx(70.9166666667, rel=1e-9)
    assert found.overall.statistic == pytest.approx(22.267108513409212, rel=1e-4)


def test_the_post_hoc_squares_add_up_to_the_statistic():
    values = np.random.default_rng(2).normal(size=(8, 3)).round(1)
    found = compare(values, post_hoc="aligned-ranks")
    assert 2 / 3 * (found.statistic**2).sum() == pytest.approx(found.overall.statistic, rel=1e-12)


def test_exact():
    # two replicates of two: all four orders, (1, 4) with (2, 3)
    found = compare(np.array([[0.0, 9.0], [0.0, 1.0]]))
    assert found.overall_own["p_exact"] == 0.5
    assert compare(np.tile([1.0, 2.0, 3.0], (4, 1))).overall_own["p_exact"] == pytest.approx(1 / 6**3)


def test_shifts_and_noise_change_nothing():
    values = np.random.default_rng(3).integers(0, 5, (10, 3)).astype(float)
    shifted = values + 1e3 * np.arange(10)[:, None] + 0.1
    assert compare(shifted).overall == compare(values).overall
    assert compare(values[:, [1, 2, 0]]).overall.statistic == pytest.approx(compare(values).overall.statistic, rel=1e-12)


def test_limits():
    found = compare(np.ones((4, 3)), post_hoc="aligned-ranks")
    assert (found.overall.statistic, found.overall.p_value, found.p_value.tolist()) == (0, 1, [1, 1, 1])
    found = compare(np.array([[1.0, np.nan, 3.0]]), post_hoc="aligned-ranks")
    assert np.isnan([found.overall.statistic, found.overall.p_value, found.p_value[0]]).all()
