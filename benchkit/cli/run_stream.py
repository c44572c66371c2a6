"""Rows of results as they come, as CSV on standard output, in the order of the plan."""

import polars as pl

from benchkit.cli.options import standard_output
from benchkit.formats.csv import separated
from benchkit.run.assembling import Outcomes, Rows
from benchkit.run.cell import Cell, Outcome
from benchkit.run.design import Design
from benchkit.run.execution import Tally
from benchkit.tables import shapes


class RowStream:
    """Writes the rows of a cell as soon as those of all cells before it are written."""

    def __init__(self, design: Design, outcomes: Outcomes) -> None:
        """Write the header."""
        self._rows = Rows(design, outcomes)
        self._cells = list(design.cells)
        self._next = 0
        self._early: dict[Cell, Outcome] = {}
        self._write(shapes.empty(shapes.RESULTS), header=True)

    def finished(self, cell: Cell, outcome: Outcome, _tally: Tally) -> None:
        """Write what can be written now; only cells that came early are kept in memory."""
        self._early[cell] = outcome
        rows: list[dict[str, object]] = []
        while self._next < len(self._cells) and self._cells[self._next] in self._early:
            ready = self._cells[self._next]
            rows += self._rows.of(ready, self._early.pop(ready))
            self._next += 1
        if rows:
            self._write(shapes.build(shapes.RESULTS, rows), header=False)

    def idle(self, _tally: Tally) -> None:
        """Do nothing."""

    def _write(self, frame: pl.DataFrame, header: bool) -> None:
        stream = standard_output()
        stream.write(separated(frame, ",", header))
        stream.flush()
