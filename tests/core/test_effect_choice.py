"""Effect sizes in the metric's own direction and unit."""

import numpy as np
import pytest
from in_memory import Read

from benchkit.core.compare import compare
from benchkit.core.question import Question
from benchkit.errors import BenchkitError
from benchkit.methods import EFFECTS

VALUES = np.array([[4.0, 2.0], [6.0, 3.0], [5.0, 2.5], [8.0, 5.0]])


def one(read: Read, name: str, better: str = "lower", values: np.ndarray = VALUES) -> dict[str, object]:
    asked = Question(effect=name)
    pairs = compare(read(values, better), asked, lambda: np.random.default_rng(1)).tables["pairs"]
    return pairs.row(0, named=True)


@pytest.mark.parametrize(
    ("name", "lower", "higher"),
    [
        ("prob_better", 0.0, 1.0),
        ("mean_difference", 2.625, 2.625),
        ("ratio", (2 * 2 * 2 * 1.6) ** 0.25, (2 * 2 * 2 * 1.6) ** 0.25),
        ("d_z", 2.625 / np.std([2, 3, 2.5, 3], ddof=1), 2.625 / np.std([2, 3, 2.5, 3], ddof=1)),
        ("cliffs_delta", 14 / 16 - 1 / 16, 14 / 16 - 1 / 16),
        ("a12", 1.5 / 16, 14.5 / 16),
        ("rank_biserial", 1.0, 1.0),
    ],
)
def test_by_hand_in_both_directions(read: Read, name: str, lower: float, higher: float) -> None:
    for better, expected in (("lower", lower), ("higher", higher)):
        row = one(read, name, better)
        assert row["effect_name"] == name
        assert row["effect"] == pytest.approx(expected, rel=1e-12), better
        if row["effect_low"] is not None:
            assert row["effect_low"] <= row["effect"] <= row["effect_high"]  # type: ignore[operator]


def test_a_ratio_needs_positive_values(read: Read) -> None:
    assert one(read, "ratio", values=-VALUES)["effect"] is None
    assert one(read, "ratio", "higher", values=-VALUES)["effect"] is None


def test_the_unit_of_a_difference_of_huge_values(read: Read) -> None:
    assert one(read, "mean_difference", values=VALUES * 2.0**300)["effect"] == 2.625 * 2.0**300


@pytest.mark.parametrize("entry", EFFECTS, ids=lambda entry: entry.name)
def test_every_effect_runs_and_says_its_name(read: Read, entry: object) -> None:
    outcomes = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    assert one(read, entry.name, "higher", outcomes)["effect_name"] == entry.name  # type: ignore[attr-defined]


def test_an_unknown_effect_is_refused(read: Read) -> None:
    with pytest.raises(BenchkitError, match="there is no effect size 'cohen'"):
        one(read, "cohen")
