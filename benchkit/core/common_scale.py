"""Data sets on one scale (--scale): ranks, standard deviations or ratios to the best, never in silence."""

from dataclasses import replace

import numpy as np

from benchkit.core.experiment import Experiment
from benchkit.errors import BenchkitError
from benchkit.methods.mid_ranks import mid_ranks
from benchkit.methods.records import Floats, Integers

SCALES = ("none", "rank", "standardise", "ratio-to-best")
# data sets whose typical values differ by more than this factor are hardly in one unit
FACTOR = 10.0
WORDS = {
    "none": "taken in one unit",
    "rank": "ranks within replicates, 1 = best",
    "standardise": "less their data set's mean, divided by its standard deviation",
    "ratio-to-best": "divided by the best mean of their data set",
}


def on_scale(experiment: Experiment, scale: str) -> Experiment:
    """Return the experiment with its values on a scale that data sets share.

    rank: mid-ranks within each complete replicate, 1 = best, so that lower is better; incomplete ones become missing.
    standardise: (value - mean)/sd over all values of the data set; 0 where they do not vary. ratio-to-best: value divided by
    the best algorithm's mean on the data set; BenchkitError unless all values are positive.
    """
    if scale == "none":
        return experiment
    if scale == "rank":
        ranks = mid_ranks(experiment.oriented)
        ranks[np.isnan(experiment.values).any(axis=1)] = np.nan
        return replace(experiment, values=ranks, better="lower", scale=scale)
    sets = _sets(experiment)
    scaled = np.full(experiment.values.shape, np.nan)
    for code in np.unique(sets):
        rows = sets == code
        part = experiment.values[rows]
        scaled[rows] = _standardised(part) if scale == "standardise" else _relative(part, experiment)
    return replace(experiment, values=scaled, scale=scale)


def _sets(experiment: Experiment) -> Integers:
    """Return the data set of each replicate."""
    return np.arange(len(experiment.values)) if experiment.clusters is None else experiment.clusters


def _standardised(values: Floats) -> Floats:
    present = values[~np.isnan(values)]
    spread = float(np.std(present, ddof=1)) if present.size > 1 else 0.0
    centred = values - (present.mean() if present.size else 0.0)
    # what rounding leaves of equal values is no spread
    equal = spread <= 1e-12 * float(np.max(np.abs(present), initial=0.0))
    return np.where(np.isnan(values), np.nan, 0.0) if equal else centred / spread


def _relative(values: Floats, experiment: Experiment) -> Floats:
    if (values <= 0).any():
        name = experiment.metric or "performance"
        raise BenchkitError(
            f"--scale ratio-to-best needs positive values, and {name} has others", "--scale standardise takes any"
        )
    measured = ~np.isnan(values).all(axis=0)
    means = np.nanmean(values[:, measured], axis=0)
    return values / (means.min() if experiment.sign > 0 else means.max()) if means.size else values


def spread_of_sizes(experiment: Experiment) -> float:
    """Return how many times larger the typical absolute value of one data set is than that of another; 1 for one."""
    sets = _sets(experiment)
    sizes = [
        float(np.nanmean(np.abs(part))) for code in np.unique(sets) if (~np.isnan(part := experiment.values[sets == code])).any()
    ]
    positive = [size for size in sizes if size > 0]
    return max(positive) / min(positive) if positive else 1.0


def check_one_unit(experiment: Experiment) -> None:
    """Raise BenchkitError if the data sets hardly share a unit and no --scale says what to do about it."""
    factor = spread_of_sizes(experiment)
    if factor > FACTOR:
        name = experiment.metric or "performance"
        raise BenchkitError(
            f"{name} is {factor:.3g} times larger on one data set than on another: a mean over them says little",
            f"add --scale {', '.join(SCALES[1:])}, or --scale none if they share a unit",
        )
