"""One cell of the experiment: an algorithm on one replicate of a data set, measured in every metric."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from benchkit.run.algorithms.fit import Fit, Fitted, Predicted
from benchkit.run.columns import text
from benchkit.run.dataset import Dataset
from benchkit.run.fitting import fit_algorithm, judge, measured, said
from benchkit.run.metrics.records import Judged, Metric, Undefined
from benchkit.run.resampling.splits import Split
from benchkit.run.tune import tuned

Status = Literal["ok", "failed", "timeout", "out-of-memory"]
Performance = Mapping[str, float | None]
LONGEST = 500


@dataclass(frozen=True)
class Cell:
    """What is fitted: names only, so that it travels cheaply. replicate None: one fit on all rows, tested on the same."""

    dataset: str
    replicate: str | None
    algorithm: str


@dataclass(frozen=True)
class Sizes:
    """Rows drawn for training (with repetition), distinct ones among them, rows tested."""

    n_train: int
    n_train_distinct: int
    n_test: int


@dataclass(frozen=True)
class Outcome:
    """What became of a cell. Performances by metric, None where a metric is undefined or the fit failed.

    error: why it failed. undefined: why metrics are, by metric. parameters: those that a search chose. no_information: for a fit
    on all rows. predictions: (prediction, score) for the test rows in order. votes: bits of members in rows, packed as
    numpy.packbits does along each row, and the number of members.
    """

    status: Status
    error: str | None
    seed: int
    sizes: Sizes
    performance: Performance
    train_performance: Performance
    fit_seconds: float | None = None
    predict_seconds: float | None = None
    parameters: Mapping[str, Any] | None = None
    no_information: Performance | None = None
    predictions: tuple[Sequence[str], Sequence[float | None]] | None = None
    votes: tuple[bytes, int] | None = None
    undefined: Mapping[str, str] | None = None


def sizes(split: Split) -> Sizes:
    """Return how many rows a split trains and tests on."""
    return Sizes(len(split.train), len(np.unique(split.train)), len(split.test))


def failed(status: Status, error: str, seed: int, size: Sizes) -> Outcome:
    """Return the outcome of a fit that gave nothing."""
    line = " ".join(error.split())
    return Outcome(status, line if len(line) <= LONGEST else line[: LONGEST - 4] + " ...", seed, size, {}, {})


def run_cell(fit: Fit, metrics: Sequence[Metric], size: Sizes, keep_predictions: bool, no_information: bool) -> Outcome:
    """Fit, predict and measure; whatever the algorithm raises becomes the outcome's status and error.

    The time of a search counts as time to fit.
    """
    try:
        chosen, start = None, time.perf_counter()
        if fit.algorithm.tune is not None:
            chosen = tuned(fit, _searched(fit, metrics))
            fit = replace(fit, params={**fit.params, **chosen})
        searched = time.perf_counter() - start
        fitted = fit_algorithm(fit)
        fitted = replace(fitted, fit_seconds=searched + fitted.fit_seconds)
    except MemoryError as error:
        return failed("out-of-memory", said(error), fit.seed, size)
    except BaseException as error:  # code of others may raise anything, SystemExit included
        return failed("failed", said(error), fit.seed, size)
    return _measured(fit, fitted, metrics, size, chosen, keep_predictions, no_information)


def _searched(fit: Fit, metrics: Sequence[Metric]) -> Metric:
    """Return the metric by which a search chooses."""
    wanted = fit.algorithm.tune.metric if fit.algorithm.tune else None
    return next((metric for metric in metrics if metric.name == wanted), metrics[0])


def _measured(
    fit: Fit,
    fitted: Fitted,
    metrics: Sequence[Metric],
    size: Sizes,
    chosen: Mapping[str, Any] | None,
    keep_predictions: bool,
    no_information: bool,
) -> Outcome:
    case = judge(fit, fit.test, fitted.test)
    performance, undefined = _performances(case, metrics)
    train: Performance = {}
    if fitted.train is not None:
        train, _ = _performances(judge(fit, fit.train, fitted.train), metrics)
    rates = {m.name: m.no_information for m in metrics if m.no_information is not None} if no_information else {}
    return Outcome(
        "ok",
        None,
        fit.seed,
        size,
        performance,
        train,
        fitted.fit_seconds,
        fitted.predict_seconds,
        None if chosen is None else json.loads(json.dumps(chosen, default=str)),
        {name: _defined(rate, case)[0] for name, rate in rates.items()} if no_information else None,
        _texts(fit.dataset, fitted.test) if keep_predictions else None,
        None if fitted.votes is None else (np.packbits(fitted.votes, axis=1).tobytes(), fitted.votes.shape[1]),
        undefined or None,
    )


def _performances(case: Judged, metrics: Sequence[Metric]) -> tuple[Performance, dict[str, str]]:
    """Return the performances, and why those are missing that are not defined."""
    values, reasons = {}, {}
    for metric in metrics:
        values[metric.name], reason = _defined(partial(measured, metric), case)
        if reason:
            reasons[metric.name] = reason
    return values, reasons


def _defined(measure: Callable[[Judged], float], case: Judged) -> tuple[float | None, str]:
    """Return the measured value, or None and the reason why there is none."""
    try:
        return float(measure(case)), ""
    except Undefined as undefined:
        return None, str(undefined)
    except (Exception, SystemExit) as error:  # a metric of the user's own
        return None, said(error)[:LONGEST]


def _texts(dataset: Dataset, predicted: Predicted) -> tuple[list[str], list[float | None]]:
    values = predicted.prediction.tolist()
    if dataset.task == "regression":
        return [repr(value) for value in values], values
    scores = [None] * len(values) if predicted.scores is None else predicted.scores.tolist()
    return [text(value) for value in values], scores
