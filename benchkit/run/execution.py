"""Runs the cells that are missing, keeps each outcome, and tells those who look on."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Protocol

from benchkit.run.cell import Cell, Outcome
from benchkit.run.design import Design
from benchkit.run.journal import Journal


class Workers(Protocol):
    """Whatever runs cells: processes of this machine, or a cluster."""

    def check(self) -> list[str]:
        """Return remarks on the experiment; BenchkitError for what cannot work."""

    def run(self, cells: Iterable[Cell]) -> Iterator[tuple[Cell, Outcome] | None]:
        """Yield each cell with its outcome as it is finished, None now and then."""

    def close(self) -> None:
        """End everything that runs."""


class Watcher(Protocol):
    """Someone who looks on."""

    def finished(self, cell: Cell, outcome: Outcome, tally: "Tally") -> None:
        """See an outcome that is kept, old or new."""

    def idle(self, tally: "Tally") -> None:
        """See that time passes."""


@dataclass
class Tally:
    """How far a run has come. old: outcomes that were there before it began. means: sum and number by algorithm.

    first_failure: that of the first cell in the order of the plan, so that it is the same whoever is faster.
    """

    total: int
    old: int = 0
    done: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    means: dict[str, tuple[float, int]] = field(default_factory=dict)
    first_failures: dict[str, tuple[int, str]] = field(default_factory=dict)

    @property
    def failed(self) -> int:
        """The number of cells that failed for whatever reason."""
        return sum(self.failures.values())

    def count(self, cell: Cell, outcome: Outcome, metric: str, place: int) -> None:
        """Take the outcome of a cell, whose place in the plan is given, into account."""
        self.done += 1
        value = outcome.performance.get(metric)
        if outcome.status != "ok":
            self.failures[cell.algorithm] += 1
            known = self.first_failures.get(cell.algorithm)
            if known is None or place < known[0]:
                replicate = "" if cell.replicate is None else f", replicate {cell.replicate}"
                self.first_failures[cell.algorithm] = (place, f"{cell.dataset}{replicate}: {outcome.status}: {outcome.error}")
        elif value is not None and cell.replicate is not None:
            total, number = self.means.get(cell.algorithm, (0.0, 0))
            self.means[cell.algorithm] = (total + value, number + 1)


Stop = Callable[[Tally], bool]


def execute(
    design: Design, journal: Journal, workers: Workers, watchers: Sequence[Watcher], stop: Stop, remark: Callable[[str], None]
) -> Tally:
    """Run what the journal lacks, replicate by replicate; return the tally of all cells of the plan.

    The workers check the experiment first, and `remark` is told what is doubtful; BenchkitError for what cannot work.
    An outcome is kept in the journal before it is counted or shown. When `stop` says so after an outcome, or when an
    interrupt comes, no further one is waited for.
    """
    metric = design.plan.metrics[0].name
    tally = Tally(len(design.cells))
    places = {cell: place for place, cell in enumerate(design.cells)}

    def tell(cell: Cell, outcome: Outcome) -> None:
        tally.count(cell, outcome, metric, places[cell])
        for watcher in watchers:
            watcher.finished(cell, outcome, tally)

    missing = []
    for cell in design.running_order():
        outcome = journal.get(cell)
        if outcome is None:
            missing.append(cell)
        else:
            tally.old += 1
            tell(cell, outcome)
    if not missing or stop(tally):
        return tally
    for doubt in workers.check():
        remark(doubt)
    with closing(workers.run(missing)) as coming:  # type: ignore[type-var]
        for came in coming:
            if came is None:
                for watcher in watchers:
                    watcher.idle(tally)
                continue
            journal.add(*came)
            tell(*came)
            if stop(tally):
                break
    return tally
