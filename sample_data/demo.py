"""Runs the main jobs on the motorcycle data and leaves tables and figures in demo/. Called by `make demo`.

First it analyses motorcycle.csv, the experiment as R ran it; then it runs a short experiment of its own from end to end.
"""

import shlex
import subprocess
import sys
from pathlib import Path

INPUT = "sample_data/motorcycle.csv"
FOLDER = Path("demo")

TABLES = {
    "summary": ("summarize", INPUT),
    "test": ("test", INPUT),
    "test-mixed": ("test", INPUT, "--method", "mixed"),
    "test-baseline": ("test", INPUT, "--baseline", "gam"),
    "rank": ("rank", INPUT),
    "rank-mixed": ("rank", INPUT, "--method", "mixed"),
}
TABLE_SUFFIXES = ("txt", "json")

FIGURES = {
    "podium": "the bench plot: performances by place, and how often each algorithm took it",
    "lines": "the same, with the dots of each replicate joined",
    "dot": "performances, one dot per replicate",
    "box": "their quartiles",
    "intervals": "simultaneous intervals of all differences",
}
FIGURE_SUFFIXES = ("svg", "png")

EXPERIMENT = "sample_data/motorcycle_quick.toml"
RESULTS = f"{FOLDER}/run/results.parquet"
# what is made of the results of the experiment, one command after the other
CHAIN = (
    ("summarize", RESULTS, "-o", f"{FOLDER}/run/summary.txt"),
    ("benchplot", RESULTS, "-o", f"{FOLDER}/run/podium.svg"),
    ("test", RESULTS, "-o", f"{FOLDER}/run/test.txt"),
    ("rank", RESULTS, "-o", f"{FOLDER}/run/rank.txt"),
)


def run(*arguments: str) -> None:
    """Show one benchkit command and run it; end the demo if it fails."""
    print("$ benchkit", shlex.join(arguments), flush=True)
    status = subprocess.run([sys.executable, "-m", "benchkit", *arguments], stdin=subprocess.DEVNULL, check=False).returncode
    if status:
        sys.exit(f"the demo stopped: this command ended with status {status}")


def make_all() -> None:
    """Write every table and figure; notes are shown once, with the first file of each."""
    for name, command in TABLES.items():
        for number, suffix in enumerate(TABLE_SUFFIXES):
            quiet = ("--quiet",) if number else ()
            run(*command, *quiet, "-o", f"{FOLDER}/{name}.{suffix}")
    run("test", INPUT, "--quiet", "-f", "csv", "-o", f"{FOLDER}/test/")
    for kind in FIGURES:
        for number, suffix in enumerate(FIGURE_SUFFIXES):
            quiet = ("--quiet",) if number else ()
            run("benchplot", INPUT, "--kind", kind, *quiet, "-o", f"{FOLDER}/{kind}.{suffix}")


def run_experiment() -> None:
    """Make results of our own with Python counterparts of the algorithms, and take them through every command."""
    (FOLDER / "run").mkdir(exist_ok=True)
    run("run", EXPERIMENT, "--fresh", "--jobs", "2", "-o", RESULTS)
    for command in CHAIN:
        run(*command)


def tell() -> None:
    """Show the answer, what was made and how to look at it."""
    for name in ("rank", "rank-mixed", "run/rank"):
        print(f"\n{FOLDER}/{name}.txt:\n")
        print((FOLDER / f"{name}.txt").read_text(encoding="utf-8").rstrip())
    print(f"\nMade in {FOLDER}/:")
    for name, command in TABLES.items():
        print(f"  {name + '.txt .json':<24} benchkit {shlex.join(command)}")
    print(f"  {'test/':<24} each table of benchkit test {INPUT}, as csv")
    for kind, meaning in FIGURES.items():
        print(f"  {kind + '.svg .png':<24} {meaning}")
    print(f"  {'run/':<24} {EXPERIMENT}, run from end to end: results, summary, podium, test, rank")
    print(f"\nTo look at them: cat {FOLDER}/rank.txt; open {FOLDER}/podium.svg in a web browser.")


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # a terminal that lacks the sign for ties
    FOLDER.mkdir(exist_ok=True)
    make_all()
    run_experiment()
    tell()
