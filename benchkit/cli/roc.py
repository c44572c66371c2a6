"""`benchkit roc`: how good are voting ensembles, and how sure is that?"""

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from benchkit.cli.curve_pictures import picture_suffix, plot_curves
from benchkit.cli.emit import Outcome
from benchkit.cli.options import Chance, Level, Output, Rename, Where, find, standard_input
from benchkit.cli.roc_options import kind_of, refuse_table, refuse_without_effect
from benchkit.errors import BenchkitError
from benchkit.methods import ADJUSTMENTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchkit.core.roc.request import RocRequest
    from benchkit.tables.result import Result
    from benchkit.tables.votes import VoteSource


@dataclass(frozen=True)
class Ballot:
    """What is read: votes, or scores."""

    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="VOTES...", help="Files, globs, folders, NAME=FILE or - (standard input).", show_default=False),
    ] = None
    rename: Rename = field(default_factory=list)
    where: Where = field(default_factory=list)
    voters: Annotated[str | None, typer.Option(metavar="PATTERN", help="The columns of votes, such as 'tree_*'.")] = None
    labels: Annotated[str | None, typer.Option(metavar="FILE", help="The labels of votes in a .npy file.")] = None
    positive: Annotated[str | None, typer.Option(metavar="LABEL", help="The label of the positive class; default 1.")] = None
    weights: Annotated[str | None, typer.Option(metavar="FILE", help="A table voter, weight: weighted votes.")] = None
    packed_voters: Annotated[int | None, typer.Option(metavar="M", min=1, help="How many voters a .npy of packed bits has.")] = (
        None
    )
    regression: Annotated[bool, typer.Option("--regression", help="Labels are numbers that members predict.")] = False

    def read(self) -> "VoteSource":
        """Read the votes; they are streamed when they are needed."""
        from benchkit.formats.source import Border
        from benchkit.formats.votes.options import VoteOptions
        from benchkit.formats.votes.reading import read_votes

        border = Border(self.rename, where=self.where)
        options = VoteOptions(border, self.voters, self.labels, self.positive, self.regression, self.weights, self.packed_voters)
        return read_votes(self.files or [], options, standard_input())


@dataclass(frozen=True)
class Curves:
    """What is computed."""

    voters_used: Annotated[
        str, typer.Option(metavar="M,...", help="Sizes of the ensembles asked about; default: all voters.")
    ] = ""
    vary: Annotated[
        Literal["voters", "items", "both"] | None, typer.Option(help="What is random; default both, where voters are known.")
    ] = None
    target: Annotated[
        Literal["rerun", "mean", "deployed", "prediction"] | None,
        typer.Option(help="What intervals are about: an ensemble grown anew (default), their mean, these voters, a prediction."),
    ] = None
    variance: Annotated[
        Literal["joint", "paper"], typer.Option(help="joint: items share the voters; paper: as if they did not.")
    ] = "joint"
    resample: Annotated[
        Literal["without", "with"], typer.Option(help="Draw voters without replacement (unbiased), or with (paper).")
    ] = "without"
    at: Annotated[list[str], typer.Option(metavar="fpr=F,...", help="TPR at these FPR, or FPR at tpr=T,...; repeatable.")] = (
        field(default_factory=list)
    )
    partial: Annotated[list[float], typer.Option(metavar="F", help="The area for FPR up to F, too; repeatable.")] = field(
        default_factory=list
    )
    check: Annotated[
        int | None, typer.Option(metavar="N", min=100, help="Put N draws of a brute-force bootstrap beside the formulas.")
    ] = None
    draws: Annotated[
        int | None, typer.Option(metavar="N", min=100, help="Draws for weighted votes and members that give numbers.")
    ] = None
    plot: Annotated[str | None, typer.Option(metavar="FILE", help="Draw the curves, too: .svg, .png or .pdf.")] = None
    adjust: Annotated[str, typer.Option(metavar="NAME", help="How p-values are adjusted for the number of pairs.")] = "holm"
    margin: Annotated[float, typer.Option(metavar="D", min=0.0, help="Differences below D do not matter.")] = 0.0

    def request(self, level: float, regression: bool) -> "RocRequest":
        """Return the request in core's words; raises BenchkitError for what has no meaning, before anything is read."""
        from benchkit.core.roc.request import RocRequest, parse_marks, parse_sizes
        from benchkit.methods.curve.questions import Asked

        adjust = find(ADJUSTMENTS, self.adjust, "adjustment")
        if "p-values" not in adjust.needs:
            fitting = ", ".join(entry.name for entry in ADJUSTMENTS if "p-values" in entry.needs)
            raise BenchkitError(f"--adjust {adjust.name} is not for ROC curves", f"--adjust takes {fitting}")
        if not 0 <= self.margin < (float("inf") if regression else 1.0):
            what = "errors" if regression else "areas or rates"
            raise BenchkitError(f"--margin cannot be {self.margin}", f"write a difference of {what}, such as 0.01")
        asked = None
        if self.vary or self.target:
            vary = self.vary or ("items" if self.target == "deployed" else "both")
            asked = Asked(vary, self.target or "rerun")
            asked.check()
        return RocRequest(
            asked,
            parse_sizes(self.voters_used),
            self.resample,
            self.variance,
            parse_marks(self.at, self.partial),
            level,
            self.adjust,
            self.margin,
            self.check or 0,
            self.draws or 1000,
        )


def answering(kind: str) -> "Callable[..., Result]":
    """Return what answers for this kind of input."""
    if kind == "regression":
        from benchkit.core.roc.regression import regression

        return regression
    if kind == "members":
        from benchkit.core.roc.members import members

        return members
    from benchkit.core.roc.answer import roc as votes

    return votes


def roc(ballot: Ballot, curves: Curves, level: Level, chance: Chance, output: Output) -> Outcome:
    """Analyse voting ensembles, or scores: ROC curves with bands, areas, and whether ensembles differ.

    Reads votes (ensemble, item, label and a column for each voter) as `run --votes` writes them, or scores.

    Tables (--table): ensembles (the first), points of the curves, marks (with --at or --partial), pairs, check (with --check).
    """
    from benchkit.cli.progress import progress

    # numpy looks at it when it is loaded, which is below: one thread multiplies fast enough here, several wait for one another,
    # and answers would depend on how many there are
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    request = curves.request(level.level, ballot.regression)
    refuse_table(output.table, curves, ballot.regression)
    if curves.plot is not None:
        picture_suffix(curves.plot)  # a wrong name is found before the work
    source = ballot.read()
    kind = kind_of(source)
    refuse_without_effect(kind, curves)
    result = answering(kind)(source, request, chance.new_generator, progress(output.quiet))
    if curves.plot is not None:
        plot_curves(result.tables, curves.plot, output.ascii)
    return Outcome(result, source.digests)
