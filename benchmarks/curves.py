"""Measures `benchkit roc` against what reading its files needs at least, and DeLong's interval against other packages.

Part of `make bench`. Files are made by a process of its own (`python -m benchmarks.curves FOLDER`), so that this one stays
small: a child's peak memory counts from the size of the process that starts it.
"""

import math
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchkit.core.roc.answer import roc
from benchkit.core.roc.request import RocRequest, parse_marks
from benchkit.core.roc.voting import collect
from benchkit.formats.content import Content
from benchkit.formats.source import Border
from benchkit.formats.votes import npy
from benchkit.formats.votes.options import VoteOptions
from benchkit.formats.votes.reading import read_votes
from benchkit.methods.curve.functionals import area
from benchkit.methods.curve.moments import curve
from benchkit.methods.curve.scores import ranked
from benchkit.methods.curve.spread import sample_variance
from benchkit.tables.votes import VoteSource
from benchmarks import peers
from benchmarks.costs import HEAD, ROUNDS, Cost, Line, against_floor, alternating, once, process, rows

ITEMS, VOTERS, USED, MANY_ITEMS, SCORES, SEED = 200_000, 4096, 256, 1_200_000, 1_000_000, 2017
BLOCK = 20_000
MOST_MEMORY, ROOM = 1_000, 4_000_000_000
"""Megabytes that the process may take, and bytes that must be free for the largest file and its parts."""
PEERS = ("scikit-learn", "confidenceinterval", "MLstatkit")
IMPORTS = "import typer,polars,numpy,scipy.special"
ARROW_FLOOR, POLARS_FLOOR = f"{IMPORTS},pyarrow.parquet as p; p.read_table(F)", f"{IMPORTS}; polars.read_parquet(F)"
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10))
"""


@dataclass(frozen=True)
class Found:
    """What was measured. floor: the code of the floor of the packed file; memory: peak in MB, NaN where there is no room.

    delong: seconds of `roc` on the scores, and of its methods alone, with the area and what the peers said of it.
    """

    lines: list[Line]
    floor: str
    memory: float
    seconds: tuple[float, float]
    area: float
    peers: list[peers.Peer]


def votes(generator: np.random.Generator, items: int) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return the labels of some items, and the votes on them: each item has a share of voters for it, larger for positives."""
    labels = (generator.random(items) < 0.3).astype(np.int64)
    share = 1 / (1 + np.exp(0.5 - generator.normal(0, 1.5, items) - 1.5 * labels))
    drawn = generator.integers(0, 256, (items, VOTERS), dtype=np.uint8)
    return labels, (drawn < (256 * share[:, None]).astype(np.uint8)).astype(np.uint8)


def packed_file(folder: Path, name: str, items: int) -> None:
    """Write packed votes of many items, a part at a time; parts beyond the first ITEMS are these with their voters moved on."""
    parts = folder / f"{name} parts"
    parts.mkdir()
    generator = np.random.default_rng(SEED)
    made: list[tuple[NDArray[np.int64], NDArray[np.uint8]]] = []
    for number, start in enumerate(range(0, items, BLOCK)):
        if start < ITEMS:
            labels, drawn = votes(generator, BLOCK)
            made.append((labels, np.packbits(drawn, axis=1)))
        labels, packed = made[number % len(made)]
        moved = np.roll(packed, number // len(made), axis=1)
        table = {"item": np.arange(start, start + BLOCK), "label": labels, "packed": [row.tobytes() for row in moved]}
        pl.DataFrame(table).write_parquet(parts / f"{number:03d}.parquet")
    pl.scan_parquet(parts / "*.parquet").sink_parquet(folder / f"{name}.parquet", row_group_size=1 << 16)
    shutil.rmtree(parts)


def array_files(folder: Path) -> None:
    """Write the array of ITEMS x VOTERS votes with its labels, and the same as a boolean column for each voter."""
    generator = np.random.default_rng(SEED)
    array = np.lib.format.open_memmap(folder / "votes.npy", "w+", np.uint8, (ITEMS, VOTERS))  # type: ignore[no-untyped-call]
    labels = np.empty(ITEMS, np.int64)
    for start in range(0, ITEMS, BLOCK):
        some = slice(start, start + BLOCK)
        labels[some], array[some] = votes(generator, BLOCK)
    array.flush()
    pl.DataFrame({"label": labels}).write_parquet(folder / "labels.parquet")
    columns = {f"voter{number}": column for number, column in enumerate(np.ascontiguousarray(array.T).view(np.bool_), 1)}
    pl.DataFrame({"item": np.arange(ITEMS), "label": labels} | columns).write_parquet(folder / "wide.parquet")


def score_file(folder: Path) -> None:
    """Write scores of SCORES items, and the same as an array of labels, scores, and other scores for a test that needs two."""
    generator = np.random.default_rng(SEED)
    labels = (generator.random(SCORES) < 0.3).astype(np.int64)
    scores, others = (generator.normal(labels, 1.0) for _ in range(2))
    np.save(folder / "scores.npy", np.column_stack([labels, scores, others]))
    table = {"item": np.arange(SCORES), "algorithm": "made", "label": labels, "score": scores}
    pl.DataFrame(table).write_parquet(folder / "scores.parquet")


def source(file: Path, labels: Path | None = None) -> VoteSource:
    """Return what is in a file, as `benchkit roc` reads it."""
    return read_votes([str(file)], VoteOptions(Border([]), labels=None if labels is None else str(labels)))


def stream(file: Path) -> None:
    """Read all blocks of votes and leave them."""
    for _ in source(file).blocks():
        pass


def delong(scores: NDArray[np.float64], labels: NDArray[np.int8]) -> tuple[float, float]:
    """Return the area and DeLong's variance of it."""
    counts = ranked(scores, labels)[0]
    value, gradient = area(curve(counts, counts.voters).rates)
    return value, sample_variance(counts, gradient)


def measure(folder: Path) -> Found:
    """Measure everything; the folder is empty."""
    subprocess.run([sys.executable, "-m", "benchmarks.curves", str(folder)], check=True, stdin=subprocess.DEVNULL)
    packed, floor = _packed(folder)
    lines = [packed, *_array(folder), *_wide(folder)]
    memory = _memory(folder)
    seconds, value = _scores(folder)
    return Found(lines, floor, memory, seconds, value, [peers.theirs("delong", name, folder / "scores.npy") for name in PEERS])


def _packed(folder: Path) -> tuple[Line, str]:
    file = repr(str(folder / "packed.parquet"))
    python, floor = str(peers.PEER_PYTHON), ARROW_FLOOR
    if not has_arrow(python):
        python, floor = sys.executable, POLARS_FLOOR
    command = ("-m", "benchkit", "roc", str(folder / "packed.parquet"), "--voters-used", str(USED), "-f", "csv")
    costs = alternating(lambda: process("-c", floor.replace("F", file), python=python), lambda: process(*command))
    what = f"`roc --voters-used {USED}`, packed Parquet, {ITEMS} x {VOTERS}"
    return against_floor(what, costs[1], costs[0], 3), floor


def has_arrow(python: str) -> bool:
    """Say whether an interpreter has all that the floor imports."""
    code = f"{IMPORTS},pyarrow.parquet"
    return Path(python).exists() and subprocess.run([python, "-c", code], capture_output=True, check=False).returncode == 0


def _array(folder: Path) -> list[Line]:
    """Return what checking and counting votes costs, and that with labels and histograms, beside reading their memory."""
    file = folder / "votes.npy"
    counted = npy.part(Content(file.name, b"", str(file)), "votes", None, regression=False)
    opened = source(file, folder / "labels.parquet")
    words = np.load(file, mmap_mode="r").view(np.uint64)
    floor, cost = beside(lambda: np.sum(words), lambda: list(counted.batches()))
    line = against_floor(f"checking and counting a uint8 .npy, {ITEMS} x {VOTERS}; floor: `np.sum` as uint64", cost, floor, 2)
    floor, cost = beside(lambda: np.sum(words), lambda: collect(opened, with_sums=False))
    return [line, Line("the same with items, labels and histograms", cost, floor, "", None)]


def _wide(folder: Path) -> list[Line]:
    """Return what a boolean column for each voter costs beside polars, which counts them, and which leaves them as they are."""
    file = folder / "wide.parquet"
    count = pl.scan_parquet(file).select(pl.sum_horizontal("^voter.*$"))
    floor, cost = beside(count.collect, lambda: collect(source(file), with_sums=False))
    what = f"reading and counting {VOTERS} boolean columns, {ITEMS} rows; floor: polars' `sum_horizontal`"
    line = against_floor(what, cost, floor, 1.3)
    floor, cost = beside(lambda: pl.read_parquet(file), lambda: stream(file))
    what = "making rows of them; floor: `polars.read_parquet`, which leaves columns"
    return [line, against_floor(what, cost, floor, 1.3)]


def beside(floor: Callable[[], object], work: Callable[[], object]) -> tuple[Cost, Cost]:
    """Return what a floor and the work above it cost in this process."""
    first, second = alternating(lambda: once(floor), lambda: once(work), rounds=2 * ROUNDS)
    return first, second


def _memory(folder: Path) -> float:
    """Return the peak memory in MB of `roc` on a large file; NaN where there is no room for that."""
    if shutil.disk_usage(folder).free < ROOM:
        return math.nan
    subprocess.run([sys.executable, "-m", "benchmarks.curves", str(folder), "many"], check=True, stdin=subprocess.DEVNULL)
    command = ["-m", "benchkit", "roc", str(folder / "many.parquet"), "--voters-used", str(USED), "-f", "csv"]
    run = subprocess.run([sys.executable, "-c", PEAK, sys.executable, *command], check=True, stdout=subprocess.PIPE)
    (folder / "many.parquet").unlink()
    return float(run.stdout)


def _scores(folder: Path) -> tuple[tuple[float, float], float]:
    """Return the least seconds of `roc` on the scores and of the methods alone, and the area."""
    request = RocRequest(None, (), "without", "joint", parse_marks([], []), 0.95, "holm", 0.0, 0, 1000)
    opened = source(folder / "scores.parquet")
    table = np.load(folder / "scores.npy")
    labels, scores = table[:, 0].astype(np.int8), np.ascontiguousarray(table[:, 1])
    works = (lambda: roc(opened, request, lambda: np.random.default_rng(1)), lambda: delong(scores, labels))
    whole, alone = alternating(*(lambda work=work: once(work) for work in works), chosen=min)
    return (whole.wall, alone.wall), delong(scores, labels)[0]


def section(found: Found) -> str:
    """Return the part of docs/benchmarks.md about ROC curves."""
    fits = "not measured: too little room on the disk"
    if not math.isnan(found.memory):
        fits = f"{found.memory:.0f} MB (aim: under {MOST_MEMORY} MB; {'met' if found.memory < MOST_MEMORY else 'not met'})"
    return f"""
## ROC curves

Votes of {VOTERS} voters, made at random. Medians after a warm-up, in turn with their floor: the first line whole
processes, its floor `python -c "{found.floor}"`{"" if found.floor == ARROW_FLOOR else " (pyarrow is not there: `make peers`)"};
the others in one process without imports.

{HEAD}{rows(found.lines)}
Peak memory of `roc --voters-used {USED}` on {MANY_ITEMS} x {VOTERS} packed votes (0.6 GB): {fits}.

The area with DeLong's interval, {SCORES} scores, wall-clock seconds without imports: benchkit's `roc` from the file to all
tables, and its methods alone, from arrays, which the peers get, too (least of several). scikit-learn gives no interval;
MLstatkit takes two sets of scores at a time. The aim is to be faster than every peer that gives an interval.

| what | seconds | relative to `roc`'s methods | same area |
| --- | --- | --- | --- |
| `roc`, all tables | {found.seconds[0]:.3f} | {found.seconds[0] / found.seconds[1]:.1f} |  |
| `roc`'s methods | {found.seconds[1]:.3f} | 1 |  |
{"".join(_peer_row(peer, found) for peer in found.peers)}"""


def _peer_row(peer: peers.Peer, found: Found) -> str:
    name = f"{peer.name} {peer.version}".strip()
    if peer.trouble:
        return f"| {name}: {peer.trouble} |  |  |  |\n"
    if math.isnan(peer.seconds):
        return f"| {name} | > {peers.LIMIT:g} | > {peers.LIMIT / found.seconds[1]:.0f} |  |\n"
    same = "yes" if math.isclose(peer.answer, found.area, rel_tol=1e-6) else f"no: {peer.answer:.7g}, here {found.area:.7g}"
    return f"| {name} | {peer.seconds:.3f} | {peer.seconds / found.seconds[1]:.1f} | {same} |\n"


if __name__ == "__main__":
    target = Path(sys.argv[1])
    if len(sys.argv) > 2:
        packed_file(target, sys.argv[2], MANY_ITEMS)
    else:
        packed_file(target, "packed", ITEMS)
        array_files(target)
        score_file(target)
