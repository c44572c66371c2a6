"""One experiment: a replicate x algorithm matrix with what is known of it."""

from dataclasses import dataclass, replace

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
    None where the file does not say.
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

    @property
    def sign(self) -> float:
        """1 if lower is better, -1 if higher is: sign * values is oriented so that less is better."""
        return -1.0 if self.better == "higher" else 1.0

    @property
    def oriented(self) -> Floats:
        """The values, turned so that less is better."""
        return self.values if self.sign > 0 else -self.values

    @property
    def complete(self) -> "Experiment":
        """The experiment without the replicates in which a value is missing."""
        whole = ~np.isnan(self.values).any(axis=1)
        if whole.all():
            return self
        kept = tuple(self.replicates[row] for row in np.flatnonzero(whole))
        layout = None if self.layout is None else self.layout[whole]
        return replace(self, replicates=kept, values=self.values[whole], layout=layout)

    @property
    def resampling_kind(self) -> str:
        """resamples, folds, one-test-set or unknown: how far the replicates are independent of one another."""
        if self.resampling is None:
            return "folds" if self.block == "fold" else "unknown"
        return resamplings.kind(self.resampling)

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
        rows = int((~np.isnan(self.values)).sum())
        way = f"{self.better} is better" if self.better else "direction unknown"
        return f"{where}{rows} values, {self.size}, {way} ({self.metric or 'performance'})"

    @property
    def size(self) -> str:
        """How much was measured: "7 algorithms x 250 replicates, complete"."""
        missing = int(np.isnan(self.values).sum())
        state = "complete" if missing == 0 else f"{missing} of {self.values.size} cells missing"
        return f"{counted(len(self.algorithms), 'algorithm')} x {self.blocks_counted}, {state}"

    @property
    def blocks_counted(self) -> str:
        """How many blocks there are: "250 replicates", "14 data sets"."""
        return counted(len(self.replicates), self.block)
