"""Metrics that are functions of the user's own."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.run.importing import attribute
from benchkit.run.metrics.records import Finite, Judged, Metric, Need, Undefined
from benchkit.run.plan import MetricPlan
from benchkit.tables.metrics import unit

BY_NAME = ("scores", "probabilities", "weight")


def own(plan: MetricPlan, folder: Path) -> Metric:
    """Return the user's function "module:function" as a metric; its module may stand in `folder`.

    It is called as function(y_true, y_pred); scores, probabilities (columns in the order of the classes) and weight reach
    it by name if it has parameters of these names, and function(y_true, scores) gets no predictions. It is said to need
    probabilities or scores if it has a parameter for them (probabilities if for both). What it raises, or a result that
    is no finite number, is Undefined. BenchkitError if it cannot be imported or called, or no direction is declared.
    """
    assert plan.function is not None
    if plan.better is None:
        hint = 'add better = "lower" or better = "higher" to it'
        raise BenchkitError(f"the direction of metric '{plan.name}' is not known", hint)
    function = attribute(plan.function, folder)
    if not callable(function):
        raise BenchkitError(f"metric '{plan.name}': {plan.function} is no function", "name a function of (y_true, y_pred)")
    call = Own(function, *_takes(function))
    needs: Need = "probabilities" if "probabilities" in call.named else "scores" if "scores" in call.named else "prediction"
    return Metric(plan.name, plan.better, unit(plan.name), needs, None, Finite(plan.name, call), weighted="weight" in call.named)


def _takes(function: Callable[..., Any]) -> tuple[bool, tuple[str, ...]]:
    """Return whether the function takes predictions, as its second argument, and which of the arrays it takes by name."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except ValueError:  # some functions written in C do not say
        return True, ()
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    named = tuple(parameter.name for parameter in parameters if parameter.name in BY_NAME and parameter.kind in by_name)
    return not (len(parameters) > 1 and parameters[1].name in named), named


@dataclass(frozen=True)
class Own:
    """The value of a function of the user's own, which takes predictions or not, and some arrays by name."""

    function: Callable[..., Any]
    predictions: bool
    named: tuple[str, ...]

    def __call__(self, judged: Judged) -> float:
        """Return what the function gives."""
        plain = (judged.truth, judged.given("prediction")) if self.predictions else (judged.truth,)
        named = {name: _array(judged, name) for name in self.named}
        try:
            value = self.function(*plain, **named)
        except Exception as error:
            raise Undefined(" ".join(f"{type(error).__name__}: {error}".split()).rstrip(": ")) from error
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = value[()]
        if not isinstance(value, Real | np.bool_):
            raise Undefined(f"gave a {type(value).__name__}, not a number")
        return float(value)


def _array(judged: Judged, name: str) -> Any:
    """Return the scores or probabilities, Undefined without them, or the weight, None without one."""
    if name == "weight":
        return judged.weight
    return judged.given("scores" if name == "scores" else "probabilities")
