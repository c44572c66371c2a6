"""What two algorithms have in common: their differences on the replicates that have both, for each pair by itself."""

from dataclasses import dataclass

import numpy as np

from benchkit.methods.comparison.paired import FLOAT_NOISE, differences, moments, shared_counts
from benchkit.methods.records import Floats, Integers, Means, Remark


@dataclass(frozen=True)
class Shared:
    """Each contrast (a, b) on its n shared replicates, shapes (m,): both means, and mean and sd of the differences a - b.

    NaN without a shared replicate; sd is NaN with one, and exactly 0 where the differences do not vary.
    """

    n: Integers
    mean_a: Floats
    mean_b: Floats
    estimate: Floats
    sd: Floats


def shared(values: Floats, contrasts: Integers) -> Shared:
    """Return the paired differences of every contrast; values: shape (B, K), NaN where missing."""
    n = shared_counts(values, contrasts)
    a, b = contrasts.T
    if not np.isnan(values).any():
        mean, paired = moments(values).mean, differences(values, contrasts)
        return Shared(n, mean[a], mean[b], paired.mean, paired.sd)
    found = [_one(values[:, [first, second]]) for first, second in contrasts]
    mean_a, mean_b, estimate, sd = np.array(found, dtype=np.float64).reshape(-1, 4).T
    return Shared(n, mean_a, mean_b, estimate, sd)


def difference_matrix(values: Floats, contrasts: Integers) -> Floats:
    """Return a - b for every replicate and contrast, shape (B, m): NaN where one is missing, exactly 0 where the two tie.

    Two values tie when they differ by at most 1e-12 of the larger one.
    """
    a, b = values[:, contrasts[:, 0]], values[:, contrasts[:, 1]]
    difference = a - b
    with np.errstate(invalid="ignore"):
        difference[np.abs(difference) <= FLOAT_NOISE * np.maximum(np.abs(a), np.abs(b))] = 0.0
    return np.asarray(difference)


def noise(values: Floats, contrasts: Integers) -> Floats:
    """Return what a mean of differences may owe to rounding, shape (m,): 1e-12 of the largest value of its algorithms."""
    largest = np.max(np.abs(values), axis=0, initial=0.0, where=~np.isnan(values))
    return np.asarray(FLOAT_NOISE * np.maximum(largest[contrasts[:, 0]], largest[contrasts[:, 1]]))


def algorithm_means(values: Floats) -> Means:
    """Return, for each algorithm, the mean of its replicates, sd / sqrt(n) and n - 1; NaN where there is none, or one."""
    present = [column[~np.isnan(column)] for column in values.T]
    n = np.array([column.size for column in present], dtype=np.int64)
    found = [moments(column[:, None]) if column.size else None for column in present]
    mean = np.array([np.nan if one is None else one.mean[0] for one in found])
    sd = np.array([np.nan if one is None else one.sd[0] for one in found])
    return Means(n=n, estimate=mean, std_error=sd / np.sqrt(np.maximum(n, 1)), df=np.where(n > 1, n - 1.0, np.nan))


def complete_replicates(values: Floats) -> tuple[Floats, tuple[Remark, ...]]:
    """Return the replicates that have every algorithm, and a remark if any had to be left out."""
    complete = ~np.isnan(values).any(axis=1)
    left_out = int((~complete).sum())
    if not left_out:
        return values, ()
    numbers = {"left_out": float(left_out), "replicates": float(len(values))}
    return values[complete], (Remark("incomplete-replicates", numbers=numbers),)


def remarks(found: Shared, replicates: int) -> tuple[Remark, ...]:
    """Say which pairs cannot be tested (small-n, not-estimable) and which do not vary (zero-variance)."""
    said: list[Remark] = []
    unknown = np.flatnonzero(found.n < 2)
    if replicates < 2:
        said.append(Remark("small-n", numbers={"replicates": float(replicates)}))
    elif unknown.size:
        said.append(Remark("not-estimable", tuple(unknown.tolist())))
    constant = np.flatnonzero(found.sd == 0)
    if constant.size:
        said.append(Remark("zero-variance", tuple(constant.tolist())))
    return tuple(said)


def _one(values: Floats) -> tuple[float, float, float, float]:
    """Return both means, and mean and sd of the difference, of two columns."""
    both = values[~np.isnan(values).any(axis=1)]
    if not len(both):
        return np.nan, np.nan, np.nan, np.nan
    mean, paired = moments(both).mean, differences(both, np.array([[0, 1]]))
    return mean[0], mean[1], paired.mean[0], paired.sd[0]
