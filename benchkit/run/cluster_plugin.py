"""What happens on a Dask worker: it keeps the experiment for the length of a run and fits cells in processes of its own.

Only a run on a cluster imports this module, since it needs dask.distributed.
"""

import asyncio
import multiprocessing
import platform
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import forkserver
from typing import Any

from dask.typing import Key
from distributed import Reschedule, get_worker
from distributed.diagnostics.plugin import WorkerPlugin
from tornado.ioloop import PeriodicCallback

from benchkit import __version__
from benchkit.errors import BenchkitError
from benchkit.run.cell import Cell, Outcome
from benchkit.run.plan import AlgorithmPlan
from benchkit.run.slot import WATCH, Ended, Slot, prepare_processes
from benchkit.run.worker import Work

# seconds after which the process of a thread that has nothing to fit is ended: its run may be gone for good
REST = 60.0
# BLAS and OpenMP threads of each process: a Dask worker has as many processes as it has threads
THREADS = 1

_open_seats = 0
_counting = threading.Lock()


def versions() -> tuple[str, str]:
    """Return what must be the same everywhere: the version of benchkit and the one of Python without its last part."""
    return __version__, ".".join(platform.python_version_tuple()[:2])


class Seat:
    """A process that fits the cells of one thread of a Dask worker, one at a time, while that thread waits."""

    def __init__(self, context: Any, packed: bytes) -> None:
        """Start the process."""
        global _open_seats
        with _counting:
            _open_seats += 1
        self._news: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._slot = Slot(context, packed, lambda _, future: self._news.put(future))
        self.since = time.monotonic()

    def _heard(self) -> bool:
        """Wait a moment; say whether the process has begun or finished something."""
        try:
            return self._slot.awaits(self._news.get(timeout=WATCH))
        except queue.Empty:
            return False

    def _begin(self, waiting: Callable[[], None]) -> None:
        while not self._slot.is_open:
            if self._heard():
                self._slot.opened()
            else:
                waiting()

    def check(self, waiting: Callable[[], None]) -> list[str]:
        """Check the experiment; BenchkitError for what cannot work. waiting may raise to end it, here and in `fit`."""
        self._begin(waiting)
        return self._slot.check(waiting)

    def fit(self, cell: Cell, algorithm: AlgorithmPlan, waiting: Callable[[], None]) -> Outcome | Ended:
        """Fit a cell, watched for time and memory."""
        self._begin(waiting)
        self._slot.start(cell, algorithm)
        while not self._slot.watch() and not self._heard():
            waiting()
        return self._slot.finish()

    def close(self) -> None:
        """End the process and what it started, and the server of the processes with the last one of this Dask worker."""
        global _open_seats
        self._slot.close()
        with _counting:
            _open_seats -= 1
            if not _open_seats:
                # without this it would stay as long as the Dask worker does, with all that it has loaded
                forkserver._forkserver._stop()  # type: ignore[attr-defined]


class FittingPlugin(WorkerPlugin):
    """Holds the experiment on a Dask worker, from the start of the run, or the worker's own, to the end of the run."""

    def __init__(self, run: str, work: Work) -> None:
        """Take the name of the run, which is also that of the plugin, and its work."""
        self.name = run
        self._packed = work.packed()
        self._algorithms = {algorithm.name: algorithm for algorithm in work.plan.algorithms}
        self._versions = versions()

    def setup(self, worker: Any) -> None:
        """Get ready to fit; processes start when they are needed."""
        # A worker that a nanny watches is a daemonic process, and multiprocessing lets those have no children, since
        # they would outlive it when it is killed. Ours end themselves when their parent has gone, so it may have them.
        multiprocessing.current_process().daemon = False
        self._address: str = worker.address
        self._context = prepare_processes(THREADS, any(algorithm.steps for algorithm in self._algorithms.values()))
        self._free: list[Seat] = []
        self._lock = threading.Lock()
        self._busy: set[str] = set()
        self._freed: set[str] = set()
        self._closing = False
        self._resting = PeriodicCallback(self._rest, REST / 4 * 1000)
        self._resting.start()

    async def teardown(self, worker: Any) -> None:  # noqa: ARG002
        """End all processes, those that fit included; they are gone when this is done."""
        self._closing = True
        self._resting.stop()
        while self._busy:  # each thread ends its own process, within a moment
            await asyncio.sleep(WATCH / 10)
        self._rest(0.0)

    def transition(self, key: Key, start: str, finish: str, **_: Any) -> None:
        """Take note that a fit is no longer wanted: Dask forgets a task that runs, but cannot stop it."""
        if start == "executing" and finish in ("released", "forgotten") and isinstance(key, str) and key.startswith(self.name):
            self._freed.add(key)

    def _rest(self, seconds: float = REST) -> None:
        """End the processes that have had nothing to do for so long."""
        with self._lock:
            old = [seat for seat in self._free if time.monotonic() - seat.since >= seconds]
            self._free = [seat for seat in self._free if seat not in old]
        for seat in old:
            seat.close()

    def check(self, key: str) -> list[str]:
        """Return remarks on the experiment; BenchkitError for what cannot work."""
        with self._seat(key) as seat:
            return seat.check(lambda: self._go_on(key))

    def fit(self, key: str, cell: Cell) -> Outcome | Ended:
        """Fit a cell, as task `key` of the cluster."""
        with self._seat(key) as seat:
            return seat.fit(cell, self._algorithms[cell.algorithm], lambda: self._go_on(key))

    def _go_on(self, key: str) -> None:
        """Raise Reschedule if the task is no longer wanted, at least not here."""
        if self._closing or key in self._freed:
            raise Reschedule

    @contextmanager
    def _seat(self, key: str) -> Iterator[Seat]:
        """Lend a seat to the thread that calls; it is closed if anything goes wrong."""
        here = versions()
        if here != self._versions:
            raise other_version(self._address, here, self._versions)
        self._busy.add(key)
        seat = None
        try:
            with self._lock:
                seat = self._free.pop() if self._free else None
            seat = seat or Seat(self._context, self._packed)
            yield seat
        except BaseException as error:
            if seat is not None:
                seat.close()
            if isinstance(error, BenchkitError):
                raise BenchkitError(f"on the Dask worker {self._address}: {error.message}", error.hint) from error
            raise
        else:
            with self._lock:
                seat.since = time.monotonic()
                self._free.append(seat)
        finally:
            self._busy.discard(key)
            self._freed.discard(key)


def other_version(worker: str, there: tuple[str, str], here: tuple[str, str]) -> BenchkitError:
    """Return the complaint that a worker is not like this process."""
    return BenchkitError(
        f"the Dask worker {worker} has benchkit {there[0]} with Python {there[1]}, not {here[0]} with Python {here[1]} as here",
        "start the workers from the same environment: .venv/bin/dask worker ADDRESS",
    )


def _plugin(run: str) -> FittingPlugin:
    """Return the plugin of a run; where it is missing, the worker is just starting or the run has ended."""
    plugin = get_worker().plugins.get(run)
    if not isinstance(plugin, FittingPlugin):
        raise Reschedule
    return plugin


def check(run: str, key: str) -> list[str]:
    """Check the experiment on the worker that is given this task."""
    return _plugin(run).check(key)


def fit(run: str, key: str, cell: Cell) -> Outcome | Ended:
    """Fit a cell on the worker that is given this task."""
    return _plugin(run).fit(key, cell)
