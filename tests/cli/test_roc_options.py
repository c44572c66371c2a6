"""Every option of `roc` on every kind of input: it changes the answer, or it is refused."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from command_line import Ran, Run

ITEMS, VOTERS = 50, 9
NAMES = [f"voter{number + 1}" for number in range(VOTERS)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the same three ensembles in every form."""
    folder = tmp_path_factory.mktemp("kinds")
    generator = np.random.default_rng(3)
    labels = generator.integers(0, 2, ITEMS)
    noise = generator.normal(size=ITEMS)
    np.savetxt(folder / "labels.txt", labels, fmt="%d")
    parts: dict[str, list[pl.DataFrame]] = {name: [] for name in ("columns", "packed", "counts", "values", "numbers", "scores")}
    for name, power in (("a", 0.1), ("b", 0.2), ("c", 0.3)):
        votes = (generator.random((ITEMS, VOTERS)) < 0.3 + power * labels[:, None]).astype(np.uint8)
        bits = np.packbits(votes, axis=1)
        np.save(folder / f"{name}.npy", votes)
        np.save(folder / f"{name}-packed.npy", bits)
        keys = pl.DataFrame({"ensemble": [name] * ITEMS, "item": [f"i{row}" for row in range(ITEMS)], "label": labels})
        said = 0.5 * generator.random((ITEMS, VOTERS)) + power * labels[:, None]
        parts["columns"].append(pl.concat([keys, pl.DataFrame(votes, schema=NAMES)], how="horizontal"))
        parts["values"].append(pl.concat([keys, pl.DataFrame(said, schema=NAMES)], how="horizontal"))
        parts["numbers"].append(parts["values"][-1].with_columns(label=pl.Series(labels + noise)))
        parts["packed"].append(keys.with_columns(packed=pl.Series([bytes(row) for row in bits]), voters=pl.lit(VOTERS)))
        parts["counts"].append(keys.with_columns(votes=pl.Series(votes.sum(axis=1)), voters=pl.lit(VOTERS)))
        parts["scores"].append(keys.rename({"ensemble": "algorithm"}).with_columns(score=pl.Series(said[:, 0])))
    tables = {name: pl.concat(frames) for name, frames in parts.items()}
    tables["long"] = tables["columns"].unpivot(
        NAMES, index=["ensemble", "item", "label"], variable_name="voter", value_name="vote"
    )
    for name, table in tables.items():
        table.write_parquet(folder / f"{name}.parquet")
    pl.DataFrame({"voter": NAMES, "weight": [1.0] * (VOTERS - 1) + [3.0]}).write_csv(folder / "weights.csv")
    return folder


ARRAYS = ["a.npy", "b.npy", "c.npy", "--labels", "labels.txt"]
KINDS: dict[str, list[str]] = {
    "columns": ["columns.parquet"],
    "packed": ["packed.parquet"],
    "counts": ["counts.parquet"],
    "long": ["long.parquet"],
    "npy": ARRAYS,
    "packed npy": [name.replace(".npy", "-packed.npy") for name in ARRAYS] + ["--packed-voters", str(VOTERS)],
    "values": ["values.parquet", "--draws", "150"],
    "weighted": ["columns.parquet", "--weights", "weights.csv", "--draws", "150"],
    "regression": ["numbers.parquet", "--regression", "--draws", "150"],
    "scores": ["scores.parquet"],
}
MEMBERS = {"values", "weighted", "regression"}
ARRAY = {"npy", "packed npy"}
# the option, and the kinds of input for which it is refused
OPTIONS: dict[tuple[str, ...], set[str]] = {
    ("--voters", "voter[1-6]"): {"packed", "counts", "long", *ARRAY, "scores"},
    ("--labels", "labels.txt"): set(KINDS) - ARRAY,
    ("--positive", "0"): {"regression"},
    ("--weights", "weights.csv"): {"counts", "scores"},
    ("--packed-voters", "9"): set(KINDS) - {"packed npy"},
    ("--regression",): {"counts", "scores"},
    ("--where", "item!=i1"): ARRAY,
    ("--rename", "item=replicate"): set(KINDS),  # several replicates, or no columns
    ("--voters-used", "4"): {"scores"},
    ("--vary", "voters"): {"counts", "scores"},
    ("--target", "mean"): {"counts", "scores", *MEMBERS},
    ("--variance", "paper"): {"scores", *MEMBERS},
    ("--resample", "with"): {"scores"},
    ("--at", "fpr=0.2"): {"regression"},
    ("--partial", "0.3"): {"regression"},
    ("--check", "100"): MEMBERS,
    ("--draws", "120"): set(KINDS) - MEMBERS,
    ("--plot", "curves.svg"): {"regression"},
    ("--adjust", "hochberg"): set(),
    ("--margin", "0.01"): set(),
    ("--level", "0.9"): set(),
}


def asked(run: Run, folder: Path, words: list[str]) -> Ran:
    """Run roc with the names of files taken from the folder."""
    files = (".parquet", ".npy", ".csv", ".txt", ".svg")
    return run("roc", *(str(folder / word) if word.endswith(files) else word for word in words))


@pytest.mark.parametrize("kind", KINDS)
def test_an_option_changes_the_answer_or_is_refused(run: Run, folder: Path, kind: str) -> None:
    base = [*KINDS[kind], "-f", "json", "-q"]
    plain = asked(run, folder, base)
    assert plain.status == 0, plain.err
    known = json.loads(plain.out)
    for option, refused in OPTIONS.items():
        if option[0] in base and option[0] != "--draws":
            continue  # the kind is made by it
        if option[0] == "--plot" and kind in ("long", "packed", *ARRAY):
            continue  # read otherwise, drawn as columns are
        ran = asked(run, folder, [*base, *option])
        if kind in refused:
            message, hint = ran.complaint()
            assert message, (option, hint)
            continue
        assert ran.status == 0, (option, ran.err)
        found = json.loads(ran.out)
        if option[0] == "--plot":
            (folder / "curves.svg").unlink()
        else:
            assert (found["tables"], found["notes"]) != (known["tables"], known["notes"]), option


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (["columns.parquet", "--labels", "labels.txt"], "has labels of its own", "leave out --labels"),
        (["columns.parquet", "--draws", "200"], "--draws has no effect on votes that weigh alike", "--check N"),
        (["columns.parquet", "--voters-used", ","], "--voters-used ',' names no number", "64,128"),
        (["columns.parquet", "--packed-voters", "9"], "--packed-voters is for .npy files", "leave it out"),
        (["columns.parquet", "--table", "check"], "the table check needs --check", "add --check N"),
        (["columns.parquet", "--table", "marks"], "the table marks needs --at or --partial", "add --at fpr=0.05"),
        (["columns.parquet", "--table", "point"], "ensembles, points, marks, pairs, check", "--table ensembles | points"),
        (["numbers.parquet", "--regression", "--table", "points"], "roc --regression makes no table 'points'", "pairs"),
        (["numbers.parquet", "--regression", "--plot", "x.svg"], "--plot is for ROC curves", "leave out --plot"),
        (["numbers.parquet", "--regression", "--positive", "1"], "--positive names a class", "leave out one"),
        (["counts.parquet", "--weights", "weights.csv"], "only how many votes there were", "a column for each voter"),
        (["counts.parquet", "--voters-used", "4", "--vary", "both"], "only the number of votes is known", "--vary items is"),
        (["counts.parquet", "--voters-used", "4", "--check", "100"], "--check of 4 voters of 'a' needs the votes of each", "out"),
        (["counts.parquet", "--voters-used", "4", "--target", "deployed"], "about all 9 voters of 'a'", "--target mean"),
        (["counts.parquet", "--vary", "voters"], "only the number of votes is known, not who voted", "--vary items --target"),
        (["scores.parquet", "--weights", "weights.csv"], "--weights needs to know what each voter says", "a column for each"),
        (["scores.parquet", "--variance", "paper"], "--variance paper is about voters, and scores have none", "leave it out"),
        (["scores.parquet", "--vary", "both"], "--vary both is about voters", "--vary items is all there is"),
        (["long.parquet", "--voters", "vote*"], "holds a row for each vote", "--where voter="),
        (["scores.parquet", "--voters", "x*"], "holds scores", "a pattern of columns"),
        (["a.npy", "--labels", "labels.txt", "--where", "item!=i1"], "--where is about columns with names", "leave it out"),
    ],
)
def test_a_refusal_says_why_and_what_to_do(run: Run, folder: Path, words: list[str], message: str, hint: str) -> None:
    found = asked(run, folder, words).complaint()
    assert message in found[0]
    assert hint in found[1]


def test_what_is_done_anyway_may_be_typed(run: Run, folder: Path) -> None:
    plain = asked(run, folder, ["scores.parquet", "-f", "csv"])
    for option in (["--vary", "items"], ["--target", "deployed"], ["--vary", "items", "--target", "deployed"]):
        assert asked(run, folder, ["scores.parquet", "-f", "csv", *option]).raw == plain.raw


def test_voters_beside_a_score_are_voters(run: Run, folder: Path, tmp_path: Path) -> None:
    table = pl.read_parquet(folder / "columns.parquet").rename(lambda name: name.replace("voter", "tree_"))
    table.with_columns(score=pl.lit(0.5)).write_csv(tmp_path / "both.csv")
    ran = run("roc", str(tmp_path / "both.csv"), "--voters", "tree_*", "-f", "csv", "-q")
    assert ran.status == 0, ran.err
    assert ran.out.splitlines()[1].split(",")[2:5] == ["joint", "a", "9"]


def test_a_margin_of_errors_may_be_large(run: Run, folder: Path) -> None:
    words = ["numbers.parquet", "--regression", "--draws", "100", "--margin", "25", "--table", "pairs", "-f", "csv", "-q"]
    ran = asked(run, folder, words)
    assert ran.status == 0, ran.err
    assert "equivalent" in ran.out
    assert asked(run, folder, ["columns.parquet", "--margin", "25"]).complaint()[0] == "--margin cannot be 25.0"


def test_help_names_the_tables(run: Run) -> None:
    text = " ".join(run("roc", "--help").out.split())
    assert "ensembles (the first), points of the curves, marks (with --at or --partial), pairs, check (with --check)" in text


def test_a_plot_without_a_kind_says_which_kinds_draw_curves(run: Run, folder: Path, tmp_path: Path) -> None:
    document = str(tmp_path / "roc.json")
    assert run("roc", str(folder / "columns.parquet"), "-q", "-o", document).status == 0
    message, hint = run("benchplot", document, "-o", str(tmp_path / "x.svg")).complaint()
    assert "roc document" in message
    assert hint == "curves are drawn with --kind roc, --kind shares or --kind enough"
    assert run("roc", str(folder / "columns.parquet"), "-q", "--table", "pairs", "-o", str(tmp_path / "p.csv")).status == 0
    assert "--kind intervals" in run("benchplot", str(tmp_path / "p.csv"), "-o", str(tmp_path / "x.svg")).complaint()[1]


@pytest.mark.parametrize("kind", ["roc", "shares", "enough"])
def test_errors_of_predictions_are_no_curves(run: Run, folder: Path, tmp_path: Path, kind: str) -> None:
    document = str(tmp_path / "roc.json")
    ran = run("roc", str(folder / "numbers.parquet"), "--regression", "--draws", "100", "-q", "-o", document)
    assert ran.status == 0, ran.err
    message, hint = run("benchplot", document, "--kind", kind, "-o", str(tmp_path / "x.svg")).complaint()
    assert message == "there are no curves to draw: these ensembles predict numbers"
    assert "--regression" in hint
