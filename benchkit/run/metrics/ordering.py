"""Metrics of the order in which scores put the rows: the area under the ROC curve."""

import numpy as np
from numpy.typing import NDArray

from benchkit.run.metrics.records import Floats, Judged, Undefined, well_known


def _auc(judged: Judged) -> float:
    """Return the share of pairs (positive, other) whose positive has the higher score, ties counting one half.

    Equal scores tie exactly, as they stand. A pair weighs the product of its weights.
    """
    positives, others = _sides(judged)
    scores = judged.given("scores")
    if np.isnan(scores).any():
        raise Undefined("a score is missing")
    order = np.argsort(scores)
    ascending = scores[order]
    last = np.flatnonzero(ascending[1:] != ascending[:-1])
    up, along = _steps(positives[order], last), _steps(others[order], last)
    # the others below a tie count fully, those within it one half: the trapezoids under the curve
    return float((up[1:] - up[:-1]) @ (along[1:] + along[:-1]) / (2.0 * up[-1] * along[-1]))


def _steps(weights: Floats, last: NDArray[np.intp]) -> Floats:
    """Return the weight up to each distinct score, from 0; last: where the scores change."""
    total = weights.cumsum()
    return np.concatenate(([0.0], total[last], total[-1:]))


def _auc_by_chance(judged: Judged) -> float:
    """Return one half: over all pairs of a truth and a score, positives and others have the same scores."""
    _sides(judged)
    return 0.5


def _sides(judged: Judged) -> tuple[Floats, Floats]:
    """Return the weight of each row as a positive and as another; Undefined unless both have some."""
    if judged.positive is None:
        raise Undefined("no class counts as positive")
    positive = (judged.truth == judged.positive).astype(np.float64)
    other = 1.0 - positive
    if judged.weight is not None:
        positive, other = positive * judged.weight, other * judged.weight
    if not (positive.any() and other.any()):
        raise Undefined("only one class among the rows")
    return positive, other


AUC = well_known("auc", "classification", _auc, _auc_by_chance, "scores", binary=True)
