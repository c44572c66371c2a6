"""What a run says at its end: the tables, notes about them, and a count of what failed."""

from collections.abc import Iterator

import polars as pl

from benchkit.cli.run_progress import grouped
from benchkit.core.names import plural, quoted
from benchkit.run import assembling
from benchkit.run.assembling import Outcomes
from benchkit.run.design import Design
from benchkit.run.execution import Tally
from benchkit.tables.result import Note, Result

ESTIMATES = "the table estimates holds the estimate of each algorithm (-f json, or -o FOLDER/)"


def result_of(design: Design, outcomes: Outcomes, tally: Tally, predictions: bool, votes: bool) -> Result:
    """Return the tables of a run that has ended."""
    tables = {"results": assembling.results(design, outcomes)}
    if design.plan.resampling.estimate != "oob":
        tables["estimates"] = assembling.estimates(design, outcomes)
    if predictions:
        tables["predictions"] = assembling.predictions(design, outcomes)
    if votes:
        tables["votes"] = assembling.votes(design, outcomes)
    notes = list(notes_of(design, tally, tables["results"]))
    if votes and not tables["votes"].height:
        notes.append(Note("no-votes", "no algorithm is a voting ensemble of scikit-learn, so there are no votes"))
    return Result("run", tables, notes)


def notes_of(design: Design, tally: Tally, results: pl.DataFrame) -> Iterator[Note]:
    """Yield what a reader of the results should know."""
    sizes = ", ".join(f"{counted(len(design.names(name)), 'replicate')} of {name}" for name in design.datasets)
    yield Note("ran", f"{counted(tally.done, 'fit')}: {counted(len(design.plan.algorithms), 'algorithm')} x {sizes}")
    if tally.failed:
        yield Note("failed-fits", f"{failures(tally)} (first: {first_failures(tally)[0]})", "warning")
    undefined = results.filter((pl.col("status") == "ok") & pl.col("performance").is_null())
    if undefined.height:
        reason = undefined["error"].drop_nulls()
        more = f": {reason[0]}" if len(reason) else ""
        yield Note(
            "undefined-metric", f"{counted(undefined.height, 'performance')} missing although the fit succeeded{more}", "warning"
        )
    if design.plan.resampling.estimate == ".632":
        yield Note("estimate-632", f"performance is .368 apparent + .632 out-of-bootstrap; {ESTIMATES}")
    if design.plan.resampling.estimate == ".632+":
        yield Note(
            "estimate-632",
            "performance is out-of-bootstrap; --table estimates shows the .632+ estimate of each algorithm",
        )
    ordered = all(one.time is not None for one in design.plan.datasets)
    if design.plan.resampling.method == "rolling-origin" and not ordered:
        yield Note("time-unknown", "without a column time the rows are taken in the order of the file", "warning")
    split = [one.name for one in design.datasets.values() if one.rows.groups is not None]
    if split and "group" not in design.plan.resampling.method:
        yield Note(
            "groups-split",
            f"{design.plan.resampling.method} may part the rows of a group of {split[0]}; group-kfold does not",
            "warning",
        )


def failures(tally: Tally) -> str:
    """Say how many fits failed, and of which algorithms."""
    counts = ", ".join(f"{quoted(name)} {number}" for name, number in sorted(tally.failures.items()))
    return f"{grouped(tally.failed)} of {counted(tally.done, 'fit')} failed: {counts}"


def first_failures(tally: Tally) -> list[str]:
    """Say of each algorithm that failed where it did first, and why; the first of the plan first."""
    order = sorted(tally.first_failures.items(), key=lambda item: item[1])
    return [f"{quoted(name)} on {failure}" for name, (_, failure) in order]


def counted(number: int, noun: str) -> str:
    """Return a number, its thousands apart, with its noun."""
    return f"{grouped(number)} {plural(number, noun)}"
