"""What the notes say, and when."""

from dataclasses import replace

import numpy as np
import pytest
from in_memory import Read

from benchkit.core.blocks import Reading
from benchkit.core.compare import compare
from benchkit.core.question import Question
from benchkit.errors import BenchkitError
from benchkit.tables.result import Result


def new_generator() -> np.random.Generator:
    return np.random.default_rng(1)


def columns(replicates: int = 12, **more: list[object]) -> dict[str, list[object]]:
    rng = np.random.default_rng(2)
    names = list("abc") * replicates
    values = rng.normal(size=3 * replicates) + np.tile([0.0, 1.0, 2.0], replicates)
    rows = {
        "replicate": [str(i) for i in range(replicates) for _ in range(3)],
        "algorithm": names,
        "performance": values.tolist(),
    }
    return {**rows, **{name: value * (3 * replicates) for name, value in more.items()}}


def messages(result: Result) -> dict[str, str]:
    return {note.code: note.message for note in result.notes}


@pytest.mark.parametrize(
    ("resampling", "code", "words"),
    [
        ("bootstrap", "inference-target", "not about new data"),
        ("subsampling", "inference-target", "not about new data"),
        ("bootstrap-632", "inference-target", "not about new data"),
        ("predefined-samples", "inference-target", "not about new data"),
        ("predefined-folds", "dependent-replicates", "predefined-folds replicates share training rows"),
        ("predefined", "resampling-unknown", "resampling 'predefined' does not tell how far"),
        ("group-kfold", "dependent-replicates", "group-kfold replicates share training rows"),
        ("10-fold CV", "resampling-unknown", "resampling '10-fold CV' does not tell how far the replicates are independent"),
    ],
)
def test_the_replicates_are_named_for_what_they_are(read: Read, resampling: str, code: str, words: str) -> None:
    asked = Question("mixed", options={"covariance": "unstructured"})
    found = messages(compare(read(columns(resampling=[resampling])), asked, new_generator))
    assert words in found[code]
    assert len(found.keys() & {"inference-target", "dependent-replicates", "resampling-unknown"}) == 1


def test_a_method_that_allows_for_overlap_needs_no_warning(read: Read) -> None:
    found = messages(compare(read(columns(resampling=["repeated-kfold"])), Question(), new_generator))
    assert found["chosen-method"].startswith("chose --method corrected-t --adjust holm: folds share training rows")
    assert "dependent-replicates" not in found


def test_a_method_that_allows_for_shared_training_rows_needs_no_warning(read: Read) -> None:
    reading = read(columns(resampling=["repeated-kfold"]))
    told = messages(compare(reading, Question("mixed"), new_generator))["dependent-replicates"]
    assert told.startswith("repeated-kfold replicates share training rows, so these intervals are too narrow; ")
    allowing = messages(compare(reading, Question("corrected-t"), new_generator))
    assert not allowing.keys() & {"inference-target", "dependent-replicates", "resampling-unknown"}


def test_disjoint_samples_are_tested_on_the_same_rows(read: Read) -> None:
    found = messages(compare(read(columns(resampling=["disjoint"])), Question(), new_generator))
    assert found["inference-target"] == "every replicate was tested on the same rows: about these rows, not about new ones"
    assert not found.keys() & {"dependent-replicates", "resampling-unknown"}


def test_new_data_columns_are_the_formula_and_the_note_counts_them(read: Read) -> None:
    reading = read(columns(resampling=["bootstrap"], n_train=[100.0], n_test=[37.0]))
    result = compare(reading, Question(), new_generator)
    row = result.tables["pairs"].row(0, named=True)
    values = reading.experiments[0].values
    difference = values[:, 0] - values[:, 1]
    # t(1 - .05/6, 11), Nadeau & Bengio's variance factor 1/B + n_test/n_train
    half = 2.8200336 * difference.std(ddof=1) * np.sqrt(1 / 12 + 0.37)
    assert row["new_data_high"] - row["estimate"] == pytest.approx(half, rel=1e-6)
    assert "(100 rows)" in messages(result)["inference-target"]


def test_margins_are_told_and_misspelt_metrics_refused(read: Read) -> None:
    reading = read(columns(metric=["mse"]))
    told = compare(reading, Question(margins=["0.5"]), new_generator)
    assert "by more than the margin of 0.5" in told.answer[0]
    assert "relative-margin" not in messages(told)
    assert "relative-margin" in messages(compare(reading, Question(margins=["5%"]), new_generator))
    with pytest.raises(BenchkitError, match="--margin names the metric 'msee'") as caught:
        compare(reading, Question(margins=["msee=5%"]), new_generator)
    assert caught.value.hint == "did you mean mse?"


def test_the_family_of_all_groups_is_their_sum(read: Read) -> None:
    one, two = columns(dataset=["x"]), columns(dataset=["y"])
    both = {name: one[name] + two[name] for name in one}
    pairs = compare(read(both), Question(family="all"), new_generator).tables["pairs"]
    assert pairs["family_size"].to_list() == [6] * 6


def test_one_replicate_is_not_tested_and_not_separated(read: Read) -> None:
    result = compare(read(columns(replicates=1)), Question(), new_generator)
    assert result.tables["pairs"]["verdict"].to_list() == [None] * 3
    assert result.tables["means"]["letters"].to_list() == ["a", "a", "a"]
    assert "3 not tested" in result.answer[0]


def test_the_family_counts_what_was_tested(read: Read) -> None:
    values = np.random.default_rng(4).normal(size=(14, 4))
    values[:7, 0] = values[7:, 1] = np.nan
    pairs = compare(read(values), Question(), new_generator).tables["pairs"]
    assert pairs["verdict"].null_count() == 1
    assert pairs["family_size"].to_list() == [5] * 6


def test_a_pair_that_shares_nothing_has_no_margin_to_tell(read: Read) -> None:
    values = np.random.default_rng(1).normal(10.0, 1.0, size=(20, 3))
    values[:10, 0] = values[10:, 1] = np.nan  # a1 and a2 share no replicate
    result = compare(read(values), Question("paired-t", margins=("5%",)), lambda: np.random.default_rng(1))
    said = [*result.answer, *result.report, *(note.message for note in result.notes)]
    assert not [text for text in said if "nan" in text]
    assert "(0.4" in messages(result)["relative-margin"] or "(0.5" in messages(result)["relative-margin"]


def test_rank_methods_without_a_complete_replicate(read: Read) -> None:
    values = np.random.default_rng(1).normal(10.0, 1.0, size=(20, 3))
    values[:10, 0] = values[10:, 1] = np.nan
    for method in ("friedman", "quade", "aligned-ranks"):
        result = compare(read(values), Question(method), new_generator)
        for name in ("mean_rank_a", "mean_rank_b", "rank_difference"):
            assert result.tables["pairs"][name].to_list() == [None] * 3
        assert not [text for text in messages(result).values() if "normal differences" in text], method
        assert "which uses 0" in messages(result)["incomplete-replicates"]


def test_one_cluster_has_no_error(read: Read) -> None:
    given = columns()
    for method in ("cluster-t", "cluster-permutation"):
        one = replace(read(given).experiments[0], clusters=np.zeros(12, dtype=np.int64), cluster_names=("c",))
        result = compare(Reading((one,), 36, ()), Question(method), new_generator)
        assert messages(result)["not-estimable"] == "there is one cluster only: no error can be estimated"
        two = replace(one, clusters=np.arange(12) // 6, cluster_names=("c", "d"))
        two.values[:6, 0] = np.nan
        result = compare(Reading((two,), 36, ()), Question(method), new_generator)
        assert messages(result)["not-estimable"].endswith("they share fewer than two clusters")


@pytest.mark.parametrize("method", ["paired-t", "auto"])
def test_a_singular_overall_test_says_nothing_of_pairs_that_vary(read: Read, method: str) -> None:
    first = np.random.default_rng(4).normal(size=(12, 2))
    values = np.column_stack([first, 2 * first[:, 1] - first[:, 0]])  # its differences are those of the others
    result = compare(read(values), Question(method), new_generator)
    assert result.tables["pairs"]["p_value"].null_count() == 0
    assert messages(result)["zero-variance"].startswith("no overall test: some combination of the differences does not vary")


NEW, OLD = [78.0, 78.4, 79.0, 79.1, 79.5], [114.8] * 5


@pytest.mark.parametrize(
    ("method", "words"),
    [
        (
            "brunner-munzel",
            "every value of a1 is below every value of a2; p is the chance of that if nothing differs, and the ",
        ),
        ("almost-stochastic-order", "every value of a1 is below every value of a2; violation_p_value is the chance of that if "),
    ],
)
def test_separated_samples_are_no_lack_of_variance(read: Read, method: str, words: str) -> None:
    asked = Question(method, options={"unpaired": ""})
    result = compare(read(np.column_stack([NEW, OLD])), asked, new_generator)
    assert "zero-variance" not in messages(result)
    assert messages(result)["separated-samples"].startswith(words)
    swapped = compare(read(np.column_stack([OLD, NEW]), "higher"), asked, new_generator)
    assert "every value of a1 is above every value of a2" in messages(swapped)["separated-samples"]
    row = result.tables["pairs"].row(0, named=True)
    assert row["ci_low"] < row["ci_high"]


@pytest.mark.parametrize(
    ("method", "replicates", "words"),
    [
        ("permutation", 10, "the differences of a1 and a2 do not vary, so the interval has no width"),
        ("wilcoxon", 10, "the differences of a1 and a2 do not vary, so the interval has no width"),
        ("wilcoxon", 3, "the differences of a1 and a2 do not vary, but so few allow no interval with ends"),
        ("bayes-signed-rank", 10, "the differences of a1 and a2 do not vary"),
        ("bayes-sign", 10, "the differences of a1 and a2 do not vary"),
        ("welch-t", 10, "the values of a1 and a2 do not vary, so the interval has no width"),
        ("brunner-munzel", 10, "the values of a1 and a2 do not vary, so the interval has no width"),
        ("fisher", 10, "all outcomes of a1 and a2 are the same"),
        ("proportions-z", 10, "all outcomes of a1 and a2 are the same"),
    ],
)
def test_zero_variance_says_what_does_not_vary_and_what_the_interval_is(
    read: Read, method: str, replicates: int, words: str
) -> None:
    unpaired = method in ("welch-t", "brunner-munzel", "fisher", "proportions-z")
    asked = Question(method, options={"unpaired": ""} if unpaired else {})
    result = compare(read(np.ones((replicates, 2))), asked, new_generator)
    assert messages(result)["zero-variance"] == words
    row = result.tables["pairs"].row(0, named=True)
    assert row["estimate"] == 0
    assert row["p_value"] in (1.0, None)
    if "no width" in words:
        assert row["ci_low"] == row["ci_high"] == 0


def test_folds_that_agree_are_no_differences_that_agree(read: Read) -> None:
    a = np.repeat([0.1, 0.2, 0.3, 0.4, 0.6], 2)
    rows = {
        "repeat": [str(i // 2) for i in range(10) for _ in "ab"],
        "fold": [str(i % 2) for i in range(10) for _ in "ab"],
        "algorithm": list("ab") * 10,
        "performance": np.column_stack([a, np.zeros(10)]).ravel().tolist(),
    }
    found = messages(compare(read(rows), Question("5x2cv-f"), new_generator))
    assert (
        found["zero-variance"] == "the two folds of each repeat agree on the difference of a and b, so the interval has no width"
    )


def test_what_concerns_some_pairs_names_them(read: Read) -> None:
    right = np.array([[1.0, 1, 0], [0, 0, 1], [1, 1, 1], [1, 1, 0]])
    found = messages(compare(read(right, "higher"), Question("cochran-q"), new_generator))
    assert found["no-discordant"] == "two algorithms have the same items right: nothing tells them apart (a1 and a2)"
    alone = messages(compare(read(right[:, :2], "higher"), Question("mcnemar"), new_generator))
    assert alone["no-discordant"] == "two algorithms have the same items right: nothing tells them apart"
