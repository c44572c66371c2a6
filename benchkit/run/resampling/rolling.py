"""Forecasting: trained on the past, tested on what follows, the origin moving on through time."""

from functools import partial

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.run.plan import ResamplingPlan
from benchkit.run.resampling.amounts import whole
from benchkit.run.resampling.splits import Index, Name, Rows, Split, Splits


def rolling_origin(rows: Rows, plan: ResamplingPlan, _seed: int) -> Splits:
    """Test the next `horizon` rows (n // (folds + 1)) after each of `folds` origins (5), which end with the last row.

    Training rows are all before the origin, or the last `window` of them, in the order of time (of the rows without a time
    column). Rows of one time stay together: an origin that would part them moves to the nearer end of that time, so that test
    sets may then be somewhat shorter or longer than the horizon. No row is tested twice.
    """
    folds = whole(rows, "folds", plan.folds, 5)
    horizon = whole(rows, "horizon", plan.horizon, max(rows.n // (folds + 1), 1))
    window = None if plan.window is None else whole(rows, "window", plan.window, 1)
    if folds * horizon >= rows.n:
        raise BenchkitError(
            f"{rows.where} has too few rows for {folds} folds that test {horizon} each and train on earlier ones: {rows.n}",
            "set folds or horizon to less",
        )
    order = np.arange(rows.n, dtype=np.int64) if rows.times is None else np.argsort(rows.times, kind="stable").astype(np.int64)
    origins = np.arange(rows.n - folds * horizon, rows.n + 1, horizon)
    if rows.times is not None:
        origins = _between_times(rows.times[order], origins)
        if origins[0] == 0 or (np.diff(origins) == 0).any():
            raise BenchkitError(
                f"{rows.where} has too many rows of the same time for {folds} folds that test {horizon} rows each "
                f"(different times: {np.unique(rows.times).size})",
                "set folds to less or horizon to more",
            )
    names = [Name(str(fold), None, str(fold)) for fold in range(1, folds + 1)]
    return Splits(names, partial(_draw, order, origins, window))


def _between_times(sorted_times: Index, origins: Index) -> Index:
    """Move each origin (the position of the first row after it) to the nearest place where the time changes, if equal back."""
    last = sorted_times[np.minimum(origins, sorted_times.size - 1)]
    first_of_time = np.searchsorted(sorted_times, last, side="left")
    after_time = np.searchsorted(sorted_times, last, side="right")
    return np.where(after_time - origins < origins - first_of_time, after_time, first_of_time)


def _draw(order: Index, origins: Index, window: int | None, index: int) -> Split:
    origin = int(origins[index])
    first = 0 if window is None else max(origin - window, 0)
    return Split(order[first:origin], np.sort(order[origin : origins[index + 1]]))
