"""What is made of the values before they are compared: one experiment of several data sets, a common scale, logarithms."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchkit.core import data_sets
from benchkit.core.common_scale import FACTOR, WORDS, check_one_unit, on_scale, spread_of_sizes
from benchkit.core.data_sets import Use
from benchkit.core.experiment import Experiment
from benchkit.core.names import quoted
from benchkit.errors import BenchkitError
from benchkit.tables.result import Note


@dataclass(frozen=True)
class Arrangement:
    """The request: over = "dataset" joins data sets; scale as in --scale, None if not typed; transform none or log."""

    over: str | None = None
    scale: str | None = None
    transform: str = "none"

    @property
    def typed(self) -> list[str]:
        """The options of the command line that ask for it."""
        log = self.transform if self.transform != "none" else None
        given = {"over": self.over, "scale": self.scale, "transform": log}
        return [f"--{name} {value}" for name, value in given.items() if value is not None]


def joined(experiments: Sequence[Experiment], arrangement: Arrangement) -> Sequence[Experiment]:
    """Return the experiments, with --over dataset one for each metric. Raises BenchkitError for a --scale without effect."""
    if arrangement.over:
        return data_sets.joined(experiments)
    if arrangement.scale is not None and any(one.block != "data set" for one in experiments):
        raise BenchkitError("--scale puts several data sets on one scale", "add --over dataset, or leave out --scale")
    return experiments


def arranged(experiment: Experiment, arrangement: Arrangement, use: Use) -> tuple[Experiment, list[Note]]:
    """Return what the method compares, with notes.

    Raises BenchkitError if a model would average data sets of several units, or a logarithm does not exist.
    """
    notes: list[Note] = []
    if arrangement.scale is None and arrangement.over and use == "model":
        check_one_unit(experiment)
    if arrangement.over or arrangement.scale:
        scale = arrangement.scale or "none"
        experiment = on_scale(experiment, scale)
        notes.append(Note("scale", f"values of data sets are {WORDS[scale]} (--scale {scale})", "info", experiment.metric))
        factor = 1.0 if arrangement.scale else spread_of_sizes(experiment)
        if factor > FACTOR:
            text = f"values are {factor:.3g} times larger on one data set than on another: ranks do not mind, means do (--scale)"
            notes.append(Note("several-scales", text, "warning", experiment.metric))
    if arrangement.transform == "log":
        experiment = _logarithmic(experiment)
    if arrangement.over:  # last, so that means are of ranks, of standardised values, of logarithms
        notes += data_sets.notes(experiment, use)
        experiment = data_sets.averaged(experiment) if use == "means" else experiment
    if arrangement.transform == "log":
        text = "estimates are ratios of geometric means, a / b, and so are their intervals (--transform log)"
        notes.append(Note("transform", text, "info", experiment.metric, experiment.dataset))
    return experiment, notes


def _logarithmic(experiment: Experiment) -> Experiment:
    """Return the experiment whose oriented values are logarithms; BenchkitError unless all are positive."""
    wrong = np.argwhere(experiment.values <= 0)
    if len(wrong):
        row, column = wrong[0]
        cell = f"{quoted(experiment.algorithms[column])} in {experiment.block} {experiment.replicates[row]}"
        message = f"--transform log needs positive values, and {cell} is {experiment.values[row, column]:g}"
        raise BenchkitError(message, "leave out --transform, or these rows with --where")
    return replace(experiment, transform="log")
