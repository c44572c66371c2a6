"""Simulated experiments in which no algorithm is better than another, one function for each design.

Each design returns values of B blocks x K algorithms (less is better, as core hands them to a method) and what else the
method is told. Every algorithm has the same mean; with the kinds but `skewed, unequal` it has the same median, too.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from benchkit.methods.records import Floats, Integers

KINDS = ("normal", "skewed", "bimodal", "tied", "unequal", "skewed, unequal")
# the largest standard deviation of an algorithm over the smallest
SPREAD = 4.0
ROWS, TEST_SHARE = 100, 0.1
REPLICATES_OF_A_DATA_SET = 5


@dataclass(frozen=True)
class Data:
    """One experiment: values (B, K), and layout, sizes and clusters as in Blocks."""

    values: Floats
    layout: Integers | None = None
    sizes: tuple[float, float] | None = None
    clusters: Integers | None = None


Design = Callable[[str, int, int, np.random.Generator], Data]


def noise(kind: str, shape: tuple[int, ...], generator: np.random.Generator) -> Floats:
    """Return independent values of mean 0 and variance 1 (with the unequal kinds `spreads`), algorithms along the last axis."""
    if kind == "bimodal":
        values = generator.choice([-1.0, 1.0], size=shape) * 2.0 + 0.5 * generator.normal(size=shape)
        values /= np.sqrt(4.25)
    elif kind == "skewed":
        values = (generator.lognormal(size=shape) - np.exp(0.5)) / np.sqrt((np.e - 1.0) * np.e)
    elif kind == "skewed, unequal":
        values = generator.exponential(size=shape) - 1.0
    else:
        values = generator.normal(size=shape)
    return values * spreads(kind, shape[-1])


def spreads(kind: str, algorithms: int) -> Floats:
    """Return the standard deviation of each algorithm: all 1, or from 1 to SPREAD with the unequal kinds."""
    widest = SPREAD if "unequal" in kind else 1.0
    return np.geomspace(1.0, widest, algorithms)


def finish(kind: str, values: Floats, step: float = 1.0) -> Floats:
    """Round to multiples of `step` if ties are wanted."""
    return np.round(values / step) * step if kind == "tied" else values


def paired(kind: str, B: int, K: int, generator: np.random.Generator) -> Data:
    """Return B replicates: each moves all algorithms together by a normal effect of sd 1, beside independent noise of sd 1."""
    return Data(finish(kind, generator.normal(size=(B, 1)) + noise(kind, (B, K), generator)))


def gaps(kind: str, B: int, K: int, generator: np.random.Generator) -> Data:
    """Return the same with a tenth of the cells missing where K > 2; each replicate keeps two."""
    values = paired(kind, B, K, generator).values
    if K > 2:
        chance = generator.random((B, K))
        missing = (chance < 0.1) & (np.argsort(np.argsort(chance, axis=1), axis=1) < K - 2)
        values[missing] = np.nan
    return Data(values)


def unpaired(kind: str, B: int, K: int, generator: np.random.Generator) -> Data:
    """Return independent samples of B values."""
    return Data(finish(kind, noise(kind, (B, K), generator)))


def items(kind: str, B: int, K: int, generator: np.random.Generator) -> Data:
    """Return right (-1) or wrong (0) on B items that share a difficulty.

    An outcome is right when difficulty and own noise together stay below a threshold. normal: a share of .7 right, half of the
    variance from the difficulty; skewed: .95 right; bimodal: easy and hard items; tied: 9 of 10 outcomes are the item's own;
    unequal: the weight of the difficulty goes from .1 to .9, so that some algorithms agree more than others.
    """
    share = 0.95 if kind == "skewed" else 0.7
    weight = np.linspace(0.1, 0.9, K) if kind == "unequal" else np.full(K, 0.5)
    difficulty, own = generator.normal(size=(B, 1)), generator.normal(size=(B, K))
    if kind == "bimodal":
        difficulty = generator.choice([-1.5, 1.5], size=(B, 1))
    right = np.sqrt(weight) * difficulty + np.sqrt(1.0 - weight) * own < ndtri(share)
    if kind == "tied":
        right = np.where(generator.random((B, K)) < 0.9, generator.random((B, 1)) < share, generator.random((B, K)) < share)
    return Data(-right.astype(np.float64))


def outcomes(kind: str, B: int, K: int, generator: np.random.Generator) -> Data:
    """Return right (-1) or wrong (0), independent: a share of one half right, or .95 if skewed."""
    return Data(-(generator.random((B, K)) < (0.95 if kind == "skewed" else 0.5)).astype(np.float64))


def clusters(kind: str, B: int, K: int, generator: np.random.Generator) -> Data:
    """Return B clusters of 1 to 6 items: an effect of the item, one of cluster x algorithm (sd .7), and noise."""
    cluster = np.repeat(np.arange(B), generator.integers(1, 7, size=B))
    effect = 0.7 * noise(kind, (B, K), generator)
    values = generator.normal(size=(cluster.size, 1)) + effect[cluster] + noise(kind, (cluster.size, K), generator)
    return Data(finish(kind, values), clusters=cluster)


def data_sets(kind: str, B: int, K: int, generator: np.random.Generator) -> Data:
    """Return B data sets of five replicates: effects of data set, of data set x algorithm, of replicate, and half the noise."""
    each = REPLICATES_OF_A_DATA_SET
    effect = 3.0 * generator.normal(size=(B, 1)) + noise(kind, (B, K), generator)
    cluster = np.repeat(np.arange(B), each)
    values = effect[cluster] + generator.normal(size=(B * each, 1)) + 0.5 * noise(kind, (B * each, K), generator)
    return Data(finish(kind, values), clusters=cluster)


def overlap(layout: str) -> Design:
    """Return the design of resamples with one correlation, n_test/(n_train + n_test): the model that the corrections assume."""

    def design(kind: str, B: int, K: int, generator: np.random.Generator) -> Data:
        plan = _plan(layout, B, generator, masks=False)
        share = plan.sizes[1] / sum(plan.sizes)
        shared, own = noise(kind, (1, K), generator), noise(kind, (B, K), generator)
        values = generator.normal(size=(B, 1)) + np.sqrt(share) * shared + np.sqrt(1.0 - share) * own
        return Data(finish(kind, values), plan.layout, plan.sizes)

    return design


def regression(layout: str) -> Design:
    """Return the design of real resamples: 100 rows, each algorithm a least-squares line on a feature of its own.

    y is the mean of K exchangeable features (times the root of K) and noise of this kind; performance is the mean squared error.
    tied: rounded to halves; unequal: the algorithms add random numbers of mean 0, as unstable ones would.
    """

    def design(kind: str, B: int, K: int, generator: np.random.Generator) -> Data:
        plan = _plan(layout, B, generator)
        x = generator.normal(size=(ROWS, K))
        y = x.sum(axis=1, keepdims=True) / np.sqrt(K) + noise(kind if "unequal" not in kind else "normal", (ROWS, 1), generator)
        train = 1.0 - plan.tested
        n = train.sum(axis=1, keepdims=True)
        mean_x, mean_y = train @ x / n, train @ y / n
        slope = (train @ (x * y) / n - mean_x * mean_y) / (train @ (x * x) / n - mean_x**2)
        constant = mean_y - slope * mean_x
        # the mean square of y - constant - slope x over the tested rows, from their moments
        m = plan.tested.sum(axis=1, keepdims=True)
        of_x, of_y, of_xx, of_xy, of_yy = (plan.tested @ part / m for part in (x, y, x * x, x * y, y * y))
        values = of_yy - 2 * constant * of_y - 2 * slope * of_xy + constant**2 + 2 * constant * slope * of_x + slope**2 * of_xx
        if "unequal" in kind:
            values = values + 0.3 * noise(kind, (B, K), generator)
        return Data(finish(kind, values, 0.5), plan.layout, plan.sizes)

    return design


@dataclass(frozen=True)
class Plan:
    """Which rows are tested in each resample, shape (B, ROWS), 0 or 1; layout and sizes as in Blocks."""

    tested: Floats
    layout: Integers | None
    sizes: tuple[float, float]


def _plan(layout: str, B: int, generator: np.random.Generator, masks: bool = True) -> Plan:
    """Return B splits: holdout (a tenth tested), kfold (up to ten folds, repeated), or 5x2cv."""
    if layout == "holdout":
        folds, test = B, round(ROWS * TEST_SHARE)
        tested = (np.argsort(generator.random((B, ROWS)), axis=1) < test).astype(np.float64) if masks else np.zeros((0, 0))
        return Plan(tested, None, (ROWS - test, test))
    folds = 2 if layout == "5x2cv" else min(B, 10)
    codes = np.array([(i // folds, i % folds) for i in range(B)])
    size = ROWS / folds
    if not masks:
        return Plan(np.zeros((0, 0)), codes, (ROWS - size, size))
    fold = np.argsort(generator.random((B // folds, ROWS)), axis=1) % folds
    tested = np.concatenate([fold == number for number in range(folds)], axis=1).reshape(B, ROWS).astype(np.float64)
    return Plan(tested, codes, (ROWS - size, size))


DESIGNS: dict[str, Design] = {
    "replicates": paired,
    "replicates with gaps": gaps,
    "independent samples": unpaired,
    "items": items,
    "independent outcomes": outcomes,
    "clusters": clusters,
    "data sets": data_sets,
    "holdout, model": overlap("holdout"),
    "holdout, regression": regression("holdout"),
    "folds, model": overlap("kfold"),
    "folds, regression": regression("kfold"),
    "5x2cv, regression": regression("5x2cv"),
}
