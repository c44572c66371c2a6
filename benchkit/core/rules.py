"""Which method answers when nobody names one: one readable table, first row that fits; never by comparing p-values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from benchkit.core.experiment import Experiment
from benchkit.methods.comparison.five_by_two import is_five_by_two
from benchkit.tables.resamplings import kind


@dataclass(frozen=True)
class Rule:
    """A row of the table: what it looks at, in words and as a test of the experiment, and the method with its options.

    otherwise: what is so where the row does not fit.
    """

    reason: str
    fits: Callable[[Experiment], bool]
    method: str
    options: Mapping[str, str] = field(default_factory=dict)
    otherwise: str = ""


def is_outcomes(experiment: Experiment) -> bool:
    """Say whether every value is 0 or 1 and replicates are single cases: items, or replicates of an unknown origin."""
    single = experiment.block == "item" or (experiment.block == "replicate" and experiment.resampling is None)
    return single and experiment.holds_outcomes


def is_five_times_two_folds(experiment: Experiment) -> bool:
    """Say whether `repeat` and `fold` have the layout of 5x2cv, and the column `resampling` names it or tells nothing."""
    if experiment.resampling is not None and kind(experiment.resampling) != "unknown":
        return experiment.resampling == "5x2cv" and is_five_by_two(experiment.layout)
    return experiment.block == "fold" and is_five_by_two(experiment.layout)


def is_folds(experiment: Experiment) -> bool:
    """Say whether replicates are the folds of a cross-validation, by the column `resampling` or by repeat and fold.

    Items and data sets are none, however the algorithms were trained or the values of data sets came about.
    """
    return experiment.block not in ("item", "data set") and experiment.resampling_kind == "folds"


def is_folds_of_unknown_size(experiment: Experiment) -> bool:
    """Say whether the sizes of the folds follow from their number alone: no columns n_train and n_test, and k equal parts."""
    parts = is_folds(experiment) and experiment.resampling != "rolling-origin"  # whose training sets grow
    return parts and experiment.sizes is None and experiment.folds > 1


def shares_nothing(experiment: Experiment) -> bool:
    """Say whether no replicate was measured with two algorithms, and some algorithm more than once."""
    if not experiment.missing:
        return len(experiment.algorithms) < 2 <= len(experiment.replicates)
    present = ~np.isnan(experiment.values)
    return bool((present.sum(axis=1) < 2).all() and (present.sum(axis=0) > 1).any())


def are_independent_outcomes(experiment: Experiment) -> bool:
    """Say whether no item was given to two algorithms, and each answer is right or wrong."""
    return is_outcomes(experiment) and shares_nothing(experiment)


RULES: tuple[Rule, ...] = (
    Rule("replicates come in clusters", lambda one: one.clusters is not None, "cluster-t", otherwise="nobody named clusters"),
    Rule(
        "right or wrong on each item, and no item has two algorithms",
        are_independent_outcomes,
        "fisher",
        otherwise="not right or wrong, or on shared items",
    ),
    Rule(
        "no replicate has two algorithms, so they are independent samples",
        shares_nothing,
        "welch-t",
        otherwise="algorithms share replicates",
    ),
    Rule(
        "right or wrong on each item, two algorithms",
        lambda one: is_outcomes(one) and len(one.algorithms) == 2,
        "mcnemar",
        otherwise="not right or wrong on items, or not two algorithms",
    ),
    Rule(
        "right or wrong on each item, several algorithms",
        is_outcomes,
        "cochran-q",
        otherwise="not right or wrong on items",
    ),
    Rule(  # reached with --unpaired only, which the rows before do not know
        "right or wrong on each item, taken as independent",
        is_outcomes,
        "fisher",
        otherwise="not right or wrong on items",
    ),
    Rule(
        "five times two-fold cross-validation",
        is_five_times_two_folds,
        "5x2cv-f",
        otherwise="not five repeats of two folds",
    ),
    Rule(
        "folds share training rows, how many follows from the number of folds",
        is_folds_of_unknown_size,
        "repeated-kfold-t",
        otherwise="no folds, or folds whose sizes are known",
    ),
    Rule(
        "folds share training rows, which the corrected variance allows for",
        is_folds,
        "corrected-t",
        otherwise="no column says that replicates are folds",
    ),
    Rule(
        "one value for each data set",
        lambda one: one.block == "data set",
        "friedman",
        otherwise="data sets are not the blocks",
    ),
    Rule("replicates are blocks", lambda _: True, "mixed", {"covariance": "unstructured"}),
)
