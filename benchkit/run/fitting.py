"""Fitting whatever kind of algorithm, and measuring what it predicted."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.run.algorithms.command import fit_command
from benchkit.run.algorithms.estimator import fit_estimator
from benchkit.run.algorithms.fit import Fit, FitFailed, Fitted, Predicted
from benchkit.run.algorithms.function import fit_function
from benchkit.run.importing import attribute
from benchkit.run.metrics.records import Judged, Metric
from benchkit.run.plan import AlgorithmPlan
from benchkit.run.resampling.splits import Index


def load(algorithm: AlgorithmPlan) -> None:
    """Import the function or the classes of an algorithm, those among its parameters included; BenchkitError if one fails."""
    named = [{"estimator": step.estimator, "params": step.params} for step in algorithm.steps]
    for spec in (algorithm.function, *_classes([named, algorithm.params])):
        if spec is not None:
            attribute(spec, algorithm.folder)


def _classes(value: Any) -> Iterator[str]:
    """Yield the classes that a value of the experiment file names."""
    if isinstance(value, Mapping):
        if isinstance(value.get("estimator"), str):
            yield value["estimator"]
        value = list(value.values())
    if isinstance(value, list | tuple):
        for inner in value:
            yield from _classes(inner)


def fit_algorithm(fit: Fit) -> Fitted:
    """Fit and predict; FitFailed or whatever the algorithm raises.

    Python's and NumPy's global generators are set to the fit's seed first, for algorithms that use them.
    """
    random.seed(fit.seed)
    np.random.seed(fit.seed)
    if fit.algorithm.command:
        return fit_command(fit)
    return fit_function(fit) if fit.algorithm.function else fit_estimator(fit)


def judge(fit: Fit, index: Index, predicted: Predicted) -> Judged:
    """Return what a metric sees of the predictions for the rows `index`."""
    dataset = fit.dataset
    return Judged(
        truth=fit.target(index),
        prediction=predicted.prediction,
        probabilities=predicted.probabilities,
        scores=predicted.scores,
        classes=dataset.classes,
        positive=dataset.positive,
        weight=fit.weights(index),
    )


def measured(metric: Metric, case: Judged) -> float:
    """Return the performance, weighted where the metric takes weights; Undefined where it has no value."""
    return metric.measure(case if metric.weighted else replace(case, weight=None))


def needs(metrics: tuple[Metric, ...]) -> frozenset[str]:
    """Return what the metrics ask for beyond predictions."""
    return frozenset(metric.needs for metric in metrics) - {"prediction"}


def said(error: BaseException) -> str:
    """Return in one line what went wrong: the words of a finding or message of ours, else the kind of error, too."""
    if isinstance(error, BenchkitError):
        return error.message
    try:
        text = str(error)
    except Exception:  # code of others may fail even at this
        text = ""
    return " ".join((text if isinstance(error, FitFailed) else f"{type(error).__name__}: {text}").split()).rstrip(": ")
