"""The columns of a data set by their purpose: what each may hold, and in which form it is used."""

import re
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchkit.errors import BenchkitError
from benchkit.run.dataset import DataFile, Values
from benchkit.run.plan import Task
from benchkit.tables.naming import natural_sort

# more distinct values than this share of the rows make no classes
MOST_CLASSES = 0.5
# texts of this form come in the order of time when they are sorted
TIME = re.compile(r"\d{4}([-/.]?(\d\d|Q[1-4]|W\d\d)){0,2}([T ]\d\d:\d\d(:\d\d([.,]\d+)?)?)?Z?")


def text(value: Any) -> str:
    """Return a cell as text: whole numbers by their digits, true and false in lower case, a missing one empty."""
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return ""
    if isinstance(value, bool | np.bool_):
        return str(bool(value)).lower()
    if isinstance(value, float | np.floating):
        return str(int(value)) if float(value).is_integer() else repr(float(value))
    return str(value)


def feature(values: Values) -> Values:
    """Return floats for numbers and truth values, else texts with NaN for a missing one, as pandas has it."""
    if values.dtype.kind in "fiub":
        return values.astype(np.float64)
    return np.array([np.nan if value is None else value for value in values], dtype=object)


def target(where: str, name: str, values: Values, said: Task | None, supposed: Task | None) -> tuple[Values, Task, Values | None]:
    """Return the target, what it is, and the classes in ascending order (None for regression).

    said: the task that the experiment file names; supposed: the one that its metrics are for. Without both, numbers are
    for regression. BenchkitError for a target that does not fit.
    """
    numeric = values.dtype.kind in "fiu"
    task = said or supposed or ("regression" if numeric else "classification")
    if numeric and not np.isfinite(values).all():
        raise BenchkitError(f"{where}: the target '{name}' holds infinite values", "leave such rows out of the file")
    if task == "regression":
        if not numeric:
            raise BenchkitError(
                f"{where}: the target '{name}' holds no numbers, as regression asks", 'write task = "classification"'
            )
        return values.astype(np.float64), task, None
    if values.dtype.kind == "f":
        # scikit-learn takes fractions for no classes; as texts they are some
        whole = (values == np.floor(values)).all() and (np.abs(values) < 2.0**53).all()
        values = values.astype(np.int64) if whole else np.array([text(value) for value in values], dtype=object)
    classes = np.array(sorted(set(values.tolist())), dtype=values.dtype)
    if len(classes) < 2:
        raise BenchkitError(f"{where}: the target '{name}' holds only one class", "classification needs two classes or more")
    if said is None and len(classes) > max(2, MOST_CLASSES * len(values)):
        raise BenchkitError(
            f"{where}: the target '{name}' takes {len(classes)} values in {len(values)} rows, too many for classes",
            'write task = "classification" if they are classes, else give metrics for regression',
        )
    return values, task, classes


def positive(where: str, wanted: str | None, classes: Values | None) -> Any:
    """Return the class that counts as positive: the wanted one, else of two the last, texts in natural order; else None."""
    if classes is None:
        if wanted is not None:
            raise BenchkitError(f"{where}: positive = '{wanted}' has no meaning in regression", "leave it out")
        return None
    named = {text(value): value for value in classes.tolist()}
    if wanted is not None:
        if wanted not in named:
            raise BenchkitError(f"{where} has no class '{wanted}' (positive)", f"its classes are {', '.join(list(named)[:12])}")
        return named[wanted]
    if len(classes) != 2:
        return None
    return named[natural_sort(named)[-1]] if classes.dtype == object else classes.tolist()[-1]


def times(where: str, file: DataFile, name: str, values: Values) -> Values:
    """Return the time column if sorting it gives the order of time; BenchkitError if its texts are no such times."""
    if values.dtype.kind in "fiub":
        return values
    wrong = next((row for row, value in enumerate(values) if not TIME.fullmatch(value)), None)
    if wrong is not None:
        raise BenchkitError(
            f"{where} {file.place(wrong)}, column {name}: '{values[wrong]}' is no time that can be put in order",
            "write numbers, or dates as 2026-01-31",
        )
    return values


def codes(values: Values | None) -> NDArray[np.int64] | None:
    """Return for each value its place among the distinct ones in ascending order."""
    return None if values is None else np.unique(values, return_inverse=True)[1].astype(np.int64)


def items(where: str, values: Values | None, n: int) -> list[str]:
    """Return what predictions call the rows: the cells of the column of items, else the numbers of the rows from 1."""
    if values is None:
        return [str(row) for row in range(1, n + 1)]
    names = [text(value) for value in values]
    if len(set(names)) < n or "" in names:
        raise BenchkitError(f"{where}: the column of items has empty or equal cells", "every row needs an item of its own")
    return names


def weights(where: str, file: DataFile, name: str | None, values: Values | None) -> NDArray[np.float64] | None:
    """Return the case weights, None without a column; BenchkitError for one that is no number of 0 or more."""
    if values is None:
        return None
    if values.dtype.kind not in "fiub":
        raise BenchkitError(f"{where}: the weight '{name}' holds no numbers", "weights are numbers of 0 or more")
    numbers = values.astype(np.float64)
    wrong = np.flatnonzero(~(np.isfinite(numbers) & (numbers >= 0)))
    if len(wrong) or not numbers.any():
        place = file.place(int(wrong[0])) if len(wrong) else "every row"
        raise BenchkitError(f"{where} {place}, column {name}: not a weight", "weights are numbers of 0 or more, not all 0")
    return numbers


def refuse_missing(where: str, file: DataFile, purpose: str, name: str, values: Values) -> None:
    """Raise BenchkitError that names the first row in which a cell is missing."""
    missing = np.flatnonzero(pd.isna(values))
    if len(missing):
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise BenchkitError(
            f"{where} {file.place(int(missing[0]))}{more}, column {name}: the {purpose} is missing",
            "leave such rows out of the file",
        )
