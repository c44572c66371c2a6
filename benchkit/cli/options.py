"""Every shared option, declared once, in groups that a command asks for by type."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, BinaryIO, Literal

import typer

from benchkit.errors import BenchkitError
from benchkit.formats import FORMATS
from benchkit.methods import COMPARISONS, EFFECTS
from benchkit.registry import Entry

if TYPE_CHECKING:
    from benchkit.core.question import NewGenerator, Question
    from benchkit.formats.source import Source


def names(entries: Sequence[Entry]) -> str:
    """Return the names of a list, for a help text."""
    return ", ".join(entry.name for entry in entries)


def find(entries: Sequence[Entry], name: str, kind: str) -> Entry:
    """Return the entry called `name`; raise BenchkitError with the nearest name if there is none."""
    for entry in entries:
        if entry.name == name:
            return entry
    near = get_close_matches(name, [entry.name for entry in entries], n=1)
    hint = f"did you mean {near[0]}?" if near else f"choose one of {names(entries)}"
    raise BenchkitError(f"there is no {kind} '{name}'", hint)


def standard_input() -> BinaryIO | None:
    """Return standard input if something may be read from it: not a terminal, not closed."""
    return None if sys.stdin is None or sys.stdin.closed or sys.stdin.isatty() else sys.stdin.buffer


def standard_output() -> BinaryIO:
    """Return standard output for bytes; raise BenchkitError if it is closed."""
    if sys.stdout is None or sys.stdout.closed:
        raise BenchkitError("standard output is closed", "add -o PATH")
    return sys.stdout.buffer


def is_terminal() -> bool:
    """Say whether standard output is a terminal."""
    return sys.stdout is not None and not sys.stdout.closed and sys.stdout.isatty()


Rename = Annotated[list[str], typer.Option(metavar="FROM=TO", help="Call a column by our name; repeatable.")]
Where = Annotated[list[str], typer.Option(metavar="COLUMN=V,...", help="Keep these rows (or COLUMN!=V,...); repeatable.")]


@dataclass(frozen=True)
class Input:
    """What is read, and how its columns become ours."""

    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE...", help="Files, globs, folders, NAME=FILE or - (standard input).", show_default=False),
    ] = None
    rename: Rename = field(default_factory=list)
    value: Annotated[str, typer.Option(metavar="COLUMN,...", help="Columns that each hold the performance in one metric.")] = ""
    wide: Annotated[bool, typer.Option("--wide", help="Every column that is not a key is an algorithm.")] = False
    where: Where = field(default_factory=list)
    better: Annotated[
        list[str], typer.Option(metavar="[METRIC=]WAY", help="lower or higher: which way is better; repeatable.")
    ] = field(default_factory=list)
    duplicates: Annotated[Literal["error", "mean"], typer.Option(help="What to do with several rows for one cell.")] = "error"

    def read(self, accept: Sequence[str], command: str, key: str | None = None) -> "Source":
        """Read the input as one of the kinds that the command accepts; `key` names a column that is no algorithm."""
        from benchkit.formats.reading import read
        from benchkit.formats.source import Border

        keys = () if key is None else (key,)
        border = Border(self.rename, [self.value] if self.value else [], self.wide, self.where, keys)
        return read(self.files or [], border, accept, command, standard_input())


@dataclass(frozen=True)
class Chance:
    """The seed that rules every random choice."""

    seed: Annotated[int, typer.Option(min=0, help="Rules every random choice.")] = 1

    @property
    def new_generator(self) -> "NewGenerator":
        """Return a function that starts the seed's stream of random numbers anew."""
        from numpy.random import default_rng

        return lambda: default_rng(self.seed)


@dataclass(frozen=True)
class Level:
    """The confidence level."""

    level: Annotated[float, typer.Option(metavar="SHARE", help="Confidence level.")] = 0.95

    def __post_init__(self) -> None:
        """Refuse what is no level."""
        if not 0.5 <= self.level <= 1 - 1e-9:
            raise BenchkitError(f"--level cannot be {self.level:g}", "write a share between 0.5 and 1, such as 0.95")


# what single methods know; None where nothing was typed
OPTIONS = ("covariance", "reference", "df", "adjust", "variant", "zeros", "post_hoc", "failures", "test_share", "cluster")


@dataclass(frozen=True)
class Testing:
    """How algorithms are compared; shared by test, rank and the figures that show a test."""

    method: Annotated[str, typer.Option(metavar="NAME", help=f"auto, {names(COMPARISONS)}.")] = "auto"
    baseline: Annotated[str | None, typer.Option(metavar="NAME", help="Compare each other algorithm with this one only.")] = None
    margin: Annotated[
        list[str], typer.Option(metavar="[METRIC=]D", help="Differences below D do not matter; 5% is a share of the mean of b.")
    ] = field(default_factory=list)
    covariance: Annotated[
        Literal["pooled", "unstructured"] | None,
        typer.Option(help="One variance for all (the paper's model), or none assumed (the default without --method)."),
    ] = None
    reference: Annotated[
        Literal["t", "normal"] | None, typer.Option(help="Reference distribution of the pooled model; default t.")
    ] = None
    df: Annotated[
        Literal["kenward-roger", "satterthwaite"] | None,
        typer.Option("--df", help="Degrees of freedom of the pooled model; default kenward-roger."),
    ] = None
    adjust: Annotated[
        str | None, typer.Option(metavar="NAME", help="How p-values are adjusted; default holm, or the mixed model's own.")
    ] = None
    unpaired: Annotated[bool, typer.Option("--unpaired", help="Independent samples: replicates do not pair.")] = False
    variant: Annotated[str | None, typer.Option(metavar="NAME", help="mcnemar: auto, exact, midp, corrected or uncorrected.")] = (
        None
    )
    zeros: Annotated[str | None, typer.Option(metavar="NAME", help="wilcoxon: pratt, wilcox or zsplit.")] = None
    post_hoc: Annotated[
        str | None, typer.Option(metavar="NAME", help="friedman: wilcoxon, nemenyi, conover or bonferroni-dunn.")
    ] = None
    failures: Annotated[
        Literal["drop", "worst-rank"] | None,
        typer.Option(help="friedman: replicates with a missing cell are dropped (the default), or the cell gets the worst rank."),
    ] = None
    test_share: Annotated[
        str | None, typer.Option(metavar="SHARE", help="corrected-t: share of rows tested, where no column tells.")
    ] = None
    cluster: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The column of what belongs together: passages, items sampled often.")
    ] = None
    over: Annotated[
        Literal["dataset"] | None, typer.Option(help="One comparison over all data sets, which become the blocks.")
    ] = None
    transform: Annotated[
        Literal["none", "log"], typer.Option(help="log: compare logarithms; estimates are ratios of geometric means.")
    ] = "none"
    effect: Annotated[str, typer.Option(metavar="NAME", help=f"The effect size: {names(EFFECTS)}.")] = "prob_better"
    family: Annotated[
        Literal["group", "all"], typer.Option(help="Adjust over the pairs of each metric and data set, or over all of them.")
    ] = "group"

    def question(self, level: float, within: "WithinBlocks | None" = None) -> "Question":
        """Return the request in core's words."""
        ties, scale = (within.ties, within.scale) if within else (None, None)
        from benchkit.core.arrange import Arrangement
        from benchkit.core.question import Question, choose

        if self.method != "auto":
            find(COMPARISONS, self.method, "method")
        chosen = {name: getattr(self, name) for name in OPTIONS} | {"unpaired": "" if self.unpaired else None, "ties": ties}
        options = {name: value for name, value in chosen.items() if value is not None}
        find(EFFECTS, self.effect, "effect size")
        arrangement = Arrangement(self.over, scale, self.transform)
        margins = tuple(self.margin)
        question = Question(self.method, level, margins, self.baseline, options, self.family, self.effect, arrangement)
        choose(question)  # refuses options that do not fit before anything is read
        return question


@dataclass(frozen=True)
class WithinBlocks:
    """What is done within each block; not for figures, whose ties and scale are other things."""

    ties: Annotated[
        Literal["corrected", "ignore"] | None, typer.Option(help="friedman: corrected (default), or ignore as Demsar 2006 did.")
    ] = None
    scale: Annotated[
        Literal["none", "rank", "standardise", "ratio-to-best"] | None,
        typer.Option(help="What brings data sets of several units to one scale."),
    ] = None


@dataclass(frozen=True)
class Output:
    """Where the answer goes and in which format."""

    format: Annotated[
        str | None,
        typer.Option("--format", "-f", metavar="FORMAT", help=f"{names(FORMATS)}; default: table on a terminal, else csv."),
    ] = None
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="PATH", help="A file (its suffix names the format) or a folder.")
    ] = None
    table: Annotated[str | None, typer.Option(metavar="NAME", help="The table to write; default: the first.")] = None
    mark: Annotated[
        list[str],
        typer.Option(metavar="MARK", help="latex, markdown: best (in bold), letters or stars at the numbers; repeatable."),
    ] = field(default_factory=list)
    digits: Annotated[int | None, typer.Option(min=1, max=17, help="Significant digits in formats for people.")] = None
    ascii: Annotated[bool, typer.Option("--ascii", help="Use ASCII marks only (~ for \u2248).")] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No notes and no progress.")] = False

    @property
    def tie(self) -> str:
        """The mark between algorithms that are not separated."""
        return "~" if self.ascii else "\u2248"
