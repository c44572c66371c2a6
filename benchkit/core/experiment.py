"""One experiment: a replicate x algorithm matrix with what is known of it."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from benchkit.core.names import counted
from benchkit.methods.records import Floats, Integers
from benchkit.tables import metrics, resamplings


@dataclass(frozen=True)
class Experiment:
    """One metric on one data set.

    values: shape (B, K) as measured, NaN where missing; rows in natural order of `replicates`, columns in natural
    order of `algorithms`. sizes: (mean n_train, mean n_test) or None. block: what a replicate is:
    "replicate", "fold", "item" or "data set". layout: shape (B, 2), codes of the repeat and the fold of each replicate, or
    None where the file does not say. clusters: shape (B,), codes of what replicates belong together, named in
    `cluster_names`; None if each stands alone. scale: as in --scale. transform: none, or log, under which differences
    become ratios.
    """

    metric: str | None
    dataset: str | None
    better: str | None
    replicates: tuple[str, ...]
    algorithms: tuple[str, ...]
    values: Floats
    resampling: str | None = None
    sizes: tuple[float, float] | None = None
    block: str = "replicate"
    layout: Integers | None = None
    clusters: Integers | None = None
    cluster_names: tuple[str, ...] = ()
    scale: str = "none"
    transform: str = "none"

    @property
    def sign(self) -> float:
        """1 if lower is better, -1 if higher is: sign * values is oriented so that less is better."""
        return -1.0 if self.better == "higher" else 1.0

    @property
    def oriented(self) -> Floats:
        """The values, their logarithms with transform log, turned so that less is better."""
        values = np.log(self.values) if self.transform == "log" else self.values
        return values if self.sign > 0 else -values

    @cached_property
    def counts(self) -> Integers:
        """How many values each algorithm has, shape (K,)."""
        with np.errstate(over="ignore", invalid="ignore"):
            complete = not np.isnan(np.sum(self.values))  # one quick look; infinities of both signs only miss it
        if complete:
            return np.full(self.values.shape[1], len(self.values), dtype=np.int64)
        return np.asarray((~np.isnan(self.values)).sum(axis=0))

    @property
    def missing(self) -> int:
        """How many cells have no value."""
        return self.values.size - int(self.counts.sum())

    @cached_property
    def holds_outcomes(self) -> bool:
        """Whether every value that is not missing is 0 or 1."""
        known = (self.values == 0) | (self.values == 1)
        return bool(known.all() or (known | np.isnan(self.values)).all())

    @property
    def complete(self) -> "Experiment":
        """The experiment without the replicates in which a value is missing."""
        if not self.missing:
            return self
        whole = ~np.isnan(self.values).any(axis=1)
        kept = tuple(self.replicates[row] for row in np.flatnonzero(whole))
        layout = None if self.layout is None else self.layout[whole]
        clusters = None if self.clusters is None else self.clusters[whole]
        return replace(self, replicates=kept, values=self.values[whole], layout=layout, clusters=clusters)

    @property
    def folds(self) -> int:
        """The number of folds in the layout; 0 where the file does not say."""
        return 0 if self.layout is None else len(np.unique(self.layout[:, 1]))

    @property
    def resampling_kind(self) -> str:
        """resamples, folds, one-test-set or unknown: how far the replicates are independent of one another.

        Where the column `resampling` does not tell, the columns that name the replicates do: several folds are folds.
        """
        kind = "unknown" if self.resampling is None else resamplings.kind(self.resampling)
        return "folds" if kind == "unknown" and self.block == "fold" and self.folds != 1 else kind

    @property
    def measure(self) -> str:
        """The metric in words, with its unit where it is known."""
        name = self.metric or "performance"
        unit = metrics.unit(name)
        return f"{name} [{unit}]" if unit else name

    @property
    def title(self) -> str:
        """Data set, metric and direction in words: "mcycle, mse (lower is better)"."""
        where = f"{self.dataset}, " if self.dataset else ""
        way = f"{self.better} is better" if self.better else "direction unknown"
        return f"{where}{self.metric or 'performance'} ({way})"

    @property
    def read(self) -> str:
        """What was read: "mcycle: 1750 rows, 7 algorithms x 250 replicates, complete, lower is better (mse)"."""
        where = f"{self.dataset}: " if self.dataset else ""
        rows = int(self.counts.sum())
        way = f"{self.better} is better" if self.better else "direction unknown"
        return f"{where}{rows} values, {self.size}, {way} ({self.metric or 'performance'})"

    @property
    def size(self) -> str:
        """How much was measured: "7 algorithms x 250 replicates, complete"."""
        state = "complete" if not self.missing else f"{self.missing} of {self.values.size} cells missing"
        return f"{counted(len(self.algorithms), 'algorithm')} x {self.blocks_counted}, {state}"

    @property
    def blocks_counted(self) -> str:
        """How many blocks there are: "250 replicates", "14 data sets", "200 items in 12 clusters"."""
        if self.clusters is None:
            return counted(len(self.replicates), self.block)
        if self.block == "data set":
            return f"{counted(len(self.cluster_names), 'data set')} with {counted(len(self.replicates), 'replicate')}"
        return f"{counted(len(self.replicates), self.block)} in {counted(len(self.cluster_names), 'cluster')}"
