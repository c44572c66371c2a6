"""Metrics of predicted numbers: squared and absolute errors, and the share of variance explained."""

from math import sqrt

import numpy as np

from benchkit.run.metrics.records import Floats, Judged, Undefined, mean, well_known


def _numbers(judged: Judged) -> tuple[Floats, Floats]:
    return judged.truth.astype(np.float64, copy=False), judged.given("prediction").astype(np.float64, copy=False)


def _variance(values: Floats, weight: Floats | None) -> float:
    return mean(np.square(values - mean(values, weight)), weight)


def _mse(judged: Judged) -> float:
    truth, prediction = _numbers(judged)
    return mean(np.square(truth - prediction), judged.weight)


def _mse_by_chance(judged: Judged) -> float:
    """Return the mean over all pairs: both variances and the squared difference of the means."""
    truth, prediction = _numbers(judged)
    weight = judged.weight
    # from a common origin, so that a large offset costs no digits
    apart = mean(truth - truth[0], weight) - mean(prediction - truth[0], weight)
    return _variance(truth, weight) + _variance(prediction, weight) + apart * apart


def _rmse(judged: Judged) -> float:
    return sqrt(_mse(judged))


def _rmse_by_chance(judged: Judged) -> float:
    return sqrt(_mse_by_chance(judged))


def _mae(judged: Judged) -> float:
    truth, prediction = _numbers(judged)
    return mean(np.abs(truth - prediction), judged.weight)


def _mae_by_chance(judged: Judged) -> float:
    """Return the mean over all pairs as the integral of F (1 - G) + G (1 - F), F and G the two distribution functions."""
    truth, prediction = _numbers(judged)
    weight = np.ones(truth.size) if judged.weight is None else judged.weight
    share, nothing = weight / weight.sum(), np.zeros(truth.size)
    values = np.concatenate((truth, prediction))
    order = np.argsort(values)
    of_truth = np.cumsum(np.concatenate((share, nothing))[order])[:-1]
    of_prediction = np.cumsum(np.concatenate((nothing, share))[order])[:-1]
    between = of_truth * (1.0 - of_prediction) + of_prediction * (1.0 - of_truth)
    return float(np.diff(values[order]) @ between)


def _r2(judged: Judged) -> float:
    return 1.0 - _mse(judged) / _variance_of_truth(judged)


def _r2_by_chance(judged: Judged) -> float:
    return 1.0 - _mse_by_chance(judged) / _variance_of_truth(judged)


def _variance_of_truth(judged: Judged) -> float:
    truth, _ = _numbers(judged)
    # compared as they are: the variance of equal numbers need not come out as 0
    counted = truth if judged.weight is None else truth[judged.weight > 0]
    if counted.min() == counted.max():
        raise Undefined("the true values are all equal")
    return _variance(truth, judged.weight)


MSE = well_known("mse", "regression", _mse, _mse_by_chance)
RMSE = well_known("rmse", "regression", _rmse, _rmse_by_chance)
MAE = well_known("mae", "regression", _mae, _mae_by_chance)
R2 = well_known("r2", "regression", _r2, _r2_by_chance)
