"""Extreme numbers: the same answers as their ordinary twins."""

import numpy as np
import pytest
from in_memory import Read

from benchkit.core.arrange import Arrangement
from benchkit.core.compare import compare
from benchkit.core.question import Question
from benchkit.core.scale import mean_of, unit_of
from benchkit.core.summarize import summarize

ORDINARY = np.random.default_rng(3).normal(size=(40, 3))


def new_generator() -> np.random.Generator:
    return np.random.default_rng(1)


@pytest.mark.parametrize("method", ["auto", "mixed"])
@pytest.mark.parametrize("factor", [2.0**996, 2.0**-996])
def test_verdicts_and_p_values_do_not_depend_on_scale(read: Read, method: str, factor: float) -> None:
    ordinary = compare(read(ORDINARY), Question(method), new_generator).tables
    extreme = compare(read(ORDINARY * factor), Question(method), new_generator).tables
    for name in ("statistic", "p_value", "p_adjusted", "verdict"):
        assert extreme["pairs"][name].to_list() == ordinary["pairs"][name].to_list()
    for name in ("estimate", "ci_low", "detectable"):
        np.testing.assert_allclose(extreme["pairs"][name].to_numpy() / factor, ordinary["pairs"][name].to_numpy(), rtol=1e-12)
    assert extreme["overall"]["p_value"].to_list() == ordinary["overall"]["p_value"].to_list()


@pytest.mark.parametrize("factor", [2.0**996, 2.0**-996])
@pytest.mark.parametrize("interval", ["t", "bootstrap"])
def test_summaries_of_extreme_numbers(read: Read, factor: float, interval: str) -> None:
    ordinary = summarize(read(ORDINARY), 0.95, interval, new_generator).tables["algorithms"]
    extreme = summarize(read(ORDINARY * factor), 0.95, interval, new_generator).tables["algorithms"]
    for name in ("mean", "sd", "std_error", "ci_low", "spread_high", "q1", "iqr"):
        np.testing.assert_allclose(extreme[name].to_numpy() / factor, ordinary[name].to_numpy(), rtol=1e-12)


def test_ordinary_numbers_are_left_alone() -> None:
    assert unit_of(np.array([1e-6, 1e9, np.nan, np.inf])) == 1.0
    assert unit_of(np.array([0.0])) == 1.0


SIZES = np.random.default_rng(5).uniform(4.0, 6.0, size=(12, 3)) * [1e300, 1.0, 1e-300]
INDEPENDENT = ["welch-t", "games-howell", "unpaired-permutation", "brunner-munzel", "almost-stochastic-order"]


@pytest.mark.parametrize("method", INDEPENDENT)
def test_a_third_algorithm_of_another_size_leaves_a_pair_alone(read: Read, method: str) -> None:
    asked = Question(method, options={"unpaired": ""} if method == "games-howell" else {"unpaired": "", "adjust": "none"})
    three = compare(read(SIZES), asked, new_generator).tables["pairs"]
    two = compare(read(SIZES[:, 1:]), asked, new_generator).tables["pairs"].row(0, named=True)
    last = three.row(2, named=True)
    assert (last["a"], last["b"]) == ("a2", "a3")
    for name in ("estimate", "std_error", "statistic", "df", "p_value", "mean_a", "mean_b"):
        assert (last[name] is None) == (two[name] is None)
        if two[name] is not None:
            assert last[name] == pytest.approx(two[name], rel=1e-9), name


@pytest.mark.parametrize("method", ["paired-t", "wilcoxon", "permutation", "sign"])
def test_a_relative_margin_of_a_mean_that_scaling_makes_vanish(read: Read, method: str) -> None:
    pairs = compare(read(SIZES), Question(method, margins=("5%",)), new_generator).tables["pairs"]
    means = SIZES.mean(axis=0)
    np.testing.assert_allclose(pairs["mean_b"].to_numpy(), means[[1, 2, 2]], rtol=1e-12)
    np.testing.assert_allclose(pairs["margin"].to_numpy(), 0.05 * means[[1, 2, 2]], rtol=1e-12)


def test_means_near_the_largest_double_do_not_overflow() -> None:
    assert mean_of(np.array([1.7e308, 1.6e308, np.nan])) == pytest.approx(1.65e308)
    assert mean_of(np.array([4e-320, 2e-320])) == pytest.approx(3e-320, rel=1e-3)
    assert np.isnan(mean_of(np.array([np.nan])))
    assert mean_of(np.zeros(3)) == 0.0


@pytest.mark.parametrize("effect", ["mean_difference", "d_z", "cliffs_delta", "ratio"])
@pytest.mark.parametrize("method", ["paired-t", "wilcoxon", "mixed", "bootstrap", "welch-t"])
@pytest.mark.parametrize("transform", ["none", "log"])
def test_numbers_near_the_largest_double_make_no_noise(read: Read, method: str, transform: str, effect: str) -> None:
    values = np.random.default_rng(1).uniform(1.0, 1.79, size=(10, 3)) * 1e308
    options = {"unpaired": ""} if method == "welch-t" else {}
    asked = Question(method, margins=("5%",), effect=effect, options=options, arrangement=Arrangement(transform=transform))
    pairs = compare(read(values), asked, new_generator).tables["pairs"]  # a warning of numpy is an error here
    assert pairs["verdict"].null_count() == 0
    assert pairs["effect"].is_finite().all()
