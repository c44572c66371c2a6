"""Which method answers when nobody names one: one readable table, first row that fits; never by comparing p-values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from benchkit.core.experiment import Experiment


@dataclass(frozen=True)
class Rule:
    """A row of the table: what it looks at, in words and as a test of the experiment, and the method with its options."""

    reason: str
    fits: Callable[[Experiment], bool]
    method: str
    options: Mapping[str, str] = field(default_factory=dict)


def is_outcomes(experiment: Experiment) -> bool:
    """Say whether every value is 0 or 1 and replicates are single cases: items, or replicates of an unknown origin."""
    single = experiment.block == "item" or (experiment.block == "replicate" and experiment.resampling is None)
    values = experiment.values
    return single and bool((np.isnan(values) | (values == 0) | (values == 1)).all())


def is_resampled_by(*names: str) -> Callable[[Experiment], bool]:
    """Return a test for the column `resampling`."""
    return lambda experiment: experiment.resampling in names


def shares_nothing(experiment: Experiment) -> bool:
    """Say whether no replicate was measured with two algorithms, and each algorithm more than once."""
    present = ~np.isnan(experiment.values)
    return bool((present.sum(axis=1) < 2).all() and (present.sum(axis=0) > 1).all())


RULES: tuple[Rule, ...] = (
    Rule("no replicate has two algorithms, so they are independent samples", shares_nothing, "welch-t"),
    Rule(
        "right or wrong on each item, two algorithms",
        lambda one: is_outcomes(one) and len(one.algorithms) == 2,
        "mcnemar",
    ),
    Rule("right or wrong on each item, several algorithms", is_outcomes, "cochran-q"),
    Rule("five times two-fold cross-validation", is_resampled_by("5x2cv"), "5x2cv-f"),
    Rule(
        "folds share training rows, which the corrected variance allows for",
        is_resampled_by("kfold", "repeated-kfold", "loo", "predefined-folds"),
        "corrected-t",
    ),
    Rule("one value for each data set", lambda one: one.block == "data set", "friedman"),
    Rule("replicates are blocks", lambda _: True, "mixed", {"covariance": "unstructured"}),
)
