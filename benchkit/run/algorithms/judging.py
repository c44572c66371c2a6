"""What an algorithm returned is checked and becomes predictions, in the form that metrics take."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchkit.run.algorithms.fit import Fit, FitFailed, Predicted
from benchkit.run.columns import text
from benchkit.run.dataset import Dataset, Values

LONGEST = 60


def judged(fit: Fit, values: Any, rows: int, known: Values | None) -> Predicted:
    """Check what an algorithm returned for `rows` rows and return it as predictions.

    values: n predictions, or for classification n x K probabilities, a column for each of the classes `known` to it (None:
    all), in that order, or a data frame with the classes as names of its columns. Of equal probabilities the first class
    is predicted. Raises FitFailed for anything else.
    """
    given = _array(values, rows)
    single = given.ndim == 2 and given.shape[1] == 1 and (known is None or len(known) != 1)
    if single:
        given = given[:, 0]
    if given.ndim == 2:
        return _from_probabilities(fit, given, _named_columns(fit.dataset, values, known))
    if fit.dataset.task == "regression":
        return Predicted(_numbers(given))
    return Predicted(_classes(fit.dataset, given))


def _array(values: Any, rows: int) -> Values:
    if values is None:
        raise FitFailed("returned nothing; it has to return the predictions")
    try:
        if np.ma.is_masked(values):
            raise FitFailed("gave predictions of which some are masked")
        given = np.asarray(values)
    except ValueError as error:
        raise FitFailed(f"gave predictions that make no array: {error}") from error
    if given.ndim == 0:
        raise FitFailed(f"gave a single {type(values).__name__}, not predictions for {rows} rows")
    if given.ndim > 2 or len(given) != rows:
        raise FitFailed(f"gave {' x '.join(map(str, given.shape))} predictions for {rows} rows")
    return given


def _numbers(given: Values) -> NDArray[np.float64]:
    if given.dtype.kind in "cmM":
        raise FitFailed(f"predicted {str(given[0])[:LONGEST]!r}, which is no number")
    try:
        numbers = given.astype(np.float64)
    except (TypeError, ValueError) as error:
        wrong = next((value for value in given.tolist() if not isinstance(value, int | float)), given[0])
        raise FitFailed(f"predicted {str(wrong)[:LONGEST]!r}, which is no number") from error
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        raise FitFailed(f"prediction {bad[0] + 1} of {len(numbers)} is {numbers[bad[0]]}")
    return numbers


def _classes(dataset: Dataset, given: Values) -> Values:
    """Return predictions in the type of the classes; whole floats and texts that mean a class are taken, too."""
    classes = dataset.classes
    assert classes is not None
    if given.dtype.kind in "iuf" and classes.dtype.kind in "iu" and len(given):
        places = np.searchsorted(classes, given).clip(max=len(classes) - 1)
        found: Values = classes[places]
        if (found == given).all():
            return found
    meant = spellings(classes)
    out = []
    for number, value in enumerate(given.tolist(), 1):
        if value is None or value != value:
            raise FitFailed(f"prediction {number} of {len(given)} is missing")
        one = meant.get(value, meant.get(_key(value)))
        if one is None:
            raise FitFailed(f"predicted {str(value)[:LONGEST]!r}, which is none of the classes {_listed(classes)}")
        out.append(one)
    return np.array(out, dtype=classes.dtype)


def spellings(classes: Values) -> Mapping[Any, Any]:
    """Return which class each value or text means: 2 may be written 2.0, and true TRUE, True or 1."""
    out: dict[Any, Any] = {}
    for value in classes.tolist():
        written = [str(value), text(value), str(value).strip()]
        if isinstance(value, bool):
            written += [str(value).upper(), str(int(value))]
        for key in (value, *written):
            out.setdefault(key, value)
    return out


def _key(value: Any) -> Any:
    """Return the text of a number without the decimals that hold nothing."""
    try:
        return text(float(value))
    except (TypeError, ValueError, OverflowError):
        return str(value)


def _listed(classes: Values) -> str:
    texts = [text(value) for value in classes.tolist()]
    return ", ".join(texts[:8]) + (" ..." if len(texts) > 8 else "")


def _named_columns(dataset: Dataset, values: Any, known: Values | None) -> Values | None:
    """Return the classes that the columns of a data frame are called by, `known` if it is none or they are called otherwise."""
    if dataset.classes is None or not isinstance(values, pd.DataFrame):
        return known
    meant = spellings(dataset.classes)
    named = [meant.get(name) for name in values.columns]
    if None in named or len(set(named)) < len(named):
        return known
    return np.array(named, dtype=dataset.classes.dtype)


def _from_probabilities(fit: Fit, given: Values, known: Values | None) -> Predicted:
    dataset = fit.dataset
    if dataset.classes is None:
        raise FitFailed(f"gave {given.shape[1]} columns of predictions for regression")
    columns = known if known is not None and len(known) == given.shape[1] else dataset.classes
    if given.shape[1] != len(columns):
        raise FitFailed(f"gave {given.shape[1]} columns of probabilities for {len(dataset.classes)} classes")
    numbers = _numbers(given.ravel()).reshape(given.shape)
    if (numbers < 0).any() or not np.allclose(numbers.sum(axis=1), 1, atol=1e-4):
        raise FitFailed("gave probabilities that are negative or do not add up to 1")
    full = np.zeros((len(given), len(dataset.classes)))
    full[:, np.searchsorted(dataset.classes, _classes(dataset, np.asarray(columns)))] = numbers
    scores = full[:, int(np.searchsorted(dataset.classes, dataset.positive))] if dataset.positive is not None else None
    return Predicted(dataset.classes[full.argmax(axis=1)], full, scores)
