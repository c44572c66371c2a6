"""How far a run has come, on standard error: two live lines on a terminal, a plain line now and then elsewhere."""

import os
import sys
import time
from types import TracebackType

from rich.console import Console
from rich.live import Live
from rich.text import Text

from benchkit.cli.messages import say
from benchkit.run.cell import Cell, Outcome
from benchkit.run.design import Design
from benchkit.run.execution import Tally
from benchkit.run.metrics.known import direction_of
from benchkit.run.pilot import duration
from benchkit.tables.wording import terminal

# seconds between two pictures on a terminal, and between two lines elsewhere
LIVE, PLAIN = 0.1, 10.0
MARGIN, LONGEST, ELLIPSIS = 4, 16, "\u2026"


class RunProgress:
    """Shows cells done, rate, time left, failures and running means; a context that cleans up behind itself."""

    def __init__(self, design: Design, quiet: bool) -> None:
        """Show nothing if quiet or without standard error."""
        self._design = design
        self._quiet = quiet or sys.stderr is None
        self._terminal = not self._quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._live: Live | None = None
        self._shown = time.monotonic()
        self._first: tuple[float, int] | None = None  # when the first new outcome came, and how many there were then
        self._cell: Cell | None = None
        self._places = {name: {n.replicate: i for i, n in enumerate(design.names(name), 1)} for name in design.datasets}

    def __enter__(self) -> "RunProgress":
        """Begin to show."""
        if self._terminal:
            self._live = Live(console=Console(stderr=True), auto_refresh=False, transient=True)
            self._live.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Leave the terminal as it was."""
        if self._live is not None:
            self._live.__exit__(kind, error, trace)

    def finished(self, cell: Cell, _outcome: Outcome, tally: Tally) -> None:
        """Take note of an outcome."""
        self._cell = cell
        if self._first is None and tally.done > tally.old:
            self._first = (time.monotonic(), tally.done)
        self.idle(tally)

    def idle(self, tally: Tally) -> None:
        """Show how things stand if it is time to."""
        now = time.monotonic()
        if self._quiet or now - self._shown < (LIVE if self._terminal else PLAIN):
            return
        self._shown = now
        lines = [text for text in (self._state(tally, now), means(tally, self._design)) if text]
        if self._live is not None:
            # narrower than the terminal, so that the mark of a key that is typed does not break a line
            room = self._live.console.width - MARGIN
            shown = [line if len(line) <= room else line[: room - 1] + ELLIPSIS for line in lines]
            self._live.update(Text("\n".join(shown), no_wrap=True), refresh=True)
        else:
            say("", "   ".join(lines))

    def _state(self, tally: Tally, now: float) -> str:
        parts = [self._place(), f"{grouped(tally.done)} of {grouped(tally.total)} fits"]
        began, before = self._first or (now, tally.done)
        if tally.done > before and now > began:
            rate = (tally.done - before) / (now - began)
            parts += [f"{rate:.3g} fits/s", f"{duration((tally.total - tally.done) / rate)} left"]
        if tally.failed:
            parts.append(f"{tally.failed} failed ({', '.join(map(shortened, sorted(tally.failures)))})")
        return terminal("   ".join(part for part in parts if part))

    def _place(self) -> str:
        cell = self._cell
        if cell is None:
            return "starting"
        places = self._places[cell.dataset]
        if cell.replicate is None:
            return f"{cell.dataset}  fits on all rows"
        return f"{cell.dataset}  {self._design.plan.resampling.method} {places[cell.replicate]}/{len(places)}"


def means(tally: Tally, design: Design) -> str:
    """Return the running mean of each algorithm in the first metric, best first."""
    found = {name: total / number for name, (total, number) in tally.means.items()}
    worst_first = direction_of(design.plan.metrics[0]) == "higher"
    order = sorted(found, key=lambda name: (-found[name] if worst_first else found[name], name))
    texts = [f"{shortened(name)} {found[name]:.4g}" for name in order]
    return terminal("   ".join([f"{design.plan.metrics[0].name}:", *texts])) if texts else ""


def shortened(name: str) -> str:
    """Return a name that leaves room for others."""
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + ELLIPSIS


def grouped(number: int) -> str:
    """Return a whole number with its thousands apart."""
    return f"{number:,}".replace(",", " ")
