"""The rules by which the mixed model judges pairs, compared: familywise error when seven algorithms are equal.

Each run has its own seed, so the numbers do not depend on how many processors share the work.
"""

import csv
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations
from pathlib import Path

import numpy as np

from benchkit.methods.adjustment import max_t_bootstrap
from benchkit.methods.comparison.mixed import compare
from benchkit.methods.comparison.paired import differences, studentise, two_sided
from benchkit.methods.records import Blocks, Floats

ROOT = Path(__file__).parent.parent.parent
FILE = Path(__file__).parent / "mixed_rules.csv"
RUNS, SEED, ALPHA = 2000, 2008, 0.05
# (R + 1) alpha is whole, so that fewer bootstrap samples than the 9999 of the command line keep the level.
DRAWS = 999
REPLICATES = (10, 30, 250)
RULES = ("default", "pooled", "Bonferroni t", "bootstrap max-T")

Sample = Callable[[int, np.random.Generator], Floats]


@cache
def motorcycle() -> Floats:
    """Return the motorcycle data as a replicate x algorithm matrix, each column centred: all means are equal."""
    cells: dict[str, list[float]] = {}
    with (ROOT / "sample_data/motorcycle.csv").open(newline="") as lines:
        for row in csv.DictReader(lines):
            cells.setdefault(row["algorithm"], []).append(float(row["performance"]))
    values = np.array([cells[name] for name in sorted(cells)]).T
    centred: Floats = values - values.mean(axis=0)
    return centred


def _spreads() -> Floats:
    spreads: Floats = motorcycle().std(axis=0, ddof=1)
    return spreads


def normal_equal(replicates: int, generator: np.random.Generator) -> Floats:
    """Return independent standard normal values."""
    return generator.normal(size=(replicates, motorcycle().shape[1]))


def normal(replicates: int, generator: np.random.Generator) -> Floats:
    """Return normal values with the motorcycle's standard deviations."""
    return normal_equal(replicates, generator) * _spreads()


def exponential(replicates: int, generator: np.random.Generator) -> Floats:
    """Return exponential values with these standard deviations, centred."""
    values: Floats = (generator.exponential(size=(replicates, motorcycle().shape[1])) - 1) * _spreads()
    return values


def lognormal(replicates: int, generator: np.random.Generator) -> Floats:
    """Return standard lognormal values, centred and scaled to these standard deviations."""
    values = generator.lognormal(size=(replicates, motorcycle().shape[1]))
    mean, deviation = np.exp(0.5), np.sqrt((np.e - 1) * np.e)
    scaled: Floats = (values - mean) / deviation * _spreads()
    return scaled


def resampled(replicates: int, generator: np.random.Generator) -> Floats:
    """Return whole rows of the motorcycle data, drawn with replacement."""
    rows: Floats = motorcycle()[generator.integers(len(motorcycle()), size=replicates)]
    return rows


CASES: dict[str, Sample] = {
    "normal, equal SDs": normal_equal,
    "normal, motorcycle SDs": normal,
    "exponential, same SDs": exponential,
    "lognormal, same SDs": lognormal,
    "motorcycle rows resampled": resampled,
}


@dataclass(frozen=True)
class Rates:
    """Shares of runs in which some pair was called different though all are equal, one for each of RULES."""

    case: str
    replicates: int
    shares: tuple[float, ...]


def rejects(sample: Sample, replicates: int, run: int) -> tuple[bool, ...]:
    """Tell for each of RULES whether one experiment, with the seed of this run, finds any difference."""
    data, method = np.random.SeedSequence([SEED, run]).spawn(2)
    values = sample(replicates, np.random.default_rng(data))
    pairs = np.array(list(combinations(range(values.shape[1]), 2)))

    def command(covariance: str) -> bool:
        generator = np.random.default_rng(method)
        answer = compare(Blocks(values, pairs, 1 - ALPHA, generator, options={"covariance": covariance}, draws=DRAWS))
        return bool(np.nanmin(answer.pairs.p_adjusted) <= ALPHA)

    paired = differences(values, pairs)
    t = np.abs(studentise(paired.mean, paired.sd / np.sqrt(replicates)))
    each = values[:, pairs[:, 0]] - values[:, pairs[:, 1]]
    resampled = max_t_bootstrap.statistics(each, DRAWS, np.random.default_rng(method))
    bonferroni = bool(len(pairs) * two_sided(t, replicates - 1.0).min() <= ALPHA)
    bootstrap = bool(max_t_bootstrap.sf(t, resampled).min() <= ALPHA)
    return command("unstructured"), command("pooled"), bonferroni, bootstrap


def simulate(runs: int, jobs: int) -> list[Rates]:
    """Run every case at every number of replicates."""
    found = []
    with ProcessPoolExecutor(jobs) as workers:
        for case, sample in CASES.items():
            for replicates in REPLICATES:
                answers = list(workers.map(partial(rejects, sample, replicates), range(runs), chunksize=50))
                found.append(Rates(case, replicates, tuple(np.mean(answers, axis=0).tolist())))
                shown = " ".join(f"{share:.3f}" for share in found[-1].shares)
                print(f"{case}, B = {replicates}: {shown}", file=sys.stderr)
    return found


def write(rates: list[Rates]) -> None:
    """Keep the rates in FILE."""
    with FILE.open("w", newline="", encoding="utf-8") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(["data", "replicates", *RULES])
        writer.writerows([rate.case, rate.replicates, *(f"{share:.3f}" for share in rate.shares)] for rate in rates)


def read() -> list[Rates]:
    """Return the rates of FILE."""
    with FILE.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.reader(lines))[1:]
    return [Rates(case, int(replicates), tuple(map(float, shares))) for case, replicates, *shares in rows]


def part() -> str:
    """Return the part of the page."""
    head = f"""## Seven algorithms with the motorcycle's standard deviations

{RUNS} experiments for each line (standard error of a rate of 0.05: {np.sqrt(ALPHA * (1 - ALPHA) / RUNS):.4f}); the bootstrap
draws {DRAWS} samples.

- default: plain `test` and `rank`, unstructured covariance: below 30 replicates paired t with Holm's adjustment (which finds
  any difference exactly when Bonferroni does), up to 2000 the studentised bootstrap of the largest statistic.
- pooled: `--method mixed`, the model of Eugster & Leisch (2008) with Tukey's intervals. It errs where the
  standard deviations differ, and more replicates do not help.
- Bonferroni t, bootstrap max-T: the two parts of the default rule at every number of replicates. Ten replicates are too
  few for the bootstrap, whose level is then far below 0.05, and ten very skewed ones too few for any t.

The SDs are those of `sample_data/motorcycle.csv`, the largest 6.6 times the smallest.

| data | replicates | {" | ".join(RULES)} |
| --- | --- | {" | ".join("---" for _ in RULES)} |
"""
    rows = []
    for rate in read():
        shares = " | ".join(f"{share:.3f}" for share in rate.shares)
        rows.append(f"| {rate.case} | {rate.replicates} | {shares} |\n")
    return head + "".join(rows)
