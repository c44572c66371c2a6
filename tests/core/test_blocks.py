"""From rows to experiments: keys, missing cells, duplicates, directions, blocks."""

import numpy as np
import polars as pl
import pytest
from in_memory import Read

from benchkit.core.blocks import experiments
from benchkit.errors import BenchkitError


def test_pairing_is_by_key_not_by_row_order(read: Read) -> None:
    columns = {"replicate": ["2", "1", "10", "1", "10", "2"], "algorithm": list("baabba"), "performance": [1, 2, 3, 4, 5, 6]}
    one = read(columns).experiments[0]
    assert one.replicates == ("1", "2", "10")
    assert one.values.tolist() == [[2.0, 4.0], [6.0, 1.0], [3.0, 5.0]]


def test_absent_null_and_failed_are_the_same(read: Read) -> None:
    base = {"replicate": ["1", "1", "2"], "algorithm": ["a", "b", "a"], "performance": [1.0, 2.0, 3.0]}
    absent = read(base).experiments[0].values
    null = {name: [*values, extra] for (name, values), extra in zip(base.items(), ("2", "b", None), strict=True)}
    failed = {
        **{name: [*v, e] for (name, v), e in zip(base.items(), ("2", "b", 0.0), strict=True)},
        "status": ["ok"] * 3 + ["failed"],
    }
    np.testing.assert_array_equal(read(null).experiments[0].values, absent)
    np.testing.assert_array_equal(read(failed).experiments[0].values, absent)
    assert [note.message for note in read(failed).notes] == ["1 fit failed, missing here: b 1"]


def test_duplicates_name_keys_and_the_way_out(read: Read) -> None:
    columns = {
        "replicate": ["1", "1", "2", "2"], "algorithm": ["knn"] * 4, "performance": [1.0, 2.0, 3.0, 4.0],
        "depth": ["shallow", "deep", "shallow", "deep"],
    }  # fmt: skip
    with pytest.raises(BenchkitError) as caught:
        read(columns)
    assert caught.value.message == "2 cells have several rows: knn in 1; knn in 2"
    assert caught.value.hint == "the column 'depth' tells them apart: --where depth=shallow, or --duplicates mean averages them"
    assert read(columns, duplicates="mean").experiments[0].values.tolist() == [[1.5], [3.5]]


def test_blocks_from_repeat_and_fold(read: Read) -> None:
    columns = {"repeat": ["1", "1", "2", "2"], "fold": ["1", "2", "1", "2"], "algorithm": ["a"] * 4, "performance": [1, 2, 3, 4]}
    assert read(columns).experiments[0].replicates == ("1/1", "1/2", "2/1", "2/2")


def test_datasets_become_blocks(read: Read) -> None:
    columns = {"dataset": ["iris", "iris", "wine", "wine"], "algorithm": list("abab"), "performance": [1, 2, 3, 4]}
    reading = read(columns)
    assert reading.experiments[0].block == "data set"
    assert reading.experiments[0].replicates == ("iris", "wine")
    assert [note.code for note in reading.notes] == ["datasets-as-blocks"]
    constant = read({**columns, "replicate": ["0.0"] * 4})
    assert constant.experiments[0].replicates == ("iris", "wine")


def test_no_blocks_names_the_columns(read: Read) -> None:
    with pytest.raises(
        BenchkitError, match=r"no column tells the replicates apart \(beside algorithm and performance: run\)"
    ) as caught:
        read({"algorithm": list("aabb"), "performance": [1, 2, 3, 4], "run": [1, 2, 1, 2]})
    assert caught.value.hint == "--rename run=replicate"


def test_several_metrics_have_their_own_direction() -> None:
    frame = pl.DataFrame(
        {"metric": ["mse", "accuracy"] * 2, "replicate": ["1", "1", "2", "2"], "algorithm": "a", "performance": [1.0, 2, 3, 4]}
    )
    found = experiments(frame.lazy(), "results", {}).experiments
    assert [(one.metric, one.better) for one in found] == [("accuracy", "higher"), ("mse", "lower")]


def test_a_column_that_contradicts_itself(read: Read) -> None:
    columns = {"replicate": ["1", "2"], "algorithm": ["a", "a"], "performance": [1, 2], "better": ["lower", "higher"]}
    with pytest.raises(BenchkitError, match="higher and lower"):
        read(columns, better=None)


def test_predictions_become_accuracies() -> None:
    frame = pl.DataFrame(
        {
            "item": ["1", "1", "2", "2"],
            "algorithm": list("abab"),
            "label": ["x", "x", "y", "y"],
            "prediction": ["x", "y", "y", None],
        }
    )
    one = experiments(frame.lazy(), "predictions", {}).experiments[0]
    assert (one.metric, one.better) == ("accuracy", "higher")
    np.testing.assert_array_equal(one.values, [[1.0, 0.0], [1.0, np.nan]])


def test_items_in_several_replicates_are_refused() -> None:
    frame = pl.DataFrame({"replicate": ["1", "2"], "item": ["1", "1"], "algorithm": "a", "label": "x", "prediction": "x"})
    with pytest.raises(BenchkitError, match="items appear in several replicates"):
        experiments(frame.lazy(), "predictions", {})


def test_a_direction_for_a_metric_that_was_not_measured(read: Read) -> None:
    columns = {"metric": ["auc"] * 2, "replicate": ["1", "1"], "algorithm": ["a", "b"], "performance": [1, 2]}
    with pytest.raises(BenchkitError, match="--better names the metric 'aucc'") as caught:
        read(columns, better="aucc=lower")
    assert caught.value.hint == "did you mean auc?"


def test_folds_and_items_are_told_apart(read: Read) -> None:
    base = {"algorithm": list("abab"), "performance": [1, 2, 3, 4]}
    fold = read({**base, "fold": ["1", "1", "2", "2"]}).experiments[0]
    item = read({**base, "item": ["1", "1", "2", "2"]}).experiments[0]
    assert (fold.block, fold.resampling_kind) == ("fold", "folds")
    assert (item.block, item.blocks_counted) == ("item", "2 items")
