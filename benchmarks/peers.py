"""Measures benchkit's tests against other packages on the same data, in one run. Part of `make bench`.

benchkit is timed here, from the matrix to the Result with all of its tables. Each peer runs in a process of its own in
.venv-peers (`make peers`, from peers.txt) and is timed without its imports; one that takes longer than LIMIT is stopped.
"""

import json
import math
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchkit.core.blocks import Reading
from benchkit.core.compare import compare
from benchkit.core.experiment import Experiment
from benchkit.core.question import Question
from benchkit.tables.result import Result

ROOT = Path(__file__).parent.parent
PEER_PYTHON = ROOT / ".venv-peers" / "bin" / "python"
CALLS = Path(__file__).parent / "peer_calls.py"
LIMIT, IMPORTS = 20.0, 60.0
"""Seconds that a peer may take for one analysis, and for loading and ending beside it."""
ROUNDS, SEED = 5, 2008

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Task:
    """One analysis: its name in peer_calls.py, what it does, the data, the question put to benchkit, and the aim in seconds.

    answer: the number of benchkit's that `peers` (distribution names) find, too, up to `tolerance`.
    """

    name: str
    what: str
    replicates: int
    algorithms: int
    question: Question
    aim: float | None
    peers: tuple[str, ...] = ()
    answer: Callable[[Result], float] = lambda _: math.nan
    tolerance: float = 1e-9
    rounds: int = ROUNDS

    @property
    def values(self) -> Values:
        """The data, the same at each call: 0/1 outcomes of items, or numbers with a common part for each replicate."""
        generator = np.random.default_rng(SEED)
        shape = (self.replicates, self.algorithms)
        common, own = generator.normal(0, 1, (self.replicates, 1)), generator.normal(0, 1, shape)
        if self.name == "outcomes":
            return (common + own < np.linspace(1.0, 1.1, self.algorithms)).astype(np.float64)
        return np.asarray(100 + np.linspace(0, 0.1, self.algorithms) + common + np.linspace(0.5, 2.0, self.algorithms) * own)


@dataclass(frozen=True)
class Peer:
    """What a peer said. seconds: least of its runs, NaN if it did not end in time; trouble: why there is nothing."""

    name: str
    version: str = ""
    seconds: float = math.nan
    answer: float = math.nan
    trouble: str = ""


@dataclass(frozen=True)
class Comparison:
    """A task with the least seconds of benchkit, its answer, and the peers."""

    task: Task
    seconds: float
    answer: float
    peers: list[Peer] = field(default_factory=list)


def cell(table: str, column: str) -> Callable[[Result], float]:
    """Return how to find the first row of a column."""
    return lambda result: float(result.tables[table][column][0])


TASKS = (
    Task(
        "outcomes", "McNemar for all pairs and Cochran's Q", 1_000_000, 10, Question(method="cochran-q"), 0.3,
        ("mlxtend", "statsmodels"), cell("overall", "statistic"),
    ),
    Task(
        "friedman", "Friedman with Nemenyi", 100_000, 10, Question(method="friedman", options={"post_hoc": "nemenyi"}), 1.0,
        ("scikit-posthocs", "autorank"), cell("overall", "chi_square"),
    ),
    Task(
        "cliffs-delta", "Cliff's delta for all pairs, with intervals (and paired t)", 10_000, 20,
        Question(method="paired-t", effect="cliffs_delta"), 1.0, ("cliffs-delta",), cell("pairs", "effect"),
    ),
    Task(
        "permutation", "permutation, all pairs, max-T, 9999 draws", 250, 7, Question(method="permutation"), 1.0,
        ("scipy", "mlxtend"), cell("pairs", "p_value"), 0.03,
    ),
    Task(
        "signed-rank", "Bayesian signed rank, 50000 draws, one pair", 1_000, 2,
        Question(method="bayes-signed-rank", margins=("0.1",)), 2.0, ("baycomp",), cell("pairs", "posterior_better"), 0.02,
    ),
    Task(
        "large-permutation", "permutation, all pairs, max-T, 9999 draws", 100_000, 5, Question(method="permutation"), None,
        rounds=1,
    ),
    Task(
        "large-bootstrap", "bootstrap, all pairs, BCa, 9999 draws", 100_000, 5, Question(method="bootstrap"), None, rounds=1,
    ),
)  # fmt: skip


def ours(task: Task, values: Values) -> tuple[float, float]:
    """Return the least seconds from the matrix to the Result, after a warm-up if there are several rounds, and the answer."""
    replicates = tuple(map(str, range(1, task.replicates + 1)))
    names = tuple(f"algorithm{number}" for number in range(1, task.algorithms + 1))
    better = "higher" if task.name == "outcomes" else "lower"
    reading = Reading((Experiment("measure", "made", better, replicates, names, values),), values.size, ())
    seconds = []
    for _ in range(task.rounds + (task.rounds > 1)):
        start = time.perf_counter()
        result = compare(reading, task.question, lambda: np.random.default_rng(1))
        seconds.append(time.perf_counter() - start)
    return min(seconds), task.answer(result)


def theirs(task: str, name: str, file: Path, python: Path = PEER_PYTHON, limit: float = LIMIT) -> Peer:
    """Return what one peer said of the values in the file."""
    if not python.exists():
        return Peer(name, trouble="not installed (`make peers` needs a network)")
    command = [str(python), str(CALLS), task, name, str(file), str(limit)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=4 * limit + IMPORTS, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return Peer(name, trouble="did not end")
    said: dict[str, str | float] = {}
    for line in done.stdout.splitlines():
        said |= json.loads(line)
    if "version" not in said:
        return Peer(name, trouble=f"cannot be loaded: {(done.stderr.splitlines() or ['no message'])[-1]}")
    version = str(said["version"])
    if done.returncode and done.stderr.strip():
        return Peer(name, version, trouble=f"failed: {done.stderr.splitlines()[-1]}")
    if "seconds" not in said:
        return Peer(name, version)
    return Peer(name, version, float(said["seconds"]), math.nan if said["answer"] is None else float(said["answer"]))


def measure(tasks: tuple[Task, ...] = TASKS) -> list[Comparison]:
    """Measure every task; each peer runs right after benchkit, on the same values."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for task in tasks:
            file, values = Path(folder) / f"{task.name}.npy", task.values
            np.save(file, values)
            seconds, answer = ours(task, values)
            found.append(Comparison(task, seconds, answer, [theirs(task.name, name, file) for name in task.peers]))
    return found


def section(found: list[Comparison]) -> str:
    """Return the part of docs/benchmarks.md about other packages."""
    rows = "".join(_row(one, peer) for one in found for peer in one.peers or [None])
    return f"""
## Beside other packages

Wall-clock seconds of the analysis, without imports: benchkit from the matrix to its Result (all tables, intervals, effects,
notes; least of {ROUNDS} after a warm-up, with 100000 x 5 one run), the peers in an environment of their own (`make peers`)
on the same values, what comes nearest to it (least of up to 3 runs, stopped after {LIMIT:g} s). Peers adjust nothing and give
no intervals here, but for Nemenyi's p-values and autorank. Ratio: the peer's seconds over benchkit's. Same answer: Q,
chi-square or the first pair's delta agree to 9 digits, p-values and probabilities within what random draws allow.

| task | size | benchkit [s] | aim | met | peer | peer [s] | ratio | same answer |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
{rows}"""


def _row(one: Comparison, peer: Peer | None) -> str:
    task, aim, met = one.task, "", ""
    if task.aim is not None:
        aim, met = f"under {task.aim:g} s", "yes" if one.seconds < task.aim else "no"
    size = f"{task.replicates} x {task.algorithms}"
    cells = (task.what, size, f"{one.seconds:.3f}", aim, met, *_peer_cells(one, peer))
    return f"| {' | '.join(cells)} |\n"


def _peer_cells(one: Comparison, peer: Peer | None) -> tuple[str, str, str, str]:
    """Return the peer with its version, its seconds, the ratio, and whether the answers agree."""
    if peer is None:
        return "", "", "", ""
    name = f"{peer.name} {peer.version}".strip()
    if peer.trouble:
        return f"{name}: {peer.trouble}", "", "", ""
    if math.isnan(peer.seconds):
        return name, f"> {LIMIT:g}", f"> {LIMIT / one.seconds:.0f}", ""
    agrees = math.isclose(peer.answer, one.answer, rel_tol=one.task.tolerance, abs_tol=one.task.tolerance)
    same = "" if math.isnan(peer.answer) else "yes" if agrees else f"no: {peer.answer:.6g}, here {one.answer:.6g}"
    ratio = peer.seconds / one.seconds
    return name, f"{peer.seconds:.3f}", f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.1f}", same
