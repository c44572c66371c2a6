"""Values summed within clusters of items that belong together, and their means with errors that allow for the clusters."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.comparison.paired import FLOAT_NOISE, studentise
from benchkit.methods.records import Blocks, Floats, Integers, Means, Remark


@dataclass(frozen=True)
class Clustered:
    """Sums over G clusters for m columns: sums and sizes (G, m) of the values that are there, 0 where a cluster has none.

    noise: shape (m,), what a single value may be off by. spread: shape (m,), the sum of squares of the single values
    around their mean. mean, std_error: the mean of the single values and its cluster-robust error, NaN without a value and
    with fewer than two clusters; exactly 0 where no more than noise. statistic: the one-sample t of the sums, and `ends` what
    it does not reject of other means.
    """

    sums: Floats
    sizes: Floats
    noise: Floats
    spread: Floats

    @property
    def n(self) -> Integers:
        """Single values, (m,)."""
        return np.asarray(self.sizes.sum(axis=0), dtype=np.int64)

    @property
    def clusters(self) -> Integers:
        """Clusters that have a value, (m,)."""
        return np.asarray((self.sizes > 0).sum(axis=0), dtype=np.int64)

    @property
    def mean(self) -> Floats:
        """Mean of the single values, (m,)."""
        raw = self.sums.sum(axis=0) / np.where(self.n > 0, self.n, np.nan)
        return np.where(np.abs(raw) <= self.noise, 0.0, raw)

    @property
    def std_error(self) -> Floats:
        """Return sqrt(G/(G - 1) sum u^2)/n with u = sum - size mean, (m,); with singletons this is sd/sqrt(n)."""
        return self._error(self.sizes * self.mean)

    @property
    def statistic(self) -> Floats:
        """Return the one-sample t of the sums on G - 1 degrees of freedom, with its limits where they do not vary, (m,)."""
        return studentise(self.mean, self._error_of_sums)

    @property
    def constant(self) -> NDArray[np.bool_]:
        """Whether the sums do not vary beyond noise, (m,)."""
        return np.asarray(self._error_of_sums == 0)

    @property
    def _error_of_sums(self) -> Floats:
        return self._error((self.sizes > 0) * (self.n * self.mean / np.maximum(self.clusters, 1)))

    def ends(self, critical: Floats) -> tuple[Floats, Floats]:
        """Return the least and the largest x, (m,) each, for which the t of the sums of (values - x) is within critical.

        With y = x - mean: (n/G)^2 y^2 <= k (S_uu - 2 y S_un + y^2 S_nn), k = critical^2/(G (G - 1)), from the sums of squares and
        products of u = sum - size mean and of the sizes around theirs. Infinite for an infinite critical, and where sizes vary
        so much that no x is too far off. Source: Fieller 1954.
        """
        unit, S_uu, S_un, S_nn = self._moments
        G = np.where(self.clusters > 1, self.clusters, np.nan)
        k = np.where(np.isinf(critical), 0.0, critical) ** 2 / (G * (G - 1.0))
        a = (self.n / G) ** 2 - k * S_nn
        endless = np.isinf(critical) | (a <= 0)
        a = np.where(endless, 1.0, a)
        middle, root = -k * S_un, np.sqrt(np.maximum((k * S_un) ** 2 + a * k * S_uu, 0.0))
        low, high = self.mean + unit * (middle - root) / a, self.mean + unit * (middle + root) / a
        return np.where(endless & ~np.isnan(G), -np.inf, low), np.where(endless & ~np.isnan(G), np.inf, high)

    def reach(self, margins: Floats) -> Floats:
        """Return how large |t| is at the nearer of -/+ margin, (m,); 0 where the mean is not within."""
        room = margins - np.abs(self.mean)
        return np.where(room > 0, np.minimum(self._t_at(-margins), -self._t_at(margins)), 0.0)

    def _t_at(self, x: Floats) -> Floats:
        unit, S_uu, S_un, S_nn = self._moments
        G, y = np.where(self.clusters > 1, self.clusters, np.nan), (x - self.mean) / unit
        squares = np.maximum(S_uu - 2.0 * y * S_un + y**2 * S_nn, 0.0)
        return studentise(-y * self.n / G, np.sqrt(squares / (G * (G - 1.0))))

    @property
    def _moments(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Return a unit, and in it the sums of squares and products of u and the sizes, (m,) each."""
        u = self.sums - self.sizes * self.mean
        u = np.where(np.abs(u) <= 2.0 * self.noise * self.sizes, 0.0, u)
        largest = np.abs(u).max(axis=0, initial=0.0)
        unit = np.where(largest > 0, largest, 1.0)
        off = np.where(self.sizes > 0, self.sizes - self.n / np.maximum(self.clusters, 1), 0.0)
        return unit, ((u / unit) ** 2).sum(axis=0), (u / unit * off).sum(axis=0), (off**2).sum(axis=0)

    def _error(self, expected: Floats) -> Floats:
        """Return the error of the mean from what the sums are off from those expected, shape (G, m)."""
        u = self.sums - expected
        largest = np.abs(u).max(axis=0)
        constant = (np.abs(u) <= 2.0 * self.noise * self.sizes).all(axis=0)
        scaled = u / np.where(largest > 0, largest, 1.0)
        few = np.where(self.clusters > 1, self.clusters, np.nan)
        error = largest * np.sqrt(few / (few - 1.0) * (scaled**2).sum(axis=0)) / np.where(self.n > 0, self.n, np.nan)
        return np.where(constant & (self.clusters > 1), 0.0, error)

    @property
    def design_effect(self) -> Floats:
        """Return the variance of the mean over that of independent values, (m,); NaN where they do not vary."""
        n = np.where(self.n > 1, self.n, np.nan)
        alone = self.spread / (n * (n - 1.0))
        return np.asarray(np.divide(self.std_error**2, alone, out=np.full(alone.shape, np.nan), where=alone > 0))


def clustered_differences(blocks: Blocks) -> tuple[Clustered, Floats, Floats]:
    """Sum a - b of each contrast over the replicates of each cluster that have both; also return the means of a and b on them."""
    columns = np.ascontiguousarray(blocks.values.T)
    largest = np.array([np.abs(column[~np.isnan(column)]).max(initial=0.0) for column in columns])
    a, b = blocks.contrasts.T
    noise = FLOAT_NOISE * np.maximum(largest[a], largest[b])
    found, means = [], []
    for first, second in blocks.contrasts:
        both = ~(np.isnan(columns[first]) | np.isnan(columns[second]))
        found.append(np.where(both, columns[first] - columns[second], np.nan))
        n = max(int(both.sum()), 1)
        means.append([column[both].sum() / n if both.any() else np.nan for column in (columns[first], columns[second])])
    mean_a, mean_b = np.array(means).reshape(-1, 2).T
    return _clustered(found, noise, codes(blocks)), mean_a, mean_b


def clustered_means(blocks: Blocks) -> Means:
    """Return the mean of each algorithm with its cluster-robust standard error on (clusters - 1) degrees of freedom."""
    columns = list(np.ascontiguousarray(blocks.values.T))
    found = _clustered(columns, np.zeros(len(columns)), codes(blocks))
    df = np.where(found.clusters > 1, found.clusters - 1.0, np.nan)
    return Means(n=found.n, estimate=found.mean, std_error=found.std_error, df=df)


def codes(blocks: Blocks) -> Integers:
    """Return the cluster of each replicate, each its own where none are given."""
    return np.arange(len(blocks.values)) if blocks.clusters is None else blocks.clusters


def remarks(found: Clustered) -> tuple[Remark, ...]:
    """Return not-estimable (fewer than two clusters) and zero-variance."""
    conditions = {"not-estimable": found.clusters < 2, "zero-variance": found.constant}
    return tuple(Remark(code, tuple(np.flatnonzero(pairs).tolist())) for code, pairs in conditions.items() if pairs.any())


def _clustered(columns: list[Floats], noise: Floats, cluster: Integers) -> Clustered:
    """Sum each column, shape (B,), NaN where missing, within the clusters."""
    G, m = int(cluster.max(initial=-1)) + 1, len(columns)
    sums, sizes, spread = np.zeros((G, m)), np.zeros((G, m)), np.zeros(m)
    for j, column in enumerate(columns):
        present = ~np.isnan(column)
        value = column[present]
        value = np.where(np.abs(value) <= noise[j], 0.0, value)
        sums[:, j] = np.bincount(cluster[present], value, minlength=G)
        sizes[:, j] = np.bincount(cluster[present], minlength=G)
        spread[j] = ((value - value.mean()) ** 2).sum() if value.size else 0.0
    return Clustered(sums, sizes, noise, spread)
