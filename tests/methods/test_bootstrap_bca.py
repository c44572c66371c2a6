import warnings
from dataclasses import replace

import numpy as np
import pytest
from experiments import all_pairs, blocks, codes
from scipy.special import ndtr, ndtri

from benchkit.methods.comparison import bootstrap

# twelve differences in tenths, so that the distribution of their resampled sum is a convolution
TENTHS = np.array([3, 12, -4, 25, 9, 51, 2, 17, -1, 33, 6, 8])


def single(differences, **more):
    return replace(blocks(np.column_stack([differences, np.zeros(len(differences))])), **more)


def exact_bca(level):
    """The BCa interval of the mean of TENTHS with infinitely many resamples."""
    one = np.zeros(56)
    np.add.at(one, TENTHS + 4, 1 / 12)
    chances = np.ones(1)
    for _ in range(12):
        chances = np.convolve(chances, one)
    means = (np.arange(len(chances)) - 48) / 120
    centred = TENTHS - TENTHS.mean()
    acceleration = (centred**3).sum() / (6 * (centred**2).sum() ** 1.5)
    share = chances[means < TENTHS.mean() / 10 - 1e-9].sum() + chances[np.abs(means - TENTHS.mean() / 10) < 1e-9].sum() / 2
    bias = ndtri(share)
    ends = []
    for z in (ndtri((1 - level) / 2), -ndtri((1 - level) / 2)):
        percentile = ndtr(bias + (bias + z) / (1 - acceleration * (bias + z)))
        ends.append(means[np.searchsorted(np.cumsum(chances), percentile)])
    return ends


@pytest.mark.parametrize(("level", "of_boot"), [(0.95, (0.65833333, 2.4666667)), (0.99, (0.50, 2.9166667))])
def test_ends_are_those_of_infinitely_many_resamples(level, of_boot):
    # R 4: set.seed(1); boot.ci(boot(TENTHS / 10, function(x, i) mean(x[i]), R = 999999), type = "bca")
    # (scipy.stats.bootstrap, 200000 BCa resamples: 0.65833, 2.45833 at 0.95)
    found = bootstrap.compare(single(TENTHS / 10, draws=99999))
    low, high = found.interval(np.array([level]))
    assert exact_bca(level) == pytest.approx(of_boot, abs=0.009)  # the means have a grid of 1/120
    assert (low[0], high[0]) == pytest.approx(exact_bca(level), abs=0.04)
    assert found.std_error[0] == pytest.approx(TENTHS.std() / 10 / np.sqrt(12), rel=1e-12)
    assert found.estimate[0] == pytest.approx(TENTHS.mean() / 10, rel=1e-12)
    assert np.isnan(found.statistic[0])


@pytest.mark.parametrize("seed", range(8))
def test_p_is_the_smallest_alpha_at_which_the_interval_leaves_out_0(seed):
    generator = np.random.default_rng(seed)
    differences = generator.exponential(size=15) - (0.2 if seed % 2 else 1.6)
    if seed > 4:
        differences = np.round(differences)  # ties, and resampled means that are 0
    found = bootstrap.compare(single(differences, draws=1999))
    p = found.p_value[0]
    assert 0 < p < 1
    for alpha, leaves_out in ((p * (1 + 1e-6), True), (p * (1 - 1e-6), False)):
        low, high = found.interval(np.array([1 - alpha]))
        assert (low[0] > 0 or high[0] < 0) == leaves_out


def test_swapping_relabelling_and_units():
    values = np.random.default_rng(1).exponential(size=(20, 3)) + np.array([0.0, 0.2, 0.5])
    there = bootstrap.compare(blocks(values))
    back = bootstrap.compare(replace(blocks(values), contrasts=all_pairs(3)[:, ::-1]))
    level = np.full(3, 0.95)
    low, high = there.interval(level)
    back_low, back_high = back.interval(level)
    assert back.p_value == pytest.approx(there.p_value, rel=1e-12)
    assert (back_low, back_high) == (pytest.approx(-high, rel=1e-12), pytest.approx(-low, rel=1e-12))
    moved = bootstrap.compare(blocks(8.0 * values + 100.0 * np.arange(20)[:, None]))
    assert moved.interval(level)[0] == pytest.approx(8.0 * low, rel=1e-9)
    alone = bootstrap.compare(blocks(values, contrasts=np.array([[1, 2]])))
    assert alone.p_value[0] == there.p_value[2]  # the same resamples whatever is asked
    again = bootstrap.compare(blocks(values, seed=2))
    assert (again.p_value != there.p_value).any()


def test_missing_cells_leave_each_pair_its_shared_replicates():
    values = np.random.default_rng(2).normal(size=(12, 3)) + np.array([0.0, 1.0, 0.5])
    values[[1, 4, 7], 2] = np.nan
    found = bootstrap.compare(blocks(values))
    rest = bootstrap.compare(blocks(np.delete(values, [1, 4, 7], axis=0)))
    assert found.n.tolist() == [12, 9, 9]
    assert found.estimate[1:] == pytest.approx(rest.estimate[1:], rel=1e-12)
    assert found.std_error[1:] == pytest.approx(rest.std_error[1:], rel=1e-12)
    for end, other in zip(found.interval(np.full(3, 0.9)), rest.interval(np.full(3, 0.9)), strict=True):
        assert end[1:] == pytest.approx(other[1:], abs=0.12)  # other resamples, of random size


def test_levels_that_the_draws_cannot_hold_have_infinite_ends_and_a_remark():
    differences = np.random.default_rng(3).normal(size=20) + 3
    found = bootstrap.compare(single(differences, draws=99))
    assert codes(found) == []
    few = bootstrap.compare(single(differences, draws=99, level=0.999))
    assert codes(few) == ["few-draws"]
    low, high = found.interval(np.array([1 - 1e-300]))
    assert (low[0], high[0]) == (-np.inf, np.inf)
    assert found.p_value[0] == pytest.approx(0.02)  # 2/(R + 1), whatever the acceleration


def test_degenerate_data_have_limits_and_no_warnings():
    base = np.array([0.1, 0.2, 0.3, 0.7])
    values = np.column_stack([base, base * (1 + 1e-15), base + 0.1, np.full(4, np.nan)])
    values[0, 3] = 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = bootstrap.compare(replace(blocks(values), contrasts=np.array([[0, 1], [0, 2], [0, 3]])))
        low, high = found.interval(np.full(3, 0.95))
        one = bootstrap.compare(blocks(np.array([[1.0, 2.0]])))
        two = bootstrap.compare(blocks(np.array([[1.0, 2.0], [2.0, 7.0]])))
    assert found.p_value == pytest.approx([1.0, 0.0, np.nan], nan_ok=True)
    assert found.std_error == pytest.approx([0.0, 0.0, np.nan], nan_ok=True)
    assert low == pytest.approx([0.0, -0.1, np.nan], nan_ok=True, abs=1e-16)
    assert high == pytest.approx(low, nan_ok=True, abs=1e-15)
    assert {remark.code: remark.pairs for remark in found.remarks} == {"not-estimable": (2,), "zero-variance": (0, 1)}
    assert np.isnan([one.p_value[0], one.std_error[0], one.df[0], one.interval(np.array([0.95]))[0][0]]).all()
    assert codes(one) == ["small-n"]
    assert 0 < two.p_value[0] < 1
