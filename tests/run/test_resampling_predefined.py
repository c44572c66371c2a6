"""Splits that came with the data."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from drawn_rows import drawn, lists, made, rows_of
from hypothesis import given
from hypothesis import strategies as st

from benchkit.errors import BenchkitError
from benchkit.run.resampling.splits import Name, Rows, Splits


def split_by(*columns: list[str]) -> Splits:
    named = {f"c{number}": texts for number, texts in enumerate(columns, start=1)}
    return made("predefined", rows_of(len(columns[0]), columns=named), split=tuple(named))


def test_parts_by_hand() -> None:
    splits = split_by(["Train", " test", "", "VALIDATION", "train"])
    assert list(splits.names) == [Name("1")]
    assert lists(splits.draw(0)) == ([0, 4], [1], [3])


def test_each_column_of_parts_is_a_replicate() -> None:
    splits = split_by(["train", "test", "test"], ["test", "train", "train"])
    assert list(splits.names) == [Name("1"), Name("2")]
    assert [lists(split) for split in drawn(splits)] == [([0], [1, 2]), ([1, 2], [0])]


def test_folds_come_in_natural_order_and_keep_their_names() -> None:
    splits = split_by(["f10", "f2", "f2", "f1"])
    assert list(splits.names) == [Name("1", None, "f1"), Name("2", None, "f2"), Name("3", None, "f10")]
    assert [lists(split) for split in drawn(splits)] == [([0, 1, 2], [3]), ([0, 3], [1, 2]), ([1, 2, 3], [0])]


def test_columns_of_folds_are_repeats() -> None:
    splits = split_by(["0", "1", "0"], ["b", "a", "c"])
    names = [(name.replicate, name.repeat, name.fold) for name in splits.names]
    assert names == [("1", "c1", "0"), ("2", "c1", "1"), ("3", "c2", "a"), ("4", "c2", "b"), ("5", "c2", "c")]
    assert [split.test.tolist() for split in drawn(splits)] == [[0, 2], [1], [1], [0], [2]]


@given(texts=st.lists(st.sampled_from(["a", "b", "10", "9", "x y"]), min_size=2, max_size=20).filter(lambda t: len(set(t)) > 1))
def test_each_row_is_tested_once(texts: list[str]) -> None:
    splits = drawn(split_by(texts))
    assert sorted(np.concatenate([split.test for split in splits]).tolist()) == list(range(len(texts)))
    for split in splits:
        assert sorted([*split.train.tolist(), *split.test.tolist()]) == list(range(len(texts)))


def sampled(n: int, **samples: list[int]) -> Splits:
    rows = rows_of(n, samples={name: np.array(drawn, dtype=np.int64) for name, drawn in samples.items()})
    return made("predefined", rows, samples=Path("samples.csv"))


def test_samples_by_hand() -> None:
    splits = sampled(5, b7=[4, 4, 0, 1, 0], a=[2, 3, 1, 1, 2])
    assert list(splits.names) == [Name("b7"), Name("a")]
    assert [lists(split) for split in drawn(splits)] == [([4, 4, 0, 1, 0], [2, 3]), ([2, 3, 1, 1, 2], [0, 4])]


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        ({"s1": [0, 1], "s2": [0, 5]}, "replicate 's2' of the samples draws row 6, but dataset 'x' has the rows 1 to 5"),
        ({"s1": [0, -1]}, "replicate 's1' of the samples draws row 0, but dataset 'x' has the rows 1 to 5"),
        ({"s1": []}, "replicate 's1' of the samples draws none of the 5 rows of dataset 'x'"),
        ({"s1": [4, 3, 2, 1, 0]}, "replicate 's1' of the samples draws all 5 rows of dataset 'x', which leaves no test row"),
        ({}, "predefined resampling has no splits for dataset 'x'"),
    ],
)
def test_samples_that_do_not_fit_are_named(samples: dict[str, list[int]], message: str) -> None:
    with pytest.raises(BenchkitError) as caught:
        sampled(5, **samples)
    assert caught.value.message == message
    assert caught.value.hint


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ([["train", "train"]], "the column 'c1' of dataset 'x' has no row that says test"),
        ([["test", "validation"]], "the column 'c1' of dataset 'x' has no row that says train"),
        ([["train", "tset"]], "the column 'c1' of dataset 'x' says 'train' and 'tset'"),
        ([["a", "b", ""]], "row 3 of dataset 'x' has no fold in the column 'c1'"),
        ([["", ""]], "row 1 of dataset 'x' has no fold in the column 'c1'"),
        ([["a", "a"]], "the column 'c1' of dataset 'x' says 'a' in every row, which leaves no training row"),
        (
            [["a", "b"], ["train", "test"]],
            "the columns 'c2' and 'c1' of dataset 'x' do not split alike: only the first says train and test",
        ),
    ],
)
def test_columns_that_do_not_split_are_named(columns: list[list[str]], message: str) -> None:
    with pytest.raises(BenchkitError) as caught:
        split_by(*columns)
    assert caught.value.message == message
    assert caught.value.hint


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"split": ("fold",)}, "dataset 'x' has no column 'fold' to split by"),
        ({"split": ("c1",), "samples": Path("s.csv")}, "predefined resampling takes split or samples, not both"),
        ({}, "predefined resampling has no splits for dataset 'x'"),
    ],
)
def test_requests_that_name_no_split(request_: dict[str, Any], message: str) -> None:
    rows: Rows = rows_of(2, columns={"c1": ["a", "b"]})
    with pytest.raises(BenchkitError) as caught:
        made("predefined", rows, **request_)
    assert caught.value.message == message
    assert caught.value.hint
