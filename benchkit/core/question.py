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
    entry = next(entry for entry in COMPARISONS if entry.name == ("mixed" if question.method == "auto" else question.method))
    options = dict(question.options)
    covariance = options.get("covariance", "unstructured" if question.method == "auto" else "pooled")
    pooled_only = [name for name in ("reference", "df") if name in options]
    if pooled_only and covariance != "pooled":
        hint = "add --method mixed" if question.method == "auto" and "covariance" not in options else "add --covariance pooled"
        raise BenchkitError(f"--{pooled_only[0]} belongs to the pooled model", hint)
    automatic = question.method == "auto" and "covariance" not in options
    return Choice(entry, {"covariance": covariance, **options}, automatic)
