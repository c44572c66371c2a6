"""Summaries: published values, definitions and what is left out when."""

import json
from pathlib import Path

import numpy as np
import pytest
from in_memory import Read
from scipy.stats import bootstrap

from benchkit.core.summarize import summarize

REFERENCE = Path(__file__).parents[1] / "reference"


def new_generator() -> np.random.Generator:
    return np.random.default_rng(1)


def rows(reading: object, level: float = 0.95, interval: str = "t") -> dict[str, dict[str, object]]:
    table = summarize(reading, level, interval, new_generator).tables["algorithms"]
    return {row["algorithm"]: row for row in table.iter_rows(named=True)}


def test_numacc4_keeps_its_digits(read: Read) -> None:
    # NIST StRD NumAcc4: 1001 values 10000000.2, then alternately .1 and .3; certified mean 10000000.2, sd 0.1
    values = np.array([10000000.2] + [10000000.1, 10000000.3] * 500)
    row = rows(read(np.column_stack([values, values])))["a1"]
    assert row["mean"] == pytest.approx(10000000.2, rel=1e-15)
    assert row["sd"] == pytest.approx(0.1, abs=1e-8)


def test_order_of_rows_ranks_and_wins(read: Read) -> None:
    values = np.array([[3.0, 1.0, 2.0], [3.0, 2.0, 2.0], [1.0, 2.0, 3.0]])
    found = rows(read(values))
    assert list(found) == ["a2", "a1", "a3"]
    assert [found[name]["wins"] for name in ("a1", "a2", "a3")] == [1.0, 1.5, 0.5]
    assert [found[name]["mean_rank"] for name in ("a1", "a2", "a3")] == pytest.approx([7 / 3, 4.5 / 3, 6.5 / 3])
    assert list(rows(read(values, better="higher"))) == ["a1", "a3", "a2"]


def test_without_direction_there_are_no_ranks(read: Read) -> None:
    reading = read(np.array([[1.0, 2.0], [3.0, 4.0]]), better=None)
    assert rows(reading)["a1"]["mean_rank"] is None
    assert rows(reading)["a1"]["wins"] is None
    assert "direction-unknown" in [note.code for note in summarize(reading, 0.95, "t", new_generator).notes]


def test_missing_values_count_and_leave_ranks_to_complete_replicates(read: Read) -> None:
    row = rows(read(np.array([[1.0, 2.0], [np.nan, 1.0], [4.0, 3.0]])))["a1"]
    assert (row["n"], row["n_missing"], row["mean"], row["mean_rank"], row["wins"]) == (2, 1, 2.5, 1.5, 1.0)


def test_infinite_values_keep_what_exists(read: Read) -> None:
    reading = read(np.array([[1.0, 5.0], [2.0, 6.0], [np.inf, 7.0]]))
    row = rows(reading)["a1"]
    assert (row["median"], row["q1"], row["min"], row["max"]) == (2.0, 1.5, 1.0, np.inf)
    assert [row[name] for name in ("mean", "sd", "std_error", "ci_low", "spread_high")] == [None] * 5
    assert row["mean_rank"] == pytest.approx(4 / 3)
    assert "infinite-values" in [note.code for note in summarize(reading, 0.95, "t", new_generator).notes]


def test_one_replicate_has_a_mean_and_no_spread(read: Read) -> None:
    row = rows(read({"replicate": ["1", "1"], "algorithm": ["a", "b"], "performance": [1.0, 2.0]}))["a"]
    assert (row["mean"], row["median"], row["sd"], row["ci_low"]) == (1.0, 1.0, None, None)


def test_reference_summary(read: Read) -> None:
    import polars as pl

    expected = json.loads((REFERENCE / "reference.json").read_text())["motorcycle"]["summary"]
    table = pl.read_csv(REFERENCE / "motorcycle.csv", schema_overrides={"replicate": pl.String})
    found = rows(read(table.to_dict(as_series=False)))
    names = {
        "mean": "mean", "sd": "sd", "median": "median", "q1": "q1", "q3": "q3", "iqr": "iqr_type7", "min": "min", "max": "max",
        "std_error": "se_mean", "ci_low": "ci_mean_t_lower", "ci_high": "ci_mean_t_upper",
        "spread_low": "mean_minus_z975sd", "spread_high": "mean_plus_z975sd",
    }  # fmt: skip
    for row in expected:
        for ours, theirs in names.items():
            assert found[row["algorithm"]][ours] == pytest.approx(row[theirs], rel=1e-9), (row["algorithm"], ours)


def test_bca_agrees_with_scipy(read: Read) -> None:
    values = np.random.default_rng(5).exponential(size=40)
    row = rows(read(np.column_stack([values, values + 1])), interval="bootstrap")["a1"]
    other = bootstrap((values,), np.mean, n_resamples=9999, method="BCa", rng=np.random.default_rng(7)).confidence_interval
    # two Monte Carlo runs of 9999 draws: the ends agree to about one percent of the width
    width = other.high - other.low
    assert row["ci_low"] == pytest.approx(other.low, abs=0.03 * width)
    assert row["ci_high"] == pytest.approx(other.high, abs=0.03 * width)


def test_bca_of_constant_values_has_no_width(read: Read) -> None:
    row = rows(read(np.array([[2.0, 1.0], [2.0, 3.0], [2.0, 4.0]])), interval="bootstrap")["a1"]
    assert (row["ci_low"], row["ci_high"]) == (2.0, 2.0)


def test_quartiles_beside_minus_infinity(read: Read) -> None:
    row = rows(read({"replicate": ["1", "2"], "algorithm": ["a", "a"], "performance": [-np.inf, 3.0]}))["a"]
    assert (row["q1"], row["median"], row["q3"]) == (-np.inf, -np.inf, -np.inf)
