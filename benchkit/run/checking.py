"""What can be known to fail before the first fit is told before it: classes, functions, programs, metrics."""

import os
import shutil
from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from benchkit.errors import BenchkitError
from benchkit.run.algorithms.command import command_line
from benchkit.run.algorithms.estimator import model, takes_weights
from benchkit.run.algorithms.function import check_function, takes
from benchkit.run.dataset import Dataset
from benchkit.run.metrics.records import Metric
from benchkit.run.plan import AlgorithmPlan, ExperimentPlan, Range
from benchkit.run.tune import candidates

# what an estimator may have for a metric that needs more than predictions
WAYS = {"probabilities": ("predict_proba",), "scores": ("predict_proba", "decision_function")}
# a column of texts in which fewer cells than this share are no numbers was perhaps meant as numbers
MOST_OTHERS = 0.5


def check(plan: ExperimentPlan, datasets: Sequence[Dataset], metrics: Sequence[Metric], keep_votes: bool) -> list[str]:
    """Return remarks on what works otherwise than one might think; BenchkitError for what cannot work.

    Code of the user's own is imported and estimators are made, but nothing is fitted.
    """
    for dataset in datasets:
        for metric in metrics:
            _check_metric(plan, dataset, metric)
        if keep_votes and dataset.positive is None:
            raise BenchkitError(
                f"votes are kept for two classes, and data set '{dataset.name}' has another number of them",
                "leave out --votes",
            )
    weighted = [dataset.name for dataset in datasets if dataset.weights is not None]
    unweighted = [metric.name for metric in metrics if not metric.weighted]
    plain = [f"{name} takes no weights: it is measured without those of {weighted[0]}" for name in unweighted if weighted]
    doubtful = [remark for dataset in datasets for remark in _nearly_numbers(dataset)]
    others = [remark for algorithm in plan.algorithms for remark in _remarks(algorithm, datasets, metrics)]
    return list(dict.fromkeys(plain + doubtful + others))  # once, where data sets share it


def _nearly_numbers(dataset: Dataset) -> Iterator[str]:
    """Yield a remark on each feature that is taken for categories because of a few cells that are no numbers."""
    for name in dataset.texts:
        cells = dataset.features[name].dropna()
        others = cells[pd.to_numeric(cells, errors="coerce").isna()]
        if 0 < len(others) < MOST_OTHERS * len(cells):
            yield f"column {name} of {dataset.name} holds categories, not numbers, because of '{str(others.iloc[0])[:60]}'"


def _check_metric(plan: ExperimentPlan, dataset: Dataset, metric: Metric) -> None:
    where = f"data set '{dataset.name}'"
    if metric.task is not None and metric.task != dataset.task:
        raise BenchkitError(
            f"the metric {metric.name} is for {metric.task}, but {where} is one of {dataset.task}",
            "choose other metrics, or write task in [[dataset]]",
        )
    count = 0 if dataset.classes is None else len(dataset.classes)
    if metric.binary and (dataset.positive is None or (count > 2 and metric.no_information is None)):
        others = {"auc": "roc_auc_ovr", "f1": "f1_macro"}
        raise BenchkitError(
            f"the metric {metric.name} needs two classes, but {where} has {count}",
            f"{others[metric.name]} is for more" if metric.name in others else "choose another metric",
        )
    if plan.resampling.estimate == ".632+" and metric.no_information is None:
        raise BenchkitError(
            f"the no-information rate of {metric.name}, which .632+ needs, is not known",
            'write estimator = ".632", or other metrics',
        )


def _remarks(algorithm: AlgorithmPlan, datasets: Sequence[Dataset], metrics: Sequence[Metric]) -> Iterator[str]:
    weighted = [dataset.name for dataset in datasets if dataset.weights is not None]
    if weighted and not algorithm.steps and not takes(algorithm, "weights"):
        yield f"{algorithm.name} takes no weights: it is fitted without those of {weighted[0]}"
    if algorithm.function is not None:
        check_function(algorithm)
    elif algorithm.command:
        _check_command(algorithm)
    else:
        for dataset in datasets:
            made = model(algorithm, dataset, algorithm.params, 0)
            _check_task(algorithm, dataset, made)
            for metric in metrics:
                ways = WAYS.get(metric.needs, ())
                if ways and not any(hasattr(made, way) for way in ways):
                    yield f"{algorithm.name} gives no {metric.needs} ({' or '.join(ways)}), so it gets no {metric.name}"
            if algorithm.tune is not None:
                for params in candidates(algorithm.tune, 0):
                    model(algorithm, dataset, {**algorithm.params, **params}, 0)
                    break
            if dataset.weights is not None and not takes_weights(made):
                yield f"{algorithm.name} takes no weights: it is fitted without those of {dataset.name}"


def _check_task(algorithm: AlgorithmPlan, dataset: Dataset, made: Any) -> None:
    """Raise BenchkitError for a classifier on numbers or a regressor on classes."""
    from sklearn.base import is_classifier, is_regressor

    wrong = is_classifier(made) if dataset.task == "regression" else is_regressor(made)
    if wrong:
        kind = "classifier" if dataset.task == "regression" else "regressor"
        raise BenchkitError(
            f"algorithm '{algorithm.name}' is a {kind}, but data set '{dataset.name}' is one of {dataset.task}",
            "choose another estimator, or write task in [[dataset]]",
        )


def _check_command(algorithm: AlgorithmPlan) -> None:
    """Raise BenchkitError if the program is not there; as for a shell, a name with a / is a path from the file's folder."""
    first = algorithm.command[0]
    if "{" in first:
        values = {name: value for name, value in algorithm.params.items() if not isinstance(value, Range)}
        try:
            first = command_line((first,), values)[0]
        except KeyError:
            return
    file = algorithm.folder / first
    if not (file.is_file() if "/" in first else shutil.which(first)):
        raise BenchkitError(f"algorithm '{algorithm.name}': there is no program '{first}'", "install it, or correct command")
    if "/" in first and not os.access(file, os.X_OK):
        raise BenchkitError(f"algorithm '{algorithm.name}': '{first}' is not executable", f"chmod +x {first}")
