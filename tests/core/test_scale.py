"""Extreme numbers: the same answers as their ordinary twins."""

import numpy as np
import pytest
from in_memory import Read

from benchkit.core.compare import compare
from benchkit.core.question import Question
from benchkit.core.scale import unit_of
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
