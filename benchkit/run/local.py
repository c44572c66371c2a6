"""Cells on this machine: a fixed number of worker processes, each watched for time and memory."""

import queue
import time
from collections.abc import Iterable, Iterator
from typing import Any

from benchkit.run.cell import Cell, Outcome
from benchkit.run.design import Design
from benchkit.run.slot import WATCH, Lives, Slot, prepare_processes
from benchkit.run.worker import Work

# seconds between two signs of life
IDLE = 0.5


class LocalWorkers:
    """Runs cells in `jobs` processes of this machine."""

    def __init__(self, work: Work, design: Design, jobs: int, threads: int) -> None:
        """Take the work; the processes start with `check` or `run`. threads: of BLAS and OpenMP in each process."""
        self._jobs, self._lives = jobs, Lives(design)
        self._algorithms = {algorithm.name: algorithm for algorithm in work.plan.algorithms}
        self._context = prepare_processes(threads, any(algorithm.steps for algorithm in work.plan.algorithms))
        self._events: queue.SimpleQueue[tuple[Slot, Any]] = queue.SimpleQueue()
        self._packed = work.packed()
        self._slots: list[Slot] = []
        self._waiting: Iterator[Cell] = iter(())
        self._again: list[Cell] = []
        limited = any(a.timeout is not None or a.memory is not None for a in work.plan.algorithms)
        self._tick = WATCH if limited else IDLE
        self._watched = time.monotonic()

    def _slot(self) -> Slot:
        slot = Slot(self._context, self._packed, lambda slot, future: self._events.put((slot, future)))
        self._slots.append(slot)
        return slot

    def check(self) -> list[str]:
        """Return remarks on the experiment; BenchkitError for what cannot work."""
        slot = self._slot()
        while not slot.is_open:
            if slot.awaits(self._events.get()[1]):
                slot.opened()
        return slot.check()

    def run(self, cells: Iterable[Cell]) -> Iterator[tuple[Cell, Outcome] | None]:
        """Yield each cell with its outcome as it is finished, and None now and then while nothing is.

        Cells are taken one by one as workers get free. A worker that dies is replaced, and its cell is run once more.
        """
        self._waiting = iter(cells)
        given = [self._give(slot) for slot in self._slots if slot.is_open]  # every one of them, so no generator
        more = all(given)
        while more and len(self._slots) < self._jobs:
            self._slot()
        while more or any(slot.cell is not None for slot in self._slots):
            slot = self._next()
            if slot is None:
                yield None
            elif not slot.is_open:
                slot.opened()
                if slot.is_open:
                    more = self._give(slot) and more
            elif slot.cell is not None:
                cell, came = slot.cell, slot.finish()
                if slot.is_open:  # at once, so that the worker does not wait while the outcome is kept
                    more = self._give(slot) and more
                outcome = self._lives.outcome(cell, came)
                if outcome is None:
                    self._again.append(cell)
                    more = True
                else:
                    yield cell, outcome

    def _give(self, slot: Slot) -> bool:
        """Start the next cell; False if there is none."""
        cell = self._again.pop() if self._again else next(self._waiting, None)
        if cell is not None:
            slot.start(cell, self._algorithms[cell.algorithm])
        return cell is not None

    def _next(self) -> Slot | None:
        """Return the next worker with news: begun, finished, or ended because it took too much. None after a while without."""
        now = time.monotonic()
        if now - self._watched >= self._tick:
            self._watched = now
            taken = next((slot for slot in self._slots if slot.watch()), None)
            if taken is not None:
                self._watched = 0.0  # there may be more
                return taken
        try:
            slot, future = self._events.get(timeout=self._tick)
        except queue.Empty:
            return None
        return slot if slot.awaits(future) else None

    def close(self) -> None:
        """End all workers and what they started, at once."""
        for slot in self._slots:
            slot.close()
        self._slots = []
