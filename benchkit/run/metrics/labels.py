"""Metrics of predicted classes: how many are right, over all rows, by class, or for the positive class."""

import numpy as np
from numpy.typing import NDArray

from benchkit.run.metrics.records import Floats, Judged, Undefined, Values, mean, well_known


def _accuracy(judged: Judged) -> float:
    return mean(judged.truth == judged.given("prediction"), judged.weight)


def _accuracy_by_chance(judged: Judged) -> float:
    true, predicted = _shares(judged)
    return float(true @ predicted)


def _error_rate(judged: Judged) -> float:
    return mean(judged.truth != judged.given("prediction"), judged.weight)


def _error_rate_by_chance(judged: Judged) -> float:
    """Return sum p (1 - q) over the classes (Efron & Tibshirani 1997, equation 28)."""
    true, predicted = _shares(judged)
    return float(true @ (1.0 - predicted))


def _balanced_accuracy(judged: Judged) -> float:
    """Return the mean of the shares classified rightly, over the classes that occur."""
    (codes,), weight = _codes(judged.truth), judged.weight
    right = (judged.truth == judged.given("prediction")).astype(np.float64)
    total = np.bincount(codes, weight)
    hits = np.bincount(codes, right if weight is None else right * weight)
    occurs = total > 0
    return float(np.mean(hits[occurs] / total[occurs]))


def _balanced_accuracy_by_chance(judged: Judged) -> float:
    true, predicted = _shares(judged)
    return float(predicted[true > 0].mean())


def _f1(judged: Judged) -> float:
    """Return 2 TP / (2 TP + FP + FN); 0 where nothing is found, Undefined where there is nothing to find."""
    true, predicted = _positives(judged)
    both = mean(true & predicted, judged.weight)
    return 2.0 * both / (mean(true, judged.weight) + mean(predicted, judged.weight))


def _f1_by_chance(judged: Judged) -> float:
    true, predicted = (mean(positives, judged.weight) for positives in _positives(judged))
    return 2.0 * true * predicted / (true + predicted)


def _positives(judged: Judged) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which rows are positive and which are predicted so."""
    if judged.positive is None:
        raise Undefined("no class counts as positive")
    true, predicted = judged.truth == judged.positive, judged.given("prediction") == judged.positive
    if not mean(true, judged.weight) > 0:
        raise Undefined("no row is positive")
    return true, predicted


def _shares(judged: Judged) -> tuple[Floats, Floats]:
    """Return the share of each class among the true values and among the predictions."""
    true, predicted = _codes(judged.truth, judged.given("prediction"))
    size = 1 + max(int(true.max()), int(predicted.max()))
    counts = np.bincount(true, judged.weight, size), np.bincount(predicted, judged.weight, size)
    return counts[0] / counts[0].sum(), counts[1] / counts[1].sum()


def _codes(*columns: Values) -> list[NDArray[np.int64]]:
    """Return a number for each value, the same for equal values of all columns, from 0 in order of appearance."""
    known: dict[object, int] = {}
    return [np.array([known.setdefault(value, len(known)) for value in column.tolist()], dtype=np.int64) for column in columns]


ACCURACY = well_known("accuracy", "classification", _accuracy, _accuracy_by_chance)
ERROR_RATE = well_known("error_rate", "classification", _error_rate, _error_rate_by_chance)
BALANCED_ACCURACY = well_known("balanced_accuracy", "classification", _balanced_accuracy, _balanced_accuracy_by_chance)
F1 = well_known("f1", "classification", _f1, _f1_by_chance, binary=True)
