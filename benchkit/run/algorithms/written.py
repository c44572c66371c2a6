"""The file of predictions that a command wrote.

One prediction on each line, in the order of the test rows, after a header `prediction` or without one; for classification
also, or instead, a column for each class, headed by the classes in any order, with their probabilities. Further columns
are left aside.
"""

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchkit.run.algorithms.fit import Fit, FitFailed, Predicted
from benchkit.run.algorithms.judging import judged, spellings

PREDICTION = "prediction"
MISSING = ("", "na", "nan", "null")
LONGEST = 300

Row = Sequence[str]


def read_predictions(fit: Fit, path: Path) -> Predicted:
    """Return the predictions of the test rows; FitFailed for a file that is not there or not of this form."""
    rows = _rows(path)
    wanted = len(fit.test)
    header = rows[0] if rows and _is_header(fit, rows[0], len(rows) - wanted) else None
    body = rows if header is None else rows[1:]
    if len(body) != wanted:
        raise FitFailed(f"wrote {len(body)} predictions for {wanted} rows")
    if header is None:
        if any(len(row) > 1 for row in body):
            raise FitFailed(f"wrote several columns without a header that calls one of them {PREDICTION}")
        return _plain(fit, body, 0)
    for number, row in enumerate(body, 1):
        if len(row) != len(header) and (row or len(header) > 1):
            raise FitFailed(f"line {number + 1} of its predictions has {len(row)} cells, not {len(header)}")
    plain = _plain(fit, body, header.index(PREDICTION)) if PREDICTION in header else None
    classes = _classes(fit, header)
    if classes:
        numbers = [[_number(_cell(row, place), number, wanted) for place in classes] for number, row in enumerate(body, 1)]
        full = judged(fit, np.array(numbers), wanted, fit.dataset.classes)
        return full if plain is None else replace(full, prediction=plain.prediction)
    if plain is None and len(header) > 1:
        raise FitFailed(f"wrote the columns {', '.join(header)[:LONGEST]}; one has to be called {PREDICTION}")
    return plain or _plain(fit, body, 0)


def _rows(path: Path) -> list[Row]:
    """Return the cells of all lines, without blank lines at the end."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows: list[Row] = [[cell.strip() for cell in row] for row in csv.reader(file)]
    except FileNotFoundError as error:
        raise FitFailed("wrote no predictions") from error
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise FitFailed(f"its predictions cannot be read: {error}") from error
    while rows and not rows[-1]:
        rows.pop()
    return rows


def _is_header(fit: Fit, first: Row, more: int) -> bool:
    """Say whether the first line is a header: it holds the word or all classes, or is one line too many and no prediction."""
    if PREDICTION in first and PREDICTION not in _spelled(fit):
        return True
    if _classes(fit, first):
        return True
    if more != 1:
        return False
    return len(first) > 1 or not (_is_number(first[0]) if fit.dataset.classes is None else first[0] in _spelled(fit))


def _spelled(fit: Fit) -> dict[Any, Any]:
    return {} if fit.dataset.classes is None else dict(spellings(fit.dataset.classes))


def _classes(fit: Fit, header: Row) -> list[int]:
    """Return the place of each class in the header, nothing if one is not there."""
    if fit.dataset.classes is None:
        return []
    meant = _spelled(fit)
    places = {meant[name]: place for place, name in reversed(list(enumerate(header))) if name in meant}
    return [places[value] for value in fit.dataset.classes.tolist()] if len(places) == len(fit.dataset.classes) else []


def _plain(fit: Fit, body: Sequence[Row], column: int) -> Predicted:
    cells = [_cell(row, column) for row in body]
    if fit.dataset.classes is not None:
        meant = _spelled(fit)
        values = [None if cell.lower() in MISSING and cell not in meant else cell for cell in cells]
        return judged(fit, np.array(values, dtype=object), len(body), None)
    numbers = [_number(cell, number, len(body)) for number, cell in enumerate(cells, 1)]
    return judged(fit, np.array(numbers), len(body), None)


def _cell(row: Row, column: int) -> str:
    return row[column] if row else ""


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


def _number(cell: str, number: int, wanted: int) -> float:
    if cell.lower() in MISSING:
        raise FitFailed(f"prediction {number} of {wanted} is missing")
    if not _is_number(cell):
        raise FitFailed(f"prediction {number} of {wanted}, {cell[:60]!r}, is no number")
    return float(cell)
