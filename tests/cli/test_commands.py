"""The commands from end to end: orders, pipes, statuses, formats, invariance."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from command_line import Run

REFERENCE = Path(__file__).parents[1] / "reference"
LINES = ("--better", "lower")


def order_of(out: str) -> str:
    return next(iter(csv.DictReader(io.StringIO(out))))["order"]


def test_pooled_order_of_the_motorcycle_data_is_no_chain(run: Run, motorcycle: Path) -> None:
    ran = run("rank", motorcycle, "--method", "mixed", "-f", "json")
    document = json.loads(ran.out)
    assert document["tables"]["orders"][0]["order"] is None
    assert document["tables"]["orders"][0]["transitive"] is False
    words = {(row["a"], row["b"]): row["relation"] for row in document["tables"]["relations"]}
    assert words["gam", "gamboost"] == words["gamboost", "loess"] == "tied"
    assert words["gam", "loess"] == "better"
    message = next(note["message"] for note in document["notes"] if note["code"] == "not-transitive")
    assert "gam ≈ gamboost and gamboost ≈ loess, but gam < loess" in message
    assert "the variances are unequal (differences of nls and nnet have sd 820, of gam and gamboost 60.33)" in ran.err
    assert "gam < gamboost, gamboost < loess" in ran.err


def test_plain_rank_separates_all_pairs(run: Run, motorcycle: Path) -> None:
    ran = run("rank", motorcycle, "--table", "orders")
    assert order_of(ran.out) == "gam < gamboost < loess < rpart < nnet < nls < lm"
    assert "would not separate gam and gamboost, gamboost and loess" in ran.err


def test_the_papers_order(run: Run) -> None:
    ran = run("rank", REFERENCE / "motorcycle_span03.csv", *LINES, "--method", "mixed", "--table", "orders")
    assert order_of(ran.out) == "gam ≈ loess ≈ gamboost < rpart < nnet < nls < lm"


@pytest.mark.parametrize(
    "options", [(), ("--method", "mixed"), ("--method", "mixed", "--reference", "normal"), ("--margin", "60")]
)
@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
def test_test_piped_into_rank_equals_rank(run: Run, motorcycle: Path, options: tuple[str, ...], form: str) -> None:
    direct = json.loads(run("rank", motorcycle, *options, "-f", "json").out)["tables"]
    pairs = run("test", motorcycle, *options, "-f", form)
    piped = json.loads(run("rank", "-", "-f", "json", stdin=pairs.raw).out)
    assert piped["tables"] == direct
    codes = {note["code"] for note in piped["notes"]}
    assert ("inference-target" in codes) == (form == "json")


def test_verdicts_stand_when_rank_reads_pairs(run: Run, motorcycle: Path) -> None:
    pairs = run("test", motorcycle, "-q").raw
    for option in (("--level", "0.9"), ("--margin", "3"), ("--method", "mixed"), ("--better", "higher")):
        message, _ = run("rank", "-", *option, stdin=pairs).complaint()
        assert option[0] in message


def test_baseline_pairs_are_no_order(run: Run, motorcycle: Path) -> None:
    message, _ = run("rank", "-", stdin=run("test", motorcycle, "--baseline", "gam", "-q").raw).complaint()
    assert "one baseline" in message
    assert "--baseline" in run("rank", motorcycle, "--baseline", "gam").complaint()[0]


def test_rank_reads_relations(run: Run, motorcycle: Path) -> None:
    relations = run("rank", motorcycle, "--table", "relations", "-q").raw
    again = run("rank", "-", "--table", "relations", "-q", stdin=relations)
    assert again.raw == relations


def test_a_wrong_kind_is_named(run: Run, motorcycle: Path) -> None:
    message, _ = run("rank", "-", stdin=run("summarize", motorcycle, "-q").raw).complaint()
    assert "summarize table" in message
    assert "rank reads results, pairs or relations" in message


@pytest.mark.parametrize("better", ["lower", "higher"])
def test_shuffled_renamed_rescaled(run: Run, tmp_path: Path, better: str) -> None:
    table = pl.read_csv(REFERENCE / "motorcycle.csv", schema_overrides={"replicate": pl.String})
    base = rows_of(run, table, tmp_path / "base.csv", better)
    shuffled = rows_of(run, table.sample(fraction=1.0, shuffle=True, seed=3), tmp_path / "shuffled.csv", better)
    assert shuffled == base
    for factor in (1e6, 1e-6):
        scaled = rows_of(run, table.with_columns(pl.col("performance") * factor), tmp_path / "scaled.csv", better)
        for one, other in zip(base, scaled, strict=True):
            assert one["verdict"] == other["verdict"]
            for name in ("statistic", "p_value", "p_adjusted"):
                assert other[name] == pytest.approx(one[name], rel=1e-8)
    moved = rows_of(run, table.with_columns(pl.col("performance") + 1e9), tmp_path / "moved.csv", better)
    for one, other in zip(base, moved, strict=True):
        assert one["verdict"] == other["verdict"]
        assert other["statistic"] == pytest.approx(one["statistic"], rel=1e-8)
        assert other["p_adjusted"] == pytest.approx(one["p_adjusted"], abs=1e-8)


def test_renaming_keeps_every_pair(run: Run, tmp_path: Path) -> None:
    table = pl.read_csv(REFERENCE / "motorcycle.csv", schema_overrides={"replicate": pl.String})
    names = dict(zip(sorted(table["algorithm"].unique()), ["z", "y", "x", "w", "v", "u", "t"], strict=True))
    base = rows_of(run, table, tmp_path / "base.csv", "lower", "--method", "mixed")
    other = rows_of(
        run, table.with_columns(pl.col("algorithm").replace_strict(names)), tmp_path / "named.csv", "lower", "--method", "mixed"
    )
    found = {(row["a"], row["b"]): row for row in other}
    for row in base:
        twin = found[names[row["b"]], names[row["a"]]]
        assert twin["estimate"] == pytest.approx(-row["estimate"], rel=1e-12)
        assert twin["p_adjusted"] == pytest.approx(row["p_adjusted"], rel=1e-9)
        assert {twin["verdict"], row["verdict"]} in ({"better", "worse"}, {"undecided"})


def rows_of(run: Run, table: pl.DataFrame, path: Path, better: str, *options: str) -> list[dict[str, object]]:
    table.write_csv(path)
    return json.loads(run("test", path, "--better", better, *options, "-f", "json", "-q").out)["tables"]["pairs"]


def test_accuracy_and_error_give_the_same_order(run: Run, tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    accuracy = rng.normal(0.8, 0.02, (40, 1)) + rng.normal(0, 0.01, (40, 4)) + np.array([0.0, 0.02, 0.04, 0.041])
    for name, values in (("accuracy", accuracy), ("error_rate", 1 - accuracy)):
        frame = pl.DataFrame({f"m{j}": values[:, j] for j in range(4)})
        frame.write_csv(tmp_path / f"{name}.csv")
    higher = json.loads(run("rank", tmp_path / "accuracy.csv", "--wide", "--better", "higher", "-f", "json").out)["tables"]
    lower = json.loads(run("rank", tmp_path / "error_rate.csv", "--wide", "--better", "lower", "-f", "json").out)["tables"]
    assert higher == lower
    assert higher["ranks"][0]["algorithm"] in ("m2", "m3")


def test_missing_written_and_missing_absent_are_the_same(run: Run, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    lines = [f"{i},{name},{rng.normal():.4f}" for i in range(12) for name in "abc"]
    lines[4], lines[17] = "1,b,NA", "5,c,"
    head = "replicate,algorithm,performance\n"
    (tmp_path / "written.csv").write_text(head + "\n".join(lines))
    (tmp_path / "absent.csv").write_text(head + "\n".join(line for k, line in enumerate(lines) if k not in (4, 17)))
    for command in ("test", "summarize", "rank"):
        both = [run(command, tmp_path / f"{name}.csv", *LINES, "-q").out for name in ("written", "absent")]
        assert both[0] == both[1]
        assert both[0]


def test_same_input_same_bytes(run: Run, motorcycle: Path) -> None:
    for arguments in (
        ("test", motorcycle),
        ("rank", motorcycle),
        ("benchplot", motorcycle),
        ("summarize", motorcycle, "--interval", "bootstrap"),
    ):
        form = () if arguments[0] == "benchplot" else ("-f", "json")
        assert run(*arguments, *form).raw == run(*arguments, *form, "--quiet").raw
    assert run("test", motorcycle, "--seed", "2").raw != run("test", motorcycle).raw


def test_family_all_joins_the_groups(run: Run, tmp_path: Path, motorcycle: Path) -> None:
    one = pl.read_csv(motorcycle, schema_overrides={"replicate": pl.String})
    both = pl.concat([one, one.with_columns(pl.lit("other").alias("dataset"))])
    both.write_csv(tmp_path / "two.csv")
    options = ("--method", "mixed", "-f", "json", "-q")
    joined = json.loads(run("test", tmp_path / "two.csv", "--family", "all", *options).out)["tables"]["pairs"]
    single = json.loads(run("test", motorcycle, "--level", "0.975", *options).out)["tables"]["pairs"]
    assert len(joined) == 42
    for row, alone in zip(joined[:21], single, strict=True):
        assert row["p_adjusted"] == pytest.approx(min(1.0, 2 * alone["p_adjusted"]))
        assert row["ci_low"] == pytest.approx(alone["ci_low"])
        assert (row["family_size"], row["ci_level"]) == (42, 0.95)


def test_list_and_version(run: Run) -> None:
    for kind in ("methods", "adjustments", "mechanisms", "formats", "plots", "metrics", "resamplings"):
        ran = run("list", kind)
        assert ran.status == 0
        assert ran.out.startswith("name,summary")
        assert len(ran.out.splitlines()) > 1
    assert run("--version").out.startswith("benchkit ")
