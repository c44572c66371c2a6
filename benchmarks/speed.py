"""Measures benchkit against floors, in one run, and writes docs/benchmarks.md.

Usage: python -m benchmarks.speed (`make bench`). A floor is what the same machine needs at least: importing the
libraries and reading the file. Whole processes are timed after a warm-up, in turn with their floor, so that a busy
machine slows both; the ratio of the medians is what counts.
"""

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from benchkit.core.blocks import Reading
from benchkit.core.compare import compare
from benchkit.core.experiment import Experiment
from benchkit.core.question import Question
from benchmarks import fits

REPLICATES, ALGORITHMS, SEED = 100_000, 10, 2008
ROUNDS = 5
PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
READ_FLOOR = "import typer,polars,numpy,scipy.special,scipy.stats; polars.read_parquet(F)"
IMPORT_FLOOR = "import typer"


@dataclass(frozen=True)
class Cost:
    """Seconds of processor time (user + sys, with children) and of wall-clock time; medians."""

    cpu: float
    wall: float


@dataclass(frozen=True)
class Line:
    """One measured thing: what it cost, its floor (if it has one), the aim, and whether it was met."""

    what: str
    cost: Cost
    floor: Cost | None
    aim: str
    met: bool | None


def measurements(widest: float = 2.0) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return the replicate x algorithm matrix that everything here uses; the errors' sd rise from 0.5 to `widest`."""
    generator = np.random.default_rng(SEED)
    blocks = generator.normal(0, 1, (REPLICATES, 1))
    errors = generator.normal(0, np.linspace(0.5, widest, ALGORITHMS), (REPLICATES, ALGORITHMS))
    values: np.ndarray[tuple[int, int], np.dtype[np.float64]] = 100 + np.linspace(0, 0.1, ALGORITHMS) + blocks + errors
    return values


def write_parquet(path: Path) -> None:
    """Write the measurements as a results table of 1,000,000 rows."""
    replicate = np.repeat(np.arange(1, REPLICATES + 1), ALGORITHMS)
    algorithm = [f"algorithm{number}" for number in range(1, ALGORITHMS + 1)] * REPLICATES
    table = {"metric": "mse", "dataset": "made", "replicate": replicate, "algorithm": algorithm}
    pl.DataFrame(table | {"performance": measurements().ravel()}).write_parquet(path)


def process(*arguments: str) -> Cost:
    """Run one Python process and return what it cost."""
    start = time.perf_counter()
    child = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert child.stderr is not None
    complaints = child.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    child.stderr.close()
    if child.returncode:
        sys.exit(f"{' '.join(arguments)} ended with status {child.returncode}:\n{complaints}")
    return Cost(usage.ru_utime + usage.ru_stime, wall)


def in_turn(
    *commands: tuple[str, ...], rounds: int = ROUNDS, chosen: Callable[[Iterable[float]], float] = statistics.median
) -> list[Cost]:
    """Run the commands in turn, `rounds` times after a warm-up; return the median cost of each, or what is chosen."""
    costs = [[process(*command) for command in commands] for _ in range(rounds + 1)][1:]
    return [
        Cost(chosen([cost.cpu for cost in column]), chosen([cost.wall for cost in column])) for column in zip(*costs, strict=True)
    ]


def inside(work: Callable[[], object], rounds: int = ROUNDS) -> Cost:
    """Run a function in this process, `rounds` times after a warm-up; return its median cost."""
    costs = []
    for _ in range(rounds + 1):
        start, start_cpu = time.perf_counter(), time.process_time()
        work()
        costs.append((time.process_time() - start_cpu, time.perf_counter() - start))
    return Cost(statistics.median(cpu for cpu, _ in costs[1:]), statistics.median(wall for _, wall in costs[1:]))


def against_floor(what: str, cost: Cost, floor: Cost, most: float) -> Line:
    """Judge a process by its processor time relative to its floor."""
    return Line(what, cost, floor, f"at most {most} x the floor", cost.cpu <= most * floor.cpu)


def within(what: str, cost: Cost, seconds: float | None) -> Line:
    """Judge by wall-clock time, if there is an aim."""
    return Line(what, cost, None, f"under {seconds:g} s" if seconds else "", None if seconds is None else cost.wall < seconds)


def analysis(method: str, widest: float = 2.0) -> Callable[[], object]:
    """Return the work from the blocks matrix to the Result, as `test` does it."""
    replicates = tuple(map(str, range(1, REPLICATES + 1)))
    names = tuple(f"algorithm{number}" for number in range(1, ALGORITHMS + 1))
    reading = Reading((Experiment("mse", "made", "lower", replicates, names, measurements(widest)),), REPLICATES * ALGORITHMS, ())
    return lambda: compare(reading, Question(method=method), lambda: np.random.default_rng(1))


def measure() -> list[Line]:
    """Measure everything; the file lies in a temporary folder."""
    lines = []
    benchkit = ("-m", "benchkit")
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "results.parquet")
        write_parquet(Path(file))
        read_floor = ("-c", READ_FLOOR.replace("F", repr(file)))
        asked = {
            "test --method mixed": (*benchkit, "test", file, "--method", "mixed", "-f", "csv"),
            "test": (*benchkit, "test", file, "-f", "csv"),
            "summarize": (*benchkit, "summarize", file, "-f", "csv"),
        }
        floor, *costs = in_turn(read_floor, *asked.values())
        judged = [against_floor(f"`{name}`", cost, floor, 1.5) for name, cost in zip(asked, costs, strict=True)]
        lines += [line if line.what != "`test`" else replace(line, aim="", met=None) for line in judged]
        podium = (*benchkit, "benchplot", file, "-o", str(Path(folder) / "podium.svg"))
        lines.append(within("`benchplot`, the podium", in_turn(podium, rounds=1)[0], 10))
    lines.append(within("matrix to Result, `--method mixed`, equal sd", inside(analysis("mixed", widest=0.5)), 0.1))
    lines.append(within("the same, unequal sd: the note needs the other model, too", inside(analysis("mixed")), None))
    lines.append(within("matrix to Result, plain `test`, unequal sd", inside(analysis("auto")), None))
    floor, cost = in_turn(("-c", IMPORT_FLOOR), (*benchkit, "--help"), rounds=4 * ROUNDS, chosen=min)
    lines.append(against_floor("`--help`", cost, floor, 1.6))
    return lines


def page(lines: list[Line]) -> str:
    """Return docs/benchmarks.md."""
    head = f"""# Speed

Written by `make bench`. Input: a Parquet file of 1,000,000 rows (100,000 replicates x 10 algorithms). Whole
processes, run in turn with their floor: the median of {ROUNDS} after a warm-up (`--help`: the least of {4 * ROUNDS};
the podium: one run).

- The floor of `test` and `summarize`: `python -c "{READ_FLOOR}"`.
- The floor of `--help`: `python -c "{IMPORT_FLOOR}"`.
- Machine: {os.cpu_count()} cores, Python {platform.python_version()}.

| what | cpu [s] | wall [s] | relative to the floor (cpu; wall) | aim | met |
| --- | --- | --- | --- | --- | --- |
"""
    return head + "".join(map(_row, lines))


def _row(line: Line) -> str:
    cost, floor = line.cost, line.floor
    relative = f"{cost.cpu / floor.cpu:.2f}; {cost.wall / floor.wall:.2f}" if floor else ""
    cells = (line.what, f"{cost.cpu:.3f}", f"{cost.wall:.3f}", relative, line.aim, {True: "yes", False: "no", None: ""}[line.met])
    return f"| {' | '.join(cells)} |\n"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as empty:
        text = page(measure()) + fits.section(fits.measure(Path(empty)))
    PAGE.write_text(text, encoding="utf-8")
    print(text)
