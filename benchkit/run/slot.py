"""One worker process at a time, replaced when it has died or had to be ended."""

import contextlib
import multiprocessing
import os
import shutil
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import Any

import psutil
from pebble import ProcessPool

from benchkit.errors import BenchkitError
from benchkit.run import worker
from benchkit.run.cell import Cell, Outcome, Status, failed
from benchkit.run.design import Design
from benchkit.run.plan import AlgorithmPlan
from benchkit.run.starting import Recording, uninterrupted

# seconds between two looks at a running fit, and for the pool to notice that a worker has died
WATCH, GRACE = 0.1, 2.0
# a worker that dies may have been killed from outside, so a cell gets a second one
LIVES = 2
# a worker may be ended from outside while it begins, too, but not for ever
STARTS = 3
ALONE = "import it in a Python of your own first"
# what is loaded once and shared by all workers that are made later
PRELOADED = ["benchkit.run.worker"]
ESTIMATORS = ["sklearn.pipeline", "sklearn.preprocessing", "sklearn.compose", "sklearn.impute"]
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def prepare_processes(threads: int, estimators: bool) -> Any:
    """Return the context that starts workers, after setting what they inherit: threads of BLAS and OpenMP, hashing.

    Workers are forked from a server that has loaded the libraries and runs no threads, so that a new one is there at
    once; forking this process, whose libraries run threads, could hang.
    """
    os.environ.update(dict.fromkeys(THREADS, str(threads)))
    os.environ.setdefault("PYTHONHASHSEED", "0")
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    from benchkit.run.forked import WorkerContext

    context = WorkerContext()
    context.set_forkserver_preload([*PRELOADED, *(ESTIMATORS if estimators else [])])
    return context


@dataclass(frozen=True)
class Ended:
    """A fit that gave no outcome of its own: why, and whether this process ended it (else the worker died by itself).

    taken: whether the worker had taken the cell; if not, the cell is not what it died of.
    """

    status: Status
    error: str
    wilful: bool
    taken: bool = True


class Lives:
    """Decides what becomes of cells that gave no outcome.

    Those whose worker died by itself are run again, and those that took too much memory, since some of it may have been
    left by cells before in the same worker.
    """

    def __init__(self, design: Design, lives: int = LIVES) -> None:
        """Take the number of workers that may die of a cell."""
        self._design, self._lives = design, lives
        self._deaths: Counter[Cell] = Counter()

    def outcome(self, cell: Cell, came: Outcome | Ended) -> Outcome | None:
        """Return the outcome, or None if the cell is to be run once more because its worker died."""
        if isinstance(came, Outcome):
            return came
        self._deaths[cell] += came.taken
        blameless = not came.wilful or came.status == "out-of-memory"
        if blameless and self._deaths[cell] < self._lives:
            return None
        return failed(came.status, came.error, self._design.seed(cell), self._design.sizes(cell))


class Slot:
    """Runs one cell after the other in a process of its own, watches its time and memory, and replaces it."""

    def __init__(self, context: Any, packed: bytes, ready: Callable[["Slot", Any], None]) -> None:
        """Start a worker; ready(self, future) is called, from another thread, whenever something has finished."""
        self._context, self._packed, self._ready = context, packed, ready
        self.cell: Cell | None = None
        self._algorithm: AlgorithmPlan | None = None
        self._ended: Ended | None = None
        self._started = self._vanished = 0.0
        self._starts = self._checks = 0
        self._open()

    def _open(self) -> None:
        self._processes = Recording(self._context)
        self._pool = ProcessPool(max_workers=1, context=self._processes)
        self._group: int | None = None
        self._process: int | None = None
        self._folder = ""
        with uninterrupted():
            self._future: Any = self._schedule(worker.begin, self._packed)

    def _schedule(self, function: Callable[..., Any], *arguments: Any) -> Any:
        future: Any
        try:
            future = self._pool.schedule(function, args=arguments)
        except (RuntimeError, OSError) as error:  # the worker has died while it had nothing to do, or cannot be started
            future = Future()
            future.set_exception(error)
        future.add_done_callback(lambda done: self._ready(self, done))
        return future

    def awaits(self, future: Any) -> bool:
        """Say whether the future is the latest one: those of a worker that was ended mean nothing any more."""
        return future is self._future

    @property
    def is_open(self) -> bool:
        """Whether the worker has begun and can take a cell."""
        return self._process is not None

    def opened(self) -> None:
        """Take the answer of a worker that has begun; one that could not is replaced, BenchkitError after the third."""
        try:
            self._process, self._group, self._folder = self._future.result()
            self._starts = 0
        except Exception as error:
            self._starts += 1
            if self._starts < STARTS:
                self._replace()
                return
            raise BenchkitError(
                f"a worker process could not be started: {' '.join(str(error).split())}",
                "check the memory and the temporary folder",
            ) from error

    def check(self, waiting: Callable[[], None] = lambda: None) -> list[str]:
        """Check the experiment in the worker; BenchkitError for what cannot work.

        waiting is called ten times a second until that is done; it may raise to end it.
        """
        future = self._pool.schedule(worker.checked)
        while not wait([future], timeout=WATCH).done:
            waiting()
            if self._process is not None and not psutil.pid_exists(self._process) and not future.done():
                raise BenchkitError("the code that the experiment names ends its process while it is loaded", ALONE)
        try:
            remarks: list[str] = future.result()
        except BenchkitError:
            raise
        except Exception as error:
            self._checks += 1
            if self._checks < STARTS:  # it may have been ended from outside
                self._replace()
                return self._checked_again(waiting)
            raise BenchkitError(
                f"the code that the experiment names could not be loaded: {type(error).__name__}: {' '.join(str(error).split())}",
                ALONE,
            ) from error
        return remarks

    def _checked_again(self, waiting: Callable[[], None]) -> list[str]:
        """Wait for the new worker and check in it."""
        while not self.is_open:
            future = self._future
            while not wait([future], timeout=WATCH).done:
                waiting()
            self.opened()
        return self.check(waiting)

    def start(self, cell: Cell, algorithm: AlgorithmPlan) -> None:
        """Begin to fit a cell."""
        self.cell, self._algorithm, self._ended = cell, algorithm, None
        self._started, self._vanished = time.monotonic(), 0.0
        self._future = self._schedule(worker.fit_cell, cell)

    def finish(self) -> Outcome | Ended:
        """Return what became of the cell; a worker that has gone is replaced, and then `is_open` is false for a while."""
        self.cell = None
        if self._ended is not None:
            ended = self._ended
            self._replace()
            return ended
        try:
            outcome: Outcome = self._future.result(timeout=0)
            return outcome
        except Exception as error:
            code = getattr(error, "exitcode", None)
            self._replace()
            return Ended("failed", _death(code, error), wilful=False, taken=not isinstance(error, RuntimeError))

    def watch(self) -> bool:
        """End the fit if it has used too much time or memory or its worker has vanished; say whether it was ended."""
        if self.cell is None or self._algorithm is None or self._process is None or self._future.done():
            return False
        limit, memory = self._algorithm.timeout, self._algorithm.memory
        if limit is not None and time.monotonic() - self._started > limit:
            self._ended = Ended("timeout", f"took longer than {limit:g} s", wilful=True)
        elif memory is not None and resident(self._process) > memory:
            self._ended = Ended("out-of-memory", f"used more than {memory / 1e6:g} MB", wilful=True)
        elif self._has_vanished(self._process):
            # an exit with status 0 looks like a regular end to the pool
            self._ended = Ended("failed", "ended its process", wilful=False)
        return self._ended is not None

    def _has_vanished(self, process: int) -> bool:
        """Say whether the worker has been gone for a while: the pool needs a moment to learn what it died of."""
        if psutil.pid_exists(process):
            return False
        self._vanished = self._vanished or time.monotonic()
        return time.monotonic() - self._vanished > GRACE

    def _replace(self) -> None:
        self.close()
        self._open()

    def close(self) -> None:
        """End the worker and all that it started, at once."""
        self._pool.stop()  # type: ignore[no-untyped-call]  # first, or the pool would replace the worker
        end_all(self._process, self._group)
        self._processes.kill()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
        # a pool whose worker was killed while it wrote may wait for ever
        threading.Thread(target=_joined, args=(self._pool,), daemon=True).start()


def _joined(pool: ProcessPool) -> None:
    with contextlib.suppress(Exception):
        pool.join()


def _death(code: int | None, error: BaseException) -> str:
    if code is not None and code < 0:
        name = signal.Signals(-code).name if -code in signal.valid_signals() else f"signal {-code}"
        more = ", perhaps because the machine ran out of memory" if -code == signal.SIGKILL else ""
        return f"its process died of {name}{more}"
    if code is not None:
        return f"its process ended with status {code}"
    return f"its process died: {' '.join(str(error).split())}"


def resident(process: int) -> int:
    """Return the resident memory in bytes of a process and its children; 0 if it has gone."""
    total = 0
    with contextlib.suppress(psutil.Error):
        root = psutil.Process(process)
        for one in (root, *root.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                total += one.memory_info().rss
    return total


def end_all(process: int | None, group: int | None) -> None:
    """Kill a process, its descendants and its process group."""
    if process is None:
        return
    victims: list[psutil.Process] = []
    with contextlib.suppress(psutil.Error):
        root = psutil.Process(process)
        victims = [root, *root.children(recursive=True)]
    if group == process and group != os.getpgid(0):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
    for one in victims:
        with contextlib.suppress(psutil.Error):
            one.kill()
