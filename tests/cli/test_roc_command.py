"""`benchkit roc`, from files to tables, pictures and refusals."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from command_line import Run

ITEMS, VOTERS = 60, 9


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    generator = np.random.default_rng(3)
    labels = generator.integers(0, 2, ITEMS)
    rows = []
    for name, power in (("forest", 0.35), ("bag, of trees", 0.2)):
        given = (generator.random((ITEMS, VOTERS)) < 0.3 + power * labels[:, None]).astype(int)
        for j in range(ITEMS):
            votes = {f"voter{v + 1}": int(given[j, v]) for v in range(VOTERS)}
            rows.append({"ensemble": name, "item": f"i{j}", "label": labels[j], **votes})
    path = tmp_path / "votes.csv"
    pl.DataFrame(rows).write_csv(path)
    return path


def test_all_tables_in_one_document(run: Run, votes: Path) -> None:
    ran = run("roc", str(votes), "--at", "fpr=0.2", "--partial", "0.3", "-f", "json")
    assert ran.status == 0, ran.err
    document = json.loads(ran.out)
    tables = document["tables"]
    assert {row["ensemble"] for row in tables["ensembles"]} == {"forest", "bag, of trees"}
    assert [row["characteristic"] for row in tables["marks"]] == ["tpr_at_fpr", "partial_auc"] * 2
    assert {row["metric"] for row in tables["pairs"]} == {"auc", "tpr_at_fpr=0.2", "partial_auc=0.3"}
    assert len(tables["points"]) == 2 * (VOTERS + 1)
    assert document["provenance"]["seed"] == 1


def test_the_same_bytes_twice_and_from_two_shards(run: Run, votes: Path, tmp_path: Path) -> None:
    lines = votes.read_text().splitlines(keepends=True)
    shards = [tmp_path / "a.csv", tmp_path / "b.csv"]
    shards[0].write_text("".join([lines[0], *lines[1:40]]))
    shards[1].write_text("".join([lines[0], *lines[40:]]))
    for table in ("ensembles", "points", "pairs"):
        whole = run("roc", str(votes), "-f", "csv", "--table", table, "-q")
        assert whole.raw == run("roc", str(votes), "-f", "csv", "--table", table, "-q").raw
        assert whole.raw == run("roc", *map(str, shards), "-f", "csv", "--table", table, "-q").raw


def test_pairs_go_on_to_rank(run: Run, votes: Path) -> None:
    pairs = run("roc", str(votes), "--table", "pairs", "-f", "csv", "-q")
    ranked = run("rank", "-", "--table", "orders", "-f", "csv", "-q", stdin=pairs.raw)
    assert ranked.status == 0, ranked.err
    assert "forest" in ranked.out


def test_a_picture_beside_the_table(run: Run, votes: Path, tmp_path: Path) -> None:
    ran = run("roc", str(votes), "--plot", str(tmp_path / "roc.svg"), "-q")
    assert ran.status == 0, ran.err
    assert b"bag, of trees" in (tmp_path / "roc.svg").read_bytes()
    assert run("roc", str(votes), "--plot", str(tmp_path / "roc.docx")).complaint()[0].startswith("--plot cannot write")


def test_a_check_by_brute_force(run: Run, votes: Path) -> None:
    ran = run("roc", str(votes), "--where", "ensemble=forest", "--check", "200", "--table", "check", "-f", "csv")
    assert ran.status == 0, ran.err
    assert "--check" in ran.err


def test_scores(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("item,algorithm,label,score\n1,svm,0,0.1\n2,svm,1,0.9\n3,svm,0,0.2\n4,svm,1,0.15\n")
    ran = run("roc", str(path), "-f", "csv", "-q")
    assert ran.status == 0, ran.err
    assert ran.out.splitlines()[1].split(",")[2] == "delong"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--target", "deployed", "--vary", "both"), "only items vary"),
        (("--target", "prediction", "--vary", "items"), "whose voters vary"),
        (("--voters-used", "0"), "--voters-used cannot be '0'"),
        (("--at", "fpr=2"), "--at does not understand '2'"),
        (("--adjust", "tukey"), "--adjust tukey is not for ROC curves"),
        (("--adjust", "holms"), "there is no adjustment 'holms'"),
        (("--positive", "9"), "9"),
        (("--voters", "tree*"), "tree*"),
    ],
)
def test_refusals(run: Run, votes: Path, options: tuple[str, ...], said: str) -> None:
    assert said in run("roc", str(votes), *options).complaint()[0]


def test_help_says_what_is_read(run: Run) -> None:
    ran = run("roc", "--help")
    assert ran.status == 0
    assert "--voters-used" in ran.out


def test_results_are_named_as_such(run: Run) -> None:
    message, hint = run("roc", "sample_data/motorcycle.csv").complaint()
    assert "is a run table (results)" in message
    assert "roc reads votes or scores" in message
    assert "votes or scores" in hint
