"""Columns that are no keys: noted where they vary among what is taken for one thing, and only there."""

import polars as pl
from in_memory import Read

from benchkit.core.blocks import Reading, experiments


def columns(replicates: int, **context: list[object]) -> dict[str, list[object]]:
    rows = {
        "replicate": [str(i) for i in range(replicates) for _ in "ab"],
        "algorithm": list("ab") * replicates,
        "performance": [float(i % 7) for i in range(2 * replicates)],
    }
    return {**rows, **context}


def told(reading: Reading) -> list[str]:
    return [note.message for note in reading.notes if note.code == "varying-context"]


def test_a_setting_that_changes_between_replicates_of_one_algorithm(read: Read) -> None:
    rates: list[object] = [rate for i in range(10) for rate in ((0.1, 0.5) if i < 5 else (0.01, 0.5))]
    assert told(read(columns(10, learning_rate=rates))) == [
        "the column 'learning_rate' (up to 2 values) varies between rows that are compared as one algorithm's: "
        "if that matters, choose with --where learning_rate=0.01"
    ]


def test_what_tells_algorithms_apart_or_names_rows_is_no_setting(read: Read) -> None:
    same = columns(10, family=["tree", "net"] * 10)
    names = columns(10, run_id=[f"run-{i}" for i in range(20)], wall_time=[i / 7 for i in range(20)])
    ours = columns(10, seed=[i % 4 for i in range(20)], fit_seconds=[float(i % 3) for i in range(20)])
    assert [told(read(one)) for one in (same, names, ours, columns(10))] == [[], [], [], []]


def test_of_few_rows_every_value_counts(read: Read) -> None:
    assert "(up to 3 values)" in told(read(columns(3, depth=[1, 5, 2, 5, 3, 5])))[0]
    assert told(read(columns(3, depth=[None, 5, 2, 5, 2, 5]))) == []


def test_settings_within_cells_that_are_averaged(read: Read) -> None:
    twice = {name: values * 2 for name, values in columns(6).items()}
    mixed = {**twice, "host": ["one"] * 12 + ["the other"] * 12, "depth": [1] * 24}
    assert told(read(mixed, duplicates="mean")) == [
        "the column 'host' (up to 2 values) varies within cells that are averaged: if that matters, choose with --where host=one"
    ]


def test_data_sets_have_properties_of_their_own(read: Read) -> None:
    rows = {
        "dataset": [name for name in "uvwxyz" for _ in "ab"],
        "algorithm": list("ab") * 6,
        "performance": [float(i % 5) for i in range(12)],
        "source": [source for source in ("uci", "uci", "openml") * 2 for _ in "ab"],
    }
    assert told(read(rows)) == []


def test_items_have_properties_of_their_own() -> None:
    frame = pl.DataFrame(
        {
            "item": [str(i) for i in range(8) for _ in "ab"],
            "algorithm": list("ab") * 8,
            "label": ["x"] * 16,
            "prediction": ["x", "y"] * 8,
            "topic": [topic for topic in ("sport", "law") * 4 for _ in "ab"],
        }
    )
    assert told(experiments(frame.lazy(), "predictions", {})) == []


def test_nested_columns_are_left_alone(read: Read) -> None:
    assert told(read(columns(4, parts=[[1, 2], [3]] * 4))) == []
