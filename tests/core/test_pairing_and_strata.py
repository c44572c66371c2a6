"""Further promises of a comparison, each with a number or a sentence that was once wrong."""

import numpy as np
import pytest
from in_memory import Read

from benchkit.core.arrange import Arrangement
from benchkit.core.compare import compare
from benchkit.core.question import Question, choose
from benchkit.errors import BenchkitError

Columns = dict[str, list[object]]


def new_generator() -> np.random.Generator:
    return np.random.default_rng(1)


def table(values: np.ndarray, sets: int = 1) -> Columns:
    """Return results of shape (replicates, algorithms), cut into data sets of equal size; NaN cells are left out."""
    rows = [
        (f"d{i * sets // len(values) + 1}", str(i), "abcdef"[j], float(value))
        for i, line in enumerate(values)
        for j, value in enumerate(line)
        if not np.isnan(value)
    ]
    names = ("dataset", "replicate", "algorithm", "performance")
    return {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}


OVER = Arrangement("dataset")
RUNS = np.array([[1.0, 2.0], [2.0, 3.0], [9.0, 1.0], [5.0, 1.5], [1.0, 1.0], [0.5, 4.0]])


def test_probability_of_improvement_is_the_mean_over_data_sets(read: Read) -> None:
    found = compare(read(table(RUNS, sets=3)), Question("probability-of-improvement", arrangement=OVER), new_generator)
    # Agarwal et al. 2021: P(a < b) + P(a = b)/2 of the couples within each data set: 3.5/4, 0/4, 3.5/4
    pair = found.tables["pairs"].row(0, named=True)
    assert pair["prob_better"] == pair["effect"] == pytest.approx((3.5 / 4 + 0 + 3.5 / 4) / 3)
    assert pair["strata"] == 3
    said = {note.code: note.message for note in found.notes}
    assert said["datasets-as-strata"].endswith("conclusions are about further runs on these")
    assert "about further runs on these data sets" in found.report[0]


def test_the_share_over_data_sets_is_of_data_sets(read: Read) -> None:
    values = np.random.default_rng(4).normal(size=(24, 2)) + np.repeat([[0.0, 2.0]], 24, axis=0)
    found = compare(read(table(values, sets=8)), Question("mixed", arrangement=OVER), new_generator)
    assert "of the data sets" in found.report[0]
    assert "of the replicates" not in found.report[0]


def test_smallest_p_of_a_family_of_all(read: Read) -> None:
    values = np.random.default_rng(4).normal(size=(12, 3))
    found = compare(read(table(values, sets=2)), Question("wilcoxon", family="all"), new_generator)
    said = next(note.message for note in found.notes if note.code == "too-few-to-reach")
    assert "is 0.0312 (0.0938 adjusted for 3 pairs)" in said  # 2/2^6, and three of them in a data set


@pytest.mark.parametrize(("values", "better"), [(RUNS, "wilcoxon or paired-t"), (RUNS > 1.5, "cochran-q or mcnemar")])
def test_a_pairing_that_is_not_used_is_told(read: Read, values: np.ndarray, better: str) -> None:
    found = compare(read(table(values.astype(float))), Question(options={"unpaired": ""}), new_generator)
    said = next(note.message for note in found.notes if note.code == "pairing-unused")
    assert said.startswith("algorithms share 6 ")
    assert f"--method {better} compares within them" in said


def test_no_pairing_no_note(read: Read) -> None:
    apart = np.where([[True, False]] * 3 + [[False, True]] * 3, RUNS, np.nan)
    found = compare(read(table(apart)), Question(), new_generator)
    assert "pairing-unused" not in {note.code for note in found.notes}


def test_hints_to_independent_samples(read: Read) -> None:
    with pytest.raises(BenchkitError) as caught:
        choose(Question("permutation", options={"unpaired": ""}))
    assert caught.value.hint == "--method unpaired-permutation does that"
    apart = np.where([[True, False]] * 3 + [[False, True]] * 3, RUNS, np.nan)
    with pytest.raises(BenchkitError, match="no replicate has two algorithms") as caught:
        compare(read(table(apart)), Question("paired-t"), new_generator)
    assert "--unpaired" in str(caught.value.hint)


def test_verdicts_on_mean_ranks_depend_on_others(read: Read) -> None:
    found = compare(read(table(np.random.default_rng(4).normal(size=(12, 3)))), Question("friedman"), new_generator)
    assert "mean-ranks" not in {note.code for note in found.notes}
    nemenyi = Question("friedman", options={"post_hoc": "nemenyi"})
    found = compare(read(table(np.random.default_rng(4).normal(size=(12, 3)))), nemenyi, new_generator)
    assert "Benavoli" in next(note.message for note in found.notes if note.code == "mean-ranks")


@pytest.mark.parametrize("resampling", ["kfold", "loo"])
def test_the_replicates_of_one_run_of_cross_validation_are_its_folds(read: Read, resampling: str) -> None:
    columns = table(RUNS)
    columns["resampling"] = [resampling] * len(columns["algorithm"])
    found = compare(read(columns), Question(), new_generator)
    pair = found.tables["pairs"].row(0, named=True)
    d = RUNS[:, 0] - RUNS[:, 1]
    # Nadeau & Bengio 2003 with n_test / n_train = 1 / (6 - 1)
    assert (pair["method"], pair["df"]) == ("repeated-kfold-t", 5)
    assert pair["statistic"] == pytest.approx(d.mean() / np.sqrt(d.var(ddof=1) * (1 / 6 + 1 / 5)))
