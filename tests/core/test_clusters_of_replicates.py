"""--cluster: which replicates belong together, and which method answers then."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
import pytest

from benchkit.core.blocks import Reading, experiments
from benchkit.core.compare import compare
from benchkit.core.question import Question
from benchkit.errors import BenchkitError

PASSAGES = {
    "item": ["q1", "q2", "q3", "q1", "q2", "q3"],
    "passage": [1, 1, 2, 1, 1, 2],
    "algorithm": list("aaabbb"),
    "performance": [1.0, 2.0, 3.0, 1.5, 2.0, 5.0],
}
SAMPLES = {
    "item": ["q1", "q1", "q2", "q2"] * 2,
    "replicate": ["1", "2", "1", "2"] * 2,
    "algorithm": list("aaaabbbb"),
    "performance": [1.0, 2.0, 3.0, 4.0, 2.0, 3.0, 5.0, 4.0],
}


def read(columns: Mapping[str, Sequence[object]], cluster: str, kind: str = "results") -> Reading:
    return experiments(pl.DataFrame(columns).lazy(), kind, {None: "lower"}, cluster=cluster)


def new_generator() -> np.random.Generator:
    return np.random.default_rng(1)


def test_items_of_passages() -> None:
    one = read(PASSAGES, "passage").experiments[0]
    assert one.clusters is not None
    assert (one.clusters.tolist(), one.cluster_names) == ([0, 0, 1], ("1", "2"))
    assert one.blocks_counted == "3 items in 2 clusters"


def test_samples_that_are_numbered_anew_within_each_item() -> None:
    one = read(SAMPLES, "item").experiments[0]
    assert one.clusters is not None
    assert one.replicates == ("q1/1", "q1/2", "q2/1", "q2/2")
    assert one.clusters.tolist() == [0, 0, 1, 1]
    np.testing.assert_array_equal(one.values, [[1, 2], [2, 3], [3, 5], [4, 4]])


def test_predictions_of_items_that_appear_in_several_replicates() -> None:
    columns = {
        "replicate": ["1", "1", "2", "2"] * 2,
        "item": ["q1", "q2"] * 4,
        "algorithm": list("aaaabbbb"),
        "label": list("xyxyxyxy"),
        "prediction": list("xyxxyyxy"),
    }
    one = read(columns, "item", "predictions").experiments[0]
    assert one.clusters is not None
    assert one.clusters.tolist() == [0, 1, 0, 1]
    assert one.values.tolist() == [[1.0, 0.0], [1.0, 1.0], [1.0, 1.0], [0.0, 1.0]]
    with pytest.raises(BenchkitError, match="several replicates") as refusal:
        experiments(pl.DataFrame(columns).lazy(), "predictions", {})
    assert "--cluster item" in refusal.value.hint


def test_plain_test_takes_cluster_t_by_hand() -> None:
    result = compare(read(SAMPLES, "item"), Question(options={"cluster": "item"}), new_generator)
    row = result.tables["pairs"].row(0, named=True)
    # sums of a - b are -2 for q1 and -2 for q2: no variation between clusters
    assert (row["method"], row["estimate"], row["clusters"], row["std_error"]) == ("cluster-t", -1.0, 2.0, 0.0)
    assert row["effect"] is not None
    assert row["effect_low"] is None  # an interval would take samples for independent
    chosen = next(note.message for note in result.notes if note.code == "chosen-method")
    assert "--method cluster-t" in chosen
    assert "--cluster item" in chosen


def test_bad_clusters_are_refused() -> None:
    with pytest.raises(BenchkitError, match="no column 'page'"):
        read(PASSAGES, "page")
    with pytest.raises(BenchkitError, match="replicate 'q1' lies in several clusters"):
        read({**PASSAGES, "passage": [1, 1, 2, 2, 1, 2]}, "passage")
    with pytest.raises(BenchkitError, match="1 of 6 rows name no cluster"):
        read({**PASSAGES, "passage": [1, 1, 2, None, 1, 2]}, "passage")
    without = experiments(pl.DataFrame(PASSAGES).lazy(), "results", {None: "lower"})
    with pytest.raises(BenchkitError, match="what belongs together"):
        compare(without, Question("cluster-t"), new_generator)
