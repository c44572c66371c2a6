"""Functions that give a data set: a scikit-learn Bunch, (X, y), or a data frame, in the form of a file."""

import contextlib
import hashlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchkit.errors import BenchkitError
from benchkit.run.columns import text
from benchkit.run.dataset import Values
from benchkit.run.importing import attribute
from benchkit.run.plan import DatasetPlan


@dataclass(frozen=True)
class Loaded:
    """What a loader gave, in the form of a file; nothing in it is written, so that spelled(name) is the column itself."""

    name: str
    columns: Mapping[str, Values]
    spelled: Callable[[str], Values]
    place: Callable[[int], str]
    digest: str


def from_loader(plan: DatasetPlan, folder: Path) -> tuple[Loaded, str | None]:
    """Call the loader; return its table and the name of its target, None if it does not say.

    Whole numbers as a target become the names of the classes where the loader gives these. Times become seconds since
    1970. BenchkitError if it fails, or gives anything else than a table.
    """
    assert plan.loader is not None
    function = attribute(plan.loader, folder)
    try:
        with contextlib.redirect_stdout(sys.stderr):  # standard output may hold the results
            given = function(**plan.params)
    except (Exception, SystemExit) as error:
        said = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(": ")
        raise BenchkitError(f"data set '{plan.name}': {plan.loader} failed: {said}", "check the loader and its params") from error
    frame, target = _framed(plan, given)
    columns = {name: _column(frame[name]) for name in frame.columns}
    digest = hashlib.sha256()
    for name, values in columns.items():
        digest.update(f"{name}\0{values.dtype}\0".encode("utf-8", "surrogatepass"))
        digest.update(values.tobytes() if values.dtype != object else repr(values.tolist()).encode("utf-8", "surrogatepass"))
    return Loaded(plan.loader, columns, columns.__getitem__, lambda row: f"row {row + 1}", digest.hexdigest()), target


def _refused(plan: DatasetPlan, what: str, hint: str) -> BenchkitError:
    return BenchkitError(f"data set '{plan.name}': {plan.loader} gave {what}", hint)


def _framed(plan: DatasetPlan, given: Any) -> tuple[pd.DataFrame, str | None]:
    """Return the table with the target in it, and the name of the target."""
    if isinstance(given, pd.DataFrame):
        return _named(plan, given), None
    names = None
    if hasattr(given, "data") and hasattr(given, "target"):
        features, target, names = given.data, given.target, getattr(given, "feature_names", None)
    elif isinstance(given, tuple) and len(given) == 2:
        features, target = given
    else:
        hint = "a loader gives a data frame, (X, y), or an object with data and target"
        raise _refused(plan, f"a {type(given).__name__}", hint)
    frame = _named(plan, features if isinstance(features, pd.DataFrame) else _table(plan, features, names))
    if plan.target in frame.columns:
        return frame, plan.target
    return _with_target(plan, frame, target, getattr(given, "target_names", None))


def _table(plan: DatasetPlan, features: Any, names: Any) -> pd.DataFrame:
    """Return an array as a data frame; without names, or with some too few, its columns are called x1, x2 ..."""
    values = np.asarray(features)
    if values.ndim != 2:
        raise _refused(plan, f"features of {values.ndim} dimensions", "give a table; a sparse one has to be made dense")
    columns = [f"x{number}" for number in range(1, values.shape[1] + 1)]
    return pd.DataFrame(values, columns=list(names) if names is not None and len(names) == len(columns) else columns)


def _named(plan: DatasetPlan, frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table with texts as names of its columns, its rows numbered anew."""
    named = frame.reset_index(drop=True).set_axis([str(name) for name in frame.columns], axis=1)
    twice = named.columns[named.columns.duplicated()]
    if len(twice):
        raise _refused(plan, f"the column '{twice[0]}' twice", "give every column its own name")
    return named


def _with_target(plan: DatasetPlan, frame: pd.DataFrame, target: Any, labels: Any) -> tuple[pd.DataFrame, str]:
    """Return the table with the target as one more column, and what that is called."""
    values = np.asarray(target)
    values = values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values
    if values.ndim != 1 or len(values) != len(frame):
        raise _refused(plan, "no single target for each row", "give one target")
    # numbers of classes become their names, so that they are classes and messages can be read
    if labels is not None and values.dtype.kind in "iu" and len(values) and values.min() >= 0 and values.max() < len(labels):
        values = np.asarray(labels, dtype=object)[values]
    own = getattr(target, "name", None)
    name = plan.target or (str(own) if own is not None else "target")
    if name in frame.columns and not frame[name].equals(pd.Series(values)):
        raise _refused(plan, f"a target '{name}' and another column of that name", 'name the target: target = "COLUMN"')
    return frame.assign(**{name: values}), name


def _column(series: "pd.Series[Any]") -> Values:
    """Return floats, whole numbers, truth values or texts, as reading a file does."""
    series = series.infer_objects()
    kind = series.dtype
    if isinstance(kind, pd.DatetimeTZDtype):
        series = series.dt.tz_convert(None)
    if pd.api.types.is_datetime64_any_dtype(kind):
        return np.asarray((series - pd.Timestamp(0)).dt.total_seconds(), dtype=np.float64)
    if pd.api.types.is_timedelta64_dtype(kind):
        return np.asarray(series.dt.total_seconds(), dtype=np.float64)
    if pd.api.types.is_numeric_dtype(kind) and series.isna().any():
        return np.asarray(series.to_numpy(dtype=np.float64, na_value=np.nan))
    values: Values = np.asarray(series)
    if values.dtype.kind in "fiub":
        return values
    return np.array([None if pd.isna(value) else text(value) for value in values], dtype=object)
