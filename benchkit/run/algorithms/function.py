"""A function of the user's own: function(X_train, y_train, X_test, **params) returns the predictions."""

import copy
import inspect
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.run.algorithms.fit import Fit, Fitted
from benchkit.run.algorithms.judging import judged
from benchkit.run.importing import attribute
from benchkit.run.plan import AlgorithmPlan
from benchkit.run.preprocess import preprocessor

# what is handed in if the function has a parameter of that name
OFFERED = ("seed", "weights", "groups", "X_validation", "y_validation")


def check_function(algorithm: AlgorithmPlan) -> None:
    """Raise BenchkitError if the function cannot be called with the algorithm's parameters."""
    assert algorithm.function is not None
    function = attribute(algorithm.function, algorithm.folder)
    try:
        signature = inspect.signature(function)
        given = dict(algorithm.params) | (dict.fromkeys(algorithm.tune.space) if algorithm.tune else {})
        offered = {name: None for name in OFFERED if name in signature.parameters and name not in given}
        signature.bind(None, None, None, **given, **offered)
    except (TypeError, ValueError) as error:
        raise BenchkitError(
            f"algorithm '{algorithm.name}': {algorithm.function} cannot be called: {error}",
            "it is called as function(X_train, y_train, X_test, **params)",
        ) from error


def fit_function(fit: Fit) -> Fitted:
    """Call the function once; the time is all in fit_seconds. FitFailed or whatever it raises."""
    spec, folder = fit.algorithm.function or "", fit.algorithm.folder
    function = attribute(spec, folder)
    params = copy.deepcopy(dict(fit.params)) | _offered(fit, _parameters(spec, folder))
    train, target, test = fit.features(fit.train), fit.target(fit.train), fit.features(fit.test)
    start = time.perf_counter()
    if fit.algorithm.preprocess == "auto":
        prepare = preprocessor(fit.dataset).set_output(transform="pandas").fit(train)
        train, test = prepare.transform(train), prepare.transform(test)
        if params.get("X_validation") is not None:
            params["X_validation"] = prepare.transform(params["X_validation"])
    returned = function(train, target, test, **params)
    seconds = time.perf_counter() - start
    known = np.unique(fit.target(fit.train)) if fit.dataset.classes is not None else None
    predicted = judged(fit, returned, len(fit.test), known)
    return Fitted(predicted, None, seconds, None)


def takes(algorithm: AlgorithmPlan, name: str) -> bool:
    """Say whether the algorithm is a function with a parameter of that name."""
    return algorithm.function is not None and name in _parameters(algorithm.function, algorithm.folder)


@cache
def _parameters(spec: str, folder: Path) -> frozenset[str]:
    return frozenset(inspect.signature(attribute(spec, folder)).parameters)


def _offered(fit: Fit, known: frozenset[str]) -> dict[str, Any]:
    """Return what the function asks for by the names of its parameters, and the plan does not give."""
    rows = fit.dataset.rows
    offers: dict[str, Callable[[], Any]] = {
        "seed": lambda: fit.seed,
        "weights": lambda: fit.weights(fit.train),
        "groups": lambda: None if rows.groups is None else rows.groups[fit.train],
        "X_validation": lambda: None if fit.validation is None else fit.features(fit.validation),
        "y_validation": lambda: None if fit.validation is None else fit.target(fit.validation),
    }
    return {name: make() for name, make in offers.items() if name in known and name not in fit.params}
