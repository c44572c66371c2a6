"""What is simulated: each comparison method with the designs that suit it, and in which settings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

from benchkit.core.question import Question, choose
from benchkit.methods import COMPARISONS
from benchkit.registry import Entry
from benchmarks.validity.data import KINDS

ALGORITHMS, BLOCKS = (2, 5, 10), (5, 10, 30, 250)
RUNS, RUNS_RESAMPLED, FEWEST_RUNS, DRAWS = 2000, 500, 200, 199
RESAMPLED = (
    "bootstrap", "permutation", "unpaired-permutation", "cluster-permutation", "bayes-signed-rank", "almost-stochastic-order",
    "probability-of-improvement",
)  # fmt: skip
# their smallest p-value must lie below the level of one pair of many: so many more draws
OF_EACH_PAIR = ("bootstrap", "unpaired-permutation", "almost-stochastic-order", "probability-of-improvement")
# they compare distributions: where medians or shapes differ beside the means, what they reject is no error
RANKS = (
    "wilcoxon", "sign", "friedman", "quade", "aligned-ranks", "skillings-mack", "brunner-munzel", "bayes-sign",
    "bayes-signed-rank", "almost-stochastic-order", "probability-of-improvement",
)  # fmt: skip
DESIGNS_OF: dict[str, tuple[str, ...]] = {
    "corrected-t": ("holdout, model", "holdout, regression"),
    "bayes-correlated-t": ("holdout, model", "holdout, regression"),
    "repeated-kfold-t": ("folds, model", "folds, regression"),
    "kfold-t": ("folds, model", "folds, regression"),
    "5x2cv-t": ("5x2cv, regression",),
    "5x2cv-f": ("5x2cv, regression",),
    "skillings-mack": ("replicates with gaps",),
    "cluster-t": ("clusters",),
    "cluster-permutation": ("clusters",),
}
# further options that give another method
VARIANTS: dict[str, tuple[Mapping[str, str], ...]] = {
    "mixed": ({"covariance": "pooled"}, {"covariance": "unstructured"}, {"over": "dataset"}),
    "friedman": ({}, {"post_hoc": "nemenyi"}, {"post_hoc": "conover"}),
}


@dataclass(frozen=True)
class Subject:
    """A method with options, under the name that stands in the table, on data of one design."""

    name: str
    entry: Entry
    design: str
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def runs(self) -> int:
        """How many experiments are simulated in a setting, if there is time."""
        return RUNS_RESAMPLED if self.entry.name in RESAMPLED else RUNS

    def draws(self, pairs: int) -> int:
        """How many resamples a method draws; (draws + 1) times the level, and if need be that of a pair, is whole."""
        return (DRAWS + 1) * pairs - 1 if self.entry.name in OF_EACH_PAIR else DRAWS


@dataclass(frozen=True)
class Setting:
    """One cell of the table."""

    subject: Subject
    kind: str
    algorithms: int
    blocks: int

    @property
    def key(self) -> tuple[str, str, str, int, int]:
        """What names it in the file: method, design, kind, K, B."""
        return (self.subject.name, self.subject.design, self.kind, self.algorithms, self.blocks)


def designs_of(entry: Entry) -> tuple[str, ...]:
    """Return the designs that suit a method, by its name or by the data it needs."""
    if entry.name in DESIGNS_OF:
        return DESIGNS_OF[entry.name]
    if "unpaired" in entry.options:
        return ("independent outcomes",) if "0/1" in entry.needs else ("independent samples",)
    return ("items",) if "right or wrong" in entry.needs else ("replicates",)


def subjects() -> list[Subject]:
    """Return every method, with its variants and designs."""
    found = []
    for entry in COMPARISONS:
        unpaired = {"unpaired": ""} if "unpaired" in entry.options else {}
        for extra in VARIANTS.get(entry.name, ({},)):
            shown = "".join(f" --{name.replace('_', '-')} {value}" for name, value in extra.items())
            designs = ("data sets",) if "over" in extra else designs_of(entry)
            typed = {name: value for name, value in extra.items() if name != "over"}
            options = choose(Question(entry.name, options={**unpaired, **typed})).options
            found += [Subject(entry.name + shown, entry, design, options) for design in designs]
    return found


def settings() -> Iterator[Setting]:
    """Yield all settings, the most important first: usual sizes; then, of each kind, few blocks, many, and many algorithms."""
    few, many, every = ALGORITHMS[:-1], ALGORITHMS[-1:], subjects()
    order = [(kind, B, K) for kind, B, K in product(KINDS, (10, 30), few)]
    for kind in KINDS:
        order += [(kind, B, K) for B, K in (*product((5, 250), few), *product((10, 30, 5, 250), many))]
    for (kind, B, K), subject in product(order, every):
        yield Setting(subject, kind, K, B)


def impossible(setting: Setting) -> str:
    """Return why a setting is no null hypothesis of the method or no data for it; nothing if it is both."""
    subject, kind = setting.subject, setting.kind
    name, design = subject.entry.name, subject.design
    if design.startswith("5x2cv") and setting.blocks != 10:
        return "5x2cv has ten replicates"
    if name == "mcnemar" and setting.algorithms > 2:
        return "the pairs are those of cochran-q"
    if kind == "skewed, unequal" and name in RANKS:
        return "the medians differ"
    if kind == "skewed, unequal" and design == "items":
        return "outcomes are simulated with the first five kinds"
    if design == "independent outcomes" and kind not in ("normal", "skewed"):
        return "independent outcomes have nothing but their share"
    return ""
