"""Several data sets as one experiment: their replicates together, or one mean of each data set (--over dataset)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from benchkit.core.experiment import Experiment
from benchkit.core.names import counted, listed
from benchkit.errors import BenchkitError
from benchkit.methods.order.relation import Truths
from benchkit.methods.records import Floats
from benchkit.tables.naming import natural_sort
from benchkit.tables.result import Note

Use = Literal["means", "model", "strata"]
"""What is taken of the data sets: the mean of each; all replicates, for a model of both; all, each data set by itself."""


def joined(experiments: Sequence[Experiment]) -> list[Experiment]:
    """Return one experiment for each metric: the replicates of all its data sets, which are the `clusters`.

    Algorithms are those of any data set, NaN where one was not measured. An experiment whose blocks are data sets already
    stays as it is. Raises BenchkitError if a metric has a single data set or data sets that disagree on the direction.
    """
    by_metric: dict[str | None, list[Experiment]] = {}
    for experiment in experiments:
        by_metric.setdefault(experiment.metric, []).append(experiment)
    return [_joined(parts) for parts in by_metric.values()]


def _joined(parts: Sequence[Experiment]) -> Experiment:
    first = parts[0]
    if len(parts) == 1 and first.block == "data set":
        return first
    if len(parts) == 1:
        of = f" ('{first.dataset}')" if first.dataset else ": the input has no column dataset"
        hint = "leave out --over dataset" if first.dataset else "--rename COLUMN=dataset names the column of the data set"
        raise BenchkitError(f"--over dataset needs several data sets, and there is one{of}", hint)
    if len({part.better for part in parts}) > 1:
        raise BenchkitError(f"the data sets disagree on which way {first.metric or 'performance'} is better", "add --better")
    algorithms = tuple(natural_sort({name for part in parts for name in part.algorithms}))
    stacked = []
    for part in parts:
        values = np.full((len(part.replicates), len(algorithms)), np.nan)
        values[:, [algorithms.index(name) for name in part.algorithms]] = part.values
        stacked.append(values)
    return Experiment(
        first.metric,
        None,
        first.better,
        tuple(f"{part.dataset}/{name}" for part in parts for name in part.replicates),
        algorithms,
        np.vstack(stacked),
        block="data set",
        clusters=np.repeat(np.arange(len(parts)), [len(part.replicates) for part in parts]),
        cluster_names=tuple(str(part.dataset) for part in parts),
    )


def averaged(experiment: Experiment) -> Experiment:
    """Return the experiment whose blocks are the data sets: the mean of each algorithm over a data set's replicates.

    Demsar 2006, section 3; with transform log the geometric mean. A mean is over the replicates in which all algorithms of the
    data set were measured, so that the means compare; over all that there are where no replicate is complete. An experiment
    without clusters stays as it is.
    """
    if experiment.clusters is None:
        return experiment
    logarithms = experiment.transform == "log"
    values = np.log(experiment.values) if logarithms else experiment.values
    means = np.array([_mean(values[experiment.clusters == code]) for code in range(len(experiment.cluster_names))])
    means = np.exp(means) if logarithms else means
    return replace(experiment, replicates=experiment.cluster_names, values=means, clusters=None, cluster_names=())


def _mean(values: Floats) -> Floats:
    """Return the mean of each column over the rows that are complete but for columns without any value."""
    measured, whole = _complete(values)
    values = values[:, measured]
    means = np.full(measured.shape, np.nan)
    means[measured] = np.nanmean(values[whole] if whole.any() else values, axis=0)
    return means


def _complete(values: Floats) -> tuple[Truths, Truths]:
    """Return which columns have a value, and which rows are complete in these."""
    missing = np.isnan(values)
    measured = np.asarray(~missing.all(axis=0), dtype=np.bool_)
    return measured, np.asarray(~missing[:, measured].any(axis=1), dtype=np.bool_)


def notes(experiment: Experiment, use: Use) -> list[Note]:
    """Say what the blocks are, and which replicates the means of data sets leave out."""
    metric = experiment.metric
    if experiment.clusters is None:  # the reading of one value for each data set has told it
        return []
    if use == "strata":
        text = f"{experiment.blocks_counted}: each data set is resampled by itself, conclusions are about further runs on these"
        return [Note("datasets-as-strata", text, "info", metric)]
    if use == "model":
        text = f"{experiment.blocks_counted}: conclusions are about data sets like these"
        return [Note("datasets-as-blocks", text, "info", metric)]
    number = counted(len(experiment.cluster_names), "data set")
    text = f"replicates are averaged: {number} are the blocks, conclusions are about data sets like these"
    said = [Note("datasets-as-blocks", text, "info", metric)]
    left, without = 0, []
    for code, name in enumerate(experiment.cluster_names):
        whole = _complete(experiment.values[experiment.clusters == code])[1]
        left += 0 if not whole.any() else int((~whole).sum())
        without += [] if whole.any() else [name]
    if left:
        text = f"{counted(left, 'incomplete replicate')} left out of the means of data sets"
        said.append(Note("incomplete-replicates", text, "warning", metric))
    if without:
        text = f"no replicate of {listed(without)} is complete: means are of what each algorithm has, so they compare less well"
        said.append(Note("incomplete-datasets", text, "warning", metric))
    return said
