"""Interquartile mean and optimality gap as further columns of a summary."""

import numpy as np
import pytest
import scipy.stats
from in_memory import Read

from benchkit.core.aggregates import Wish, parse_wish
from benchkit.core.summarize import summarize
from benchkit.errors import BenchkitError
from benchkit.tables import shapes
from benchkit.tables.result import Result

VALUES = np.random.default_rng(4).normal(0.7, 0.2, (21, 2))
RUNS = {
    "dataset": ["x"] * 8 + ["y"] * 6,
    "replicate": [str(i) for i in (1, 2, 3, 4)] * 2 + ["1", "2", "3"] * 2,
    "algorithm": ["a"] * 4 + ["b"] * 4 + ["a"] * 3 + ["b"] * 3,
    "performance": [0.1, 0.2, 0.3, 0.9, 0.4, 0.5, 0.6, 0.7, 1.1, 1.2, 1.3, 0.8, 0.9, 1.0],
}


def asked(reading: object, add: str = "iqm", target: tuple[str, ...] = (), pooled: bool = False, level: float = 0.95) -> Result:
    return summarize(reading, level, "t", lambda: np.random.default_rng(1), parse_wish(add, target, pooled))


def rows(result: Result) -> dict[str, dict[str, object]]:
    return {row["algorithm"]: row for row in result.tables["algorithms"].iter_rows(named=True)}


def test_the_columns_come_last_and_only_when_asked_for(read: Read) -> None:
    plain = list(shapes.ALGORITHMS.columns)
    assert summarize(read(VALUES), 0.95, "t", lambda: np.random.default_rng(1)).tables["algorithms"].columns == plain
    assert asked(read(VALUES)).tables["algorithms"].columns == [*plain, "iqm", "iqm_low", "iqm_high"]


@pytest.mark.parametrize("factor", [1.0, 2.0**400])
def test_iqm_of_one_data_set(read: Read, factor: float) -> None:
    row = rows(asked(read(VALUES * factor, "higher")))["a1"]
    assert row["iqm"] == pytest.approx(scipy.stats.trim_mean(VALUES[:, 0], 0.25) * factor, rel=1e-12)
    assert row["iqm_low"] < row["iqm"] < row["iqm_high"]  # type: ignore[operator]


def test_gap_in_both_directions(read: Read) -> None:
    up = rows(asked(read(VALUES, "higher"), "optimality_gap", ("0.8",)))["a1"]
    assert up["optimality_gap"] == pytest.approx(np.maximum(0.8 - VALUES[:, 0], 0).mean(), rel=1e-12)
    down = rows(asked(read(-VALUES, "lower"), "optimality_gap", ("-0.8",)))["a1"]
    names = ("optimality_gap", "optimality_gap_low", "optimality_gap_high")
    assert [down[name] for name in names] == [up[name] for name in names]


def test_missing_and_infinite_values(read: Read) -> None:
    values = VALUES.copy()
    values[3, 0], values[5, 1] = np.nan, np.inf
    found = rows(asked(read(values)))
    assert found["a1"]["iqm"] == pytest.approx(scipy.stats.trim_mean(np.delete(VALUES[:, 0], 3), 0.25), rel=1e-12)
    assert found["a2"]["iqm"] is None


def test_data_sets_apart_and_pooled(read: Read) -> None:
    apart = asked(read(RUNS, "higher")).tables["algorithms"]
    assert apart["iqm"].to_list() == pytest.approx([0.55, 0.25, 1.2, 0.9])  # best first on x, then on y
    pooled = asked(read(RUNS, "higher"), pooled=True)
    found = rows(pooled)
    # a: .1 | .2 .3 .9 1.1 1.2 | 1.3 without one value at either end, and b: .4 | .5 .6 .7 .8 .9 | 1
    assert found["a"]["iqm"] == pytest.approx((0.2 + 0.3 + 0.9 + 1.1 + 1.2) / 5)
    assert found["b"]["iqm"] == pytest.approx(0.7)
    assert (found["a"]["n"], found["a"]["dataset"], found["a"]["mean"]) == (7, None, None)
    assert list(found) == ["a", "b"]
    assert "pooled-values" in [note.code for note in pooled.notes]


def test_pooling_resamples_within_data_sets(read: Read) -> None:
    constant = {**RUNS, "performance": [0.0] * 8 + [1.0] * 6}
    row = rows(asked(read(constant, "higher"), pooled=True))["a"]
    assert row["iqm_low"] == row["iqm"] == row["iqm_high"]


def test_an_algorithm_that_a_data_set_lacks_is_not_aggregated(read: Read) -> None:
    short = {name: column[:11] for name, column in RUNS.items()}
    result = asked(read(short, "higher"), pooled=True)
    assert rows(result)["b"]["iqm"] is None
    assert rows(result)["a"]["iqm"] is not None
    assert "no aggregate of b" in next(note.message for note in result.notes if note.code == "incomplete-datasets")


def test_a_target_for_each_metric() -> None:
    wish = parse_wish("iqm, optimality_gap", ("1", "mse=0.5", "mse=0.25"), pooled=False)
    assert wish == Wish(("iqm", "optimality_gap"), ((None, 1.0), ("mse", 0.5), ("mse", 0.25)))
    assert (wish.target("mse"), wish.target("accuracy"), wish.target(None)) == (0.25, 1.0, 1.0)


@pytest.mark.parametrize(
    ("add", "target", "pooled", "words"),
    [
        ("mean", (), False, "--add does not know 'mean'"),
        ("iqm,", (), False, "--add does not know ''"),
        ("", (), True, "--pooled is for columns"),
        ("iqm", ("1",), False, "--target belongs to"),
        ("optimality_gap", (), False, "needs the performance to reach"),
        ("optimality_gap", ("nan",), False, "--target does not understand 'nan'"),
        ("optimality_gap", ("one",), False, "--target does not understand 'one'"),
    ],
)
def test_wishes_that_cannot_be_met(add: str, target: tuple[str, ...], pooled: bool, words: str) -> None:
    with pytest.raises(BenchkitError, match=words):
        parse_wish(add, target, pooled)


def test_a_gap_needs_direction_and_target(read: Read) -> None:
    with pytest.raises(BenchkitError, match="the direction of 'performance' is not known"):
        asked(read(VALUES, None), "optimality_gap", ("1",))
    with pytest.raises(BenchkitError, match="names the metric 'mse'"):
        asked(read(VALUES), "optimality_gap", ("mse=1",))
    assert rows(asked(read(VALUES, None)))["a1"]["iqm"] is not None
