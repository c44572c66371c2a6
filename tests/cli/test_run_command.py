"""benchkit run: from an experiment file to results, and what it says on the way."""

import contextlib
import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from command_line import Run

from benchkit.run import extras

ROOT = Path(__file__).parents[2]
MEASURED = ("fit_seconds", "predict_seconds")
# an algorithm whose predictions can be told in advance: the mean of what it learned from
MODULE = """
def mean(X_train, y_train, X_test):
    return [y_train.mean()] * len(X_test)

def largest(X_train, y_train, X_test):
    return [y_train.max()] * len(X_test)

def fails(X_train, y_train, X_test):
    raise RuntimeError("out of luck")
"""
BASIC = """
[experiment]
metrics = ["mse"]
[[dataset]]
name = "tiny"
path = "tiny.csv"
target = "y"
[resampling]
{resampling}
[[algorithm]]
name = "mean"
function = "{module}:mean"
[[algorithm]]
name = "largest"
function = "{module}:{second}"
"""


@pytest.fixture
def experiment(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[..., Path]:
    """Return a function that writes an experiment of two algorithms on ten rows, y = 1 .. 10."""

    def write(resampling: str = 'method = "kfold"\nfolds = 5', second: str = "largest", name: str = "e.toml") -> Path:
        module = "plain_" + "".join(c if c.isalnum() else "_" for c in request.node.name)
        (tmp_path / f"{module}.py").write_text(MODULE)
        (tmp_path / "tiny.csv").write_text("x,y\n" + "".join(f"{i % 3},{i}\n" for i in range(1, 11)))
        path = tmp_path / name
        path.write_text(BASIC.format(resampling=resampling, module=module, second=second))
        return path

    return write


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_results_hold_what_a_hand_computation_gives(run: Run, experiment: Callable[..., Path], tmp_path: Path) -> None:
    path = experiment('method = "loo"')
    done = run("run", path, "-o", tmp_path / "r.csv")
    assert (done.status, done.out) == (0, "")
    table = rows((tmp_path / "r.csv").read_text())
    assert [(row["replicate"], row["algorithm"]) for row in table[:3]] == [("1", "mean"), ("1", "largest"), ("2", "mean")]
    assert len(table) == 20
    for row in table:
        left_out = int(row["replicate"])
        others = [y for y in range(1, 11) if y != left_out]
        predicted = sum(others) / 9 if row["algorithm"] == "mean" else max(others)
        assert float(row["performance"]) == pytest.approx((left_out - predicted) ** 2, rel=1e-14)
        assert (row["n_train"], row["n_train_distinct"], row["n_test"], row["status"]) == ("9", "9", "1", "ok")
        assert (row["metric"], row["better"], row["dataset"], row["resampling"]) == ("mse", "lower", "tiny", "loo")


def test_a_pipe_gets_the_rows_of_the_file(run: Run, experiment: Callable[..., Path], tmp_path: Path) -> None:
    path = experiment()
    piped = run("run", path)
    assert run("run", path, "-o", "-", "-q").out == piped.out
    run("run", path, "-o", tmp_path / "r.csv")
    stream, file = rows(piped.out), rows((tmp_path / "r.csv").read_text())
    assert stream[0].keys() == file[0].keys()
    for mine, other in zip(stream, file, strict=True):
        assert {k: v for k, v in mine.items() if k not in MEASURED} == {k: v for k, v in other.items() if k not in MEASURED}
    summary = run("summarize", "-", stdin=piped.raw)
    assert summary.status == 0
    assert [row["algorithm"] for row in rows(summary.out)] == ["mean", "largest"]


def test_formats_folders_and_documents(run: Run, experiment: Callable[..., Path], tmp_path: Path) -> None:
    path = experiment()
    assert run("run", path, "-o", tmp_path / "r.parquet").status == 0
    assert pl.read_parquet(tmp_path / "r.parquet").schema["n_train"] == pl.Int64
    document = json.loads(run("run", path, "-f", "json").out)
    assert document["provenance"]["options"] == {"experiment": "e.toml"}
    assert document["provenance"]["seed"] == 1
    assert set(document["provenance"]["inputs"]) == {str(path), "tiny"}
    (tmp_path / "out").mkdir()
    assert run("run", path, "-f", "csv", "-o", f"{tmp_path}/out/").status == 0
    assert {one.name for one in (tmp_path / "out").iterdir()} == {"results.csv", "notes.csv", "provenance.csv", "run.journal"}
    assert run("rank", tmp_path / "out" / "results.csv").status == 0


def test_failures_are_results_and_set_the_exit_status(run: Run, experiment: Callable[..., Path], tmp_path: Path) -> None:
    path = experiment(second="fails")
    done = run("run", path, "-o", tmp_path / "r.csv")
    assert done.status == 1
    first = "largest on tiny, replicate 1: failed: RuntimeError: out of luck"
    assert done.err.splitlines()[-2:] == ["5 of 10 fits failed: largest 5", first]
    table = rows((tmp_path / "r.csv").read_text())
    assert {row["status"] for row in table if row["algorithm"] == "mean"} == {"ok"}
    bad = [row for row in table if row["algorithm"] == "largest"]
    assert {(row["status"], row["error"], row["performance"]) for row in bad} == {("failed", "RuntimeError: out of luck", "")}
    allowed = run("run", path, "-o", tmp_path / "r.csv", "--max-failed", "5")
    assert allowed.status == 0
    assert f"note: 5 of 10 fits failed: largest 5 (first: {first})" in allowed.err.splitlines()
    assert run("run", path, "-o", tmp_path / "r.csv", "--max-failed", "4").status == 1
    stopped = run("run", path, "-o", tmp_path / "other.csv", "--fail-fast")
    assert stopped.status == 1
    told, kept = stopped.err.splitlines()[-2:]
    assert told.startswith("stopped at the first failure: largest on tiny, replicate ")
    assert told.endswith(": failed: RuntimeError: out of luck")
    assert kept.split(maxsplit=1)[1].endswith(" saved; the same command without --fail-fast goes on from here")
    assert not (tmp_path / "other.csv").exists()


def test_dry_run_shows_the_plan_and_keeps_nothing(run: Run, experiment: Callable[..., Path], tmp_path: Path) -> None:
    path = experiment('method = "bootstrap"\nreplicates = 40', second="fails")
    before = sorted(one.name for one in tmp_path.iterdir() if one.name != "__pycache__")
    done = run("run", path, "--dry-run", "-f", "json")
    plan = json.loads(done.out)["tables"]["plan"]
    assert done.status == 0
    assert [(row["algorithm"], row["n_cells"], row["status"]) for row in plan] == [("mean", 40, "ok"), ("largest", 40, "failed")]
    assert (plan[0]["n_train_low"], plan[0]["n_train_high"]) == (10, 10)
    assert 1 <= plan[0]["n_test_low"] < plan[0]["n_test_high"] <= 9
    assert plan[0]["total_seconds"] == pytest.approx(40 * plan[0]["seconds"])
    assert plan[1]["error"] == "RuntimeError: out of luck"
    assert sorted(one.name for one in tmp_path.iterdir() if one.name != "__pycache__") == before


def test_init_writes_a_file_that_runs(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("run", "--init").err == "wrote experiment.toml; benchkit run experiment.toml -o results.csv runs it\n"
    assert run("run", "--init").complaint()[0] == "experiment.toml exists"
    done = run("run", "experiment.toml", "-o", "results.csv", "--predictions", "p.parquet", "--votes", "v.csv")
    assert done.status == 0, done.err
    ranked = run("rank", "results.csv", "--where", "metric=error_rate")
    assert ranked.status == 0
    by_item = run("summarize", "p.parquet", "--where", "replicate=1")
    assert by_item.status == 0, by_item.err


def test_predictions_as_json_hold_only_their_own_table(run: Run, experiment: Callable[..., Path], tmp_path: Path) -> None:
    path = experiment('method = "kfold"\nfolds = 2')
    assert run("run", path, "-o", tmp_path / "r.json", "--predictions", tmp_path / "p.json").status == 0
    tables = json.loads((tmp_path / "p.json").read_text())["tables"]
    assert list(tables) == ["predictions"]
    assert len(tables["predictions"]) == 20
    assert "results" in json.loads((tmp_path / "r.json").read_text())["tables"]


@pytest.mark.parametrize("timed", [False, True])
def test_rows_without_a_time_are_taken_in_their_order_with_a_note(
    timed: bool, run: Run, experiment: Callable[..., Path], tmp_path: Path
) -> None:
    path = experiment('method = "rolling-origin"')
    if timed:
        path.write_text(path.read_text().replace('target = "y"', 'target = "y"\ntime = "t"'))
        (tmp_path / "tiny.csv").write_text("t,x,y\n" + "".join(f"{i},{i % 3},{i}\n" for i in range(1, 11)))
    done = run("run", path, "-o", tmp_path / "r.csv")
    assert done.status == 0, done.err
    note = "note: without a column time the rows are taken in the order of the file"
    assert (note in done.err.splitlines()) is not timed


def test_the_resampling_of_results_tells_how_far_replicates_are_independent(
    run: Run, experiment: Callable[..., Path], tmp_path: Path
) -> None:
    path = experiment('method = "bootstrap"\nreplicates = 3\nestimator = ".632"')
    assert run("run", path, "-o", tmp_path / "r.csv").status == 0
    assert {row["resampling"] for row in rows((tmp_path / "r.csv").read_text())} == {"bootstrap-632"}


def test_predictions_are_of_the_test_rows(run: Run, experiment: Callable[..., Path], tmp_path: Path) -> None:
    path = experiment('method = "kfold"\nfolds = 2')
    assert run("run", path, "-o", tmp_path / "r.csv", "--predictions", tmp_path / "p.csv").status == 0
    table = rows((tmp_path / "p.csv").read_text())
    assert sorted(int(row["item"]) for row in table if row["algorithm"] == "mean") == list(range(1, 11))
    for row in table:
        assert float(row["label"]) == int(row["item"])
        fold = {int(other["item"]) for other in table if other["replicate"] == row["replicate"]}
        train = [y for y in range(1, 11) if y not in fold]
        expected = sum(train) / len(train) if row["algorithm"] == "mean" else max(train)
        assert float(row["prediction"]) == float(row["score"]) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((), "no experiment file was named"),
        (("absent.toml",), "there is no file 'absent.toml'"),
        (("E", "-o", "no/such/r.csv"), "cannot write no/such/r.csv: no such file or directory"),
        (("E", "-o", "r.xyz"), "the suffix .xyz names no format"),
        (("E", "--predictions", "p.xyz"), "the suffix .xyz names no format"),
        (("E", "--fresh", "--extend"), "--fresh drops what --extend or --retry-failed would keep"),
        (("E", "--fresh", "--retry-failed"), "--fresh drops what --extend or --retry-failed would keep"),
        (("E", "--dry-run", "-o", "tiny.csv"), "tiny.csv exists, and a dry run overwrites nothing"),
        (("E", "-o", "tiny.csv"), "-o tiny.csv is read by the experiment"),
        (("E", "-o", "r.csv", "--predictions", "./tiny.csv"), "--predictions ./tiny.csv is read by the experiment"),
        (("E", "-f", "csv", "-o", "e.toml"), "-o e.toml is read by the experiment"),
        (("E", "-f", "csv", "-o", "M"), "-o M is read by the experiment"),
        (("E", "-o", "r.csv", "--predictions", "./r.csv"), "--predictions ./r.csv is written by -o, too"),
        (("E", "-o", "r.csv", "--predictions", "p.csv", "--votes", "p.csv"), "--votes p.csv is written by --predictions, too"),
        (("E", "--jobs", "0"), "invalid value for '--jobs' / '-j': 0 is not in the range x>=1"),
    ],
)
def test_what_cannot_work_is_told_before_anything_runs(
    arguments: tuple[str, ...],
    error: str,
    run: Run,
    experiment: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    path = experiment()
    module = next(tmp_path.glob("plain_*.py")).name
    before = {one: one.read_bytes() for one in tmp_path.iterdir() if one.is_file()}
    with contextlib.chdir(tmp_path):
        done = run("run", *({"E": path, "M": module}.get(argument, argument) for argument in arguments))
    assert done.complaint()[0] == error.replace("-o M", f"-o {module}")
    assert {one: one.read_bytes() for one in tmp_path.iterdir() if one.is_file()} == before
    assert not list(tmp_path.glob("*.journal"))


def test_missing_libraries_are_named(run: Run, experiment: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name in ("sklearn", "pebble") else object())
    message, hint = run("run", experiment()).complaint()
    assert message == "this needs scikit-learn and pebble, which are not installed"
    assert hint == "install the extra in the checkout: .venv/bin/pip install -e '.[run]'"


def test_a_closed_pipe_ends_the_run_quietly(experiment: Callable[..., Path]) -> None:
    command = f'"{sys.executable}" -m benchkit run "{experiment()}" -q | head -n 1'
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("metric,dataset,replicate,algorithm,performance,better")
