"""Scikit-learn's scorers by name, asked about predictions that exist already."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchkit.errors import BenchkitError
from benchkit.run.metrics.records import Finite, Judged, Metric, Need, Undefined
from benchkit.run.plan import Task

NEEDS: dict[str, Need] = {"predict": "prediction", "predict_proba": "probabilities", "decision_function": "scores"}


def scorer(name: str) -> Metric:
    """Return scikit-learn's scorer `name` as a metric, for which higher is always better.

    What it reads, for which task and how many classes, and whether it takes weights is found by asking it about a few
    made-up rows. Classes reach it as 0, 1 ..., the positive of two as 1, whatever they are called. ImportError without
    scikit-learn; ValueError for an unknown name; BenchkitError for a scorer that can judge neither numbers nor classes.
    """
    from sklearn.metrics import get_scorer

    from benchkit.run.metrics.stand_in import Classifier, Regressor

    ask = get_scorer(name)
    numbers = Regressor({"predict": np.array([1.0, 1.25, 3.0, 3.5])})
    truth = np.array([0.5, 1.5, 2.5, 4.0])
    if _objection(ask, numbers, truth) is None:
        return _metric(name, "regression", "prediction", False, _objection(ask, numbers, truth, np.ones(4)) is None)

    score = np.array([0.1, 0.8, 0.7, 0.9, 0.4, 0.3])
    two = np.column_stack((1.0 - score, score))
    binary = Classifier({"predict": two.argmax(axis=1), "decision_function": score, "predict_proba": two}, 2)
    three = np.array([[0.7, 0.2, 0.1], [0.3, 0.5, 0.2], [0.1, 0.2, 0.7], [0.2, 0.7, 0.1], [0.3, 0.1, 0.6], [0.5, 0.1, 0.4]])
    several = Classifier({"predict": three.argmax(axis=1), "predict_proba": three}, 3)
    of_two, of_three = np.array([0, 1, 0, 1, 1, 0]), np.array([0, 1, 2, 0, 2, 1])
    against_two, against_three = _objection(ask, binary, of_two), _objection(ask, several, of_three)
    if against_two is not None and against_three is not None:
        raise BenchkitError(
            f"scikit-learn's scorer '{name}' can judge neither numbers nor classes: {against_two}",
            'give another metric, or function = "MODULE:FUNCTION"',
        )
    needs = NEEDS[(binary if against_two is None else several).asked[0]]
    weighted = all(
        _objection(ask, one, rows, np.ones(6)) is None
        for one, rows, against in ((binary, of_two, against_two), (several, of_three, against_three))
        if against is None
    )
    return _metric(name, "classification", needs, against_three is not None, weighted)


def _metric(name: str, task: Task, needs: Need, binary: bool, weighted: bool) -> Metric:
    return Metric(name, "higher", "", needs, task, Finite(name, Scorer(name, task, needs, weighted)), None, binary, weighted)


def _objection(ask: Any, estimator: Any, truth: NDArray[Any], weight: NDArray[np.float64] | None = None) -> str | None:
    """Return why the scorer cannot judge this, None if it can without as much as a warning."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return None if np.isfinite(_asked(ask, estimator, truth, weight)) else "no finite number comes out"
    except Exception as error:
        return _one_line(error)


def _asked(ask: Any, estimator: Any, truth: NDArray[Any], weight: NDArray[np.float64] | None) -> float:
    weighting = {} if weight is None else {"sample_weight": weight}
    return float(ask(estimator, np.zeros((len(truth), 1)), truth, **weighting))


def _one_line(error: BaseException | Warning) -> str:
    return " ".join(str(error).split()) or type(error).__name__


@dataclass(frozen=True)
class Scorer:
    """The value of a scorer on judged rows; Undefined with scikit-learn's own words where it refuses or gives NaN.

    Where scikit-learn warns and gives a number, as 0 for a precision without a predicted positive, that number counts.
    """

    name: str
    task: Task
    needs: Need
    weighted: bool

    def __call__(self, judged: Judged) -> float:
        """Return what the scorer says."""
        from sklearn.metrics import get_scorer

        if judged.weight is not None and not self.weighted:
            raise Undefined("this scorer of scikit-learn takes no weights")
        if not (self.needs == "scores" and judged.probabilities is not None):
            judged.given(self.needs)
        estimator, truth = _regression(judged) if self.task == "regression" else _classification(judged)
        try:
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                value = _asked(get_scorer(self.name), estimator, truth, judged.weight)
        except Exception as error:
            raise Undefined(_one_line(error)) from error
        if said and not np.isfinite(value):
            raise Undefined(str(said[0].message).split("\n")[0])
        return value


def _regression(judged: Judged) -> tuple[Any, NDArray[Any]]:
    from benchkit.run.metrics.stand_in import Regressor

    return Regressor({"predict": judged.given("prediction")}), judged.truth


def _classification(judged: Judged) -> tuple[Any, NDArray[Any]]:
    """Return a classifier of the classes 0, 1 ... and the true ones; the positive of two classes is 1."""
    from benchkit.run.metrics.stand_in import Classifier

    if judged.classes is None:
        raise Undefined("the classes are not known")
    classes = judged.classes.tolist()
    order = list(range(len(classes)))
    if len(classes) == 2 and judged.positive == classes[0]:
        order.reverse()
    code = {classes[place]: number for number, place in enumerate(order)}
    answers: dict[str, NDArray[Any]] = {}
    try:
        truth = np.array([code[value] for value in judged.truth.tolist()])
        if judged.prediction is not None:
            answers["predict"] = np.array([code[value] for value in judged.prediction.tolist()])
    except KeyError as error:
        raise Undefined(f"{error.args[0]!r} is none of the classes") from None
    if judged.scores is not None and len(classes) == 2:
        answers["decision_function"] = judged.scores
    if judged.probabilities is not None:
        answers["predict_proba"] = judged.probabilities[:, order]
    return Classifier(answers, len(classes)), truth
