"""Independent samples as blocks, and published ones."""

from itertools import combinations

import numpy as np
from experiments import all_pairs

from benchkit.methods.records import Blocks, Floats

# R's datasets::PlantGrowth: ctrl, trt1, trt2
PLANTS = (
    np.array([4.17, 5.58, 5.18, 6.11, 4.50, 4.61, 5.17, 4.53, 5.33, 5.14]),
    np.array([4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69]),
    np.array([6.31, 5.12, 5.54, 5.50, 5.37, 5.29, 4.92, 6.15, 5.80, 5.26]),
)
# scipy's documentation of brunnermunzel (pain scores; Brunner & Munzel 2000)
PAIN = (
    np.array([1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 1, 1], dtype=float),
    np.array([3, 3, 4, 3, 1, 2, 3, 1, 1, 5, 4], dtype=float),
)


def samples(*columns: Floats, level: float = 0.95, seed: int = 1, draws: int = 9999) -> Blocks:
    """Return all pairs of these samples, which may differ in length."""
    values = np.full((max(column.size for column in columns), len(columns)), np.nan)
    for k, column in enumerate(columns):
        values[: column.size, k] = column
    return Blocks(values, all_pairs(len(columns)), level, np.random.default_rng(seed), draws=draws)


def zeros_and_ones(ones: int, size: int) -> Floats:
    """Return so many ones among `size` outcomes."""
    return (np.arange(size) < ones).astype(float)


def permutation_p_value(first: Floats, second: Floats) -> float:
    """Return the p-value of Welch's |t| by listing all ways."""

    def size_of_t(one: Floats, other: Floats) -> float:
        distance = abs(one.mean() - other.mean())
        error = np.sqrt(one.var(ddof=1) / one.size + other.var(ddof=1) / other.size)
        return float(distance / error) if error > 1e-12 else (np.inf if distance > 1e-12 else 0.0)

    pooled = np.concatenate([first, second])
    observed = size_of_t(first, second)
    ways = []
    for chosen in combinations(range(pooled.size), first.size):
        mine = np.isin(np.arange(pooled.size), chosen)
        ways.append(size_of_t(pooled[mine], pooled[~mine]) >= observed * (1 - 1e-9))
    return float(np.mean(ways))
