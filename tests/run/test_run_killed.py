import os
import random
import signal
import time

import psutil
import pytest
from experiments_on_disk import Experiment, kill

ALGORITHMS = {"a": "slow", "b": 'function = "own:slow"\nparams = {shift = 1.0}'}
KILLS = 20
# writes nothing at the end, but dies at the place that is named
DIES = """
import os, signal, sys
from pathlib import Path
from benchkit.formats import writing
from benchkit.cli.app import main

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

setattr(*{place}, die)
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def experiment(tmp_path):
    made = Experiment(tmp_path)
    yield made
    assert made.left_over() == []


def test_twenty_kills_at_random_moments_leave_the_same_table(experiment):
    experiment.write({"a": "paced", "b": 'function = "own:paced"\nparams = {shift = 1.0}'}, replicates=120)
    undisturbed = experiment.run("--jobs", "1", "--predictions", "predictions-undisturbed.csv", output="undisturbed.csv")
    assert undisturbed.status == 0, undisturbed.err
    chance = random.Random(20)
    orphans: list[psutil.Process] = []
    for number in range(KILLS):
        experiment.allow(9)
        process = experiment.start("--jobs", "2", "--predictions", "predictions.csv")
        if number % 5 in (0, 2):  # while it fits
            assert experiment.wait_for_fits(process)
            time.sleep(chance.uniform(0, 0.06))
        else:  # while it starts, or with the first fits
            experiment.wait_for_fits(process, seconds=chance.uniform(0, 1.2))
        kill(process)
        assert process.returncode == -signal.SIGKILL
        assert not (experiment.folder / "r.csv").exists()
        _, lasting = psutil.wait_procs(orphans, timeout=8)
        assert lasting == []
        orphans = experiment.alive()
    (experiment.folder / "allowed").unlink()
    last = experiment.run("--jobs", "2", "--predictions", "predictions.csv")
    assert last.status == 0, last.err
    assert "of these fits were there from before" in last.err
    assert len(experiment.rows()) == 120 * 2 * 2
    assert experiment.rows() == experiment.rows("undisturbed.csv")
    predictions = [(experiment.folder / name).read_bytes() for name in ("predictions.csv", "predictions-undisturbed.csv")]
    assert predictions[0] == predictions[1]
    assert len(predictions[0]) > 120 * 2 * 50


@pytest.mark.parametrize("place", ["(writing, '_replace')", "(Path, 'replace')"])
def test_a_kill_between_the_last_outcome_and_the_output_loses_nothing(experiment, place):
    experiment.write(ALGORITHMS, replicates=2)
    died = experiment.run(program=("-c", DIES.replace("{place}", place)))
    assert died.status == -signal.SIGKILL
    assert not (experiment.folder / "r.csv").exists()
    assert experiment.left_over() == []
    again = experiment.run()
    assert again.status == 0
    assert "4 fits: 2 algorithms x 2 replicates of data\nnote: 4 of these fits were there from before" in again.err
    assert len(experiment.rows()) == 8


def test_cells_of_workers_that_are_killed_from_outside_get_a_second_life_but_no_third(experiment):
    experiment.write({"a": "gated"}, replicates=4, metrics='["mse"]')
    with experiment.start("--jobs", "2", "--max-failed", "2") as process:
        assert experiment.wait_for_fits(process, 2)
        for before in (2, 4, 6):  # the first two cells twice, the others once
            for worker in experiment.workers():
                worker.kill()
            assert experiment.wait_for_fits(process, 2, before=before)
        (experiment.folder / "go").touch()
        _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    died = "its process died of SIGKILL, perhaps because the machine ran out of memory"
    assert [row["error"] for row in experiment.rows()] == [died, died, "", ""]
    assert [row["status"] for row in experiment.rows()] == ["failed", "failed", "ok", "ok"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_stops_cleanly_and_the_same_command_goes_on(experiment, number):
    experiment.write(ALGORITHMS, replicates=60)
    with experiment.start("--jobs", "2") as process:
        assert experiment.wait_for_fits(process, 6)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    (line,) = err.splitlines()
    head, _, tail = line.partition(" of ")
    saved = int(head.removeprefix("stopped cleanly with "))
    assert 0 < saved < 120
    assert tail == "120 fits saved; the same command goes on from here"
    assert experiment.left_over() == []
    again = experiment.run("--jobs", "2")
    assert again.status == 0
    assert f"120 fits: 2 algorithms x 60 replicates of data\nnote: {saved} of these fits were there from before" in again.err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_while_workers_start_leaves_no_traceback(experiment, number):
    experiment.write(ALGORITHMS, replicates=60)
    with experiment.start("--jobs", "2") as process:
        while len(experiment.alive()) < 2 and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert err == "stopped cleanly with 0 of 120 fits saved; the same command goes on from here\n"


HANGS = """
import re, subprocess, sys, time
from pathlib import Path

def hang(X_train, y_train, X_test):
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    Path("hangs").touch()
    (time.sleep(600) if X_test.columns[0] != "x" else re.match(r"(a*)*b", "a" * 40))  # the latter holds the interpreter's lock
"""


def test_fits_that_let_nobody_else_run_end_with_the_run(experiment):
    experiment.module(HANGS)
    experiment.write({"hang": "hang"}, replicates=2)
    with experiment.start() as process:
        while not (experiment.folder / "hangs").exists() and process.poll() is None:
            time.sleep(0.02)
        assert len(experiment.workers()) == 1
        time.sleep(0.2)
        kill(process)
    assert experiment.left_over() == []


def test_a_run_that_is_finished_starts_no_worker(experiment):
    experiment.write(ALGORITHMS, replicates=1)
    assert experiment.run().status == 0
    before = experiment.rows()
    (experiment.folder / "r.csv").unlink()
    lines = ("import sys, benchkit.run.local as local", "from benchkit.cli.app import main", "local.Slot = None")
    spy = "; ".join((*lines, "sys.exit(main(sys.argv[1:]))"))
    again = experiment.run(program=("-c", spy))
    assert again.status == 0, again.err
    assert experiment.rows() == before


def test_a_second_run_on_the_same_output_stops_and_leaves_the_first_alone(experiment):
    experiment.write({"a": "gated"}, replicates=2)
    with experiment.start() as first:
        assert experiment.wait_for_fits(first)
        for options in ((), ("--fresh",)):
            second = experiment.run(*options)
            assert second.refusal == ("another run is using r.csv.journal", "wait for its end, or give another output: -o PATH")
        (experiment.folder / "go").touch()
        _, err = first.communicate(timeout=60)
    assert first.returncode == 0, err
    assert [row["status"] for row in experiment.rows()] == ["ok"] * 4


def test_processes_of_a_run_can_be_told(experiment):
    """The tests above trust in this."""
    experiment.write({"a": "gated"}, replicates=3)
    with experiment.start("--jobs", "2") as process:
        assert experiment.wait_for_fits(process)
        while len(experiment.workers()) < 2 and process.poll() is None:
            time.sleep(0.05)
        assert len(experiment.workers()) == 2
        assert all(os.getpgid(one.pid) == one.pid for one in experiment.workers())
        assert process.pid in [one.pid for one in experiment.alive()]
        process.terminate()
        process.communicate(timeout=60)
    assert process.returncode == 130
    assert not psutil.pid_exists(process.pid)
