"""Measures what benchkit run adds to the fits themselves, against bare loops doing the same fits, in one run.

The cost of a fit is a slope: the time of many fits less that of few, over their difference, so that start-up and loading
drop out. Part of `make bench`.
"""

import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

FEW, MANY, QUICK_ROUNDS = 50, 1050, 4
SLOW_FEW, SLOW_MANY, SLOW_ROUNDS = 10, 110, 2
MOST_OVERHEAD, LEAST_SPEED_UP = 0.002, 0.92

EXPERIMENT = """
[experiment]
metrics = ["mse"]
train_performance = false
[[dataset]]
path = "data.csv"
target = "y"
[resampling]
method = "bootstrap"
replicates = {replicates}
[[algorithm]]
name = "lm"
{algorithm}
"""
LINEAR = 'estimator = "sklearn.linear_model:LinearRegression"\npreprocess = "none"'
SLOW = 'function = "slow:fit_predict"'

# about 70 ms of arithmetic in one thread, without waiting for memory
SLOW_MODULE = """
def fit_predict(X_train, y_train, X_test):
    total = 0.0
    for number in range(1_300_000):
        total += number * 1e-12
    return [total] * len(X_test)
"""

BARE = """
import sys, time
import numpy as np, pandas as pd
from sklearn.linear_model import LinearRegression
from slow import fit_predict
data = pd.read_csv("data.csv")
features, target = data[["x1", "x2", "x3"]], data["y"].to_numpy()
generator = np.random.default_rng(1)
def once():
    train = generator.integers(0, len(target), len(target))
    test = np.setdiff1d(np.arange(len(target)), train)
    X_train, X_test = features.take(train), features.take(test)
    if sys.argv[1] == "linear":
        predicted = LinearRegression().fit(X_train, target[train]).predict(X_test)
    else:
        predicted = np.asarray(fit_predict(X_train, target[train], X_test))
    return float(np.mean((target[test] - predicted) ** 2))
once()
start = time.perf_counter()
for _ in range(int(sys.argv[2])):
    once()
print(time.perf_counter() - start)
"""


@dataclass(frozen=True)
class Fits:
    """Seconds a fit: benchkit with one job, a bare loop; and for slow fits benchkit with 1 and 2 jobs, 1 and 2 bare processes."""

    benchkit: float
    bare: float
    slow_benchkit: tuple[float, float]
    slow_bare: tuple[float, float]

    @property
    def overhead(self) -> float:
        """What benchkit adds to a fit, in seconds."""
        return self.benchkit - self.bare

    @property
    def relative_speed_up(self) -> float:
        """The speed-up of two jobs relative to that of two bare processes."""
        return (self.slow_benchkit[0] / self.slow_benchkit[1]) / (self.slow_bare[0] / self.slow_bare[1])


def prepare(folder: Path) -> None:
    """Write data, modules and experiment files."""
    lines = [f"{i % 17},{i % 13},{i % 7},{(i * 37) % 101}" for i in range(133)]
    (folder / "data.csv").write_text("\n".join(["x1,x2,x3,y", *lines]) + "\n")
    (folder / "slow.py").write_text(SLOW_MODULE)
    (folder / "bare.py").write_text(BARE)
    for name, algorithm in (("linear", LINEAR), ("slow", SLOW)):
        for count in (FEW, MANY, SLOW_FEW, SLOW_MANY):
            (folder / f"{name}{count}.toml").write_text(EXPERIMENT.format(replicates=count, algorithm=algorithm))


def run(folder: Path, kind: str, count: int, jobs: int) -> float:
    """Return the wall-clock seconds of a whole run."""
    command = [sys.executable, "-m", "benchkit", "run", f"{kind}{count}.toml", "-o", "out.csv", "--fresh", "-j", str(jobs), "-q"]
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdin=subprocess.DEVNULL)
    return time.perf_counter() - start


def slope(folder: Path, kind: str, few: int, many: int, jobs: int, rounds: int) -> float:
    """Return the seconds of one fit, the smallest of some rounds: what disturbs only adds."""
    return min((run(folder, kind, many, jobs) - run(folder, kind, few, jobs)) / (many - few) for _ in range(rounds))


def bare(folder: Path, kind: str, count: int, processes: int) -> float:
    """Return the seconds of one fit when so many bare processes share `count` fits."""
    command = [sys.executable, "bare.py", kind, str(count // processes)]
    children = [subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) for _ in range(processes)]
    return max(float(child.communicate()[0]) for child in children) / count


def measure(folder: Path) -> Fits:
    """Measure everything; the folder is empty."""
    prepare(folder)
    quick = [(slope(folder, "linear", FEW, MANY, 1, 1), bare(folder, "linear", MANY, 1)) for _ in range(QUICK_ROUNDS)]
    slow = [
        (
            slope(folder, "slow", SLOW_FEW, SLOW_MANY, 1, 1),
            slope(folder, "slow", SLOW_FEW, SLOW_MANY, 2, 1),
            bare(folder, "slow", SLOW_MANY, 1),
            bare(folder, "slow", SLOW_MANY, 2),
        )
        for _ in range(SLOW_ROUNDS)
    ]
    best = [min(column) for column in zip(*slow, strict=True)]
    return Fits(min(one for one, _ in quick), min(one for _, one in quick), (best[0], best[1]), (best[2], best[3]))


def section(found: Fits) -> str:
    """Return the part of docs/benchmarks.md about running experiments."""
    overhead, met = found.overhead, found.overhead < MOST_OVERHEAD
    ours, theirs = (pair[0] / pair[1] for pair in (found.slow_benchkit, found.slow_bare))
    fast_enough = found.relative_speed_up >= LEAST_SPEED_UP
    return f"""
## Running experiments

Wall-clock time of a fit in `benchkit run` and in a bare Python loop that does the same fits: the smallest of
{QUICK_ROUNDS} rounds of the time of many fits less that of few, over their difference, so that start-up drops out.

| what | benchkit | bare loop | relation | aim | met |
| --- | --- | --- | --- | --- | --- |
| a fit of `LinearRegression` on 133 rows, `--jobs 1` [ms] | {1000 * found.benchkit:.2f} | {1000 * found.bare:.2f} | \
{1000 * overhead:+.2f} ms | under 2 ms more | {"yes" if met else "no"} |
| speed-up by a second process, fits of {1000 * found.slow_bare[0]:.0f} ms | {ours:.2f} | {theirs:.2f} | \
{found.relative_speed_up:.2f} | at least {LEAST_SPEED_UP} of it | {"yes" if fast_enough else "no"} |
"""


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        print(section(measure(Path(name))))
