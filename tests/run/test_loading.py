"""Columns get their purposes, and what cannot be used as it stands is refused by name."""

import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from toy_fits import HERE, Columns, column, dataset, experiment

from benchkit.errors import BenchkitError
from benchkit.formats.data_file import read_data
from benchkit.run.design import Design
from benchkit.run.loading import load
from benchkit.run.metrics.known import task_of
from benchkit.run.plan import DatasetPlan, MetricPlan, ResamplingPlan

NAN = float("nan")
BASE = {"x": [1.5, 2.5, NAN, 4.0], "color": ["b", None, "a", "b"], "y": [1.0, 2.0, 3.0, 4.0]}


def test_features_are_all_columns_without_another_purpose() -> None:
    data = dataset(
        BASE | {"g": [1, 1, 2, 2], "t": [4, 3, 2, 1], "w": [1, 0, 2, 1], "i": ["p", "q", "r", "s"]},
        group="g",
        time="t",
        weight="w",
        item="i",
    )
    assert list(data.features.columns) == ["x", "color"]
    assert data.texts == ["color"]
    assert data.gaps == {"x", "color"}
    assert data.items == ["p", "q", "r", "s"]
    assert data.weights is not None
    assert data.weights.tolist() == [1, 0, 2, 1]
    assert data.rows.groups is not None
    assert data.rows.times is not None
    assert (data.rows.groups.tolist(), data.rows.times.tolist()) == ([0, 0, 1, 1], [3, 2, 1, 0])
    assert (data.task, data.classes, data.positive, data.n) == ("regression", None, None, 4)


def test_named_columns_may_have_another_purpose_and_come_in_their_order() -> None:
    data = dataset(BASE | {"t": [4, 3, 2, 1]}, time="t", columns=("t", "x"))
    assert list(data.features.columns) == ["t", "x"]
    assert data.features["t"].tolist() == [4.0, 3.0, 2.0, 1.0]


def test_truth_values_are_numbers_as_features() -> None:
    data = dataset({"x": [True, False, True], "y": [1.0, 2.0, 3.0]})
    assert data.features["x"].tolist() == [1.0, 0.0, 1.0]
    assert data.texts == []


@pytest.mark.parametrize("columns", [("x",), ("x", "color")])
def test_rows_are_copies(columns) -> None:
    data = dataset(BASE, columns=columns)
    rows = data.rows_of(np.arange(4))
    rows["x"] = 0.0
    assert data.features["x"].tolist()[0] == 1.5
    assert data.rows_of(np.array([3, 0, 3])).index.tolist() == [0, 1, 2]
    assert data.rows_of(np.array([3, 0, 3]))["x"].tolist() == [4.0, 1.5, 4.0]
    assert list(data.rows_of(np.array([1])).columns) == list(columns)


@pytest.mark.parametrize(
    ("target", "task", "said", "expected"),
    [
        ([1, 2, 3, 4], None, None, "regression"),
        ([1.5, 2, 3, 4], None, None, "regression"),
        (["a", "b", "a", "b"], None, None, "classification"),
        ([True, False, True, True], None, None, "classification"),
        ([0, 1, 0, 1], "classification", None, "classification"),
        ([0, 1, 0, 1], "classification", "regression", "regression"),
        ([0, 1, 0, 1], None, "classification", "classification"),
    ],
)
def test_the_task_is_said_or_that_of_the_metrics_or_seen_from_the_target(target, task, said, expected) -> None:
    assert dataset({"x": [1.0, 2.0, 3.0, 4.0], "y": target}, supposed=task, task=said).task == expected


def test_the_task_of_metrics() -> None:
    assert task_of([MetricPlan("mse"), MetricPlan("mae")]) == "regression"
    assert task_of([MetricPlan("auc"), MetricPlan("own", "m:f")]) == "classification"
    assert task_of([MetricPlan("own", "m:f")]) is None


@pytest.mark.parametrize(
    ("target", "classes", "positive"),
    [
        (["no", "yes", "no", "yes"], ["no", "yes"], "yes"),
        (["9", "10", "9", "10"], ["10", "9"], "10"),
        ([True, False, False, True], [False, True], True),
        ([1, 2, 1, 2], [1, 2], 2),
        ([-1, 1, -1, 1], [-1, 1], 1),
        ([1.0, 0.0, 1.0, 0.0], [0, 1], 1),
        ([0.5, 1.0, 0.5, 1.0], ["0.5", "1"], "1"),
        (["a", "b", "c", "a"], ["a", "b", "c"], None),
    ],
)
def test_classes_and_the_positive_one(target, classes, positive) -> None:
    data = dataset({"x": [1.0, 2, 3, 4], "y": target}, task="classification")
    assert data.classes is not None
    assert data.classes.tolist() == classes
    assert data.positive == positive
    assert type(data.positive) is type(positive)
    assert data.rows.classes is not None
    assert [classes[code] for code in data.rows.classes] == data.target.tolist()


def test_the_positive_class_may_be_named() -> None:
    assert dataset({"x": [1, 2, 3], "y": ["a", "b", "c"]}, positive="b", task="classification").positive == "b"
    assert dataset({"x": [1, 2, 3, 4], "y": [True, False, True, True]}, positive="false").positive is False
    assert dataset({"x": [1, 2, 3, 4], "y": [0, 1, 1, 1]}, supposed="classification", positive="0").positive == 0


@pytest.mark.parametrize(
    ("cells", "plan", "expected"),
    [
        ({}, {"target": "z"}, " has no column 'z' (target)"),
        ({}, {"group": "colour"}, " has no column 'colour' (group)"),
        ({}, {"columns": ("x", "q")}, " has no column 'q' (columns)"),
        ({"y": [1.0, NAN, NAN, 4.0]}, {}, " line 3 and 1 more, column y: the target is missing"),
        ({"y": ["a", "b", "a", None]}, {}, " line 5, column y: the target is missing"),
        ({}, {"group": "color"}, " line 3, column color: the group is missing"),
        ({}, {"time": "x"}, " line 4, column x: the time is missing"),
        ({}, {"weight": "x"}, " line 4, column x: the weight is missing"),
        ({"w": [1, -1, 1, 1]}, {"weight": "w"}, " line 3, column w: not a weight"),
        ({"w": [1, 1, 1, float("inf")]}, {"weight": "w"}, " line 5, column w: not a weight"),
        ({"w": [0, 0, 0, 0]}, {"weight": "w"}, " every row, column w: not a weight"),
        ({"w": [*"abcd"]}, {"weight": "w"}, ": the weight 'w' holds no numbers"),
        ({}, {"item": "color"}, ": the column of items has empty or equal cells"),
        ({}, {"columns": ("y",)}, ": the target 'y' is among its columns"),
        ({"y": [1.0, float("inf"), 2, 3]}, {}, ": the target 'y' holds infinite values"),
        ({"y": [1.0, float("inf"), 1, 1]}, {"supposed": "classification"}, ": the target 'y' holds infinite values"),
        ({"y": [*"abab"]}, {"supposed": "regression"}, ": the target 'y' holds no numbers, as regression asks"),
        ({"y": [*"aaaa"]}, {}, ": the target 'y' holds only one class"),
        ({"y": [*"abca"]}, {}, ": the target 'y' takes 3 values in 4 rows, too many for classes"),
        ({"y": [*"abab"]}, {"positive": "c"}, " has no class 'c' (positive)"),
        ({}, {"positive": "1"}, ": positive = '1' has no meaning in regression"),
        (
            {"t": ["2020-01-01", "1/2/2020", "x", "y"]},
            {"time": "t"},
            " line 3, column t: '1/2/2020' is no time that can be put in order",
        ),
    ],
)
def test_what_cannot_be_used(cells, plan, expected) -> None:
    with pytest.raises(BenchkitError) as raised:
        dataset(BASE | cells, **plan)
    assert raised.value.message == f"data set 'd' (d.csv){expected}"
    assert raised.value.hint


def test_a_table_without_features_or_rows() -> None:
    with pytest.raises(BenchkitError, match="has no column to predict 'y' from"):
        dataset({"y": [1.0, 2.0]})
    with pytest.raises(BenchkitError, match="has no rows"):
        dataset({"x": [], "y": []})


def test_a_file_that_is_not_there_is_named_with_its_data_set(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BenchkitError) as raised:
        load(experiment(), DatasetPlan("tiny", Path("nowhere.csv"), target="y"), None, read_data)
    assert raised.value.message == "data set 'tiny': there is no file 'nowhere.csv'"


@pytest.mark.parametrize(
    ("resampling", "expected"),
    [
        (ResamplingPlan("bootstrap"), "bootstrap"),
        (ResamplingPlan("bootstrap", estimate=".632"), "bootstrap-632"),
        (ResamplingPlan("bootstrap", estimate=".632+"), "bootstrap"),
        (ResamplingPlan("disjoint", replicates=2), "disjoint"),
        (ResamplingPlan("predefined", split=("part",)), "predefined"),
        (ResamplingPlan("predefined", split=("fold",)), "predefined-folds"),
        (ResamplingPlan("predefined", samples=Path("s.csv")), "predefined-samples"),
    ],
)
def test_what_results_call_the_resampling(resampling: ResamplingPlan, expected: str) -> None:
    file = Columns({
        "x": np.arange(6.0),
        "part": column(["train", "test"] * 3),
        "fold": column(["1", "2", "3"] * 2),
        "y": np.arange(6.0),
    })  # fmt: skip
    samples = Columns({"replicate": column(["1", "2"]), "indices": column(["1 2 3", "4 5 6"])})
    plan = replace(experiment(resampling), datasets=(DatasetPlan("d", Path("d.csv"), target="y"),))
    data = load(plan, plan.datasets[0], None, lambda path: samples if path.name == "s.csv" else file)
    assert Design(plan, [data]).resampling("d") == expected


def test_a_near_name_is_offered() -> None:
    with pytest.raises(BenchkitError) as raised:
        dataset(BASE, group="colour")
    assert raised.value.hint == "did you mean color?"


@pytest.mark.parametrize("times", [["2020-01-02", "2020-01-01"], ["2020", "2019"], ["2020-W02", "2020-W01"], ["2020Q2", "2020Q1"],
                                   ["2020-01-01T10:00:00Z", "2020-01-01T09:59:59.5Z"], ["2020-02", "2020-01"]])  # fmt: skip
def test_texts_that_are_times_come_in_their_order(times) -> None:
    rows = dataset({"x": [1, 2], "y": [1.0, 2.0], "t": times}, time="t").rows
    assert rows.times is not None
    assert rows.times.tolist() == [1, 0]


def read_of(**files):
    return lambda path: files[path.stem]


def with_samples(replicates, indices):
    samples = Columns({"replicate": column(replicates), "indices": column(indices)}, "s.csv")
    data = Columns({"x": column([1.0, 2.0, 3.0]), "y": column([1.0, 2.0, 3.0])})
    plan = experiment(ResamplingPlan("predefined", samples=HERE / "s.csv"))
    return load(plan, DatasetPlan("d", HERE / "d.csv", target="y"), None, read_of(s=samples, d=data)).rows.samples


def test_samples_count_from_one_in_the_file() -> None:
    assert {name: rows.tolist() for name, rows in with_samples(["b1", "b2"], ["1 1 3", " 2 3  3 "]).items()} == {
        "b1": [0, 0, 2],
        "b2": [1, 2, 2],
    }
    assert {name: rows.tolist() for name, rows in with_samples([1, 2], [3, 2]).items()} == {"1": [2], "2": [1]}


@pytest.mark.parametrize(
    ("replicates", "indices", "expected"),
    [
        (["a", "a"], ["1", "2"], "s.csv line 3: the replicate 'a' is empty or stands twice"),
        (["a", None], ["1", "2"], "s.csv line 3: the replicate '' is empty or stands twice"),
        (["a", "b"], ["1", "2 x"], "s.csv line 3, column indices: 'x' is no row number"),
        (["a", "b"], ["0 1", "2"], "s.csv line 2, column indices: '0' is no row number"),
        (["a", "b"], ["1", "-2"], "s.csv line 3, column indices: '-2' is no row number"),
        (["a", "b"], ["1", None], "s.csv line 3, column indices: '' is no row number"),
    ],
)
def test_samples_that_are_wrong(replicates, indices, expected) -> None:
    with pytest.raises(BenchkitError) as raised:
        with_samples(replicates, indices)
    assert raised.value.message == expected


def test_splits_are_texts_and_rolling_origins_go_by_the_rows() -> None:
    file = Columns({"x": column([1.0, 2.0]), "y": column([1.0, 2.0]), "s": column([1, 2])})
    plan = experiment(ResamplingPlan("predefined", split=("s",)))
    data = load(plan, DatasetPlan("d", HERE, target="y"), None, lambda _: file)
    assert data.rows.columns == {"s": ["1", "2"]}
    assert list(data.features.columns) == ["x"]
    assert data.rows.times is None
    rolling = dataset(BASE, resampling="rolling-origin").rows.times
    assert rolling is not None
    assert rolling.tolist() == [0, 1, 2, 3]


@pytest.fixture
def loaded(monkeypatch):
    """Load what a loader gives."""

    def loaded(given, target=None, task=None, **params):
        module = SimpleNamespace(give=(lambda **_: given) if not callable(given) else given)
        monkeypatch.setitem(sys.modules, "given_by_loader", module)
        from benchkit.run.importing import attribute

        attribute.cache_clear()
        return load(experiment(), DatasetPlan("d", loader="given_by_loader:give", target=target, params=params), task, read_of())

    return loaded


def bunch(**parts):
    return SimpleNamespace(**parts)


def test_a_loader_gives_features_and_target(loaded) -> None:
    X, y = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([1.0, 2.0, 4.0])
    data = loaded((X, y))
    assert list(data.features.columns) == ["x1", "x2"]
    assert (data.target_name, data.task) == ("target", "regression")
    named = loaded((pd.DataFrame(X, columns=["a", "b"], index=[9, 9, 9]), pd.Series(y, name="out", index=[4, 5, 6])))
    assert (list(named.features.columns), named.target_name, named.target.tolist()) == (["a", "b"], "out", [1.0, 2.0, 4.0])
    assert loaded((X, y[:, None])).target.tolist() == [1.0, 2.0, 4.0]
    assert loaded((X, y), target="z").target_name == "z"


def test_a_loader_gives_a_bunch(loaded) -> None:
    X, y = np.arange(8.0).reshape(4, 2), np.array([0, 1, 1, 0])
    data = loaded(bunch(data=X, target=y, feature_names=["p", "q"], target_names=np.array(["good", "bad"])))
    assert (list(data.features.columns), data.task, data.positive) == (["p", "q"], "classification", "good")
    assert data.target.tolist() == ["good", "bad", "bad", "good"]
    assert loaded(bunch(data=X, target=y)).task == "regression"
    assert list(loaded(bunch(data=X, target=y, feature_names=["p"])).features.columns) == ["x1", "x2"]


def test_loaders_of_scikit_learn() -> None:
    plan = DatasetPlan("iris", loader="sklearn.datasets:load_iris", params={"as_frame": True})
    iris = load(experiment(), plan, "classification", read_of())
    assert iris.classes is not None
    assert (iris.n, iris.features.shape[1], iris.classes.tolist()) == (150, 4, ["setosa", "versicolor", "virginica"])
    assert iris.positive is None


def test_a_loader_gives_a_data_frame(loaded) -> None:
    frame = pd.DataFrame({
        "day": pd.to_datetime(["1970-01-02", None, "1970-01-01"]),
        "zoned": pd.to_datetime(["1970-01-02"] * 3).tz_localize("Etc/GMT-1"),
        "span": pd.to_timedelta(["1s", "2min", None]),
        "whole": pd.array([1, None, 3], dtype="Int64"),
        "flag": pd.array([True, None, False], dtype="boolean"),
        "category": pd.Categorical(["u", None, "v"]),
        "objects": pd.Series([1, 2.5, None], dtype=object),
        "mixed": pd.Series([1, "a", None], dtype=object),
        7: [1, 2, 3],
        "out": ["a", "b", "a"],
    })  # fmt: skip
    data = loaded(frame, target="out")
    assert data.texts == ["category", "mixed"]
    numbers = {name: data.features[name].tolist() for name in data.features if name not in data.texts}
    assert str(numbers) == str({
        "day": [86400.0, NAN, 0.0],
        "zoned": [82800.0] * 3,
        "span": [1.0, 120.0, NAN],
        "whole": [1.0, NAN, 3.0],
        "flag": [1.0, NAN, 0.0],
        "objects": [1.0, 2.5, NAN],
        "7": [1.0, 2.0, 3.0],
    })  # fmt: skip
    assert [cell if isinstance(cell, str) else None for cell in data.features["mixed"]] == ["1", "a", None]


def test_a_loader_gets_its_parameters_and_its_digest_follows_the_data(loaded) -> None:
    def give(n, scale=1.0):
        return np.arange(n)[:, None] * scale, np.arange(n) * 1.0

    assert loaded(give, n=5).n == 5
    assert loaded(give, n=5).digest == loaded(give, n=5).digest
    assert loaded(give, n=5).digest != loaded(give, n=5, scale=2.0).digest


def failing():
    raise ValueError("two\nlines")


def leaving():
    raise SystemExit(3)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (3, "gave a int"),
        (None, "gave a NoneType"),
        ((1, 2, 3), "gave a tuple"),
        ((np.arange(3.0), np.arange(3.0)), "gave features of 1 dimensions"),
        ((np.ones((3, 1)), np.ones((3, 2))), "gave no single target for each row"),
        ((np.ones((3, 1)), np.ones(4)), "gave no single target for each row"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "gave the column 'a' twice"),
        ((pd.DataFrame({"target": [1, 2]}), [3, 4]), "gave a target 'target' and another column of that name"),
        (failing, "failed: ValueError: two lines"),
        (leaving, "failed: SystemExit: 3"),
    ],
)
def test_what_a_loader_must_not_give(given, expected, loaded) -> None:
    with pytest.raises(BenchkitError) as raised:
        loaded(given)
    assert raised.value.message == f"data set 'd': given_by_loader:give {expected}"


def test_a_loader_that_gives_no_row_or_no_target(loaded) -> None:
    with pytest.raises(BenchkitError, match="has no rows"):
        loaded((np.ones((0, 2)), np.ones(0)))
    with pytest.raises(BenchkitError, match="which column is the target is not said"):
        loaded(pd.DataFrame({"a": [1]}))
    assert list(loaded((pd.DataFrame({"a": [1, 2], "y": [3, 4]}), pd.Series([3, 4], name="y"))).features.columns) == ["a"]
