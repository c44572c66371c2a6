"""What is wrong with files of votes: one error and one hint, with the place."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from vote_samples import csv, fault, sample, source, wide

from benchkit.errors import BenchkitError
from benchkit.formats.source import Border
from benchkit.formats.votes import digits, reading

HEAD = "item,label,t1,t2\n"


@pytest.mark.parametrize(
    ("content", "options", "message", "hint"),
    [
        (HEAD + "x,1,0,1\ny,0,2,1\n", {"voters": "t*"}, "a.csv line 3, column t1: '2' is not a vote", "0 or 1"),
        (HEAD + "x,1,0,1\ny,0,1,no\n", {"voters": "t*"}, "a.csv line 3, column t2: 'no' is not a vote", "--voters"),
        (HEAD + "x,1,0,1\n", {"voters": "v*"}, "--voters v*: a.csv has no such column (it has: item, label, t1, t2)", "tree_*"),
        (HEAD + "x,1,0,1\nx,0,1,1\n", {}, "the ensemble a has the item 'x' 2 times (in a.csv)", "NAME=FILE"),
        (HEAD + "x,,0,1\n", {}, "a.csv line 2, column label: it is empty", "true label"),
        (HEAD + ",1,0,1\n", {}, "a.csv line 2, column item: it is empty", "names its item"),
        (
            HEAD + "x,b,0,1\ny,a,0,1\n",
            {},
            "a.csv, column label: it is not clear which is the positive class (labels: a, b)",
            "--positive b",
        ),
        (HEAD + "x,b,0,1\ny,a,0,1\n", {"positive": "c"}, "--positive: 'c' is no label of a.csv (it has: a, b)", "--positive b"),
        (
            HEAD + "x,b,0,1\ny,a,0,1\nz,c,0,1\n",
            {"positive": "a"},
            "a.csv, column label: there are more than two classes (labels: a, b, c)",
            "--where label=a,b",
        ),
        (HEAD + "x,b,0,1\n", {"regression": True}, "a.csv line 2, column label: 'b' is not a number", "numbers"),
        (HEAD + "x,1,,1\ny,0,1,NA\n", {}, "every item of the ensemble a has missing votes (2 in all)", "--voters"),
        ("item,t1\nx,1\n", {}, "a.csv has no column 'label' (it has: item, t1)", "--labels FILE"),
        ("item,label,name\nx,1,b\n", {}, "a.csv has no votes (it has: item, label, name)", "--voters PATTERN"),
        ("ensemble,item,label,voter1\na,x,1,\nb,x,1,1\n", {}, "the ensemble a has no votes at all", "--where"),
        ("ensemble,item,label,voter1\n,x,1,1\n", {}, "a.csv line 2, column ensemble: it is empty", "names its ensemble"),
        (
            "replicate,item,label,voter1\n2,x,1,1\n10,x,1,1\n",
            {},
            "a.csv holds several replicates (2, 10), and one curve is about one of them",
            "choose one, such as --where replicate=2",
        ),
        (
            "dataset,item,label,voter1\niris,x,1,1\na b,x,1,1\n",
            {},
            "a.csv holds several data sets (a b, iris)",
            "--where 'dataset=a b'",
        ),
        ("item,label,votes,voters\nx,1,3,2\n", {}, "a.csv line 2, column votes: 3 of 2 voters cannot be", "positive class"),
        (
            "item,label,votes,voters\nx,1,1,2\ny,1,1,3\n",
            {},
            "a.csv line 3, column voters: 3, but others have 2",
            "different sizes",
        ),
        (
            "item,label,votes,voters\nx,1,1,a\n",
            {},
            "a.csv, column voters: it does not say how many voters there are",
            "whole number",
        ),
        ("item,label,votes,voters\nx,1,b,2\n", {}, "a.csv line 2, column votes: 'b' is not a number", "missing"),
        (
            "item,voter,vote,label\nx,a,1,1\nx,a,0,1\n",
            {},
            "a.csv has several votes of the voter 'a' on the item 'x' (ensemble a)",
            "one row",
        ),
        ("item,voter,vote,label\nx,a,1,1\nx,b,0,0\n", {}, "a.csv: the item 'x' has several labels (0, 1)", "one true label"),
        ("item,voter,vote,label\nx,,1,1\n", {}, "a.csv line 2, column voter: it is empty", "its voter"),
        ("item,voter,vote,label\nx,a,3,1\n", {}, "a.csv line 2, column vote: '3' is not a vote", "0 or 1"),
        ("voter,vote,label\na,3,1\n", {}, "a.csv has no column 'item' (it has: voter, vote, label)", "item, voter and vote"),
        ("item,label,score\nx,1,high\n", {}, "a.csv line 2, column score: 'high' is not a number", "missing"),
        ("item,label,score\nx,1,\n", {}, "a.csv, column score: every score is missing", "positive class"),
        ("item,label,score\nx,1,1\nx,1,2\n", {}, "a.csv has 2 scores of a for the item 'x'", "--where"),
        (
            "item,label,score\nx,b,1\n",
            {},
            "a.csv, column label: it is not clear which is the positive class (labels: b)",
            "--positive b",
        ),
        ("item,label,m1\nx,1,0.5\ny,1,often\n", {"voters": "m*"}, "a.csv line 3, column m1: 'often' is not a number", "missing"),
    ],
)  # fmt: skip
def test_faults_are_named_with_their_place(
    tmp_path: Path, content: str, options: dict[str, Any], message: str, hint: str
) -> None:
    path = tmp_path / "a.csv"
    path.write_text(content)
    found = fault(path, **options)
    assert found[0].startswith(message)
    assert hint in found[1]


def test_a_fault_far_down_in_a_long_text_of_digits_has_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = csv(wide(*sample(200, 80))).decode().splitlines()
    monkeypatch.setattr(reading, "HEAD", 2000)
    monkeypatch.setattr(digits, "BLOCK", 3000)
    path = tmp_path / "a.csv"
    for line, text, message in (
        (150, lines[150][:-1] + "7", "a.csv line 151, column tree_79: '7' is not a vote"),
        (150, lines[150] + ",1", "a.csv line 151 has 83 fields, but the header has 82"),
        (150, lines[150][:-2], "a.csv line 151 has 81 fields, but the header has 82"),
        (150, lines[149], "the ensemble a has the item 'item 148' 2 times (in a.csv)"),
        (150, "item 9," + lines[150].partition(",")[2].replace("1", "b", 1), "a.csv"),
    ):
        path.write_text("\n".join([*lines[:line], text, *lines[line + 1 :]]) + "\n")
        assert fault(path)[0].startswith(message)


def test_votes_in_parquet_are_named_by_row_even_with_where(tmp_path: Path) -> None:
    frame = pl.DataFrame({"ensemble": ["a", "b", "b"], "item": ["x", "x", "y"], "label": 1, "voter1": [1, 0, 3]})
    frame.write_parquet(tmp_path / "a.parquet")
    assert (
        fault(tmp_path / "a.parquet", border=Border(where=["ensemble=b"]))[0]
        == "a.parquet row 3, column voter1: '3' is not a vote"
    )
    assert "'c' never occurs" in fault(tmp_path / "a.parquet", border=Border(where=["ensemble=c"]))[0]
    assert "no column 'x'" in fault(tmp_path / "a.parquet", border=Border(rename=["x=item"]))[0]


def test_packed_cells_have_one_length_and_no_further_bits(tmp_path: Path) -> None:
    def packed(*cells: bytes, **columns: Any) -> tuple[str, str]:
        frame = pl.DataFrame({"label": 1, "bits": pl.Series(cells, dtype=pl.Binary), **columns})
        frame.write_parquet(tmp_path / "a.parquet")
        return fault(tmp_path / "a.parquet")

    assert packed(b"ab", b"abc")[0] == "a.parquet row 2, column bits: it has 3 bytes, others have 2"
    assert packed(b"ab", voters=17)[0] == "a.parquet, column bits: 17 voters need 3 bytes, but a cell has 2"
    assert packed(b"aa", b"ab", voters=15)[0] == "a.parquet row 1, column bits: a bit beyond the last of 15 voters is set"
    assert packed(b"`", b"`", voters=pl.Series([5, 3]))[0] == "a.parquet row 2, column voters: 3, but others have 5"


def test_packed_bits_without_their_number_are_told(tmp_path: Path) -> None:
    frame = pl.DataFrame({"label": [1, 0], "bits": pl.Series([b"ab", b"bc"], dtype=pl.Binary)})
    frame.write_parquet(tmp_path / "a.parquet")
    read = source(tmp_path / "a.parquet")
    (said,) = [note.message for note in read.notes if note.code == "packed-voters"]
    assert said.endswith("packed bits are taken for 16 voters, 8 for each byte; a column 'voters' says how many there are")
    frame.with_columns(voters=16).write_parquet(tmp_path / "a.parquet")
    assert not source(tmp_path / "a.parquet").notes


def test_numbers_of_voters_have_a_limit(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("item,label,votes,voters\nx,1,3,1000001\n")
    message, hint = fault(tmp_path / "a.csv")
    assert message == "a.csv, column voters: 1000001 voters are more than 1000000, up to which they are counted"
    assert "number of voters" in hint


def test_shards_of_one_ensemble_have_the_same_voters(tmp_path: Path) -> None:
    wide(*sample(3, 4)).write_csv(tmp_path / "1.csv")
    wide(*sample(3, 5)).write_csv(tmp_path / "2.csv")
    message, hint = fault(f"rf={tmp_path}/1.csv", f"rf={tmp_path}/2.csv")
    assert message == "1.csv and 2.csv have other voters, and both belong to the ensemble rf: 1.csv lacks tree_4"
    assert "NAME=FILE" in hint
    wide(*sample(3, 4)).write_csv(tmp_path / "2.csv")
    message, _ = fault(f"rf={tmp_path}/1.csv", f"rf={tmp_path}/2.csv")
    assert message == "the ensemble rf has the item 'item 0' 2 times (in 1.csv, 2.csv)"
    (tmp_path / "2.csv").write_text("item,label,m1\nx,1,0.5\n")
    assert fault(tmp_path / "1.csv", tmp_path / "2.csv")[0] == "1.csv holds votes, but another file holds values"
    (tmp_path / "2.csv").write_text("item,label,score\nx,1,0.5\n")
    assert fault(tmp_path / "1.csv", tmp_path / "2.csv")[0] == "2.csv holds scores, but another file holds votes"


@pytest.mark.parametrize(
    ("array", "options", "message", "hint"),
    [
        (np.array([[0, 1], [3, 1]], np.uint8), {}, "a.npy row 2, column 1: 3 is not a vote", "--packed-voters"),
        (np.array([[0, 1], [-1, 1]]), {}, "a.npy row 2, column 1: '-1' is not a vote", "0 or 1"),
        (np.array([[0, 1], [0, 3.0]]), {}, "a.npy", ""),
        (np.array([0, 1]), {}, "a.npy holds int64 of shape (2,), not votes", "items x voters"),
        (np.array([["a"]]), {}, "a.npy holds <U1 of shape (1, 1), not votes", "items x voters"),
        (
            np.zeros((2, 3), np.uint8),
            {"packed_voters": 30},
            "a.npy holds 3 columns of uint8, but 30 voters are packed into 4",
            "0 and 1",
        ),
        (
            np.full((2, 3), 255, np.uint8),
            {"packed_voters": 20},
            "a.npy row 1: a bit beyond the last of 20 voters is set",
            "packbits",
        ),
        (np.zeros((3, 3), np.uint8), {}, "y.npy has 2 labels, but a.npy has more rows", "one label for each row"),
        (np.zeros((1, 3), np.uint8), {}, "y.npy has 2 labels, but the ensemble a has 1 rows", "one label for each row"),
        (np.array([[None]]), {}, "a.npy is not a readable .npy file", "never read"),
    ],
)  # fmt: skip
def test_faults_of_arrays(tmp_path: Path, array: np.ndarray, options: dict[str, Any], message: str, hint: str) -> None:
    np.save(tmp_path / "a.npy", array, allow_pickle=True)
    np.save(tmp_path / "y.npy", np.array([1, 0]))
    if message == "a.npy":
        assert source(tmp_path / "a.npy", labels=str(tmp_path / "y.npy")).kind == "values"
        return
    found = fault(tmp_path / "a.npy", labels=str(tmp_path / "y.npy"), **options)
    assert found[0].replace(f"{tmp_path}/", "").startswith(message)
    assert hint in found[1]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("voter,weight\nt1,1\n", "w.csv has no weight for the voter 't2' of a.csv"),
        ("voter,weight\nt1,-1\n", "w.csv line 2: '-1' is not a weight of a voter"),
        ("voter,weight\nt1,0\nt2,0\n", "w.csv: all weights are 0"),
        ("voter,weight\nt1,1\nt1,2\n", "'w.csv' has the voter 't1' twice"),
        ("voter,w\nt1,1\n", "w.csv has no column 'weight' (it has: voter, w)"),
    ],
)
def test_faults_of_weights(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "a.csv").write_text(HEAD + "x,1,0,1\n")
    (tmp_path / "w.csv").write_text(content)
    assert fault(tmp_path / "a.csv", weights=str(tmp_path / "w.csv"))[0].replace(f"{tmp_path}/", "") == message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("item,label\ny,1\n", "y.csv has no label for the item 'x'"),
        ("item,label\nx,1\nx,0\n", "y.csv has the item 'x' twice"),
        ("item,class\nx,1\n", "y.csv has no column 'label' (it has: item, class)"),
    ],
)
def test_faults_of_labels(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "a.csv").write_text("item,t1,t2\nx,0,1\n")
    (tmp_path / "y.csv").write_text(content)
    assert fault(tmp_path / "a.csv", labels=str(tmp_path / "y.csv"))[0].replace(f"{tmp_path}/", "") == message


def test_an_array_without_labels_asks_for_them(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros((2, 2), np.uint8))
    assert fault(tmp_path / "a.npy") == ("a.npy holds votes without labels", "give them with --labels FILE")


def test_no_input_is_said(tmp_path: Path) -> None:
    for content, message in ((b"", "standard input is empty"), (b"item,label,a\n", "standard input has a header but no rows")):
        with pytest.raises(BenchkitError, match=message):
            source(stdin=content)
    with pytest.raises(BenchkitError, match="there is no file"):
        source(tmp_path / "nothing.csv")
    (tmp_path / "a.csv").write_text(HEAD + "x,1,0,1\n")
    (tmp_path / "unlabelled.csv").write_text("item,t1,t2\nx,0,1\n")
    for option, file in (("labels", "unlabelled.csv"), ("weights", "a.csv")):
        beside: dict[str, Any] = {option: str(tmp_path / "nothing.csv")}
        with pytest.raises(BenchkitError, match="cannot be read: no such file"):
            source(tmp_path / file, **beside)


FORMS = {
    "columns": pl.DataFrame({"item": ["x"], "label": [1], "voter1": [1]}),
    "packed": pl.DataFrame({"item": ["x"], "label": [1], "packed": [b"a"], "voters": [8]}),
    "counts": pl.DataFrame({"item": ["x"], "label": [1], "votes": [1], "voters": [8]}),
    "long": pl.DataFrame({"item": ["x"], "label": [1], "voter": ["a"], "vote": [1]}),
    "values": pl.DataFrame({"item": ["x"], "label": [1], "voter1": [0.5]}),
    "scores": pl.DataFrame({"item": ["x"], "label": [1], "algorithm": ["a"], "score": [0.5]}),
    "unnamed": pl.DataFrame({"item": ["x"], "label": [1], "t1": [1]}),
}


@pytest.mark.parametrize("form", FORMS)
def test_no_rows_are_said_with_the_file(tmp_path: Path, form: str) -> None:
    FORMS[form].head(0).write_parquet(tmp_path / "a.parquet")
    assert fault(tmp_path / "a.parquet")[0] == "a.parquet has no rows"


def test_conditions_that_keep_no_row(tmp_path: Path) -> None:
    for form in ("columns", "scores"):
        pl.concat([FORMS[form], FORMS[form].with_columns(item=pl.lit("y"))]).write_csv(tmp_path / "a.csv")
        found = fault(tmp_path / "a.csv", border=Border(where=["item=x", "item=y"]))
        assert found == ("a.csv: --where keeps no row", "give conditions that some rows meet")


def test_scores_whose_items_are_all_empty_are_numbered(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("item,algorithm,label,score\n,svm,0,0.5\n,svm,1,0.6\n")
    scores = source(tmp_path / "a.csv").scores
    assert scores is not None
    assert scores.collect()["item"].to_list() == ["1", "2"]


def test_three_classes_keep_the_one_that_was_named(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(HEAD + "x,b,0,1\ny,a,0,1\nz,c,0,1\n")
    assert fault(tmp_path / "a.csv", positive="c")[1] == "keep two of them, such as --where label=a,c"
    assert fault(tmp_path / "a.csv")[1].startswith("keep two of them, such as --where label=a,b --positive b, or use")
    np.save(tmp_path / "a.npy", np.zeros((3, 2), np.uint8))
    (tmp_path / "y.csv").write_text("label\na\nb\nc\n")
    message, hint = fault(tmp_path / "a.npy", labels=str(tmp_path / "y.csv"), positive="a")
    assert message.endswith("y.csv has more than two classes (labels: a, b, c)")
    assert "--where" not in hint


@pytest.mark.parametrize(
    ("labels", "positive"),
    [("-1 1", "1"), ("1 2", "1"), ("1 sick", "1"), ("-1 -10", "-1"), ("10 9", "10"), ("no yes", "yes"), ("well ill", "well"),
     ("positive negative", "positive"), ("+1 -1", "+1"), ("TRUE no", "TRUE")],
)  # fmt: skip
def test_the_hint_names_the_class_that_is_likely_the_positive_one(tmp_path: Path, labels: str, positive: str) -> None:
    first, second = labels.split()
    path = tmp_path / "a.csv"
    path.write_text(HEAD + f"x,{first},0,1\ny,{second},1,0\n")
    assert fault(path)[1] == f"--positive {positive}"
    assert fault(path, positive="other")[1] == f"--positive {positive}"
