"""Cross-validation: random folds, single rows and groups."""

from typing import Any

import numpy as np
import pytest
from drawn_rows import SEEDS, classified, drawn, lists, made, rows_of
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import LeaveOneGroupOut, StratifiedKFold

from benchkit.errors import BenchkitError
from benchkit.run.resampling.splits import Name, Rows, Split


def rows_tested(splits: list[Split]) -> list[int]:
    return sorted(np.concatenate([split.test for split in splits]).tolist())


def assert_the_others_train(n: int, splits: list[Split]) -> None:
    for split in splits:
        assert sorted([*split.train.tolist(), *split.test.tolist()]) == list(range(n))


@given(n=st.integers(2, 60), data=st.data(), seed=SEEDS)
def test_kfold_tests_each_row_once(n: int, data: st.DataObject, seed: int) -> None:
    folds = data.draw(st.integers(2, n))
    splits = drawn(made("kfold", rows_of(n), seed, folds=folds))
    assert len(splits) == folds
    assert rows_tested(splits) == list(range(n))
    assert_the_others_train(n, splits)
    assert np.ptp([len(split.test) for split in splits]) <= 1


@given(rows=classified(least=5), folds=st.integers(2, 5), seed=SEEDS)
def test_stratified_folds_hold_as_many_of_a_class_as_in_scikit_learn(rows: Rows, folds: int, seed: int) -> None:
    assert rows.classes is not None
    splits = drawn(made("kfold", rows, seed, folds=folds, stratify=True))
    kinds = rows.classes.max() + 1
    ours = np.array([np.bincount(rows.classes[split.test], minlength=kinds) for split in splits])
    theirs = [test for _, test in StratifiedKFold(folds).split(np.zeros(rows.n), rows.classes)]
    assert rows_tested(splits) == list(range(rows.n))
    assert np.ptp(ours, axis=0).max() <= 1
    assert np.ptp(ours.sum(axis=1)) <= 1
    assert np.abs(ours - [np.bincount(rows.classes[test], minlength=kinds) for test in theirs]).max() <= 1


def test_ten_folds_unless_told() -> None:
    splits = made("kfold", rows_of(25))
    assert list(splits.names) == [Name(str(k), None, str(k)) for k in range(1, 11)]
    assert sorted(len(split.test) for split in drawn(splits)) == [2] * 5 + [3] * 5


def test_folds_are_shuffled() -> None:
    # the rows of the first half that the first of two folds tests: hypergeometric, mean 25, sd 2.5
    early = [np.sum(made("kfold", rows_of(100), seed, folds=2).draw(0).test < 50) for seed in range(200)]
    assert np.mean(early) == pytest.approx(25, abs=0.8)
    assert np.std(early) == pytest.approx(2.5, abs=0.6)


@given(n=st.integers(6, 30), folds=st.integers(2, 5), repeats=st.integers(1, 5), seed=SEEDS)
def test_each_repeat_is_a_cross_validation_and_more_keep_the_earlier(n: int, folds: int, repeats: int, seed: int) -> None:
    splits = made("repeated-kfold", rows_of(n), seed, folds=folds, repeats=repeats)
    found = drawn(splits)
    assert [(name.replicate, name.repeat, name.fold) for name in splits.names] == [
        (str(i + 1), str(i // folds + 1), str(i % folds + 1)) for i in range(folds * repeats)
    ]
    for start in range(0, len(found), folds):
        assert rows_tested(found[start : start + folds]) == list(range(n))
    assert_the_others_train(n, found)
    more = drawn(made("repeated-kfold", rows_of(n), seed, folds=folds, repeats=repeats + 2))
    assert [lists(split) for split in more[: len(found)]] == [lists(split) for split in found]
    once = drawn(made("kfold", rows_of(n), seed, folds=folds))
    assert [lists(split) for split in once] == [lists(split) for split in found[:folds]]


def test_repeats_differ() -> None:
    splits = drawn(made("repeated-kfold", rows_of(30), folds=2))
    assert len({tuple(split.test.tolist()) for split in splits}) == 20


@given(rows=classified(least=2), stratify=st.booleans(), seed=SEEDS)
def test_5x2cv_is_five_times_two_halves(rows: Rows, stratify: bool, seed: int) -> None:
    splits = made("5x2cv", rows, seed, stratify=stratify)
    found = drawn(splits)
    assert [(name.replicate, name.repeat, name.fold) for name in splits.names] == [
        (str(i + 1), str(i // 2 + 1), str(i % 2 + 1)) for i in range(10)
    ]
    for first, second in zip(found[::2], found[1::2], strict=True):
        assert first.train.tolist() == second.test.tolist()
        assert first.test.tolist() == second.train.tolist()
        assert len(first.test) - len(second.test) in (0, 1)


def test_leave_one_out_by_hand() -> None:
    splits = made("loo", rows_of(3))
    assert [lists(split) for split in drawn(splits)] == [([1, 2], [0]), ([0, 2], [1]), ([0, 1], [2])]
    assert list(splits.names) == [Name("1", None, "1"), Name("2", None, "2"), Name("3", None, "3")]


@given(sizes=st.lists(st.integers(1, 9), min_size=2, max_size=12), data=st.data(), seed=SEEDS, gap=st.integers(1, 3))
def test_groups_stay_together(sizes: list[int], data: st.DataObject, seed: int, gap: int) -> None:
    groups = np.array(data.draw(st.permutations(np.repeat(np.arange(len(sizes)) * gap, sizes).tolist())))
    folds = data.draw(st.integers(2, len(sizes)))
    splits = drawn(made("group-kfold", rows_of(len(groups), groups=groups), seed, folds=folds))
    assert len(splits) == folds
    assert rows_tested(splits) == list(range(len(groups)))
    assert_the_others_train(len(groups), splits)
    for split in splits:
        assert not set(groups[split.train].tolist()) & set(groups[split.test].tolist())
    # each group went to the lightest fold, so no fold is heavier than another by more than its last, smallest group
    loads = [len(split.test) for split in splits]
    last = [min(np.bincount(groups[split.test])[np.unique(groups[split.test])]) for split in splits]
    assert all(load - smallest <= min(loads) for load, smallest in zip(loads, last, strict=True))


def test_group_folds_by_hand() -> None:
    # groups of 5, 3, 3, 2, 1 rows into two folds: 5 | 3, 5 | 3+3, 5+2 | 6, 7 | 6+1
    groups = np.repeat([0, 1, 2, 3, 4], [5, 3, 3, 2, 1])
    first, second = drawn(made("group-kfold", rows_of(14, groups=groups), folds=2))
    assert [sorted(set(groups[split.test].tolist())) for split in (first, second)] == [[0, 3], [1, 2, 4]]


def test_groups_of_equal_size_are_shuffled() -> None:
    rows = rows_of(12, groups=np.arange(12) // 2)
    assert len({str(lists(made("group-kfold", rows, seed, folds=2).draw(0))) for seed in range(30)}) > 5


@given(groups=st.lists(st.integers(0, 5), min_size=2, max_size=20).filter(lambda groups: len(set(groups)) > 1))
def test_one_group_is_left_out_as_in_scikit_learn(groups: list[int]) -> None:
    splits = made("leave-one-group-out", rows_of(len(groups), groups=groups))
    theirs = LeaveOneGroupOut().split(np.zeros(len(groups)), groups=groups)
    assert [lists(split) for split in drawn(splits)] == [(train.tolist(), test.tolist()) for train, test in theirs]
    assert [name.fold for name in splits.names] == [str(k + 1) for k in range(len(set(groups)))]


@pytest.mark.parametrize(
    ("method", "facts", "request_", "message", "hint"),
    [
        ("kfold", {}, {}, "dataset 'x' has too few rows for 10 folds: 6", "set folds to 6 or fewer"),
        ("kfold", {}, {"folds": 1}, "folds = 1 is too small for dataset 'x'", "folds is a whole number of 2 or more"),
        ("repeated-kfold", {}, {"folds": 7}, "dataset 'x' has too few rows for 7 folds: 6", "set folds to 6 or fewer"),
        ("repeated-kfold", {}, {"folds": 2, "repeats": 0}, "repeats = 0 is too small for dataset 'x'", "1 or more"),
        (
            "kfold",
            {"classes": [0, 0, 0, 0, 1, 1]},
            {"folds": 3, "stratify": True},
            "the smallest class of dataset 'x' has too few rows for 3 folds: 2",
            "set folds to 2 or fewer, or leave out stratify",
        ),
        (
            "5x2cv",
            {"classes": [0, 0, 0, 0, 0, 1]},
            {"stratify": True},
            "the smallest class of dataset 'x' has too few rows for 2 folds: 1",
            "leave out stratify",
        ),
        (
            "kfold",
            {},
            {"folds": 2, "stratify": True},
            "dataset 'x' has no classes to stratify by: its task is regression",
            "leave",
        ),
        ("group-kfold", {}, {}, "dataset 'x' has no group column", 'add group = "COLUMN" to its [[dataset]]'),
        ("leave-one-group-out", {}, {}, "dataset 'x' has no group column", 'add group = "COLUMN" to its [[dataset]]'),
        (
            "group-kfold",
            {"groups": [0, 0, 1, 1, 2, 2]},
            {},
            "dataset 'x' has too few groups for 10 folds: 3",
            "set folds to 3 or",
        ),
        ("leave-one-group-out", {"groups": [4] * 6}, {}, "dataset 'x' has too few groups to train and test on: 1", "2 groups"),
    ],
)
def test_what_cannot_be_folded_is_said(
    method: str, facts: dict[str, Any], request_: dict[str, Any], message: str, hint: str
) -> None:
    with pytest.raises(BenchkitError) as caught:
        made(method, rows_of(6, **facts), **request_)
    assert caught.value.message == message
    assert hint in caught.value.hint
