"""Metrics of predicted probabilities of the classes: the log loss and Brier's score."""

import numpy as np
from numpy.typing import NDArray

from benchkit.run.metrics.records import Floats, Judged, Undefined, mean, well_known

# a probability of 0 would cost an infinite loss
LEAST = float(np.finfo(np.float64).eps)


def _log_loss(judged: Judged) -> float:
    """Return the mean of -log(probability of the true class), probabilities clipped to eps .. 1 - eps."""
    codes, probabilities = _codes(judged), _probabilities(judged)
    return -mean(np.log(np.clip(probabilities[np.arange(codes.size), codes], LEAST, 1.0 - LEAST)), judged.weight)


def _log_loss_by_chance(judged: Judged) -> float:
    logs = np.log(np.clip(_probabilities(judged), LEAST, 1.0 - LEAST))
    shares = _column_means(_indicators(judged), judged.weight)
    return -float(shares @ _column_means(logs, judged.weight))


def _brier(judged: Judged) -> float:
    """Return the mean of (probability - 1 if true)^2: that of the positive of two classes, or the sum over more classes."""
    counted = _counted(judged)
    apart = _probabilities(judged)[:, counted] - _indicators(judged)[:, counted]
    return mean(np.square(apart).sum(axis=1), judged.weight)


def _brier_by_chance(judged: Judged) -> float:
    counted = _counted(judged)
    probabilities = _probabilities(judged)[:, counted]
    shares = _column_means(_indicators(judged)[:, counted], judged.weight)
    if_true = _column_means(np.square(1.0 - probabilities), judged.weight)
    if_not = _column_means(np.square(probabilities), judged.weight)
    return float(shares @ if_true + (1.0 - shares) @ if_not)


def _column_means(values: Floats, weight: Floats | None) -> Floats:
    """Return the mean of each column, rows weighted where there is a weight."""
    means: Floats = values.mean(axis=0) if weight is None else weight @ values / weight.sum()
    return means


def _classes(judged: Judged) -> list[object]:
    if judged.classes is None:
        raise Undefined("the classes are not known")
    classes: list[object] = judged.classes.tolist()
    return classes


def _codes(judged: Judged) -> NDArray[np.int64]:
    """Return the column of each row's true class."""
    column = {value: place for place, value in enumerate(_classes(judged))}
    try:
        return np.array([column[value] for value in judged.truth.tolist()], dtype=np.int64)
    except KeyError as error:
        raise Undefined(f"the class {error.args[0]!r} has no probability") from None


def _indicators(judged: Judged) -> Floats:
    """Return 1 in the column of each row's true class, else 0."""
    codes = _codes(judged)
    out = np.zeros((codes.size, len(_classes(judged))))
    out[np.arange(codes.size), codes] = 1.0
    return out


def _probabilities(judged: Judged) -> Floats:
    return judged.given("probabilities").astype(np.float64, copy=False)


def _counted(judged: Judged) -> list[int]:
    """Return the columns that Brier's score adds up: of two classes the positive one, which says all, else every one."""
    classes = _classes(judged)
    if len(classes) != 2:
        return list(range(len(classes)))
    return [1 if judged.positive is None else classes.index(judged.positive)]


LOG_LOSS = well_known("log_loss", "classification", _log_loss, _log_loss_by_chance, "probabilities")
BRIER = well_known("brier", "classification", _brier, _brier_by_chance, "probabilities")
