"""Estimators with scikit-learn's interface: fit, predict, and where there are any, probabilities and members' votes."""

import copy
import inspect
import time
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchkit.errors import BenchkitError
from benchkit.run.algorithms.fit import Fit, Fitted, Predicted
from benchkit.run.algorithms.judging import judged
from benchkit.run.algorithms.votes import votes
from benchkit.run.dataset import Dataset
from benchkit.run.importing import attribute
from benchkit.run.plan import AlgorithmPlan
from benchkit.run.preprocess import preprocessor


def model(algorithm: AlgorithmPlan, dataset: Dataset, params: Mapping[str, Any], seed: int) -> Any:
    """Return the unfitted estimator or pipeline, every random_state that is not given set to the seed.

    BenchkitError for a class that cannot be imported or parameters that it does not know.
    """
    from sklearn.pipeline import Pipeline

    if len(algorithm.steps) == 1:
        only = algorithm.steps[0]
        own = {name: value for name, value in params.items() if "__" not in name}
        steps = [(only.name, _made(algorithm, only.estimator, {**only.params, **own}))]
        inner, nested = steps[0][1], {name: value for name, value in params.items() if name not in own}
    else:
        steps = [(step.name, _made(algorithm, step.estimator, step.params)) for step in algorithm.steps]
        inner, nested = Pipeline(steps), dict(params)
    if nested:
        _set(algorithm, inner, nested)
    random = {name: seed for name, value in inner.get_params().items() if value is None and _is_seed(name)}
    if random:
        inner.set_params(**random)
    if algorithm.preprocess == "none":
        return inner
    return Pipeline([("preprocess", preprocessor(dataset)), *steps])


def _is_seed(name: str) -> bool:
    return name == "random_state" or name.endswith("__random_state")


def _made(algorithm: AlgorithmPlan, spec: str, params: Mapping[str, Any]) -> Any:
    """Return the class called with its parameters, among which there may be further estimators."""
    made = _called(algorithm, spec, params)
    if not hasattr(made, "get_params"):
        raise BenchkitError(
            f"algorithm '{algorithm.name}': {spec} has no get_params, so it is no estimator in scikit-learn's sense",
            "derive it from sklearn.base.BaseEstimator, or use function",
        )
    return made


def _called(algorithm: AlgorithmPlan, spec: str, params: Mapping[str, Any]) -> Any:
    found = attribute(spec, algorithm.folder)
    given = {name: _value(algorithm, value) for name, value in params.items()}
    try:
        return found(**given)
    except Exception as error:
        known = [name for name in _parameters(found) if name not in ("args", "kwargs")]
        unknown = next((name for name in given if known and name not in known), None)
        if unknown is not None and "unexpected keyword" in str(error):
            raise BenchkitError(
                f"algorithm '{algorithm.name}': {spec} has no parameter '{unknown}'", _near(unknown, known)
            ) from error
        said = " ".join(str(error).split()) or type(error).__name__
        raise BenchkitError(f"algorithm '{algorithm.name}': {spec}: {said}", "check its params") from error


def _parameters(found: Any) -> list[str]:
    try:
        return list(inspect.signature(found).parameters)
    except (TypeError, ValueError):
        return []


def _value(algorithm: AlgorithmPlan, value: Any) -> Any:
    """Return a parameter's value: a table with `estimator` is what that makes, a list of such tables is a list of pairs.

    What a table makes need be no estimator: kernels and ways to split rows are made in the same way. A pair holds the name
    and the estimator; without a name it is called by its number. All else is copied, since whoever gets it may change it.
    """
    if _is_made(value):
        return _called(algorithm, value["estimator"], value.get("params", {}))
    if isinstance(value, list | tuple) and value and all(isinstance(one, Mapping) and "estimator" in one for one in value):
        return [(one.get("name", f"{number}"), _value(algorithm, one)) for number, one in enumerate(value, 1)]
    if isinstance(value, list | tuple) and any(_is_made(part) for one in value for part in (one, *_parts(one))):
        # scikit-learn's own form: ["name", {estimator = ...}], where there may be a word such as "drop" for the table
        return [tuple(_value(algorithm, part) for part in _parts(one)) or _value(algorithm, one) for one in value]
    return copy.deepcopy(value)


def _is_made(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("estimator"), str)


def _parts(value: Any) -> Sequence[Any]:
    """Return the parts of a list, none of anything else."""
    return value if isinstance(value, list | tuple) else ()


def _set(algorithm: AlgorithmPlan, inner: Any, params: Mapping[str, Any]) -> None:
    try:
        inner.set_params(**{name: _value(algorithm, value) for name, value in params.items()})
    except Exception as error:
        known = inner.get_params()
        unknown = next((name for name in params if name not in known), None)
        if unknown is None:
            said = " ".join(str(error).split()) or type(error).__name__
            raise BenchkitError(f"algorithm '{algorithm.name}': {said}", "check its params") from error
        raise BenchkitError(f"algorithm '{algorithm.name}' has no parameter '{unknown}'", _near(unknown, known)) from error


def _near(unknown: str, known: Iterable[str]) -> str:
    """Return the hint for a parameter that is not there."""
    names = sorted(known)
    near = get_close_matches(unknown, names, 1)
    return f"did you mean {near[0]}?" if near else f"it has: {', '.join(names)[:300]}"


def fit_estimator(fit: Fit) -> Fitted:
    """Fit on the training rows and predict the test rows; FitFailed or whatever the estimator raises."""
    fitted = model(fit.algorithm, fit.dataset, fit.params, fit.seed)
    features, target = fit.features(fit.train), fit.target(fit.train)
    test = fit.features(fit.test)
    start = time.perf_counter()
    fitted.fit(features, target, **_weighting(fit, fitted))
    middle = time.perf_counter()
    predicted = _predict(fit, fitted, test)
    end = time.perf_counter()
    train = _predict(fit, fitted, features) if fit.keep_train else None
    members = votes(fit.dataset, fitted, test) if fit.keep_votes else None
    return Fitted(predicted, train, middle - start, end - middle, members)


def takes_weights(fitted: Any) -> bool:
    """Say whether the estimator, or the last step of the pipeline, takes case weights."""
    from sklearn.utils.validation import has_fit_parameter

    while hasattr(fitted, "steps"):
        fitted = fitted.steps[-1][1]
    return bool(has_fit_parameter(fitted, "sample_weight"))


def _weighting(fit: Fit, fitted: Any) -> dict[str, Any]:
    """Return the weights by the name of the parameter that takes them, which leads through pipelines to their last step."""
    weights = fit.weights(fit.train)
    if weights is None or not takes_weights(fitted):
        return {}
    path = []
    while hasattr(fitted, "steps"):
        name, fitted = fitted.steps[-1]
        path.append(name)
    return {"__".join([*path, "sample_weight"]): weights}


def _predict(fit: Fit, fitted: Any, features: Any) -> Predicted:
    if fit.dataset.task == "regression":
        return judged(fit, fitted.predict(features), len(features), None)
    known = np.asarray(fitted.classes_) if hasattr(fitted, "classes_") else None
    plain = judged(fit, fitted.predict(features), len(features), None)
    if not fit.needs and not fit.wants_scores:
        return plain
    if hasattr(fitted, "predict_proba"):
        full = judged(fit, fitted.predict_proba(features), len(features), known)
        return Predicted(plain.prediction, full.probabilities, full.scores)
    return Predicted(plain.prediction, None, _decision(fit, fitted, features, known))


def _decision(fit: Fit, fitted: Any, features: Any, known: Any) -> NDArray[np.float64] | None:
    """Return the decision values for the positive class, None where there is no single one for each row."""
    if not hasattr(fitted, "decision_function") or fit.dataset.positive is None or known is None or len(known) != 2:
        return None
    scores = np.asarray(fitted.decision_function(features), dtype=np.float64)
    if scores.ndim != 1:
        return None
    return scores if known[1] == fit.dataset.positive else -scores
