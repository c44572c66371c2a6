"""Measures benchkit against floors, in one run, and writes docs/benchmarks.md.

Usage: python -m benchmarks.speed (`make bench`), or with --only floors, fits, curves or peers for one section of the page. A
floor is what the same machine needs at least: importing the libraries and reading the file. Whole processes are timed
after a warm-up, in turn with their floor, so that a busy machine slows both; the ratio of the medians is what counts.
"""

import argparse
import os
import platform
import re
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from benchkit.core.blocks import Reading
from benchkit.core.compare import compare
from benchkit.core.experiment import Experiment
from benchkit.core.question import Question
from benchmarks import curves, fits, peers
from benchmarks.costs import HEAD, ROUNDS, Line, against_floor, in_turn, inside, rows, within

REPLICATES, ALGORITHMS, SEED = 100_000, 10, 2008
PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
READ_FLOOR = "import typer,polars,numpy,scipy.special,scipy.stats; polars.read_parquet(F)"
IMPORT_FLOOR = "import typer"


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

"""
    return head + HEAD + rows(lines)


def _fits_section() -> str:
    with tempfile.TemporaryDirectory() as empty:
        return fits.section(fits.measure(Path(empty)))


def _curves_section() -> str:
    with tempfile.TemporaryDirectory() as empty:
        return curves.section(curves.measure(Path(empty)))


# in the order of the page
SECTIONS: dict[str, Callable[[], str]] = {
    "floors": lambda: page(measure()),
    "fits": _fits_section,
    "curves": _curves_section,
    "peers": lambda: peers.section(peers.measure()),
}


def with_section(text: str, section: str) -> str:
    """Return the page with the section in place of the one of the same heading, or at its end if there is none."""
    sections = re.split(r"(?m)^(?=#+ )", text)
    heading, new = section.strip().splitlines()[0], section.strip() + "\n"
    if not any(part.startswith(heading + "\n") for part in sections):
        return text.rstrip("\n") + "\n\n" + new
    parts = [new if part.startswith(heading + "\n") else part for part in sections]
    return "\n".join(part.strip("\n") + "\n" for part in parts if part.strip())


def main() -> None:
    """Measure all sections, or one; write the page and print what was measured."""
    parser = argparse.ArgumentParser(description="Measure the speed and write docs/benchmarks.md.")
    parser.add_argument("--only", choices=SECTIONS, help="measure one section and leave the others as they are")
    only = parser.parse_args().only
    text = PAGE.read_text(encoding="utf-8") if only else ""
    for name in [only] if only else SECTIONS:
        section = SECTIONS[name]()
        print(section)
        text = with_section(text, section)
    PAGE.write_text(text.lstrip("\n"), encoding="utf-8")


if __name__ == "__main__":
    main()
