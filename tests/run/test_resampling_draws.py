"""Random samples: bootstrap, subsampling, holdout and disjoint training sets."""

from collections import Counter
from math import floor
from typing import Any

import numpy as np
import pytest
from drawn_rows import SEEDS, classified, drawn, lists, made, rows_of
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedShuffleSplit

from benchkit.errors import BenchkitError
from benchkit.run.resampling.splits import Index, Rows


def counts(rows: Rows, chosen: Index) -> list[int]:
    assert rows.classes is not None
    return np.bincount(rows.classes[chosen], minlength=rows.classes.max() + 1).tolist()


@given(n=st.integers(2, 40), seed=SEEDS)
def test_bootstrap_draws_n_rows_and_tests_all_others(n: int, seed: int) -> None:
    for split in drawn(made("bootstrap", rows_of(n), seed, replicates=20)):
        assert len(split.train) == n
        assert sorted({*split.train.tolist(), *split.test.tolist()}) == list(range(n))
        assert not {*split.train.tolist()} & {*split.test.tolist()}
        assert len(split.test)


@given(rows=classified().filter(lambda rows: max(np.bincount(rows.classes)) > 1), seed=SEEDS)
def test_stratified_bootstrap_draws_each_class_as_often_as_it_is_there(rows: Rows, seed: int) -> None:
    for split in drawn(made("bootstrap", rows, seed, replicates=5, stratify=True)):
        assert counts(rows, split.train) == counts(rows, np.arange(rows.n))
        assert sorted({*split.train.tolist(), *split.test.tolist()}) == list(range(rows.n))


def test_bootstrap_of_two_rows_is_one_of_the_two_possible() -> None:
    splits = drawn(made("bootstrap", rows_of(2), replicates=400))
    seen = Counter(tuple(split.train.tolist()) for split in splits)
    assert set(seen) == {(0, 0), (1, 1)}
    assert 150 < seen[0, 0] < 250


def test_bootstrap_leaves_out_about_a_row_in_e() -> None:
    left = [len(split.test) / 100 for split in drawn(made("bootstrap", rows_of(100), replicates=400))]
    # (1 - 1/100)^100 = 0.36603; the sd of a share is about 0.031, of the mean of 400 about 0.0016
    assert np.mean(left) == pytest.approx(0.99**100, abs=0.006)


def test_bootstrap_draws_every_row_equally_often_at_every_place() -> None:
    trains = np.array([split.train for split in drawn(made("bootstrap", rows_of(5), replicates=2000))])
    # given that a row is left out, which 5!/5^5 = 4 in 100 samples are not; by symmetry each row has probability 1/5 everywhere
    for place in range(5):
        assert np.bincount(trains[:, place], minlength=5) / 2000 == pytest.approx(np.full(5, 0.2), abs=0.04)


def test_stratified_bootstrap_mixes_the_classes() -> None:
    rows = rows_of(40, classes=[0] * 20 + [1] * 20)
    firsts = [split.train[:20] for split in drawn(made("bootstrap", rows, replicates=10, stratify=True))]
    assert all(0 < counts(rows, first)[1] < 20 for first in firsts)


@pytest.mark.parametrize("method", ["bootstrap", "subsampling"])
def test_hundred_replicates_unless_told(method: str) -> None:
    assert len(made(method, rows_of(9)).names) == 100


@given(n=st.integers(12, 30), seed=SEEDS, few=st.integers(1, 5), more=st.integers(0, 20))
@pytest.mark.parametrize("method", ["bootstrap", "subsampling"])
def test_more_replicates_keep_the_earlier_ones(method: str, n: int, seed: int, few: int, more: int) -> None:
    some = [lists(split) for split in drawn(made(method, rows_of(n), seed, replicates=few))]
    many = [lists(split) for split in drawn(made(method, rows_of(n), seed, replicates=few + more))]
    assert many[:few] == some
    assert len({str(split) for split in many}) == few + more  # 12 rows or more give samples that are all different


@given(rows=classified(least=2), seed=SEEDS, test=st.floats(0.01, 0.99) | st.integers(1, 30), stratify=st.booleans())
def test_subsampling_divides_the_rows(rows: Rows, seed: int, test: float, stratify: bool) -> None:
    assert rows.classes is not None
    wanted = test if test >= 1 else floor(test * rows.n + 0.5)
    kept = len(np.unique(rows.classes)) if stratify else 1
    request: dict[str, Any] = {"replicates": 3, "test": test, "stratify": stratify}
    if not 1 <= wanted <= rows.n - kept:
        with pytest.raises(BenchkitError, match="dataset 'x'"):
            made("subsampling", rows, seed, **request)
        return
    for split in drawn(made("subsampling", rows, seed, **request)):
        assert len(split.test) == wanted
        assert sorted([*split.train.tolist(), *split.test.tolist()]) == list(range(rows.n))
        if stratify:
            assert min(counts(rows, split.train)) >= 1


@given(rows=classified(least=4), seed=SEEDS, test=st.floats(0.3, 0.7))
def test_stratified_subsampling_is_proportional_as_in_scikit_learn(rows: Rows, seed: int, test: float) -> None:
    wanted = floor(test * rows.n + 0.5)
    kinds = len(np.unique(rows.classes))
    if wanted < kinds or rows.n - wanted < kinds:
        return
    (split,) = drawn(made("subsampling", rows, seed, replicates=1, test=test, stratify=True))
    (theirs,) = StratifiedShuffleSplit(1, test_size=wanted, random_state=0).split(np.zeros(rows.n), rows.classes)
    ours = np.array(counts(rows, split.test))
    assert np.abs(ours - np.array(counts(rows, theirs[1]))).max() <= 1
    assert np.abs(ours - wanted * np.array(counts(rows, np.arange(rows.n))) / rows.n).max() < 1


def test_equal_remainders_take_turns() -> None:
    # 20 test rows of three classes of 20 are 6.67 each: every class is the one with 6 about equally often
    rows = rows_of(60, classes=np.arange(60) % 3)
    found = [counts(rows, split.test) for split in drawn(made("subsampling", rows, replicates=300, stratify=True))]
    assert {tuple(sorted(one)) for one in found} == {(6, 7, 7)}
    times = Counter(map(tuple, found)).values()
    assert len(times) == 3
    assert min(times) > 70


def test_a_class_of_one_row_trains() -> None:
    rows = rows_of(8, classes=[0, 1, 2, 3, 4, 4, 4, 4])
    for split in drawn(made("subsampling", rows, replicates=4, test=3, stratify=True)):
        assert {0, 1, 2, 3} < set(split.train.tolist())


@given(n=st.integers(8, 40), seed=SEEDS, test=st.floats(0.1, 0.4), validation=st.floats(0.1, 0.4), stratify=st.booleans())
def test_holdout_with_and_without_validation(n: int, seed: int, test: float, validation: float, stratify: bool) -> None:
    rows = rows_of(n, classes=np.arange(n) % 2)
    (three,) = drawn(made("holdout", rows, seed, test=test, validation=validation, stratify=stratify))
    (two,) = drawn(made("holdout", rows, seed, test=test, stratify=stratify))
    assert three.validation is not None
    assert two.validation is None
    assert two.test.tolist() == three.test.tolist()
    assert [len(three.test), len(three.validation)] == [floor(share * n + 0.5) for share in (test, validation)]
    assert sorted([*three.train.tolist(), *three.validation.tolist(), *three.test.tolist()]) == list(range(n))
    if stratify:
        assert np.ptp(counts(rows, three.validation)) <= 2
        assert np.ptp(counts(rows, three.test)) <= 1 + n % 2


def test_a_third_is_held_out_unless_told() -> None:
    (split,) = drawn(made("holdout", rows_of(150)))
    assert (len(split.train), len(split.test)) == (100, 50)


@given(rows=classified(least=6), seed=SEEDS, replicates=st.integers(1, 3), stratify=st.booleans())
def test_disjoint_training_sets_share_no_row_and_one_test_set(rows: Rows, seed: int, replicates: int, stratify: bool) -> None:
    splits = drawn(made("disjoint", rows, seed, replicates=replicates, stratify=stratify))
    trained = np.concatenate([split.train for split in splits]).tolist()
    assert {tuple(split.test.tolist()) for split in splits} == {tuple(splits[0].test.tolist())}
    assert sorted([*trained, *splits[0].test.tolist()]) == list(range(rows.n))
    assert np.ptp([len(split.train) for split in splits]) <= 1
    if stratify:
        assert np.ptp([counts(rows, split.train) for split in splits], axis=0).max() <= 1


@given(n=st.integers(30, 60), seed=SEEDS, replicates=st.integers(1, 15))
def test_more_disjoint_replicates_keep_the_test_rows(n: int, seed: int, replicates: int) -> None:
    ten, other = drawn(made("disjoint", rows_of(n), seed)), drawn(made("disjoint", rows_of(n), seed, replicates=replicates))
    assert len(ten) == 10
    assert ten[0].test.tolist() == other[0].test.tolist()


@pytest.mark.parametrize(
    ("method", "n", "request_", "message", "hint"),
    [
        ("bootstrap", 5, {"stratify": True}, "dataset 'x' has no classes to stratify by: its task is regression", "leave out"),
        ("bootstrap", 5, {"replicates": 0}, "replicates = 0 is too small for dataset 'x'", "1 or more"),
        ("subsampling", 20, {"test": 0.01}, "test = 0.01 of the 20 rows of dataset 'x' is no row", "test = 1"),
        ("subsampling", 20, {"test": 0.99}, "test takes 20 of the 20 rows of dataset 'x', which leaves no training row", "19 or"),
        ("subsampling", 20, {"test": 21}, "test takes 21 of the 20 rows of dataset 'x', which leaves no training row", "19 or"),
        ("subsampling", 20, {"test": 1.5}, "test = 1.5 is neither a share nor a number of the rows of dataset 'x'", "share"),
        (
            "subsampling",
            20,
            {"test": float("nan")},
            "test = nan is neither a share nor a number of the rows of dataset 'x'",
            "share",
        ),
        ("subsampling", 20, {"test": 0}, "test = 0 is neither a share nor a number of the rows of dataset 'x'", "share"),
        ("holdout", 4, {"test": 2, "validation": 2}, "test with validation takes 4 of the 4 rows of dataset 'x'", "3 or fewer"),
        ("holdout", 9, {"validation": 0.01}, "validation = 0.01 of the 9 rows of dataset 'x' is no row", "validation = 1"),
        (
            "disjoint",
            12,
            {"replicates": 9},
            "dataset 'x' has too few rows beside the test rows for 9 training sets: 8",
            "to 8 or",
        ),
    ],
)
def test_what_cannot_be_drawn_is_said(method: str, n: int, request_: dict[str, Any], message: str, hint: str) -> None:
    with pytest.raises(BenchkitError) as caught:
        made(method, rows_of(n), **request_)
    assert message in caught.value.message
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("method", "classes", "request_", "message"),
    [
        ("bootstrap", [0, 1, 2], {}, "each of the 3 rows of dataset 'x' is a class of its own"),
        (
            "holdout",
            [0, 0, 1, 1],
            {"test": 3},
            "test takes 3 of the 4 rows of dataset 'x', which leaves no training row for some of",
        ),
        (
            "disjoint",
            [0] * 9 + [1] * 3,
            {"replicates": 3},
            "the smallest class of dataset 'x' has too few rows beside the test rows",
        ),
    ],
)
def test_what_cannot_be_stratified_is_said(method: str, classes: list[int], request_: dict[str, Any], message: str) -> None:
    with pytest.raises(BenchkitError) as caught:
        made(method, rows_of(len(classes), classes=classes), stratify=True, **request_)
    assert message in caught.value.message
    assert "leave out stratify" in caught.value.hint or "fewer" in caught.value.hint
