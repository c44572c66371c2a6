"""What a run says at its end: the tables, notes about them, and a count of what failed."""

from collections.abc import Iterator

import polars as pl

from benchkit.cli.run_progress import grouped
from benchkit.run import assembling
from benchkit.run.assembling import Outcomes
from benchkit.run.design import Design
from benchkit.run.execution import Tally
from benchkit.tables.result import Note, Result


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
    sizes = ", ".join(f"{len(design.names(name))} replicates of {name}" for name in design.datasets)
    yield Note("ran", f"{grouped(tally.done)} fits: {len(design.plan.algorithms)} algorithms x {sizes}")
    if tally.failed:
        yield Note("failed-fits", failures(tally), "warning")
    undefined = results.filter((pl.col("status") == "ok") & pl.col("performance").is_null())
    if undefined.height:
        reason = undefined["error"].drop_nulls()
        more = f": {reason[0]}" if len(reason) else ""
        yield Note("undefined-metric", f"{undefined.height} performances are missing although the fit succeeded{more}", "warning")
    if design.plan.resampling.estimate == ".632":
        yield Note("estimate-632", "performance is .368 apparent + .632 out-of-bootstrap; --table estimates shows both")
    if design.plan.resampling.estimate == ".632+":
        yield Note(
            "estimate-632",
            "performance is out-of-bootstrap; --table estimates shows the .632+ estimate of each algorithm",
        )
    split = [one.name for one in design.datasets.values() if one.rows.groups is not None]
    if split and "group" not in design.plan.resampling.method:
        yield Note(
            "groups-split",
            f"{design.plan.resampling.method} may part the rows of a group of {split[0]}; group-kfold does not",
            "warning",
        )


def failures(tally: Tally) -> str:
    """Say how many fits failed, of which algorithms, and why the first did."""
    counts = ", ".join(f"{name} {number}" for name, number in sorted(tally.failures.items()))
    return f"{grouped(tally.failed)} of {grouped(tally.done)} fits failed: {counts} (first: {tally.first_failure})"
