"""Workers keep to themselves: a fit leaves no trace in the next one, nor on the machine."""

import os
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import psutil
import pytest
import sklearn
from experiments_on_disk import MODULE, Experiment

from benchkit.run.containing import contained

# each is a change for the whole process, and what shows it
CHANGES = {
    "folder": (lambda: os.chdir(tempfile.gettempdir()), os.getcwd),
    "environment added": (lambda: os.environ.update(BENCHKIT_NEW="1"), lambda: dict(os.environ)),
    "environment removed": (lambda: os.environ.pop("PATH"), lambda: dict(os.environ)),
    "paths of modules": (lambda: sys.path.insert(0, "/elsewhere"), lambda: list(sys.path)),
    "paths replaced": (lambda: setattr(sys, "path", ["/elsewhere"]), lambda: list(sys.path)),
    "error state": (lambda: np.seterr(all="raise"), np.geterr),
    "warnings": (lambda: warnings.simplefilter("ignore"), lambda: list(warnings.filters)),
    "scikit-learn": (lambda: sklearn.set_config(transform_output="pandas"), sklearn.get_config),
}


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("name", CHANGES)
def test_what_a_fit_changes_for_everybody_is_put_back(name, fails):
    change, state = CHANGES[name]
    before, paths = state(), sys.path
    try:
        with contained():
            change()
            assert state() != before
            if fails:
                raise SystemExit
    except SystemExit:
        assert fails
    finally:
        sys.path = paths
    assert state() == before


BAD = """
import os, subprocess, sys, tempfile, warnings

warnings.simplefilter("error", FutureWarning)  # what the module sets when it is imported stays

def told():
    import neighbor  # lies beside the module, found at any time
    filters = [one[0] for one in warnings.filters if one[2] is FutureWarning]
    error = np.geterr()["over"]
    return [Path.cwd().name, os.environ.get("BENCHKIT_NEW"), sys.path[0] == "/elsewhere", error, filters[:1]]

def messy(X_train, y_train, X_test, seed):
    with open("told", "a") as file:
        print(os.getpid(), told(), file=file)
    time.sleep(0.2)  # so that the other worker gets some, too
    os.chdir("/")
    os.environ["BENCHKIT_NEW"] = "1"
    sys.path.insert(0, "/elsewhere")
    np.seterr(all="raise")
    warnings.simplefilter("ignore", FutureWarning)
    sys.modules.pop("neighbor")
    return mean(X_train, y_train, X_test, seed)

def daemon(X_train, y_train, X_test, seed):
    leave = "import os, time; os.setsid(); os.fork() and os._exit(0)"
    stay = "open('daemon', 'w').write(str(os.getpid())); time.sleep(600)"
    subprocess.run([sys.executable, "-c", f"{leave}; {stay}"])
    while not (Path("daemon").exists() and Path("daemon").read_text()):
        time.sleep(0.01)
    return mean(X_train, y_train, X_test, seed)

def littering(X_train, y_train, X_test, seed):
    name = tempfile.mkdtemp()
    shell = subprocess.run(["mktemp"], capture_output=True, text=True, check=True).stdout.strip()
    with open("litter", "a") as file:
        print(name, shell, sep="\\n", file=file)
    if seed % 2:
        os.abort()
    return mean(X_train, y_train, X_test, seed)

HELD = []

def hoarding(X_train, y_train, X_test, seed):
    with open("hoards", "a") as file:
        print(len(HELD) + 1, file=file)
    HELD.append(np.ones(250_000_000, dtype=np.uint8))
    time.sleep(0.5)
    return mean(X_train, y_train, X_test, seed)
"""


@pytest.fixture
def experiment(tmp_path):
    made = Experiment(tmp_path, MODULE + BAD)
    (tmp_path / "neighbor.py").touch()
    yield made
    assert made.left_over() == []


def test_every_fit_finds_the_process_as_the_first_one_did(experiment):
    experiment.write({"messy": "messy"}, replicates=12, metrics='["mse"]')
    ran = experiment.run("--jobs", "2")
    assert ran.status == 0, ran.err
    told = [line.split(" ", 1) for line in (experiment.folder / "told").read_text().splitlines()]
    assert [state for _, state in told] == [str([experiment.folder.name, None, False, "warn", ["error"]])] * 12
    counts = Counter(worker for worker, _ in told)
    assert len(counts) == 2
    assert min(counts.values()) > 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process adopt")
def test_a_daemon_of_a_fit_ends_with_its_worker(experiment):
    experiment.write({"daemon": "daemon"}, replicates=1, metrics='["mse"]')
    ran = experiment.run()
    assert ran.status == 0, ran.err
    assert experiment.left_over() == []
    number = int((experiment.folder / "daemon").read_text())
    assert not psutil.pid_exists(number) or psutil.Process(number).status() == psutil.STATUS_ZOMBIE


def test_temporary_files_of_fits_go_with_their_workers(experiment, monkeypatch):
    experiment.write({"littering": "littering"}, replicates=8, metrics='["mse"]')
    temporary = Path(tempfile.mkdtemp())  # a short name, since sockets stand in it, too
    monkeypatch.setenv("TMPDIR", str(temporary))
    ran = experiment.run("--max-failed", "8")
    assert ran.status == 0, ran.err
    assert {row["error"] for row in experiment.rows()} == {"", "its process died of SIGABRT"}
    litter = [Path(line) for line in (experiment.folder / "litter").read_text().splitlines()]
    assert len(litter) > 8
    assert all(one.is_relative_to(temporary) for one in litter)
    temporary.rmdir()  # which is empty


def test_memory_that_others_have_left_is_no_failure(experiment):
    experiment.write({"hoarding": 'function = "own:hoarding"\nmemory = "600 MB"'}, replicates=3, metrics='["mse"]')
    ran = experiment.run("--jobs", "1")
    assert ran.status == 0, ran.err
    assert [row["status"] for row in experiment.rows()] == ["ok"] * 3
    hoards = [int(line) for line in (experiment.folder / "hoards").read_text().splitlines()]
    assert max(hoards) > 1
    assert len(hoards) > 3  # so some fit was begun a second time, and it stood alone then
    assert hoards[-1] == 1


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_a_run_needs_no_standard_streams(experiment, closed):
    experiment.write({"good": "mean"}, replicates=2, metrics='["mse"]')
    assert experiment.run(output="whole.csv").status == 0
    line = f'exec "{sys.executable}" -m benchkit run e.toml -o r.csv --jobs 2 {closed}'
    with experiment.start(arguments=["bash", "-c", line]) as process:
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert (out, "error" in err) == ("", False)
    assert experiment.rows() == experiment.rows("whole.csv")
