"""The table of rules, row by row: which method answers when nobody names one, and what an option does to that."""

from dataclasses import replace

import numpy as np
import pytest

from benchkit.core.experiment import Experiment
from benchkit.core.question import Question, choose
from benchkit.core.rules import RULES
from benchkit.errors import BenchkitError
from benchkit.run.resampling import RESAMPLERS
from benchkit.tables.resamplings import RESAMPLINGS

NUMBERS = np.array([[1.5, 2.0, 3.0], [2.5, 1.0, 4.0]])
OUTCOMES = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, np.nan]])
APART = np.kron(np.eye(3), np.ones((2, 1))) * np.array([[1.5], [2.0], [1.0], [1.7], [3.0], [2.9]])
APART[APART == 0] = np.nan


def experiment(values: np.ndarray, resampling: str | None = None, block: str = "replicate") -> Experiment:
    names = ("a", "b", "c")[: values.shape[1]]
    return Experiment("m", "d", "lower", tuple(map(str, range(len(values)))), names, values, resampling, None, block)


FIVE_BY_TWO = np.array([(repeat, fold) for repeat in range(5) for fold in range(2)])
TEN = np.random.default_rng(2).normal(size=(10, 3))
# a row of the table: its method, and with another option than none what it answers
ROWS: tuple[tuple[str, Experiment, dict[str, str]], ...] = (
    ("cluster-t", replace(experiment(NUMBERS), clusters=np.array([0, 1])), {}),
    ("fisher", experiment(np.where(np.isnan(APART), np.nan, APART > 1.8)), {}),
    ("welch-t", experiment(APART), {}),
    ("mcnemar", experiment(OUTCOMES[:, :2], block="item"), {}),
    ("cochran-q", experiment(OUTCOMES), {}),
    ("fisher", experiment(OUTCOMES), {"unpaired": ""}),
    ("5x2cv-f", replace(experiment(TEN, "5x2cv"), layout=FIVE_BY_TWO), {}),
    ("repeated-kfold-t", replace(experiment(NUMBERS, block="fold"), layout=np.array([[0, 0], [0, 1]])), {}),
    ("corrected-t", experiment(NUMBERS, "kfold"), {}),
    ("friedman", experiment(NUMBERS, block="data set"), {}),
    ("mixed", experiment(NUMBERS, "bootstrap"), {}),
)


def test_every_row_of_the_table_is_here() -> None:
    assert [rule.method for rule in RULES] == [method for method, *_ in ROWS]


@pytest.mark.parametrize("row", range(len(ROWS)))
def test_the_first_row_that_fits_answers(row: int) -> None:
    method, given, options = ROWS[row]
    choice = choose(Question(options=options), given)
    assert (choice.entry.name, choice.automatic) == (method, True)
    assert choice.reason == RULES[row].reason


def test_one_value_against_five_is_an_independent_sample() -> None:
    values = np.full((6, 2), np.nan)
    values[0, 0], values[1:, 1] = 3.0, [1.0, 2.0, 1.5, 1.7, 1.2]
    assert choose(Question(), experiment(values)).entry.name == "welch-t"


def test_5x2cv_without_its_layout_is_cross_validation() -> None:
    assert choose(Question(), experiment(TEN, "5x2cv")).entry.name == "corrected-t"


OF_RESAMPLING = {
    "bootstrap": "mixed",
    "bootstrap-632": "mixed",
    "subsampling": "mixed",
    "holdout": "mixed",
    "disjoint": "mixed",
    "predefined": "mixed",
    "predefined-samples": "mixed",
    "kfold": "corrected-t",
    "repeated-kfold": "corrected-t",
    "loo": "corrected-t",
    "group-kfold": "corrected-t",
    "leave-one-group-out": "corrected-t",
    "rolling-origin": "corrected-t",
    "predefined-folds": "corrected-t",
    "5x2cv": "5x2cv-f",  # with its layout
}


def test_every_resampling_has_its_row() -> None:
    assert set(OF_RESAMPLING) == {one.name for one in RESAMPLINGS} >= {entry.name for entry in RESAMPLERS}
    corrected = {name for name, method in OF_RESAMPLING.items() if method != "mixed"}
    assert corrected == {one.name for one in RESAMPLINGS if one.kind == "folds"}


@pytest.mark.parametrize("resampling", OF_RESAMPLING)
def test_the_method_of_a_resampling(resampling: str) -> None:
    one = replace(experiment(TEN, resampling), layout=FIVE_BY_TWO if resampling == "5x2cv" else None)
    assert choose(Question(), one).entry.name == OF_RESAMPLING[resampling]


def layout(repeats: int, folds: int) -> np.ndarray:
    return np.array([(repeat, fold) for repeat in range(repeats) for fold in range(folds)])


TEN_BY_TEN = layout(10, 10)
SIZES = (90.0, 10.0)


@pytest.mark.parametrize(
    ("resampling", "columns", "sizes", "method"),
    [
        # Alpaydin 1999; Bouckaert & Frank 2004; Nadeau & Bengio 2003: nothing but the columns repeat and fold tells of folds
        (None, FIVE_BY_TWO, None, "5x2cv-f"),
        ("my own split", FIVE_BY_TWO, SIZES, "5x2cv-f"),
        ("kfold", FIVE_BY_TWO, SIZES, "corrected-t"),
        (None, FIVE_BY_TWO[1:], None, "repeated-kfold-t"),
        (None, layout(5, 3), None, "repeated-kfold-t"),
        (None, TEN_BY_TEN, None, "repeated-kfold-t"),
        (None, layout(1, 10), None, "repeated-kfold-t"),
        ("10-fold CV", layout(1, 10), None, "repeated-kfold-t"),
        ("repeated-kfold", TEN_BY_TEN, None, "repeated-kfold-t"),
        ("repeated-kfold", TEN_BY_TEN, SIZES, "corrected-t"),
        (None, TEN_BY_TEN, SIZES, "corrected-t"),
        ("kfold", None, None, "corrected-t"),
        ("rolling-origin", layout(1, 10), None, "corrected-t"),
        ("bootstrap", TEN_BY_TEN, None, "mixed"),
        (None, layout(10, 1), None, "mixed"),
    ],
)
def test_the_columns_repeat_and_fold_tell_of_folds(
    resampling: str | None, columns: np.ndarray | None, sizes: tuple[float, float] | None, method: str
) -> None:
    rows = 10 if columns is None else len(columns)
    values = np.random.default_rng(1).normal(size=(rows, 3))
    one = replace(experiment(values, resampling, "fold"), layout=columns, sizes=sizes)
    assert choose(Question(), one).entry.name == method
    assert choose(Question("paired-t"), one).entry.name == "paired-t"
    assert choose(Question(options={"test_share": "0.2"}), one).entry.name in ("corrected-t", "repeated-kfold-t")


@pytest.mark.parametrize("resampling", [None, "10-fold CV"])
def test_resamplings_that_nobody_named(resampling: str | None) -> None:
    assert choose(Question(), experiment(NUMBERS, resampling)).entry.name == "mixed"


def test_error_rates_of_0_and_1_on_folds_are_no_items() -> None:
    assert choose(Question(), experiment(OUTCOMES, "bootstrap")).entry.name == "mixed"


@pytest.mark.parametrize(
    ("options", "method", "typed"),
    [
        ({"variant": "exact"}, "cochran-q", "--method cochran-q --adjust holm --variant exact"),
        ({"zeros": "wilcox"}, "wilcoxon", "--method wilcoxon --adjust holm --zeros wilcox"),
        ({"unpaired": ""}, "fisher", "--method fisher --adjust holm --unpaired"),
        ({"adjust": "shaffer"}, "cochran-q", "--method cochran-q --adjust shaffer"),
        ({"covariance": "pooled"}, "mixed", "--method mixed --covariance pooled"),
    ],
)
def test_an_option_restricts_the_choice_to_methods_that_know_it(options: dict[str, str], method: str, typed: str) -> None:
    choice = choose(Question(options=options), experiment(OUTCOMES))
    assert (choice.entry.name, choice.typed) == (method, typed)


def test_options_that_no_method_knows_together() -> None:
    with pytest.raises(BenchkitError, match="no method knows --zeros and --variant") as caught:
        choose(Question(options={"zeros": "pratt", "variant": "exact"}))
    assert caught.value.hint == "methods that know --zeros: wilcoxon, friedman, quade, aligned-ranks, skillings-mack"
    with pytest.raises(BenchkitError, match="--test-share is no option of sign") as caught:
        choose(Question("sign", options={"test_share": "0.1"}))
    assert caught.value.hint == "methods that know it: corrected-t, repeated-kfold-t, bayes-correlated-t"
