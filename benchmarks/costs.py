"""What processes and functions cost, measured in turn so that a busy machine slows all of them, and lines of a table."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

ROUNDS = 5


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


def process(*arguments: str, python: str = sys.executable) -> Cost:
    """Run one Python process and return what it cost."""
    start = time.perf_counter()
    child = subprocess.Popen([python, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
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
    return alternating(*(lambda command=command: process(*command) for command in commands), rounds=rounds, chosen=chosen)


def alternating(
    *works: Callable[[], Cost], rounds: int = ROUNDS, chosen: Callable[[Iterable[float]], float] = statistics.median
) -> list[Cost]:
    """Do the same with anything that returns its cost."""
    costs = [[work() for work in works] for _ in range(rounds + 1)][1:]
    return [
        Cost(chosen([cost.cpu for cost in column]), chosen([cost.wall for cost in column])) for column in zip(*costs, strict=True)
    ]


def once(work: Callable[[], object]) -> Cost:
    """Run a function in this process and return what it cost."""
    start, start_cpu = time.perf_counter(), time.process_time()
    work()
    return Cost(time.process_time() - start_cpu, time.perf_counter() - start)


def inside(work: Callable[[], object], rounds: int = ROUNDS) -> Cost:
    """Run a function in this process, `rounds` times after a warm-up; return its median cost."""
    return alternating(lambda: once(work), rounds=rounds)[0]


def against_floor(what: str, cost: Cost, floor: Cost, most: float) -> Line:
    """Judge by processor time relative to the floor."""
    return Line(what, cost, floor, f"at most {most} x the floor", cost.cpu <= most * floor.cpu)


def within(what: str, cost: Cost, seconds: float | None) -> Line:
    """Judge by wall-clock time, if there is an aim."""
    return Line(what, cost, None, f"under {seconds:g} s" if seconds else "", None if seconds is None else cost.wall < seconds)


def rows(lines: Iterable[Line]) -> str:
    """Return the lines of a table under HEAD."""
    return "".join(map(_row, lines))


HEAD = """| what | cpu [s] | wall [s] | relative to the floor (cpu; wall) | aim | met |
| --- | --- | --- | --- | --- | --- |
"""


def _row(line: Line) -> str:
    cost, floor = line.cost, line.floor
    relative = f"{cost.cpu / floor.cpu:.2f}; {cost.wall / floor.wall:.2f}" if floor else ""
    cells = (line.what, f"{cost.cpu:.3f}", f"{cost.wall:.3f}", relative, line.aim, {True: "yes", False: "no", None: ""}[line.met])
    return f"| {' | '.join(cells)} |\n"
