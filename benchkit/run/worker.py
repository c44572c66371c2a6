"""What happens inside a worker process: it receives the experiment once, then fits one cell after the other."""

import contextlib
import ctypes
import fcntl
import multiprocessing
import os
import pickle
import signal
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from multiprocessing.connection import wait

from benchkit.run.algorithms.fit import Fit
from benchkit.run.cell import Cell, Outcome, failed, run_cell
from benchkit.run.checking import check
from benchkit.run.containing import contained
from benchkit.run.dataset import Dataset
from benchkit.run.design import Design
from benchkit.run.fitting import load, needs, said
from benchkit.run.metrics.records import Metric
from benchkit.run.metrics.resolve import resolve
from benchkit.run.plan import ExperimentPlan


@dataclass(frozen=True, eq=False)
class Work:
    """All that a worker has to know, sent to it once."""

    plan: ExperimentPlan
    datasets: Sequence[Dataset]
    keep_predictions: bool = False
    keep_votes: bool = False
    show_output: bool = False

    def packed(self) -> bytes:
        """Return the work as bytes for other processes of this run."""
        return pickle.dumps(self, protocol=pickle.HIGHEST_PROTOCOL)


class Bench:
    """Fits the cells of an experiment in this process."""

    def __init__(self, work: Work) -> None:
        """Take the work; metrics and designs are made when they are first needed."""
        self.work = work
        self.algorithms = {algorithm.name: algorithm for algorithm in work.plan.algorithms}

    @cached_property
    def design(self) -> Design:
        """The splits."""
        return Design(self.work.plan, self.work.datasets)

    @cached_property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics; BenchkitError for one that cannot be found."""
        return tuple(resolve(metric, self.work.plan.path.parent) for metric in self.work.plan.metrics)

    def check(self) -> list[str]:
        """Return what is doubtful about the algorithms and metrics; BenchkitError for what cannot work."""
        return check(self.work.plan, self.work.datasets, self.metrics, self.work.keep_votes)

    def load(self, cell: Cell) -> None:
        """Import the code that the cell needs.

        It is imported once, so what it changes in the process has to outlast the cell that comes first.
        """
        load(self.algorithms[cell.algorithm])
        _ = self.metrics

    def run(self, cell: Cell) -> Outcome:
        """Fit and measure one cell."""
        plan, split = self.work.plan, self.design.split(cell)
        whole = cell.replicate is None
        fit = Fit(
            dataset=self.design.datasets[cell.dataset],
            algorithm=self.algorithms[cell.algorithm],
            replicate=cell.replicate or "",
            train=split.train,
            test=split.test,
            validation=split.validation,
            params=self.algorithms[cell.algorithm].params,
            seed=self.design.seed(cell),
            needs=needs(self.metrics),
            wants_scores=self.work.keep_predictions,
            keep_train=plan.train_performance and not whole,
            keep_votes=self.work.keep_votes and not whole,
        )
        return run_cell(fit, self.metrics, self.design.sizes(cell), self.work.keep_predictions and not whole, whole)


_bench: Bench | None = None


# PR_SET_CHILD_SUBREAPER of Linux
ADOPT = 36


def begin(packed: bytes) -> tuple[int, int, str]:
    """Make this process a worker of its own session; return its process number, its group and its temporary folder.

    It ends itself, with all that it started, when the process that started it has gone. On Linux what its children leave
    behind stays among its descendants, so that it can be found and ended.
    """
    global _bench
    with contextlib.suppress(PermissionError):
        os.setsid()
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(ADOPT, 1, 0, 0, 0)
    # what fits start goes by the environment
    tempfile.tempdir = os.environ["TMPDIR"] = tempfile.mkdtemp(prefix="benchkit-")
    _end_with_parent()
    work: Work = pickle.loads(packed)
    _silence(work.show_output)
    _bench = Bench(work)
    return os.getpid(), os.getpgid(0), tempfile.tempdir


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    group = os.getpgid(0)
    if sys.platform == "linux":
        # the kernel kills the group when the pipe from the parent closes, even if a fit never lets this thread run
        fcntl.fcntl(parent.sentinel, fcntl.F_SETOWN, -group)
        fcntl.fcntl(parent.sentinel, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(parent.sentinel, fcntl.F_SETFL, fcntl.fcntl(parent.sentinel, fcntl.F_GETFL) | os.O_ASYNC)
    threading.Thread(target=_wait_and_end, args=(parent.sentinel, group), daemon=True).start()


def _wait_and_end(sentinel: int, group: int) -> None:
    wait([sentinel])
    os.killpg(group, signal.SIGKILL)


def _silence(show: bool) -> None:
    """Send what algorithms print nowhere, or all of it to standard error: standard output may hold the results."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(2 if show else nowhere, 1)
    if not show:
        os.dup2(nowhere, 2)
    os.close(nowhere)


def checked() -> list[str]:
    """Check the experiment in this worker; BenchkitError for what cannot work."""
    assert _bench is not None
    return _bench.check()


def fit_cell(cell: Cell) -> Outcome:
    """Fit one cell in this worker; what is raised while it is measured fails the cell, too."""
    if _bench is None:  # the pool has put this process into the place of one that died while it had nothing to do
        raise RuntimeError("the worker has not begun")
    try:
        _bench.load(cell)
        with contained():
            outcome = _bench.run(cell)
    except BaseException as error:
        outcome = failed("failed", said(error), _bench.design.seed(cell), _bench.design.sizes(cell))
    reason = None if outcome.error is None else _writable(outcome.error)
    undefined = outcome.undefined and {name: _writable(why) for name, why in outcome.undefined.items()}
    return replace(outcome, error=reason, undefined=undefined)


def _writable(text: str) -> str:
    """Return the text without half surrogate pairs, which cannot be written."""
    return text.encode(errors="backslashreplace").decode()
