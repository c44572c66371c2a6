"""The table of rules, row by row: which method answers when nobody names one, and what an option does to that."""

import numpy as np
import pytest

from benchkit.core.experiment import Experiment
from benchkit.core.question import Question, choose
from benchkit.core.rules import RULES
from benchkit.errors import BenchkitError

NUMBERS = np.array([[1.5, 2.0, 3.0], [2.5, 1.0, 4.0]])
OUTCOMES = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, np.nan]])
APART = np.kron(np.eye(3), np.ones((2, 1))) * np.array([[1.5], [2.0], [1.0], [1.7], [3.0], [2.9]])
APART[APART == 0] = np.nan


def experiment(values: np.ndarray, resampling: str | None = None, block: str = "replicate") -> Experiment:
    names = ("a", "b", "c")[: values.shape[1]]
    return Experiment("m", "d", "lower", tuple(map(str, range(len(values)))), names, values, resampling, None, block)


ROWS = {
    "welch-t": experiment(APART),
    "mcnemar": experiment(OUTCOMES[:, :2], block="item"),
    "cochran-q": experiment(OUTCOMES),
    "5x2cv-f": experiment(NUMBERS, "5x2cv"),
    "corrected-t": experiment(NUMBERS, "kfold"),
    "friedman": experiment(NUMBERS, block="data set"),
    "mixed": experiment(NUMBERS, "bootstrap"),
}


def test_every_row_of_the_table_is_here() -> None:
    assert [rule.method for rule in RULES] == list(ROWS)


@pytest.mark.parametrize("method", ROWS)
def test_the_first_row_that_fits_answers(method: str) -> None:
    choice = choose(Question(), ROWS[method])
    assert (choice.entry.name, choice.automatic) == (method, True)
    assert choice.reason == next(rule.reason for rule in RULES if rule.method == method)


@pytest.mark.parametrize(
    ("resampling", "method"),
    [
        ("repeated-kfold", "corrected-t"),
        ("loo", "corrected-t"),
        ("subsampling", "mixed"),
        (None, "mixed"),
        ("group-kfold", "mixed"),
    ],
)
def test_other_resamplings(resampling: str | None, method: str) -> None:
    assert choose(Question(), experiment(NUMBERS, resampling)).entry.name == method


def test_error_rates_of_0_and_1_on_folds_are_no_items() -> None:
    assert choose(Question(), experiment(OUTCOMES, "bootstrap")).entry.name == "mixed"


@pytest.mark.parametrize(
    ("options", "method", "typed"),
    [
        ({"variant": "exact"}, "cochran-q", "--method cochran-q --adjust holm --variant exact"),
        ({"zeros": "wilcox"}, "wilcoxon", "--method wilcoxon --adjust holm --zeros wilcox"),
        ({"unpaired": ""}, "welch-t", "--method welch-t --adjust holm --unpaired"),
        ({"adjust": "shaffer"}, "cochran-q", "--method cochran-q --adjust shaffer"),
        ({"covariance": "pooled"}, "mixed", "--method mixed --covariance pooled"),
    ],
)
def test_an_option_restricts_the_choice_to_methods_that_know_it(options: dict[str, str], method: str, typed: str) -> None:
    choice = choose(Question(options=options), ROWS["cochran-q"])
    assert (choice.entry.name, choice.typed) == (method, typed)


def test_options_that_no_method_knows_together() -> None:
    with pytest.raises(BenchkitError, match="no method knows --zeros and --variant") as caught:
        choose(Question(options={"zeros": "pratt", "variant": "exact"}))
    assert caught.value.hint == "methods that know --zeros: wilcoxon, friedman, quade, aligned-ranks, skillings-mack"
    with pytest.raises(BenchkitError, match="--test-share is no option of sign") as caught:
        choose(Question("sign", options={"test_share": "0.1"}))
    assert caught.value.hint == "methods that know it: corrected-t, repeated-kfold-t, bayes-correlated-t"
