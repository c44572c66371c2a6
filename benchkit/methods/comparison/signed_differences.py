"""Pair by pair, the differences on the replicates that have both, with what each may owe to float noise."""

from dataclasses import dataclass

import numpy as np

from benchkit.methods.mid_ranks import NOISE
from benchkit.methods.records import Floats, Integers, Remark


@dataclass(frozen=True)
class Differences:
    """One contrast on its n shared replicates: a - b and its float noise, shapes (n,), and both means.

    A difference of at most 1e-12 of the larger of its two values is exactly 0. The means are NaN without a replicate.
    """

    values: Floats
    noise: Floats
    mean_a: float
    mean_b: float


def signed_differences(values: Floats, contrasts: Integers) -> list[Differences]:
    """Return the differences of each contrast (a, b); values: (B, K), NaN where missing."""
    columns = np.ascontiguousarray(values.T)
    return [_pair(columns[a], columns[b]) for a, b in contrasts]


def counts(pairs: list[Differences]) -> dict[str, Floats]:
    """Return the columns of how often a is better, worse and neither."""
    signs = [np.sign(pair.values) for pair in pairs]
    names = {"n_worse": 1, "n_better": -1, "n_equal": 0}
    return {name: np.array([(sign == value).sum() for sign in signs], dtype=np.float64) for name, value in names.items()}


def remarks(pairs: list[Differences]) -> tuple[Remark, ...]:
    """Return the remarks on pairs without a shared replicate and on pairs that differ nowhere."""
    empty = tuple(i for i, pair in enumerate(pairs) if not pair.values.size)
    equal = tuple(i for i, pair in enumerate(pairs) if pair.values.size and not pair.values.any())
    return tuple(Remark(code, which) for code, which in (("not-estimable", empty), ("zero-variance", equal)) if which)


def _pair(first: Floats, second: Floats) -> Differences:
    difference = first - second
    both = ~np.isnan(difference)
    first, second, difference = first[both], second[both], difference[both]
    noise = NOISE * np.maximum(np.abs(first), np.abs(second))
    difference[np.abs(difference) <= noise] = 0.0
    if not difference.size:
        return Differences(difference, noise, float("nan"), float("nan"))
    return Differences(difference, noise, float(first.mean()), float(second.mean()))
