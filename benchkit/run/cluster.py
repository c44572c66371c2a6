"""Cells on a Dask cluster: each worker gets the experiment once, then one small task after the other."""

import queue
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from typing import Any

from benchkit.errors import BenchkitError
from benchkit.run.cell import Cell, Outcome
from benchkit.run.cluster_connection import NEEDED, NUMERIC, agree, connected, quiet
from benchkit.run.design import Design
from benchkit.run.slot import Ended, Lives
from benchkit.run.worker import Work

# seconds to find the first worker in: a cluster that grows when asked needs a while
FIRST = 60.0
# seconds between two signs of life, between two counts of the workers, and to take leave in
IDLE, COUNT, CLOSE = 0.5, 1.0, 2.0
# tasks in flight for each thread of the cluster: enough that none waits for this process, few enough to stop soon
AHEAD = 4
# how often Dask may give up a cell since all workers that had it were lost (distributed.scheduler.allowed-failures)
CHANCES = 3


def _ignore(_message: str) -> None:
    """Tell nobody."""


class ClusterWorkers:
    """Runs cells on the workers of a Dask cluster, in as many processes as these have threads.

    The cells run like those of `LocalWorkers`, each in a child process of a Dask worker that is watched for time and
    memory, with one BLAS and OpenMP thread. Modules and programs that the experiment file names by its folder are looked
    for in that folder on each worker: workers on this machine or on a shared file system find them, others need a copy in
    the same place.
    """

    def __init__(self, work: Work, design: Design, address: str, tell: Callable[[str], None] = _ignore) -> None:
        """Take the work and the scheduler's address; nothing happens before `check` or `run`.

        tell is called with a line for people when the run waits for workers, and when it goes on.
        """
        self._work, self._address, self._tell = work, address, tell
        self._lives, self._chances = Lives(design), Lives(design, CHANCES)
        self._run = f"benchkit-{uuid.uuid4().hex}"
        self._news: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self._flying: dict[str, tuple[Cell | None, Any]] = {}
        self._again: list[Cell] = []
        self._number = 0
        self._threads = 0
        self._counted = 0.0
        self._waits = False
        self._client: Any = None
        self._stack = ExitStack()
        self._remarks: list[str] = []

    def check(self) -> list[str]:
        """Return remarks on the experiment; BenchkitError for what cannot work, with the cluster or the experiment."""
        self._connect()
        from benchkit.run.cluster_plugin import check

        self._submit(None, check)
        deadline = time.monotonic() + FIRST
        try:
            while (came := self._next()) is None:
                if self._threads:
                    deadline = time.monotonic() + FIRST
                elif time.monotonic() > deadline:
                    hint = f"start some with `dask worker {self._address}`, in this environment"
                    raise BenchkitError(f"the Dask scheduler at {self._address} has no workers", hint)
        finally:
            self._cancel()
        remarks = came[1]
        if isinstance(remarks, BaseException):
            raise self._fault(remarks)
        return [*self._remarks, *remarks]

    def run(self, cells: Iterable[Cell]) -> Iterator[tuple[Cell, Outcome] | None]:
        """Yield each cell with its outcome as it is finished, and None now and then while nothing is.

        The cells of a worker that is lost are run on others; without any worker it waits for one. BenchkitError if the
        scheduler is lost.
        """
        self._connect()
        from benchkit.run.cluster_plugin import fit

        waiting = iter(cells)
        try:
            while self._fill(waiting, fit):
                came = self._next()
                if came is None:
                    yield None
                    continue
                cell, result = came
                outcome = self._outcome(cell, result)
                if outcome is None:
                    self._again.append(cell)
                else:
                    yield cell, outcome
        finally:
            self._cancel()

    def close(self) -> None:
        """End everything that runs for this run on the cluster, and leave it."""
        self._cancel()
        client, self._client = self._client, None
        with self._stack:
            if client is None:
                return
            with suppress(Exception):  # whatever was lost, nothing is left to do about it
                if client.status == "running":
                    client.unregister_worker_plugin(self._run)
            with suppress(Exception):
                client.close(timeout=CLOSE)

    def _connect(self) -> None:
        """Find the scheduler and give the work to its workers, unless that is done."""
        if self._client is not None:
            return
        self._stack.enter_context(quiet())
        client = connected(self._address)
        self._client = client
        try:
            self._remarks = agree(client.get_versions(packages=[NEEDED, *NUMERIC]))
            from benchkit.run.cluster_plugin import FittingPlugin

            client.register_plugin(FittingPlugin(self._run, self._work), name=self._run)
        except BenchkitError:
            raise
        except Exception as error:
            raise self._fault(error) from error

    def _submit(self, cell: Cell | None, function: Callable[..., Any]) -> None:
        self._number += 1
        key = f"{self._run}-{self._number}"
        arguments = (self._run, key) if cell is None else (self._run, key, cell)
        future = self._client.submit(function, *arguments, key=key, pure=False)
        self._flying[key] = (cell, future)
        future.add_done_callback(self._arrived)

    def _arrived(self, future: Any) -> None:
        """Fetch a result, in a thread of Dask's: a result whose worker was just lost has to be waited for."""
        try:
            result = future.result()
        except BaseException as error:
            result = error
        self._news.put((future.key, result))

    def _fill(self, waiting: Iterator[Cell], fit: Callable[..., Any]) -> bool:
        """Submit as many cells as there is room for; say whether there are any to wait for."""
        while len(self._flying) < AHEAD * max(1, self._threads):
            cell = self._again.pop() if self._again else next(waiting, None)
            if cell is None:
                break
            self._submit(cell, fit)
        return bool(self._flying)

    def _next(self) -> tuple[Any, Any] | None:
        """Return the next cell that has come back and what it came with; None after a while without."""
        if time.monotonic() - self._counted >= COUNT:
            self._look()
        try:
            key, result = self._news.get(timeout=IDLE)
        except queue.Empty:
            return None
        if self._waits:  # somebody has worked since the last look
            self._look()
        cell, future = self._flying.pop(key, (None, None))
        return None if future is None else (cell, result)

    def _look(self) -> None:
        """Count the threads of the cluster, and say so when there are none any more."""
        if self._client.status != "running":
            raise self._lost()
        try:
            self._threads = sum(self._client.nthreads().values())
        except Exception as error:
            raise self._lost() from error
        self._counted = time.monotonic()
        if (not self._threads) != self._waits:
            self._waits = not self._threads
            if self._waits:
                self._tell(f"the Dask cluster has no workers; waiting for some: dask worker {self._address}")
            else:
                self._tell("the Dask cluster has workers now")

    def _outcome(self, cell: Cell, result: Any) -> Outcome | None:
        """Return the outcome, or None if the cell is to be run once more."""
        if isinstance(result, Outcome | Ended):
            return self._lives.outcome(cell, result)
        from distributed import CancelledError
        from distributed.scheduler import KilledWorker

        if self._client.status != "running" or getattr(result, "reason", "") == "scheduler-connection-lost":
            raise self._lost()
        if isinstance(result, KilledWorker):
            reason = f"all Dask workers that ran it were lost, the last one {result.last_worker.address}"
        elif isinstance(result, CancelledError | OSError):
            reason = f"the Dask cluster gave it up: {result}"
        else:
            raise self._fault(result)
        return self._chances.outcome(cell, Ended("failed", reason, wilful=False))

    def _cancel(self) -> None:
        """Take back what is in flight; its workers stop at once."""
        futures = [future for _, future in self._flying.values()]
        self._flying, self._again = {}, []
        if futures and self._client is not None and self._client.status == "running":
            with suppress(Exception):
                self._client.cancel(futures, force=True)

    def _lost(self) -> BenchkitError:
        return BenchkitError(
            f"the Dask scheduler at {self._address} is gone", "the outcomes so far are saved; the same command goes on from there"
        )

    def _fault(self, error: BaseException) -> BenchkitError:
        """Return what to tell about an error that is not the algorithm's."""
        if isinstance(error, BenchkitError):
            return error
        if self._client.status != "running" or getattr(error, "reason", "") == "scheduler-connection-lost":
            return self._lost()
        said = " ".join(f"{type(error).__name__}: {error}".split())
        return BenchkitError(
            f"a Dask worker of {self._address} could not run benchkit: {said}",
            f"start the workers from the same environment: .venv/bin/dask worker {self._address}",
        )
