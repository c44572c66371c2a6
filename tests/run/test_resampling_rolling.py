"""The rolling origin: no training row is as late as a test row."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from drawn_rows import drawn, lists, made, rows_of
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import TimeSeriesSplit

from benchkit.errors import BenchkitError
from benchkit.run.resampling.splits import Name


@given(n=st.integers(2, 40), data=st.data())
def test_rows_in_order_as_in_scikit_learn(n: int, data: st.DataObject) -> None:
    folds = data.draw(st.integers(2, max(n - 1, 2)))
    horizon = data.draw(st.none() | st.integers(1, max((n - 1) // folds, 1)))
    window = data.draw(st.none() | st.integers(1, n))
    if n < folds + 1:
        return
    splits = made("rolling-origin", rows_of(n), folds=folds, horizon=horizon, window=window)
    theirs = TimeSeriesSplit(folds, test_size=horizon, max_train_size=window).split(np.zeros(n))
    assert [lists(split) for split in drawn(splits)] == [(train.tolist(), test.tolist()) for train, test in theirs]
    assert list(splits.names) == [Name(str(k), None, str(k)) for k in range(1, folds + 1)]


@given(
    times=st.lists(st.integers(-5, 15), min_size=3, max_size=40),
    folds=st.integers(1, 5),
    horizon=st.none() | st.integers(1, 8),
    window=st.none() | st.integers(1, 8),
)
def test_time_goes_forward_and_rows_of_one_time_stay_together(
    times: list[int], folds: int, horizon: int | None, window: int | None
) -> None:
    at = np.array(times)
    length = horizon or max(at.size // (folds + 1), 1)
    changes = [0, *(np.flatnonzero(np.diff(np.sort(at))) + 1).tolist(), at.size]
    wanted = range(at.size - folds * length, at.size + 1, length)
    origins = [min(changes, key=lambda change: (abs(change - origin), change)) for origin in wanted]
    request: dict[str, Any] = {"folds": folds, "horizon": horizon, "window": window}
    if wanted[0] <= 0 or origins[0] == 0 or len(set(origins)) <= folds:
        with pytest.raises(BenchkitError, match=r"dataset 'x' has too (few|many) rows"):
            made("rolling-origin", rows_of(at.size, times=times), **request)
        return
    splits = drawn(made("rolling-origin", rows_of(at.size, times=times), **request))
    assert [len(split.test) for split in splits] == np.diff(origins).tolist()
    assert at[splits[-1].test].max() == at.max()
    for split in splits:
        assert at[split.train].max() < at[split.test].min()
        assert at[split.train].tolist() == sorted(at[split.train].tolist())
        assert set(np.flatnonzero(np.isin(at, at[split.test])).tolist()) == set(split.test.tolist())
        assert len(split.train) == min(int(np.sum(at < at[split.test].min())), window or len(times))
    for earlier, later in pairwise(splits):
        assert at[earlier.test].max() < at[later.test].min()


def test_unsorted_times_by_hand() -> None:
    splits = drawn(made("rolling-origin", rows_of(6, times=[60, 10, 50, 20, 40, 30]), folds=2))
    # in the order of time: rows 1 3 5 4 2 0; two rows train, then two and two are tested
    assert [lists(split) for split in splits] == [([1, 3], [4, 5]), ([1, 3, 5, 4], [0, 2])]


def test_an_origin_moves_to_the_nearer_end_of_a_time() -> None:
    # three years of 4, 2 and 3 rows: horizon 3, origins 3 and 6; 3 is nearer to 4 than to 0
    splits = drawn(made("rolling-origin", rows_of(9, times=[1, 1, 1, 1, 2, 2, 3, 3, 3]), folds=2))
    assert [lists(split) for split in splits] == [([0, 1, 2, 3], [4, 5]), ([0, 1, 2, 3, 4, 5], [6, 7, 8])]
    # 5 rows, one origin in the middle of the second time, as far from either end: it moves back
    (split,) = drawn(made("rolling-origin", rows_of(5, times=[1, 1, 2, 2, 3]), folds=1, horizon=2))
    assert lists(split) == ([0, 1], [2, 3, 4])


def test_a_window_slides() -> None:
    splits = drawn(made("rolling-origin", rows_of(8), folds=3, window=2))
    assert [lists(split) for split in splits] == [([0, 1], [2, 3]), ([2, 3], [4, 5]), ([4, 5], [6, 7])]


def test_five_folds_of_a_sixth_unless_told() -> None:
    assert [len(split.test) for split in drawn(made("rolling-origin", rows_of(25)))] == [4] * 5


@pytest.mark.parametrize(
    ("n", "facts", "request_", "message"),
    [
        (5, {}, {}, "dataset 'x' has too few rows for 5 folds that test 1 each and train on earlier ones: 5"),
        (20, {}, {"horizon": 4}, "dataset 'x' has too few rows for 5 folds that test 4 each and train on earlier ones: 20"),
        (20, {}, {"window": 0}, "window = 0 is too small for dataset 'x'"),
        (
            12,
            {"times": [7] * 12},
            {"folds": 2},
            "dataset 'x' has too many rows of the same time for 2 folds that test 4 rows each (different times: 1)",
        ),
    ],
)
def test_what_cannot_roll_is_said(n: int, facts: dict[str, Any], request_: dict[str, Any], message: str) -> None:
    with pytest.raises(BenchkitError) as caught:
        made("rolling-origin", rows_of(n, **facts), **request_)
    assert caught.value.message == message
