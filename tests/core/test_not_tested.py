"""Of several data sets, those that a method cannot take are named, and the others are tested."""

import numpy as np
import pytest
from in_memory import Read

from benchkit.core.compare import compare
from benchkit.core.question import Question
from benchkit.errors import BenchkitError

Columns = dict[str, list[object]]


def new_generator() -> np.random.Generator:
    return np.random.default_rng(1)


def folds(**repeats: int) -> Columns:
    """Return two algorithms on data sets of so many repeats of two folds."""
    rows = [
        (dataset, f"{repeat}/{fold}", str(repeat), str(fold), algorithm)
        for dataset, count in repeats.items()
        for repeat in range(count)
        for fold in range(2)
        for algorithm in ("x", "y")
    ]
    names = ("dataset", "replicate", "repeat", "fold", "algorithm")
    table: Columns = {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
    return table | {"performance": np.random.default_rng(3).normal(size=len(rows)).tolist()}


def test_data_that_a_method_cannot_take_is_named(read: Read) -> None:
    found = compare(read(folds(d1=5, d2=3, d3=5)), Question("5x2cv-f"), new_generator)
    assert found.tables["pairs"]["dataset"].to_list() == ["d1", "d3"]
    said = [(note.dataset, note.message) for note in found.notes if note.code == "not-tested"]
    assert len(said) == 1
    assert said[0][0] == "d2"
    assert said[0][1].startswith("not tested: a 5x2cv test needs 5 repeats of 2 folds")


def test_a_family_is_made_of_what_is_tested(read: Read) -> None:
    with_one_more = compare(read(folds(d1=5, d2=3, d3=5)), Question("5x2cv-f", family="all"), new_generator)
    table = folds(d1=5, d2=3, d3=5)
    kept = [i for i, name in enumerate(table["dataset"]) if name != "d2"]
    without = {name: [values[i] for i in kept] for name, values in table.items()}
    alone = compare(read(without), Question("5x2cv-f", family="all"), new_generator)
    assert with_one_more.tables["pairs"].equals(alone.tables["pairs"])
    assert with_one_more.tables["pairs"]["family_size"].to_list() == [2, 2]


def test_the_method_refuses_if_no_data_set_is_left(read: Read) -> None:
    with pytest.raises(BenchkitError, match="5 repeats of 2 folds"):
        compare(read(folds(d1=4, d2=3)), Question("5x2cv-f"), new_generator)


def test_a_family_counts_what_has_a_p_value(read: Read) -> None:
    one = {"dataset": ["d0", "d0"], "replicate": ["1", "1"], "algorithm": ["x", "y"], "performance": [1.0, 2.0]}
    two = {name: values for name, values in folds(d1=5).items() if name in one}
    both = {name: [*one[name], *two[name]] for name in one}
    found = compare(read(both), Question("paired-t", family="all"), new_generator).tables["pairs"]
    alone = compare(read(two), Question("paired-t"), new_generator).tables["pairs"]
    assert found["p_adjusted"].to_list() == [None, alone["p_adjusted"][0]]
    assert (found["ci_low"][1], found["family_size"][1]) == (alone["ci_low"][0], 1)
