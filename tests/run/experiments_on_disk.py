"""Experiments in a folder of their own, run by the command line in a process of its own."""

import csv
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil

# bears the name of a run in the environment of all processes that belong to it, those of its fits included
MARK = "BENCHKIT_TEST_RUN"
TIMES = ("fit_seconds", "predict_seconds")
LONGEST = 120

MODULE = """
import time
from pathlib import Path
import numpy as np

def count():
    with Path("fits").open("ab") as file:
        file.write(b".")

def slow(X_train, y_train, X_test, seed, shift=0.0):
    time.sleep(0.01)
    count()
    return mean(X_train, y_train, X_test, seed, shift)

def paced(X_train, y_train, X_test, seed, shift=0.0):
    allowed = Path("allowed")
    while allowed.exists() and Path("fits").exists() and Path("fits").stat().st_size >= int(allowed.read_text()):
        time.sleep(0.01)
    return slow(X_train, y_train, X_test, seed, shift)

def gated(X_train, y_train, X_test, seed):
    count()
    while not Path("go").exists():
        time.sleep(0.01)
    return mean(X_train, y_train, X_test, seed)

def mean(X_train, y_train, X_test, seed, shift=0.0):
    return np.full(len(X_test), y_train.mean() + shift + seed / 2**31)
"""


class Experiment:
    """An experiment file with its data and its module of algorithms, and what running it gives."""

    def __init__(self, folder: Path, module: str = MODULE, rows: int = 30) -> None:
        """Write 30 rows of data and the module `own`; `write` has to follow."""
        self.folder, self.name = folder, uuid.uuid4().hex
        self.module(module)
        self.data("data", [(i % 7, i * i % 11 + i / 10) for i in range(rows)])

    def module(self, source: str) -> None:
        """Write the module `own`."""
        (self.folder / "own.py").write_text(source, encoding="utf-8")

    def data(self, name: str, rows: Sequence[tuple[float, float]]) -> None:
        """Write a file of data with the columns x and y."""
        (self.folder / f"{name}.csv").write_text("x,y\n" + "".join(f"{x},{y}\n" for x, y in rows))

    def write(
        self,
        algorithms: Mapping[str, str],
        replicates: int | None = 3,
        datasets: Sequence[str] = ("data",),
        experiment: str = "",
        metrics: str = '["mse", "mae"]',
        resampling: str = 'method = "bootstrap"',
    ) -> None:
        """Write the experiment file; each algorithm is its name and the lines of its table (or the name of its function)."""
        lines = ["[experiment]", f"metrics = {metrics}", experiment]
        for name in datasets:
            lines += ["[[dataset]]", f'path = "{name}.csv"', 'target = "y"']
        lines += ["[resampling]", resampling, "" if replicates is None else f"replicates = {replicates}"]
        for name, table in algorithms.items():
            lines += ["[[algorithm]]", f'name = "{name}"', table if "=" in table else f'function = "own:{table}"']
        (self.folder / "e.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def start(
        self,
        *options: str,
        output: str = "r.csv",
        program: Sequence[str] = ("-m", "benchkit"),
        arguments: Sequence[str] | None = None,
        **more: Any,
    ) -> Any:
        """Start a run, by other arguments if they are given; its processes are those of `alive`."""
        arguments = arguments or [sys.executable, *program, "run", "e.toml", *(["-o", output] if output else []), *options]
        environment = {**os.environ, MARK: self.name, "COLUMNS": "1000"}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "encoding": "utf-8", "errors": "replace"}
        return subprocess.Popen(arguments, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, **pipes, **more)

    def run(self, *options: str, **more: Any) -> "Ran":
        """Run to the end."""
        with self.start(*options, **more) as process:
            try:
                out, err = process.communicate(timeout=LONGEST)
            finally:
                process.kill()
        return Ran(process.returncode, out, err)

    def rows(self, output: str = "r.csv") -> list[dict[str, str]]:
        """Return the rows of the results without the measured times."""
        with (self.folder / output).open(newline="", encoding="utf-8") as file:
            return [{name: cell for name, cell in row.items() if name not in TIMES} for row in csv.DictReader(file)]

    def alive(self) -> list[psutil.Process]:
        """Return the processes of all runs of this experiment."""
        return [one for one in psutil.process_iter() if _environment(one).get(MARK) == self.name]

    def left_over(self, seconds: float = 8.0) -> list[str]:
        """Wait until no process of a run is alive; return those that still are after so many seconds, and end them."""
        deadline = time.monotonic() + seconds
        while (found := self.alive()) and time.monotonic() < deadline:
            time.sleep(0.05)
        told = [f"{one.pid} {' '.join(one.cmdline())}" for one in found if one.is_running()]
        for one in found:
            one.kill()
        return told

    def workers(self) -> list[psutil.Process]:
        """Return the worker processes of the runs: the leaders of the sessions that they begin."""
        return [one for one in self.alive() if _leads(one.pid) and one.ppid() != os.getpid()]

    def allow(self, number: int) -> None:
        """Let `paced` make so many more fits and then wait, so that no run ends by itself, however slow this test is."""
        (self.folder / "allowed").write_text(str(_size(self.folder / "fits") + number))

    def wait_for_fits(self, process: Any, number: int = 1, seconds: float = LONGEST, before: int | None = None) -> bool:
        """Wait until so many more fits have been made, as the file `fits` tells; False if the run or the time ends before.

        before: how many there were, if not those of now.
        """
        fits = self.folder / "fits"
        before, deadline = _size(fits) if before is None else before, time.monotonic() + seconds
        while process.poll() is None and time.monotonic() < deadline:
            if _size(fits) >= before + number:
                return True
            time.sleep(0.005)
        return False


class Ran:
    """How a run ended: exit status, standard output, standard error and its lines."""

    def __init__(self, status: int, out: str, err: str) -> None:
        """Take what came out."""
        self.status, self.out, self.err = status, out, err
        self.lines = err.splitlines()

    @property
    def refusal(self) -> tuple[str, str]:
        """The error and the hint of a run that ended with status 2 and said nothing else."""
        assert self.status == 2, (self.status, self.err)
        assert len(self.lines) == 2, self.err
        error, hint = self.lines
        assert error.startswith("error: "), self.err
        assert hint.startswith("hint: "), self.err
        return error.removeprefix("error: "), hint.removeprefix("hint: ")


def kill(process: Any, number: int = signal.SIGKILL) -> None:
    """Send a signal to the main process of a run and wait for its end."""
    process.send_signal(number)
    process.wait(timeout=LONGEST)
    for stream in (process.stdout, process.stderr):  # not read to their ends, which a process left over would hold open
        stream.close()


def _environment(process: psutil.Process) -> dict[str, str]:
    try:
        return {} if process.status() == psutil.STATUS_ZOMBIE else process.environ()
    except (psutil.Error, OSError):
        return {}


def _leads(process: int) -> bool:
    try:
        return os.getsid(process) == process
    except OSError:
        return False


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
