import numpy as np
import pytest
from experiments import all_pairs, experiment, reference
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from benchkit.methods.effect.prob_better import prob_better

ONE = np.array([[0, 1]])


def test_counts_by_hand():
    values = np.array([[1.0, 2.0], [3.0, 2.0], [1.0, 1.0], [np.nan, 0.0], [0.0, 5.0]])
    share, low, high = prob_better(values, ONE)
    assert share == pytest.approx([2.5 / 4])
    assert (low[0], high[0]) == pytest.approx(proportion_confint(2.5, 4, method="wilson"))


@given(st.integers(0, 40), st.integers(0, 40), st.sampled_from([0.8, 0.95, 0.999]))
def test_wilson_interval(wins, losses, level):
    n = wins + losses
    values = np.column_stack([np.zeros(n), np.repeat([1.0, -1.0], [wins, losses])])
    share, low, high = prob_better(values, ONE, level)
    if n == 0:
        assert np.isnan([share[0], low[0], high[0]]).all()
        return
    expected = proportion_confint(wins, n, alpha=1 - level, method="wilson")
    assert (low[0], high[0]) == pytest.approx(expected, abs=1e-12)
    assert 0.0 <= low[0] <= share[0] <= high[0] <= 1.0


def test_swapping_mirrors():
    values = experiment("motorcycle")[0]
    share, low, high = prob_better(values, all_pairs(7))
    back, back_low, back_high = prob_better(values, all_pairs(7)[:, ::-1])
    assert back == pytest.approx(1 - share, abs=1e-14)
    assert back_low == pytest.approx(1 - high, abs=1e-14)
    assert back_high == pytest.approx(1 - low, abs=1e-14)


def test_shares_add_up_to_the_mean_ranks_of_r():
    # the mid-rank of an algorithm is 1 + its losses: mean rank = K - sum of its shares
    values, algorithms = experiment("motorcycle")
    mean_ranks = reference()["motorcycle"]["ranks"]["mean_ranks"]
    for j, algorithm in enumerate(algorithms):
        others = np.array([(j, k) for k in range(len(algorithms)) if k != j])
        expected = mean_ranks[algorithm] if isinstance(mean_ranks, dict) else mean_ranks[j]
        assert len(algorithms) - prob_better(values, others)[0].sum() == pytest.approx(expected, abs=1e-12)


def test_rounding_noise_ties_but_small_numbers_do_not():
    share, _, _ = prob_better(np.array([[0.1 + 0.2, 0.3], [1e9, 1e9 + 1e-6]]), ONE)
    assert share == pytest.approx([0.5])
    share, _, _ = prob_better(np.array([[1e-300, 2e-300], [0.0, 1e-320]]), ONE)
    assert share == pytest.approx([1.0])


def test_infinite_values_are_ordinary_losers():
    share, _, _ = prob_better(np.array([[1.0, np.inf], [np.inf, np.inf], [-np.inf, np.inf], [np.inf, 3.0]]), ONE)
    assert share == pytest.approx([2.5 / 4])


@pytest.mark.parametrize("right", [-1.0, 0.0])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_outcomes_are_counted_like_numbers(right, missing):
    generator = np.random.default_rng(5)
    values = generator.integers(0, 2, (200, 4)) + right
    values[generator.random(values.shape) < missing] = np.nan
    values[:, 3] = np.nan
    found = prob_better(values, all_pairs(4))
    beside = prob_better(np.vstack([values, np.full((1, 4), np.nan)]), all_pairs(4))
    doubled = prob_better(2.0 * values, all_pairs(4))  # no outcomes, but the same order
    for one, two, three in zip(found, beside, doubled, strict=True):
        assert one == pytest.approx(three, abs=0, nan_ok=True)
        assert one == pytest.approx(two, abs=0, nan_ok=True)
    assert np.isnan(found[0][2])
