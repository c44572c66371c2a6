"""An estimator in scikit-learn's sense that learns nothing and answers with predictions made before."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.metaestimators import available_if


def _answers(method: str) -> Callable[["_StandIn"], bool]:
    """Return the condition under which the estimator has the method."""
    return lambda stand_in: method in stand_in.answers


class _StandIn(BaseEstimator):  # type: ignore[misc]
    """Answers each method in `answers` with its array, whatever it is asked about, and keeps in `asked` what it was asked."""

    def __init__(self, answers: dict[str, NDArray[Any]]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    @available_if(_answers("predict"))  # type: ignore[untyped-decorator]
    def predict(self, _: object) -> NDArray[Any]:
        return self._answer("predict")

    @available_if(_answers("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, _: object) -> NDArray[Any]:
        return self._answer("predict_proba")

    @available_if(_answers("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, _: object) -> NDArray[Any]:
        return self._answer("decision_function")

    def _answer(self, method: str) -> NDArray[Any]:
        self.asked.append(method)
        return self.answers[method]

    def __sklearn_is_fitted__(self) -> bool:
        return True


class Regressor(RegressorMixin, _StandIn):  # type: ignore[misc]
    """Stands in for a fitted regressor."""


class Classifier(ClassifierMixin, _StandIn):  # type: ignore[misc]
    """Stands in for a fitted classifier of the classes 0, 1 ... n_classes - 1."""

    def __init__(self, answers: dict[str, NDArray[Any]], n_classes: int) -> None:
        super().__init__(answers)
        self.n_classes = n_classes
        self.classes_ = np.arange(n_classes)
