"""Which options of `roc` mean something for which input: one without effect is refused before the work."""

from typing import TYPE_CHECKING

from benchkit.cli.groups import typed
from benchkit.errors import BenchkitError

if TYPE_CHECKING:
    from benchkit.cli.roc import Curves
    from benchkit.tables.votes import VoteSource

TABLES = ("ensembles", "points", "marks", "pairs", "check")
# what makes a table that is not always there
MADE_BY = {
    "check": (("check",), "add --check N, such as --check 1000"),
    "marks": (("at", "partial"), "add --at fpr=0.05 or another place"),
}
LEAVE_OUT = "leave it out"
_NO_VOTERS = "is about voters, and scores have none"
_NO_CURVE = "is for ROC curves, and --regression has none"
_DRAWN = "is for formulas, and here the numbers come from a bootstrap"

# for each kind of input: option -> why it has no effect, and what to do
IDLE: dict[str, dict[str, tuple[str, str]]] = {
    "votes": {
        "draws": ("has no effect on votes that weigh alike, for which there are formulas", "--check N compares them with N draws")
    },
    "scores": {
        "draws": ("has no effect on scores, for which there are formulas", "--check N compares them with N draws"),
        "voters_used": (_NO_VOTERS, LEAVE_OUT),
        "resample": (_NO_VOTERS, LEAVE_OUT),
        "variance": (_NO_VOTERS, LEAVE_OUT),
    },
    "members": {"variance": ("is for votes that weigh alike", LEAVE_OUT), "check": (_DRAWN, "--draws N takes more of them")},
    "regression": {
        "variance": ("is for votes that weigh alike", LEAVE_OUT),
        "check": (_DRAWN, "--draws N takes more of them"),
        "at": (_NO_CURVE, LEAVE_OUT),
        "partial": (_NO_CURVE, LEAVE_OUT),
        "plot": (_NO_CURVE, "leave out --plot; without --regression, labels of two classes give curves"),
    },
}


def kind_of(source: "VoteSource") -> str:
    """Return votes, scores, members (weighted, or saying numbers) or regression: what answers, and so what has an effect."""
    if source.regression:
        return "regression"
    if source.kind == "values" or source.weights:
        return "members"
    return source.kind


def refuse_without_effect(kind: str, curves: "Curves") -> None:
    """Raise BenchkitError for an option that would do nothing for this kind of input."""
    given = typed(curves)
    for name, (why, hint) in IDLE[kind].items():
        if name in given:
            raise BenchkitError(f"{_option(name, given[name])} {why}", hint)
    if kind == "scores":
        for name, only in (("vary", "items"), ("target", "deployed")):
            if given.get(name, only) != only:
                raise BenchkitError(
                    f"{_option(name, given[name])} {_NO_VOTERS}", f"--{name} {only} is all there is: leave it out"
                )


def _option(name: str, value: object) -> str:
    """Return an option as it was typed, its value where there is a choice of few."""
    option = "--" + name.replace("_", "-")
    return f"{option} {value}" if name in ("resample", "variance", "vary", "target") else option


def refuse_table(name: str | None, curves: "Curves", regression: bool) -> None:
    """Raise BenchkitError for a table that `roc` does not make, or not without an option that is missing."""
    made = ("ensembles", "pairs") if regression else TABLES
    if name in (None, "notes", "provenance"):
        return
    if name not in made:
        what = "roc --regression" if regression and name in TABLES else "roc"
        choice = " | ".join((*made, "notes", "provenance"))
        raise BenchkitError(f"{what} makes no table '{name}' (it makes: {', '.join(made)})", f"--table {choice}")
    options, hint = MADE_BY.get(str(name), ((), ""))
    if options and not any(option in typed(curves) for option in options):
        raise BenchkitError(f"the table {name} needs --{' or --'.join(options)}", hint)
