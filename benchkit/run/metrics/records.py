"""What a metric sees of the rows that it judges, what a metric is, and why it may have no value."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from benchkit.run.plan import Task
from benchkit.tables.metrics import Better, direction, unit

Floats = NDArray[np.float64]
Values = NDArray[Any]
Need = Literal["prediction", "probabilities", "scores"]


# where they would come from
FROM: dict[Need, str] = {
    "prediction": "",
    "probabilities": " (predict_proba, or a column for each class)",
    "scores": " (predict_proba or decision_function, or a column for each class)",
}


class Undefined(Exception):  # noqa: N818 - a finding, not a mistake
    """The metric has no value on these rows; the text is one line that says which metric and why."""


@dataclass(frozen=True, eq=False)
class Judged:
    """n rows with what is true and what an algorithm says about them.

    truth: shape (n,), the target as in the file: floats for regression; whole numbers, truth values or texts for classes.
    prediction: shape (n,), or None. probabilities: shape (n, K), columns in the order of `classes`, or None. scores:
    shape (n,), the larger the more likely `positive`: probabilities or decision values, or None. classes: shape (K,), or
    None for regression. positive: the class that counts as positive, or None. weight: shape (n,), 0 or more, or None.
    """

    truth: Values
    prediction: Values | None = None
    probabilities: Floats | None = None
    scores: Floats | None = None
    classes: Values | None = None
    positive: Any = None
    weight: Floats | None = None

    def given(self, need: Need) -> Values:
        """Return the prediction, probabilities or scores; Undefined where the algorithm gives none."""
        values: Values | None = getattr(self, need)
        if values is None:
            raise Undefined(f"the algorithm gives no {need}{FROM[need]}")
        return values


Formula = Callable[[Judged], float]


@dataclass(frozen=True)
class Metric:
    """A number that judges predictions.

    needs: what it reads of Judged beside the truth. For "scores" with more than two classes probabilities stand in, where
    the metric takes more than two. task: what it is for; None for both. measure: its value, always finite; Undefined
    where it has none. no_information: its value if predictions had nothing to do with the truth: that over all n * n
    pairs of a true and a predicted value, a pair weighing the product of their weights (Efron & Tibshirani 1997,
    equation 27), in O(n log n) at most; None where that is not known. binary: it asks for a positive class, so for two.
    weighted: it takes Judged.weight into account.
    """

    name: str
    better: Better
    unit: str
    needs: Need
    task: Task | None
    measure: Formula
    no_information: Formula | None = None
    binary: bool = False
    weighted: bool = True


@dataclass(frozen=True)
class Finite:
    """A formula that gives a finite number or raises Undefined in the name of its metric, without a warning."""

    name: str
    formula: Formula

    def __call__(self, judged: Judged) -> float:
        """Return the value of the formula."""
        if not len(judged.truth):
            raise Undefined(f"{self.name}: there are no rows")
        if judged.weight is not None and not judged.weight.any():
            raise Undefined(f"{self.name}: every row has weight 0")
        try:
            with np.errstate(all="ignore"):
                value = float(self.formula(judged))
        except Undefined as undefined:
            raise Undefined(f"{self.name}: {undefined}") from None
        if not np.isfinite(value):
            raise Undefined(f"{self.name}: no finite number comes out")
        return value


def well_known(
    name: str, task: Task, formula: Formula, chance: Formula, needs: Need = "prediction", binary: bool = False
) -> Metric:
    """Return a metric whose direction and unit stand in tables/metrics.py; chance is its value without information."""
    better = direction(name)
    assert better is not None, name
    return Metric(name, better, unit(name), needs, task, Finite(name, formula), Finite(name, chance), binary)


def mean(values: Values, weight: Floats | None) -> float:
    """Return the mean, weighted where there is a weight."""
    return float(values.mean()) if weight is None else float(weight @ values / weight.sum())
