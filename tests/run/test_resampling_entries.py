"""What every way of resampling must do; a new entry is tested as soon as it stands in the list."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from drawn_rows import drawn, lists, made, rows_of

from benchkit.errors import BenchkitError
from benchkit.registry import Entry
from benchkit.run.plan import ResamplingPlan
from benchkit.run.resampling import RESAMPLERS
from benchkit.run.resampling.splits import Rows, Splits
from benchkit.tables.resamplings import RESAMPLINGS

N = 37
KIND = np.arange(N) % 3
FACTS: dict[str, Any] = {
    "classes": KIND,
    "groups": np.arange(N) // 3,
    "times": np.arange(N)[::-1] // 2,
    "columns": {
        "part": np.array(["a", "b", "c"])[KIND].tolist(),
        "other": list("xy" * 18 + "z"),
        "roles": np.array(["train", "TEST", ""])[KIND].tolist(),
    },
}
FOLDS = {"kfold", "repeated-kfold", "loo", "group-kfold", "leave-one-group-out", "5x2cv", "rolling-origin"}
REQUESTS: dict[str, list[dict[str, Any]]] = {
    "kfold": [{}, {"folds": 2}, {"folds": 5, "stratify": True}],
    "disjoint": [{}, {"replicates": 4, "stratify": True}],
    "holdout": [{}, {"validation": 0.2}, {"validation": 5, "test": 7, "stratify": True}],
    "rolling-origin": [{}, {"horizon": 4, "window": 6}],
    "predefined": [{"split": ("part",)}, {"split": ("part", "other")}, {"split": ("roles",)}],
}
CASES = [
    (entry, request)
    for entry in RESAMPLERS
    for request in REQUESTS.get(entry.name, [{}, {"stratify": True}] if "stratify" in entry.options else [{}])
]

each = pytest.mark.parametrize(("entry", "request_"), CASES, ids=[f"{entry.name}-{request}" for entry, request in CASES])


def splits_of(entry: Entry, request_: dict[str, Any], seed: int = 3) -> Splits:
    make: Callable[[Rows, ResamplingPlan, int], Splits] = entry.load()
    return make(rows_of(N, **FACTS), ResamplingPlan(entry.name, **request_), seed)


@each
def test_rows_are_where_they_may_be(entry: Entry, request_: dict[str, Any]) -> None:
    for split in drawn(splits_of(entry, request_)):
        tested = split.test.tolist() + ([] if split.validation is None else split.validation.tolist())
        assert len(split.train)
        assert len(split.test)
        assert split.validation is None or len(split.validation)
        assert not set(split.train.tolist()) & set(tested)
        assert len(set(tested)) == len(tested)
        assert set(split.train.tolist()) | set(tested) <= set(range(N))
        assert split.test.tolist() == sorted(split.test.tolist())
        assert {part.dtype for part in (split.train, split.test)} == {np.dtype(np.int64)}


@each
def test_the_same_again_in_any_order_and_elsewhere(entry: Entry, request_: dict[str, Any]) -> None:
    splits = splits_of(entry, request_)
    first = [lists(split) for split in drawn(splits)]
    again = splits_of(entry, request_)
    carried = pickle.loads(pickle.dumps(again))
    assert [lists(again.draw(i)) for i in reversed(range(len(first)))] == first[::-1]
    assert [lists(carried.draw(i)) for i in range(len(first))] == first
    assert list(again.names) == list(splits.names)


@each
def test_names(entry: Entry, request_: dict[str, Any]) -> None:
    names = splits_of(entry, request_).names
    assert [name.replicate for name in names] == [str(number) for number in range(1, len(names) + 1)]
    if any(name.fold for name in names):
        assert len({(name.repeat, name.fold) for name in names}) == len(names)
    if entry.name != "predefined":
        assert {name.fold is not None for name in names} == {entry.name in FOLDS}
        assert {name.repeat is not None for name in names} == {entry.name in ("repeated-kfold", "5x2cv")}


@pytest.mark.parametrize(
    "entry", [entry for entry in RESAMPLERS if entry.name not in ("loo", "predefined")], ids=lambda e: e.name
)
def test_another_seed_draws_otherwise(entry: Entry) -> None:
    here, there = ([lists(split) for split in drawn(splits_of(entry, {}, seed))] for seed in (3, 4))
    assert (here == there) == (entry.name in ("leave-one-group-out", "rolling-origin"))


@pytest.mark.parametrize("method", [entry.name for entry in RESAMPLERS])
@pytest.mark.parametrize("n", [0, 1])
def test_too_few_rows_are_named(method: str, n: int) -> None:
    columns = {"part": ["a"] * n}
    with pytest.raises(BenchkitError, match=rf"dataset 'x'.*\b{n}\b") as caught:
        made(method, rows_of(n, groups=[0] * n, columns=columns), split=("part",) if method == "predefined" else ())
    assert caught.value.hint


def test_the_two_lists_name_the_same() -> None:
    made = RESAMPLINGS[: len(RESAMPLERS)]
    assert [entry.name for entry in RESAMPLERS] == [resampling.name for resampling in made]
    assert [entry.summary for entry in RESAMPLERS] == [resampling.summary for resampling in made]
    assert [one.name for one in RESAMPLINGS[len(made) :]] == ["predefined-folds", "predefined-samples", "bootstrap-632"]
