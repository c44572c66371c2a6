import contextlib
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from experiments_on_disk import Experiment

from benchkit.errors import BenchkitError
from benchkit.run.cell import Cell, Outcome, Sizes
from benchkit.run.journal import Journal, beside, opened

ANEW = "start anew with --fresh, or give another output: -o PATH"
AWAY = "move it away, or give another output: -o PATH"
ROOM = "make room or name another output: -o PATH; the same command goes on from here"
CELL = Cell("data", "1", "tree")
OUTCOME = Outcome(
    status="ok",
    error=None,
    seed=7,
    sizes=Sizes(30, 19, 11),
    performance={"mse": 0.1 + 0.2, "auc": None, "mae": float("inf")},
    train_performance={},
    fit_seconds=1e-9,
    predict_seconds=None,
    parameters={"depth": 3, "ß": [1.5, None, True]},
    no_information=None,
    predictions=(["1", "größer"], [0.5, None]),
    votes=(b"\x00\xff\x0f", 5),
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "r.csv.journal"


def refusal(path: Path, fresh: bool = False) -> tuple[str, str]:
    with pytest.raises(BenchkitError) as refused, opened(path, fresh):
        pass
    return refused.value.message, refused.value.hint


def test_an_outcome_comes_back_as_it_was(path):
    with opened(path, False) as journal:
        journal.add(CELL, OUTCOME)
        assert journal.get(CELL, everything=True) == OUTCOME
    with opened(path, False) as journal:
        found = journal.get(CELL, everything=True)
        assert found == OUTCOME
        assert found.performance["mse"].hex() == (0.1 + 0.2).hex()
        assert journal.get(CELL).predictions is None
        assert journal.get(Cell("data", None, "tree")) is None
        assert journal.count() == 1


def test_a_fit_on_all_rows_is_another_cell(path):
    whole = Cell("data", None, "tree")
    with opened(path, False) as journal:
        journal.add(whole, OUTCOME)
        assert (journal.get(CELL), journal.get(whole) is not None) == (None, True)


def test_failures_are_forgotten_alone(path):
    with opened(path, False) as journal:
        for number, status in enumerate(("ok", "failed", "timeout", "out-of-memory"), 1):
            journal.add(Cell("data", str(number), "tree"), Outcome(status, None, 1, Sizes(1, 1, 1), {}, {}))
        journal.forget(("failed", "timeout", "out-of-memory"))
        assert [journal.get(Cell("data", str(number), "tree")) is not None for number in range(1, 5)] == [
            True,
            False,
            False,
            False,
        ]


def test_fresh_drops_everything(path):
    with opened(path, False) as journal:
        journal.add(CELL, OUTCOME)
        journal.tell("experiment", {"seed": 1})
    with opened(path, True) as journal:
        assert (journal.count(), journal.about("experiment")) == (0, None)


def test_what_is_told_keeps_kinds_of_numbers_apart(path):
    with opened(path, False) as journal:
        for value in (1, 1.0, True, {"a": 1}, {"a": 1.0}):
            journal.tell("value", value)
            assert json.dumps(journal.about("value")) == json.dumps(value)


def test_nothing_is_written_for_a_run_that_has_all(path):
    with opened(path, False) as journal:
        journal.tell("experiment", {"seed": 1})
    before = path.read_bytes()
    with opened(path, False) as journal:
        journal.tell("experiment", {"seed": 1})
        assert not path.with_name("r.csv.journal-wal").exists() or not path.with_name("r.csv.journal-wal").stat().st_size
    assert path.read_bytes() == before


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("content", [b"metric,performance\nmse,1\n", b"x", bytes(5000)])
def test_a_file_of_someone_else_is_left_alone(path, content, fresh):
    path.write_bytes(content)
    assert refusal(path, fresh) == (f"{path} is not the journal of a run", AWAY)
    assert path.read_bytes() == content


@pytest.mark.parametrize("fresh", [False, True])
def test_a_database_of_someone_else_is_left_alone(path, fresh):
    with sqlite3.connect(path) as base:
        base.execute("CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
    base.close()
    content = path.read_bytes()
    assert refusal(path, fresh) == (f"{path} is not the journal of a run", AWAY)
    assert path.read_bytes() == content


def test_an_empty_file_becomes_a_journal(path):
    path.touch()
    with opened(path, False) as journal:
        journal.add(CELL, OUTCOME)
        assert journal.count() == 1


def test_another_version_is_refused_and_may_be_dropped(path):
    with opened(path, False) as journal:
        journal.add(CELL, OUTCOME)
        journal.tell("format", 99)
    assert refusal(path) == (f"{path} was written by another version of benchkit", ANEW)
    with opened(path, True) as journal:
        assert journal.count() == 0


@pytest.mark.parametrize("part", [slice(100, 4096), slice(4096, None)], ids=["first page", "other pages"])
def test_a_damaged_journal_is_refused_and_may_be_dropped(path, part):
    with opened(path, False) as journal:
        for number in range(100):
            journal.add(Cell("data", str(number), "tree"), OUTCOME)
    content = bytearray(path.read_bytes())
    content[part] = b"\xff" * len(content[part])
    path.write_bytes(content)
    with pytest.raises(BenchkitError) as refused, opened(path, False) as journal:
        journal.get(CELL)
    assert refused.value.message.startswith(f"{path} is damaged: ")
    assert refused.value.hint == ANEW
    with opened(path, True) as journal:
        journal.add(CELL, OUTCOME)
        assert journal.count() == 1
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_write_ahead_log_that_was_cut_loses_its_end_only(path):
    journal = Journal(path)
    for number in range(20):
        journal.add(Cell("data", str(number), "tree"), OUTCOME)
    log = path.with_name(path.name + "-wal")
    there = path.read_bytes(), log.read_bytes()  # as a process that was killed leaves them
    journal.close()
    path.write_bytes(there[0])
    log.write_bytes(there[1][:-6000])
    with opened(path, False) as journal:
        kept = journal.count()
        assert 0 < kept < 20
        assert all(journal.get(Cell("data", str(number), "tree")) for number in range(kept))


def test_two_processes_cannot_hold_one_journal(path):
    code = "import sys, pathlib; from benchkit.run.journal import Journal; held = Journal(pathlib.Path(sys.argv[1])); input(held)"
    with subprocess.Popen([sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        holder.stdout.read(1)
        for fresh in (False, True):
            assert refusal(path, fresh) == (f"another run is using {path}", "wait for its end, or give another output: -o PATH")
        holder.kill()
    with opened(path, False) as journal:
        assert journal.count() == 0


@pytest.mark.parametrize(
    ("output", "place"),
    [
        ("out/r.csv", "out/r.csv.journal"),
        ("results", "results.journal"),
        ("folder/", "folder/run.journal"),
        (None, "in/e.toml.journal"),
        ("-", "in/e.toml.journal"),
        ("/dev/stdout", "in/e.toml.journal"),
        ("/dev/null", "in/e.toml.journal"),
    ],
)
def test_it_lies_beside_the_output_else_beside_the_experiment(output, place):
    assert beside(output, Path("in/e.toml")) == Path(place)


@contextlib.contextmanager
def as_nobody() -> Iterator[None]:
    """Go on as someone who may not write everywhere, as root may."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    yield
    if root:
        os.seteuid(0)


@pytest.fixture
def folder():
    """Return a folder that nobody can reach, unlike that of pytest."""
    made = Path(tempfile.mkdtemp())
    made.chmod(0o755)
    yield made
    made.chmod(0o755)
    shutil.rmtree(made)


def test_a_folder_that_may_not_be_written_is_named(folder):
    path = folder / "r.csv.journal"
    folder.chmod(0o555)
    with as_nobody():
        assert refusal(path) == (f"cannot write {path}: unable to open database file", ROOM)
    assert not path.exists()


def test_a_journal_that_may_not_be_written_is_named(folder):
    path = folder / "r.csv.journal"
    with opened(path, False) as journal:
        journal.add(CELL, OUTCOME)
    path.chmod(0o444)
    with as_nobody():
        assert refusal(path)[0].startswith(f"cannot write {path}: ")
    path.chmod(0o644)
    with opened(path, False) as journal:
        assert journal.count() == 1


def test_a_full_disk_loses_nothing_and_the_same_command_goes_on(tmp_path):
    experiment = Experiment(tmp_path)
    experiment.write({"a": "slow"}, replicates=80)

    def little() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (120_000, 120_000))

    full = experiment.run("--jobs", "2", preexec_fn=little)
    error, hint = full.refusal
    assert error.startswith("cannot write r.csv.journal: ")
    assert hint == ROOM
    assert not (tmp_path / "r.csv").exists()
    assert experiment.left_over() == []
    again = experiment.run("--jobs", "2")
    assert again.status == 0, again.err
    kept = int(again.err.splitlines()[1].removeprefix("note: ").partition(" ")[0])
    assert 0 < kept < 80
    assert [row["status"] for row in experiment.rows()] == ["ok"] * 160
