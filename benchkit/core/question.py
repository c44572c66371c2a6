"""What is asked of a comparison, and which method answers it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from benchkit.core.arrange import Arrangement
from benchkit.core.data_sets import Use
from benchkit.core.experiment import Experiment
from benchkit.core.rules import RULES, Rule
from benchkit.errors import BenchkitError
from benchkit.methods import COMPARISONS
from benchkit.registry import Entry

DEFAULT_ADJUSTMENT = "holm"
# tests of mean ranks that bring an adjustment: by name if another may take its place, None if the test is that adjustment
OF_POST_HOC = {"bonferroni-dunn": "bonferroni", "nemenyi": None}
# why a method was asked for by an option that only some know
ASKED_BY = {
    "unpaired": "--unpaired asks for independent samples",
    "cluster": "--cluster says what belongs together",
    "test_share": "--test-share says that replicates share training rows",
}
NewGenerator = Callable[[], np.random.Generator]


@dataclass(frozen=True)
class Question:
    """The request. options holds only what was typed (covariance, reference, df); margins as in --margin.

    effect: the effect size. family: "group" adjusts over the contrasts of one (metric, dataset), "all" over those of all of them.
    draws: how many draws from the posterior of each pair to return, in the table `draws`; 0 for none.
    """

    method: str = "auto"
    level: float = 0.95
    margins: Sequence[str] = ()
    baseline: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    family: str = "group"
    effect: str = "prob_better"
    arrangement: Arrangement = field(default_factory=Arrangement)
    draws: int = 0


@dataclass(frozen=True)
class Choice:
    """The method that answers, with all of its options; `automatic` if nobody asked for it, and then the reason."""

    entry: Entry
    options: Mapping[str, str]
    automatic: bool
    reason: str = ""
    arrangement: Arrangement = field(default_factory=Arrangement)

    @property
    def typed(self) -> str:
        """The command-line options that reproduce the choice."""
        options = (f"--{name.replace('_', '-')}" + (f" {value}" if value else "") for name, value in self.options.items())
        return " ".join([f"--method {self.entry.name}", *options, *self.arrangement.typed])

    @property
    def use(self) -> Use:
        """What the method takes of several data sets: their means, unless it models them or keeps them apart."""
        if "over" not in self.entry.options:
            return "means"
        covariance = self.options.get("covariance")
        return "strata" if covariance is None else "model" if covariance == "pooled" else "means"

    @property
    def paired(self) -> bool:
        """Whether the method compares within replicates."""
        return "unpaired" not in self.entry.options


def choose(question: Question, experiment: Experiment | None = None) -> Choice:
    """Return the method that fits the request, and without --method the experiment (core/rules.py).

    Options that only some methods know restrict the choice to these. --reference and --df belong to the pooled model.
    Without an experiment only the request is checked. Raises BenchkitError for an option that the method does not know.
    """
    twin = f"unpaired-{question.method}"
    if "unpaired" in question.options and any(entry.name == twin for entry in COMPARISONS):
        question = replace(question, method=twin)  # --method permutation --unpaired
    rule = _rule(question, experiment) if question.method == "auto" and experiment is not None else None
    entry = _entry(question) if rule is None else next(one for one in COMPARISONS if one.name == rule.method)
    options = dict(question.options)
    if "covariance" in entry.options:
        default = "unstructured" if question.method == "auto" else "pooled"
        options = {"covariance": default, **options}
        _check_pooled_only(question, options["covariance"])
    if "adjust" in entry.options and "covariance" not in entry.options:  # the mixed model brings its own
        default_adjustment = OF_POST_HOC.get(options.get("post_hoc", ""), DEFAULT_ADJUSTMENT)
        _check_adjustment(question, default_adjustment)
        options = ({"adjust": default_adjustment} if default_adjustment else {}) | options
    automatic = question.method == "auto" and "covariance" not in question.options
    return Choice(entry, options, automatic, rule.reason if rule else _asked_by(question.options), question.arrangement)


def _asked_by(options: Mapping[str, str]) -> str:
    """Say why a method answers that no row of the table fits: an option that was typed."""
    told = [ASKED_BY[name] for name in options if name in ASKED_BY]
    return told[0] if told else f"the first method that knows {_typed(options)}" if options else ""


def _typed(options: Mapping[str, str]) -> str:
    """Return the names of the options as they are typed."""
    return " and ".join(f"--{name.replace('_', '-')}" for name in options)


def _check_adjustment(question: Question, default: str | None) -> None:
    """Refuse another adjustment for a test that is one."""
    if default is None and "adjust" in question.options:
        test = question.options["post_hoc"]
        taking = "--post-hoc wilcoxon, conover or bonferroni-dunn takes --adjust"
        raise BenchkitError(f"--post-hoc {test} adjusts by itself, for all pairs together", f"leave out --adjust; {taking}")


def _rule(question: Question, experiment: Experiment) -> Rule | None:
    """Return the first row of the table that fits, among the methods that know all the options given."""
    known = {entry.name for entry in COMPARISONS if set(question.options) <= set(entry.options)}
    return next((rule for rule in RULES if rule.method in known and rule.fits(experiment)), None)


def _entry(question: Question) -> Entry:
    """Return the method of that name, or the first that knows all the options given."""
    named = [entry for entry in COMPARISONS if question.method in ("auto", entry.name)]
    for entry in named:
        if set(question.options) <= set(entry.options):
            return entry
    unknown = next((name for name in question.options if name not in named[0].options), next(iter(question.options)))
    knowing = ", ".join(entry.name for entry in COMPARISONS if unknown in entry.options)
    spelled = unknown.replace("_", "-")
    if question.method == "auto":
        raise BenchkitError(f"no method knows {_typed(question.options)}", f"methods that know --{spelled}: {knowing}")
    raise BenchkitError(f"--{spelled} is no option of {question.method}", f"methods that know it: {knowing}")


def _check_pooled_only(question: Question, covariance: str) -> None:
    """Refuse options of the pooled model for another."""
    given = [name for name in ("reference", "df") if name in question.options]
    if given and covariance != "pooled":
        hint = "--covariance pooled" if "covariance" in question.options else "--method mixed"
        raise BenchkitError(f"--{given[0]} belongs to the pooled model", f"add {hint}")
