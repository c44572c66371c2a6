"""Further promises of a comparison, each with a number or a sentence that was once wrong."""

import numpy as np
import polars as pl
import pytest
import scipy.stats
from in_memory import Read

from benchkit.core.arrange import Arrangement
from benchkit.core.blocks import experiments
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


@pytest.mark.parametrize(
    ("method", "values", "better"),
    [("welch-t", RUNS, "wilcoxon or paired-t"), ("fisher", RUNS > 1.5, "cochran-q or mcnemar")],
)
def test_a_pairing_that_is_not_used_is_told(read: Read, method: str, values: np.ndarray, better: str) -> None:
    asked = compare(read(table(values.astype(float))), Question(options={"unpaired": ""}), new_generator)
    assert asked.tables["pairs"]["method"].to_list() == [method]
    assert "pairing-unused" not in {note.code for note in asked.notes}  # --unpaired says that it is meant
    found = compare(read(table(values.astype(float))), Question(method), new_generator)
    said = next(note.message for note in found.notes if note.code == "pairing-unused")
    assert said.startswith("algorithms share 6 ")
    assert f"--method {better} compares within them" in said


def test_no_pairing_no_note(read: Read) -> None:
    apart = np.where([[True, False]] * 3 + [[False, True]] * 3, RUNS, np.nan)
    found = compare(read(table(apart)), Question(), new_generator)
    assert "pairing-unused" not in {note.code for note in found.notes}


def test_ways_to_independent_samples(read: Read) -> None:
    assert choose(Question("permutation", options={"unpaired": ""})).typed.startswith("--method unpaired-permutation")
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


def test_neither_items_nor_data_sets_nor_known_sizes_are_folds(read: Read) -> None:
    columns = table(RUNS)
    columns["resampling"] = ["kfold"] * len(columns["algorithm"])
    items = {"item" if name == "replicate" else name: values for name, values in columns.items()}
    assert compare(read(items), Question(), new_generator).tables["pairs"]["method"].to_list() != ["repeated-kfold-t"]
    sets = {"dataset" if name == "replicate" else name: values for name, values in columns.items() if name != "dataset"}
    assert compare(read(sets), Question(), new_generator).tables["pairs"]["method"].to_list() == ["friedman-sign"]
    sized = columns | {"n_train": [90] * 12, "n_test": [10] * 12}
    pair = compare(read(sized), Question("repeated-kfold-t"), new_generator).tables["pairs"].row(0, named=True)
    d = RUNS[:, 0] - RUNS[:, 1]
    assert pair["statistic"] == pytest.approx(d.mean() / np.sqrt(d.var(ddof=1) * (1 / 6 + 1 / 9)))


def test_strata_that_are_left_out_are_not_counted(read: Read) -> None:
    lone = np.array([[3.0, 5.0]])
    columns = table(np.vstack([RUNS, lone]))
    columns["dataset"] = [f"d{int(str(row)) // 2 + 1}" for row in columns["replicate"]]
    found = compare(read(columns), Question("probability-of-improvement", arrangement=OVER), new_generator)
    pair = found.tables["pairs"].row(0, named=True)
    assert [pair[name] for name in ("n", "n_a", "n_b", "strata")] == [12, 6, 6, 3]
    assert "strata-left-out" in {note.code for note in found.notes}


def test_values_that_need_no_replicates() -> None:
    values = [10.2, 9.8, 10.5, 10.1, 9.9, 10.9, 10.4, 11.2, 10.6]
    frame = pl.DataFrame({"algorithm": ["main"] * 5 + ["pr"] * 4, "performance": values}).lazy()
    reading = experiments(frame, "results", {None: "lower"}, independent=True)
    pair = compare(reading, Question(options={"unpaired": ""}), new_generator).tables["pairs"].row(0, named=True)
    # R: t.test(c(10.2, 9.8, 10.5, 10.1, 9.9), c(10.9, 10.4, 11.2, 10.6))
    known = scipy.stats.ttest_ind(values[:5], values[5:], equal_var=False)
    assert (pair["method"], pair["n_a"], pair["n_b"]) == ("welch-t", 5, 4)
    assert (pair["statistic"], pair["p_value"]) == (pytest.approx(known.statistic), pytest.approx(known.pvalue))
    with pytest.raises(BenchkitError, match="no column tells the replicates apart"):
        experiments(frame, "results", {None: "lower"})


def test_samples_of_the_questions_on_one_text() -> None:
    rows = [(p, q, s, a) for p in "xy" for q in "12" for s in "123" for a in "ab"]
    columns = dict(zip(("passage", "item", "replicate", "algorithm"), zip(*rows, strict=True), strict=True))
    frame = pl.DataFrame(columns | {"performance": np.arange(24.0)}).lazy()
    one = experiments(frame, "results", {None: "lower"}, cluster="passage").experiments[0]
    assert one.replicates[:4] == ("x/1/1", "x/1/2", "x/1/3", "x/2/1")
    assert one.cluster_names == ("x", "y")
    with pytest.raises(BenchkitError) as caught:
        experiments(frame.filter(pl.col("passage") == "x"), "results", {None: "lower"})
    assert "--cluster item keeps them all" in str(caught.value.hint)


def test_p_values_that_are_sharper_than_intervals_are_told(read: Read) -> None:
    values = np.random.default_rng(9).normal([0.0, 0.62, 1.6], size=(20, 3))
    found = compare(read(table(values)), Question("paired-t"), new_generator)
    pairs = found.tables["pairs"].filter(pl.col("verdict") != "undecided")
    held = pairs.filter((pl.col("ci_low") <= 0) & (pl.col("ci_high") >= 0)).height
    assert held == 1
    said = {note.code: note.message for note in found.notes}
    assert said["sharper-than-interval"].startswith("1 pair differs by p adjusted though the interval holds 0: holm has no")
    bonferroni = compare(read(table(values)), Question("paired-t", options={"adjust": "bonferroni"}), new_generator)
    assert "sharper-than-interval" not in {note.code for note in bonferroni.notes}
