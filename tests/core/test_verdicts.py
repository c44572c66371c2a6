"""Verdicts: intervals, margins, step-wise p-values, equivalence, families, directions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.core.margins import margin_of, parse
from benchkit.core.verdicts import judge
from benchkit.errors import BenchkitError
from benchkit.methods.records import Answer, Pairs


def answer(
    estimate: list[float], se: float = 1.0, critical: float = 2.0, p: list[float] | None = None, step_wise: bool = False
) -> Answer:
    m = len(estimate)
    full = np.full(m, np.nan)
    values = np.array(estimate)
    adjusted = np.array(p) if p else np.where(np.abs(values) > critical * se, 0.01, 0.5)
    pairs = Pairs(
        np.full(m, 9),
        full,
        full,
        values,
        np.full(m, se),
        values / (se or 1),
        np.full(m, 8.0),
        full,
        adjusted,
        np.full(m, critical),
    )
    return Answer("m", "a", "simultaneous", pairs, lambda t: np.exp(-t), step_wise=step_wise)


def words(made: Answer, margin: float) -> list[str | None]:
    return judge(made, 0.95, np.full(len(made.pairs.estimate), margin)).verdict


def test_without_margin() -> None:
    assert words(answer([-3.0, 3.0, 1.0, 0.0, np.nan]), 0.0) == ["better", "worse", "undecided", "undecided", None]


def test_with_margin() -> None:
    # half-width 2: intervals [-6,-2], [2,6], [-2.5,1.5], [-1.5,2.5]
    assert words(answer([-4.0, 4.0, -0.5, 0.5]), 3.0) == ["undecided", "undecided", "equivalent", "equivalent"]
    assert words(answer([-5.5, 5.5]), 3.0) == ["better", "worse"]


def test_never_equivalent_without_a_margin() -> None:
    assert words(answer([0.0], se=0.0), 0.0) == ["undecided"]


def test_step_wise_verdicts_come_from_p_unless_there_is_a_margin() -> None:
    made = answer([-1.0, 3.0], p=[0.01, 0.2], step_wise=True)
    assert words(made, 0.0) == ["better", "undecided"]
    assert words(made, 0.5) == ["undecided", "worse"]


def test_zero_variance() -> None:
    made = answer([-1.0, 0.0], se=0.0, critical=np.inf)
    found = judge(made, 0.95, np.array([0.0, 0.0]))
    assert found.verdict == ["better", "undecided"]
    assert found.low.tolist() == [-1.0, 0.0]


def test_p_equivalence_is_the_alpha_at_which_the_verdict_turns() -> None:
    found = judge(answer([-1.0, 4.0, 0.5]), 0.95, np.full(3, 3.0))
    assert found.p_equivalence.tolist() == pytest.approx([np.exp(-2.0), 1.0, np.exp(-2.5)])
    assert np.isnan(judge(answer([1.0]), 0.95, np.zeros(1)).p_equivalence[0])


def test_noninferior_and_family() -> None:
    found = judge(answer([1.0, 1.5]), 0.95, np.full(2, 3.2))
    assert found.noninferior == [True, False]
    assert judge(answer([1.0]), 0.95, np.zeros(1)).noninferior == [None]
    assert judge(answer([3.0, 1.0]), 0.95, np.zeros(2), groups=3).p_adjusted.tolist() == pytest.approx([0.03, 1.0])


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=5), st.floats(0, 3))
def test_swapping_a_and_b_mirrors_the_verdict(estimates: list[float], margin: float) -> None:
    mirror = {"better": "worse", "worse": "better"}
    forward = words(answer(estimates), margin)
    backward = words(answer([-estimate for estimate in estimates]), margin)
    assert backward == [mirror.get(word, word) for word in forward if word is not None]


def test_margins() -> None:
    assert margin_of(["5%"], "mse").resolve(np.array([10.0, -20.0]), ["a", "b"]).tolist() == [0.5, 1.0]
    assert margin_of(["0.1", "mse=0.2"], "mse").value == 0.2
    assert margin_of(["0.1", "mse=0.2"], "time").value == 0.1
    assert margin_of([], None).value == 0.0
    with pytest.raises(BenchkitError, match="a relative margin of a mean of 0 is 0, and that of b is 0"):
        margin_of(["5%"], None).resolve(np.array([1.0, np.nan, 0.0]), ["a", "c", "b"])


@pytest.mark.parametrize("text", ["x", "-1", "inf", "nan", "5 %%", ""])
def test_margins_that_make_no_sense(text: str) -> None:
    with pytest.raises(BenchkitError, match="--margin"):
        parse(text)
