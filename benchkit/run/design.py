"""The design: which replicates each data set has, which rows they hold, and which cells follow from that."""

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from benchkit.run.cell import Cell, Sizes, sizes
from benchkit.run.dataset import Dataset
from benchkit.run.plan import ExperimentPlan
from benchkit.run.resampling import RESAMPLERS
from benchkit.run.resampling.splits import Name, Split, Splits
from benchkit.run.seeds import generator_for, seed_for


class Design:
    """All splits of an experiment, made anew when they are asked for; the last one is kept."""

    def __init__(self, plan: ExperimentPlan, datasets: Sequence[Dataset]) -> None:
        """Make the names of all replicates; BenchkitError where the resampling does not fit a data set."""
        make = next(entry for entry in RESAMPLERS if entry.name == plan.resampling.method).load()
        self.plan = plan
        self.datasets = {dataset.name: dataset for dataset in datasets}
        self.splits: dict[str, Splits] = {
            dataset.name: make(dataset.rows, plan.resampling, seed_for(plan.seed, "resampling", dataset.name))
            for dataset in datasets
        }
        self._places = {
            name: {n.replicate: place for place, n in enumerate(splits.names)} for name, splits in self.splits.items()
        }
        self._last: tuple[tuple[str, str | None], Split, Sizes] | None = None

    def resampling(self, dataset: str) -> str:
        """Return what results call the resampling of a data set: a name that tells how far its replicates are independent."""
        plan = self.plan.resampling
        if plan.estimate == ".632":
            return "bootstrap-632"
        if plan.method != "predefined":
            return plan.method
        folds = any(name.fold is not None for name in self.names(dataset))
        return "predefined-samples" if plan.samples else "predefined-folds" if folds else "predefined"

    def names(self, dataset: str) -> Sequence[Name]:
        """Return what the replicates of a data set are called."""
        return self.splits[dataset].names

    def split(self, cell: Cell) -> Split:
        """Return the rows of a cell."""
        return self._drawn(cell)[0]

    def sizes(self, cell: Cell) -> Sizes:
        """Return how many rows a cell trains and tests on."""
        return self._drawn(cell)[1]

    def _drawn(self, cell: Cell) -> tuple[Split, Sizes]:
        key = (cell.dataset, cell.replicate)
        if self._last is None or self._last[0] != key:
            split = self._whole(cell.dataset) if cell.replicate is None else self._replicate(cell.dataset, cell.replicate)
            self._last = (key, split, sizes(split))
        return self._last[1], self._last[2]

    def _replicate(self, dataset: str, replicate: str) -> Split:
        return self.splits[dataset].draw(self._places[dataset][replicate])

    def _whole(self, dataset: str) -> Split:
        rows = np.arange(self.datasets[dataset].n)
        return Split(rows, rows)

    def seed(self, cell: Cell) -> int:
        """Return the seed of a cell."""
        whole = ("whole",) if cell.replicate is None else ("replicate", cell.replicate)
        return seed_for(self.plan.seed, "fit", cell.dataset, *whole, cell.algorithm)

    @cached_property
    def cells(self) -> Sequence[Cell]:
        """All cells in the order of the plan: data set, replicate, algorithm; fits on all rows come first."""
        return [
            Cell(dataset, replicate, algorithm.name)
            for dataset in self.datasets
            for replicate in self.replicates(dataset)
            for algorithm in self.plan.algorithms
        ]

    def replicates(self, dataset: str) -> Iterator[str | None]:
        """Yield the names of the replicates of a data set, None first where fits on all rows are asked for."""
        if self.plan.resampling.estimate != "oob":
            yield None
        yield from (name.replicate for name in self.names(dataset))

    def running_order(self) -> Iterator[Cell]:
        """Yield the cells replicate by replicate, algorithms in random order.

        So a drift of the machine meets all algorithms alike, and what is there after an interruption is complete blocks.
        """
        width = len(self.plan.algorithms)
        for start in range(0, len(self.cells), width):
            block = self.cells[start : start + width]
            generator = generator_for(self.plan.seed, "order", block[0].dataset, block[0].replicate or "")
            yield from (block[place] for place in generator.permutation(width))
