"""--transform log: the comparison of logarithms, told as ratios of geometric means."""

import math

import numpy as np
import pytest
from in_memory import Read

from benchkit.core.arrange import Arrangement
from benchkit.core.compare import compare
from benchkit.core.gate import hits, parse
from benchkit.core.question import Question
from benchkit.errors import BenchkitError

VALUES = np.exp(np.random.default_rng(9).normal(size=(12, 3)) * 0.2 + [0.0, 0.1, 1.0])
LOG = Arrangement(transform="log")


def new_generator() -> np.random.Generator:
    return np.random.default_rng(1)


@pytest.mark.parametrize("better", ["lower", "higher"])
def test_estimates_are_exp_of_those_of_logarithms(read: Read, better: str) -> None:
    ratios = compare(read(VALUES, better), Question("paired-t", arrangement=LOG), new_generator).tables
    plain = compare(read(np.log(VALUES), better), Question("paired-t"), new_generator).tables
    for name in ("mean_a", "mean_b", "estimate", "ci_low", "ci_high", "detectable"):
        np.testing.assert_allclose(ratios["pairs"][name], np.exp(plain["pairs"][name].to_numpy()), rtol=1e-12)
    for name in ("statistic", "std_error", "p_adjusted"):
        np.testing.assert_allclose(ratios["pairs"][name], plain["pairs"][name], rtol=1e-12)
    assert ratios["pairs"]["verdict"].to_list() == plain["pairs"]["verdict"].to_list()
    # means are geometric
    by_name = dict(ratios["means"].select("algorithm", "estimate").iter_rows())
    np.testing.assert_allclose([by_name[f"a{j + 1}"] for j in range(3)], np.exp(np.log(VALUES).mean(axis=0)), rtol=1e-12)


def test_a_margin_is_a_factor(read: Read) -> None:
    question = Question("paired-t", margins=("50%",), arrangement=LOG)
    pairs = compare(read(VALUES), question, new_generator).tables["pairs"]
    assert pairs["margin"].to_list() == pytest.approx([1.5] * 3)
    for row in pairs.iter_rows(named=True):
        beyond = row["ci_high"] < 1 / 1.5
        within = row["ci_low"] >= 1 / 1.5 and row["ci_high"] <= 1.5
        assert (row["verdict"] == "better", row["verdict"] == "equivalent") == (beyond, within)
    assert {"better", "equivalent"} <= set(pairs["verdict"])  # both occur
    with pytest.raises(BenchkitError, match="differences are ratios"):
        compare(read(VALUES), Question("paired-t", margins=("0.5",), arrangement=LOG), new_generator)


def test_the_gate_turns_ratios_round(read: Read) -> None:
    result = compare(read(VALUES), Question("paired-t", margins=("10%",), arrangement=LOG), new_generator)
    row = next(row for row in result.tables["pairs"].iter_rows(named=True) if (row["a"], row["b"]) == ("a1", "a3"))
    said = hits(result, [parse("a3 worse than a1")])
    assert len(said) == 1
    assert f"times {1 / row['estimate']:.4g}" in said[0]
    assert f"[{1 / row['ci_high']:.4g}, {1 / row['ci_low']:.4g}]" in said[0]
    assert hits(result, [parse("a1 noninferior to a3")])
    assert not hits(result, [parse("a3 noninferior to a1")])


def test_effects_are_of_the_values_as_measured(read: Read) -> None:
    question = Question("paired-t", effect="ratio", arrangement=LOG)
    pairs = compare(read(VALUES), question, new_generator).tables["pairs"]
    np.testing.assert_allclose(pairs["effect"], pairs["estimate"], rtol=1e-12)
    plain = compare(read(VALUES), Question("paired-t", effect="mean_difference"), new_generator).tables["pairs"]
    logged = compare(read(VALUES), Question("paired-t", effect="mean_difference", arrangement=LOG), new_generator).tables["pairs"]
    np.testing.assert_allclose(logged["effect"], plain["effect"], rtol=1e-12)


def test_values_without_a_logarithm_are_named(read: Read) -> None:
    values = VALUES.copy()
    values[3, 1] = 0.0
    with pytest.raises(BenchkitError, match="a2 in replicate 4 is 0"):
        compare(read(values), Question(arrangement=LOG), new_generator)


def test_huge_and_tiny_ratios_do_not_break(read: Read) -> None:
    values = np.array([[1e-300, 1e300], [2e-300, 1e300], [3e-300, 2e300]])
    pairs = compare(read(values), Question("paired-t", arrangement=LOG), new_generator).tables["pairs"]
    assert pairs["verdict"].to_list() == ["better"]
    assert math.isfinite(pairs["statistic"][0])
