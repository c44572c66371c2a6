"""What is asked of a comparison, and which method answers it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.methods import COMPARISONS
from benchkit.registry import Entry

NewGenerator = Callable[[], np.random.Generator]


@dataclass(frozen=True)
class Question:
    """The request. options holds only what was typed (covariance, reference, df); margins as in --margin.

    family: "group" adjusts over the contrasts of one (metric, dataset), "all" over those of all of them.
    """

    method: str = "auto"
    level: float = 0.95
    margins: Sequence[str] = ()
    baseline: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    family: str = "group"


@dataclass(frozen=True)
class Choice:
    """The method that answers, with all of its options; `automatic` if nobody asked for it by name."""

    entry: Entry
    options: Mapping[str, str]
    automatic: bool

    @property
    def typed(self) -> str:
        """The command-line options that reproduce the choice."""
        return " ".join([f"--method {self.entry.name}", *(f"--{name} {value}" for name, value in self.options.items())])


def choose(question: Question) -> Choice:
    """Return the method that fits the request.

    Without --method and --covariance, replicates of one data set are compared with unstructured covariance; never by a
    pre-test. --reference and --df belong to the pooled model. Raises BenchkitError for an option that the method does
    not know.
    """
    entry = _entry(question)
    options = dict(question.options)
    if "covariance" in entry.options:
        default = "unstructured" if question.method == "auto" else "pooled"
        options = {"covariance": default, **options}
        _check_pooled_only(question, options["covariance"])
    return Choice(entry, options, question.method == "auto" and "covariance" not in question.options)


def _entry(question: Question) -> Entry:
    """Return the method of that name, or the first that knows all the options given."""
    named = [entry for entry in COMPARISONS if question.method in ("auto", entry.name)]
    for entry in named:
        if set(question.options) <= set(entry.options):
            return entry
    unknown = next(name for name in question.options if name not in named[0].options)
    knowing = ", ".join(entry.name for entry in COMPARISONS if unknown in entry.options)
    raise BenchkitError(f"--{unknown} is no option of {question.method}", f"methods that know it: {knowing}")


def _check_pooled_only(question: Question, covariance: str) -> None:
    """Refuse options of the pooled model for another."""
    given = [name for name in ("reference", "df") if name in question.options]
    if given and covariance != "pooled":
        hint = "--covariance pooled" if "covariance" in question.options else "--method mixed"
        raise BenchkitError(f"--{given[0]} belongs to the pooled model", f"add {hint}")
