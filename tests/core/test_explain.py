"""The explanation of the choice: reasons, assumptions, what was rejected, and options that give the same again."""

import re
from collections.abc import Sequence

import numpy as np
import pytest
from in_memory import Read

from benchkit.core.compare import compare
from benchkit.core.counts import compare_table, parse_counts, question_of_counts
from benchkit.core.question import Question
from benchkit.core.rules import RULES
from benchkit.methods import COMPARISONS
from benchkit.registry import Entry
from benchkit.tables.result import EXPLAINED, Result

NAMES = [entry.name for entry in COMPARISONS]


def new_generator() -> np.random.Generator:
    return np.random.default_rng(1)


def paragraphs(result: Result) -> list[str]:
    return [note.message for note in result.notes if note.code == EXPLAINED]


def folds(read: Read, question: Question) -> list[str]:
    values = np.random.default_rng(1).normal(size=(10, 3))
    columns: dict[str, Sequence[object]] = {
        "algorithm": [*"abc"] * 10,
        "replicate": [str(i) for i in range(10) for _ in range(3)],
        "performance": [*values.ravel()],
        "resampling": ["kfold"] * 30,
        "n_train": [90.0] * 30,
        "n_test": [10.0] * 30,
    }
    return paragraphs(compare(read(columns), question, new_generator))


@pytest.mark.parametrize("entry", COMPARISONS, ids=NAMES)
def test_every_method_says_what_it_assumes_and_what_else_there_is(entry: Entry) -> None:
    assert all((entry.assumes, entry.needs, entry.source, entry.instead))
    assert {name for name, _ in entry.instead} <= set(NAMES) - {entry.name}
    assert all(case for _, case in entry.instead)


def test_every_rule_but_the_last_says_why_it_may_not_fit() -> None:
    assert all(rule.otherwise for rule in RULES[:-1])


def test_the_choice_with_its_reason_and_the_rules_before_it(read: Read) -> None:
    said = folds(read, Question())
    assert said[0].startswith("Chosen without --method: corrected-t (resampled t test that allows for overlapping training sets;")
    assert "The reason: folds share training rows, which the corrected variance allows for." in said[0]
    assert "It needs resamples of one data set" in said[0]
    assert "It assumes normal differences" in said[0]
    assert "welch-t (algorithms share replicates), mcnemar (not right or wrong on items" in said[1]
    assert said[1].endswith("Left over for when nothing closer fits: mixed.")
    assert said[2].startswith("Other answers to the same question: repeated-kfold-t for")
    assert "p-values are adjusted by holm: step-down Bonferroni" in said[3]
    assert "The effect size is prob_better: share of replicates" in said[3]
    assert said[-1] == "The same again, whatever the data: --method corrected-t --adjust holm"


def test_a_method_by_name_is_held_against_the_rules(read: Read) -> None:
    said = folds(read, Question("paired-t", level=0.9, effect="d_z", options={"adjust": "bonferroni"}))
    assert said[0].startswith("Asked for: paired-t (")
    assert "Without --method it would be corrected-t (folds share training rows" in said[0]
    assert not any("rejected" in paragraph for paragraph in said)
    assert said[-1].endswith("--method paired-t --adjust bonferroni --level 0.9 --effect d_z")
    assert "Without --method it would be the same." in folds(read, Question("corrected-t"))[0]


def test_options_restrict_the_rules(read: Read) -> None:
    said = folds(read, Question(options={"covariance": "pooled"}))
    assert "Only methods that know --covariance were considered." in said[1]
    assert said[-1].endswith("--method mixed --covariance pooled")


def test_the_options_give_the_same_tables_again(read: Read) -> None:
    values = np.random.default_rng(4).normal(size=(12, 3))
    chosen = compare(read(values), Question(), new_generator)
    typed = re.findall(r"--(\S+) (\S+)", paragraphs(chosen)[-1])
    options = {name.replace("-", "_"): value for name, value in typed if name != "method"}
    again = compare(read(values), Question(dict(typed)["method"], options=options), new_generator)
    assert again.tables["pairs"].equals(chosen.tables["pairs"])


def test_counts_are_explained_too() -> None:
    said = paragraphs(compare_table(parse_counts("11,9,1,29"), question_of_counts(Question())))
    assert said[0].startswith("Asked for: mcnemar (")
