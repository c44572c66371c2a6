"""The reference experiments as matrices, and the contrasts and blocks that the tests of comparisons ask for."""

import csv
import json
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from benchkit.methods.records import Answer, Blocks, Floats, Integers

REFERENCE = Path(__file__).parent.parent / "reference"


@cache
def experiment(name: str) -> tuple[Floats, tuple[str, ...]]:
    """Return the replicate x algorithm matrix of a reference file, NaN where missing, and the algorithms in natural order."""
    with (REFERENCE / f"{name}.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    algorithms = sorted({row["algorithm"] for row in rows})
    replicates = sorted({row["replicate"] for row in rows}, key=int)
    values = np.full((len(replicates), len(algorithms)), np.nan)
    place = {replicate: i for i, replicate in enumerate(replicates)}
    for row in rows:
        values[place[row["replicate"]], algorithms.index(row["algorithm"])] = float(row["performance"])
    values.flags.writeable = False
    return values, tuple(algorithms)


@cache
def reference() -> dict[str, Any]:
    """Return the numbers from R."""
    numbers: dict[str, Any] = json.loads((REFERENCE / "reference.json").read_text())
    return numbers


def all_pairs(algorithms: int) -> Integers:
    """Return all contrasts (a, b) with a before b."""
    return np.array(list(combinations(range(algorithms), 2)), dtype=np.int64)


def blocks(
    values: Floats,
    contrasts: Integers | None = None,
    level: float = 0.95,
    seed: int = 1,
    draws: int = 9999,
    many_to_one: bool = False,
) -> Blocks:
    """Return the Blocks of all pairs unless told otherwise."""
    chosen = all_pairs(values.shape[1]) if contrasts is None else contrasts
    return Blocks(values, chosen, level, np.random.default_rng(seed), many_to_one=many_to_one, draws=draws)


def codes(answer: Answer) -> list[str]:
    """Return the codes of the remarks."""
    return [remark.code for remark in answer.remarks]


def interval(answer: Answer) -> Floats:
    """Return the simultaneous intervals, (2, m)."""
    half = answer.pairs.critical * answer.pairs.std_error
    return np.array([answer.pairs.estimate - half, answer.pairs.estimate + half])
