"""What an experiment would take, from its plan and one fit of each algorithm on each data set."""

import time
from typing import Any

from benchkit.run.cell import Cell, Outcome
from benchkit.run.design import Design
from benchkit.run.execution import Workers
from benchkit.tables import shapes
from benchkit.tables.result import Note, Result

# sizes of the first replicates only: drawing them all would take long for large data
LOOKED_AT = 100
# seconds; a fit that took less is timed a second time
QUICK = 2.0


def pilot(design: Design, workers: Workers, jobs: int) -> Result:
    """Fit the first replicate of every data set with each algorithm; nothing is kept.

    seconds is what a fit took from its start to its outcome, with measuring; total_seconds is that times the number of
    fits. A fit that fails in the trial has its status and error in the table.
    """
    workers.check()
    first = [Cell(name, design.names(name)[0].replicate, one.name) for name in design.datasets for one in design.plan.algorithms]
    outcomes: dict[Cell, tuple[Outcome, float]] = {}
    # one after the other, so that they do not share the machine
    for cell in first:
        outcomes[cell] = _timed(cell, workers)
        if outcomes[cell][1] < QUICK:  # loading a library may have taken most of it
            outcomes[cell] = _timed(cell, workers)
    rows = [row for name in design.datasets for row in _rows(design, name, outcomes)]
    total = sum(row["total_seconds"] for row in rows)
    processes = f" in {jobs} processes" if jobs > 1 else ""
    message = f"{len(design.cells)} fits, about {duration(total / jobs)}{processes}"
    return Result("run", {"plan": shapes.build(shapes.PLAN, rows)}, [Note("plan", message)], answer=(message,))


def _timed(cell: Cell, workers: Workers) -> tuple[Outcome, float]:
    start = time.perf_counter()
    outcome = next(came[1] for came in workers.run([cell]) if came is not None)
    return outcome, time.perf_counter() - start


def _rows(design: Design, name: str, outcomes: dict[Cell, tuple[Outcome, float]]) -> list[dict[str, Any]]:
    names = design.names(name)
    drawn = [design.sizes(Cell(name, one.replicate, "")) for one in names[:LOOKED_AT]]
    train, test = [one.n_train for one in drawn], [one.n_test for one in drawn]
    count = len(list(design.replicates(name)))
    rows = []
    for algorithm in design.plan.algorithms:
        outcome, seconds = outcomes[Cell(name, names[0].replicate, algorithm.name)]
        rows.append(
            {
                "dataset": name,
                "algorithm": algorithm.name,
                "resampling": design.plan.resampling.method,
                "n_cells": count,
                "n_train_low": min(train),
                "n_train_high": max(train),
                "n_test_low": min(test),
                "n_test_high": max(test),
                "seconds": seconds,
                "total_seconds": seconds * count,
                "status": outcome.status,
                "error": outcome.error,
            }
        )
    return rows


def duration(seconds: float) -> str:
    """Return a length of time in words, no finer than it is known."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
