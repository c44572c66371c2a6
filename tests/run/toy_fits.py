"""Data sets from columns, and fits of algorithms on some of their rows, for the tests of run."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchkit.run.algorithms.fit import Fit
from benchkit.run.cell import Outcome, Sizes, run_cell
from benchkit.run.dataset import Dataset
from benchkit.run.fitting import needs
from benchkit.run.loading import load
from benchkit.run.metrics.records import Metric
from benchkit.run.metrics.resolve import resolve
from benchkit.run.plan import AlgorithmPlan, DatasetPlan, ExperimentPlan, MetricPlan, ResamplingPlan, Step, Task

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Columns:
    """A table as reading gives it."""

    columns: Mapping[str, np.ndarray]
    name: str = "d.csv"
    digest: str = "0"

    @property
    def spelled(self) -> Callable[[str], np.ndarray]:
        return self.columns.__getitem__

    @property
    def place(self) -> Callable[[int], str]:
        return lambda row: f"line {row + 2}"


def column(values: Sequence[Any]) -> np.ndarray:
    array = np.array(values)
    return array if array.dtype.kind in "fiub" else np.array(values, dtype=object)


def experiment(resampling: ResamplingPlan | None = None) -> ExperimentPlan:
    return ExperimentPlan(HERE / "e.toml", "e", 1, (), (), resampling or ResamplingPlan("bootstrap"), ())


def dataset(
    cells: Mapping[str, Sequence[Any]],
    /,
    target: str = "y",
    supposed: Task | None = None,
    resampling: str = "bootstrap",
    **plan: Any,
) -> Dataset:
    """Return the data set of the columns; supposed: the task of the metrics."""
    file = Columns({name: column(values) for name, values in cells.items()})
    described = DatasetPlan("d", Path("d.csv"), target=target, **plan)
    return load(experiment(ResamplingPlan(resampling)), described, supposed, lambda _: file)


def estimator(*specs: str | tuple[str, dict[str, Any]], preprocess: Any = "none", **plan: Any) -> AlgorithmPlan:
    """Return the plan of an estimator, or of a pipeline of several; a step is called by its class."""
    pairs = [(spec, {}) if isinstance(spec, str) else spec for spec in specs]
    steps = tuple(Step(spec.rpartition(":")[2].lower(), spec, params) for spec, params in pairs)
    return AlgorithmPlan("a", HERE, steps=steps, preprocess=preprocess, **plan)


def fit_of(data: Dataset, algorithm: AlgorithmPlan, train: Sequence[int], test: Sequence[int], **more: Any) -> Fit:
    validation = more.pop("validation", None)
    facts = {"params": algorithm.params, "seed": 7, "needs": frozenset()} | more
    return Fit(
        data,
        algorithm,
        "1",
        np.array(train, dtype=np.int64),
        np.array(test, dtype=np.int64),
        None if validation is None else np.array(validation, dtype=np.int64),
        **facts,
    )


def metric(name: str) -> Metric:
    return resolve(MetricPlan(name), HERE)


def outcome(fit: Fit, *metrics: str, predictions: bool = False, whole: bool = False) -> Outcome:
    """Return what becomes of the fit, measured in the metrics (mse)."""
    measures = [metric(name) for name in metrics or ("mse",)]
    fit = replace(fit, needs=needs(tuple(measures)))
    return run_cell(fit, measures, Sizes(len(fit.train), len(set(fit.train.tolist())), len(fit.test)), predictions, whole)
