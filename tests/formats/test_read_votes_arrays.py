"""NumPy's files, files of labels and weights, numbers instead of votes, and scores."""

import gzip
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from vote_samples import csv, expected, sample, source, table, wide

from benchkit.formats.source import Border


def saved(folder: Path, name: str, array: np.ndarray) -> Path:
    np.save(folder / name, array)
    return folder / name


@pytest.mark.parametrize("kind", ["u1", "?", "i8", "f4", "fortran", "packed", "gz"])
@pytest.mark.parametrize("labels", ["npy", "txt", "csv", "items.csv", "items.parquet"])
def test_arrays_take_their_labels_from_a_file(tmp_path: Path, kind: str, labels: str) -> None:
    items, classes, votes = sample(30, 13)
    packed = {"packed_voters": 13} if kind == "packed" else {}
    content = np.packbits(votes, axis=1) if packed else np.asfortranarray(votes) if kind == "fortran" else votes
    path = saved(tmp_path, "rf.npy", content.astype(kind if kind in ("?", "i8", "f4") else "u1"))
    if kind == "gz":
        path = tmp_path / "rf.npy.gz"
        path.write_bytes(gzip.compress((tmp_path / "rf.npy").read_bytes()))
    beside = tmp_path / f"labels.{labels}"
    if labels == "npy":
        np.save(beside, classes)
    elif labels == "txt":
        beside.write_text("\n".join(map(str, classes.tolist())) + "\n")
    else:
        frame = pl.DataFrame({"item": items, "label": classes})
        frame = frame if "items" in labels else frame.drop("item")
        frame.write_parquet(beside) if "parquet" in labels else frame.write_csv(beside)
    names = items if "items" in labels else [str(number) for number in range(1, 31)]
    read = source(path, labels=str(beside), **packed)
    assert table(read) == {"rf": expected(names, classes, votes)}
    assert list(read.digests()) == [str(path), str(beside)]


def test_several_arrays_share_labels_and_shards_follow_each_other(tmp_path: Path) -> None:
    _, classes, votes = sample(10, 4)
    labels = str(saved(tmp_path, "y.npy", classes))
    whole = saved(tmp_path, "a.npy", votes)
    saved(tmp_path, "b1.npy", votes[:3])
    saved(tmp_path, "b2.npy", votes[3:])
    right = expected([str(number) for number in range(1, 11)], classes, votes)
    read = source(whole, f"b={tmp_path}/b1.npy", f"b={tmp_path}/b2.npy", labels=labels)
    assert table(read) == {"a": right, "b": right}


def test_labels_by_name_go_with_any_order_of_rows(tmp_path: Path) -> None:
    items, classes, votes = sample(10, 4)
    wide(items, classes, votes).drop("label").sample(fraction=1, shuffle=True, seed=1).write_csv(tmp_path / "a.csv")
    pl.DataFrame({"item": items, "label": classes}).reverse().write_csv(tmp_path / "y.csv")
    assert table(source(tmp_path / "a.csv", labels=str(tmp_path / "y.csv"))) == {"a": expected(items, classes, votes)}


@pytest.mark.parametrize("form", ["a.npy", "a.csv", "a.parquet", "long.csv"])
def test_numbers_of_members_are_values(tmp_path: Path, form: str) -> None:
    values = np.array([[0.25, 0.5, 1.0], [0.75, np.nan, 0.5], [0.0, 0.125, 1.0]])
    frame = pl.DataFrame({"item": ["1", "2", "3"], "label": [1, 0, 1]}).hstack(pl.DataFrame(values, schema=["m1", "m2", "m3"]))
    path = tmp_path / form
    labels = None
    if form == "a.npy":
        saved(tmp_path, form, values)
        labels = str(saved(tmp_path, "y.npy", np.array([1, 0, 1])))
    elif form == "long.csv":
        frame.unpivot(index=["item", "label"], variable_name="voter", value_name="vote").fill_nan(None).write_csv(path)
    else:
        frame = frame.with_columns(pl.col("^m.$").fill_nan(None))
        frame.write_csv(path) if form == "a.csv" else frame.write_parquet(path)
    read = source(path, labels=labels)
    assert read.kind == "values"
    (block,) = read.blocks()
    assert block.values is not None
    assert (block.values.tolist(), block.labels.tolist(), list(block.items)) == (values[[0, 2]].tolist(), [1, 1], ["1", "3"])
    assert "1 of 3 items have missing votes (1 in all)" in read.notes[-1].message


def test_regression_has_numbers_as_labels(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("item,label,t1,t2\nx,1.5,1,2\ny,-3,0,7\n")
    read = source(tmp_path / "a.csv", regression=True)
    (block,) = read.blocks()
    assert block.values is not None
    assert block.targets is not None
    assert (read.kind, read.regression) == ("values", True)
    assert (block.values.tolist(), block.targets.tolist()) == ([[1, 2], [0, 7]], [1.5, -3])


def test_weights_belong_to_voters_by_name(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(csv(wide(*sample(4, 2))))
    (tmp_path / "w.csv").write_text("voter,weight\ntree_1,2\ntree_0,0.5\nother,1\n")
    read = source(tmp_path / "a.csv", weights=str(tmp_path / "w.csv"))
    assert read.weights == {"tree_1": 2, "tree_0": 0.5, "other": 1}
    assert list(read.digests()) == [str(tmp_path / name) for name in ("a.csv", "w.csv")]


PREDICTIONS = "dataset,replicate,item,algorithm,label,prediction,score\nd,1,x,rf,b,b,0.9\nd,1,y,rf,a,b,\nd,1,x,lm,b,a,0.25\n"


def test_scores_are_a_lazy_frame(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(PREDICTIONS)
    read = source(tmp_path / "p.csv", positive="b")
    assert (read.kind, list(read.blocks()), read.positive) == ("scores", [], "b")
    assert read.scores is not None
    assert read.scores.collect_schema() == {"item": pl.String, "algorithm": pl.String, "label": pl.Int8, "score": pl.Float64}
    assert read.scores.collect().rows() == [("x", "rf", 1, 0.9), ("x", "lm", 1, 0.25)]
    assert [note.message for note in read.notes] == ["1 of 3 scores are missing and left out"]


def test_scores_of_several_files_are_named_by_them(tmp_path: Path) -> None:
    (tmp_path / "rf.csv").write_text("label,p\n1,0.9\n0,0.1\n")
    pl.DataFrame({"label": [True, False], "p": [0.5, 1]}).write_parquet(tmp_path / "x.parquet")
    read = source(tmp_path / "rf.csv", f"lm={tmp_path}/x.parquet", border=Border(rename=["p=score"]))
    assert read.scores is not None
    rows = [("1", "rf", 1, 0.9), ("2", "rf", 0, 0.1), ("1", "lm", 1, 0.5), ("2", "lm", 0, 1.0)]
    assert read.scores.collect().rows() == rows


def test_scores_take_labels_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "rf.csv").write_text("item,score\nx,0.9\ny,0.1\n")
    (tmp_path / "y.csv").write_text("item,label\ny,1\nx,0\n")
    read = source(tmp_path / "rf.csv", labels=str(tmp_path / "y.csv"))
    assert read.scores is not None
    assert read.scores.collect().rows() == [("x", "rf", 0, 0.9), ("y", "rf", 1, 0.1)]
