"""Which pairs are compared, and whether an experiment allows it."""

from itertools import combinations

import numpy as np

from benchkit.core.direction import unknown_direction
from benchkit.core.experiment import Experiment
from benchkit.core.names import listed, quoted
from benchkit.errors import BenchkitError
from benchkit.methods.records import Integers


def contrasts(algorithms: tuple[str, ...], baseline: str | None) -> Integers:
    """Return the pairs (a, b) as column numbers: all with a before b, or each other algorithm against the baseline."""
    if baseline is None:
        return np.array(list(combinations(range(len(algorithms)), 2)), dtype=np.int64)
    base = algorithms.index(baseline)
    return np.array([(j, base) for j in range(len(algorithms)) if j != base], dtype=np.int64)


def check(experiment: Experiment, baseline: str | None, paired: bool = True) -> None:
    """Raise BenchkitError if a method that uses means, within replicates if paired, cannot compare these algorithms."""
    on = f" on {experiment.dataset}" if experiment.dataset else ""
    if len(experiment.algorithms) < 2:
        raise BenchkitError(f"there is only one algorithm{on}: {quoted(experiment.algorithms[0])}", "a comparison needs two")
    if experiment.better is None:
        raise unknown_direction(experiment.metric)
    if baseline is not None and baseline not in experiment.algorithms:
        names = listed([quoted(name) for name in experiment.algorithms], 8)
        raise BenchkitError(f"there is no algorithm {quoted(baseline)}{on}", f"choose --baseline among {names}")
    if len(experiment.values) and np.isfinite(experiment.values).all():
        return
    infinite = np.isinf(experiment.values)
    if infinite.any():
        row, column = np.argwhere(infinite)[0]
        cell = f"{quoted(experiment.algorithms[column])} in replicate {experiment.replicates[row]}"
        raise BenchkitError(
            f"an infinite performance{on} ({cell}) has no mean", "leave it out with --where, or write it as missing"
        )
    present = ~np.isnan(experiment.values)
    if paired and not (present.sum(axis=1) > 1).any():
        hint = "replicates pair by their name: is --rename right? --unpaired compares independent samples"
        raise BenchkitError(f"no replicate has two algorithms{on}", hint)
    empty = [experiment.algorithms[j] for j in np.flatnonzero(~present.any(axis=0))]
    if empty:
        names = listed([quoted(name) for name in empty])
        raise BenchkitError(
            f"no performance{on} of {names}",
            f"--where 'algorithm!={','.join(empty)}' leaves {'it' if len(empty) == 1 else 'them'} out",
        )
