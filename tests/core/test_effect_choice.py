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
        ("cliffs_delta", 1 / 16 - 14 / 16, 14 / 16 - 1 / 16),
        ("a12", 1.5 / 16, 14.5 / 16),
        ("rank_biserial", -1.0, 1.0),
    ],
)
def test_by_hand_in_both_directions(read: Read, name: str, lower: float, higher: float) -> None:
    for better, expected in (("lower", lower), ("higher", higher)):
        row = one(read, name, better)
        assert row["effect_name"] == name
        assert row["effect"] == pytest.approx(expected, rel=1e-12), better
        if row["effect_low"] is not None:
            assert row["effect_low"] <= row["effect"] <= row["effect_high"]  # type: ignore[operator]


@pytest.mark.parametrize("better", ["lower", "higher"])
@pytest.mark.parametrize("method", ["paired-t", "welch-t"])
def test_every_effect_about_being_better_points_the_same_way(read: Read, better: str, method: str) -> None:
    values = np.random.default_rng(4).normal(size=(12, 2)) + np.array([0.0, 0.4])
    found = {}
    for name in ("a12", "cliffs_delta", "mean_difference"):
        asked = Question(method, effect=name, options={"unpaired": ""} if method == "welch-t" else {})
        row = compare(read(values, better), asked, lambda: np.random.default_rng(1)).tables["pairs"].row(0, named=True)
        found[name] = np.array([row["effect"], row["effect_low"], row["effect_high"]])
    np.testing.assert_allclose(found["cliffs_delta"], 2 * found["a12"] - 1, rtol=1e-9)
    assert found["mean_difference"][0] == pytest.approx(values[:, 0].mean() - values[:, 1].mean())
    assert (found["cliffs_delta"][0] > 0) == (better == "lower")


@pytest.mark.parametrize("better", ["lower", "higher"])
def test_the_effect_rank_biserial_is_the_column_of_wilcoxon(read: Read, better: str) -> None:
    values = np.random.default_rng(5).normal(size=(12, 2)) + np.array([0.0, 0.6])
    asked = Question("wilcoxon", effect="rank_biserial")
    row = compare(read(values, better), asked, lambda: np.random.default_rng(1)).tables["pairs"].row(0, named=True)
    assert row["effect"] == pytest.approx(row["rank_biserial"], rel=1e-12)
    assert (row["effect"] > 0) == (better == "lower")


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


UNPAIRED = ["welch-t", "games-howell", "unpaired-permutation", "brunner-munzel", "probability-of-improvement"]


@pytest.mark.parametrize("method", UNPAIRED)
@pytest.mark.parametrize("name", ["prob_better", "cliffs_delta", "a12", "mean_difference", "ratio"])
@pytest.mark.parametrize("better", ["lower", "higher"])
def test_independent_samples_have_the_effect_of_all_values(read: Read, method: str, name: str, better: str) -> None:
    rng = np.random.default_rng(3)
    values = np.exp(rng.normal(size=(9, 2)))
    shuffled = np.column_stack([values[:, 0], rng.permutation(values[:, 1])])
    apart = np.full((18, 2), np.nan)
    apart[:9, 0], apart[9:, 1] = values.T
    found = []
    for given in (values, shuffled, apart):
        asked = Question(method, effect=name, options={"unpaired": ""})
        row = compare(read(given, better), asked, lambda: np.random.default_rng(1)).tables["pairs"].row(0, named=True)
        found.append([row["effect"], row["effect_low"], row["effect_high"]])
    np.testing.assert_allclose(found[1:], [found[0], found[0]], rtol=1e-12)
    assert found[0][1] < found[0][0] < found[0][2]
    wins = np.mean(np.subtract.outer(*values.T) < 0)
    share = wins if better == "lower" else 1 - wins
    expected = {"prob_better": share, "a12": share, "cliffs_delta": 2 * share - 1}
    expected |= {"mean_difference": np.subtract(*values.mean(axis=0)), "ratio": np.exp(np.subtract(*np.log(values).mean(axis=0)))}
    assert found[0][0] == pytest.approx(expected[name], rel=1e-12)


@pytest.mark.parametrize("name", ["d_z", "rank_biserial", "kendalls_w"])
def test_what_needs_pairs_is_null_without_them(read: Read, name: str) -> None:
    asked = Question("welch-t", effect=name, options={"unpaired": ""})
    result = compare(read(VALUES), asked, lambda: np.random.default_rng(1))
    assert result.tables["pairs"]["effect"].to_list() == [None]
    notes = {note.code: note.message for note in result.notes}
    assert notes["effect-needs-pairs"].startswith(f"{name} compares within replicates, and welch-t takes samples for independent")


def test_the_seed_rules_the_intervals_of_effects(read: Read) -> None:
    values = np.random.default_rng(2).normal(size=(20, 2))

    def ends(seed: int, method: str = "paired-t") -> tuple[object, object]:
        asked = Question(method, effect="cliffs_delta")
        row = compare(read(values), asked, lambda: np.random.default_rng(seed)).tables["pairs"].row(0, named=True)
        return row["effect_low"], row["effect_high"]

    assert ends(1) == ends(1) == ends(1, "bootstrap")  # whatever the method has drawn before
    assert ends(1) != ends(2)


def test_a_ratio_that_does_not_exist_says_whose_values_are_in_the_way(read: Read) -> None:
    values = np.array([[4.0, 2.0, 1.0], [6.0, 0.0, 2.0], [5.0, -1.0, 3.0]])
    result = compare(read(values), Question("paired-t", effect="ratio"), lambda: np.random.default_rng(1))
    assert [effect is None for effect in result.tables["pairs"]["effect"]] == [True, False, True]
    message = {note.code: note.message for note in result.notes}["effect-undefined"]
    assert message.startswith("a ratio needs positive values, and a2 (2 values) has some of 0 or less: no ratio of their pairs")
