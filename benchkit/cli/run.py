"""`benchkit run`: execute a benchmark experiment."""

import hashlib
import os
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchkit.cli.emit import Outcome as Emitted
from benchkit.cli.emit import complain, named_format, write
from benchkit.cli.options import Chance, Output, find, is_terminal, standard_output
from benchkit.errors import BenchkitError
from benchkit.formats import FORMATS

if TYPE_CHECKING:
    from benchkit.run.design import Design
    from benchkit.run.execution import Tally, Watcher, Workers
    from benchkit.run.journal import Journal
    from benchkit.run.plan import ExperimentPlan
    from benchkit.run.worker import Work
    from benchkit.tables.result import Result

TEMPLATE = "experiment.toml"


@dataclass(frozen=True)
class Request:
    """What is asked of a run beside the experiment file."""

    init: Annotated[bool, typer.Option("--init", help="Write a commented experiment.toml that runs as it is.")] = False
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the plan, timed by one fit of each algorithm.")] = False
    fresh: Annotated[bool, typer.Option("--fresh", help="Start anew, dropping what an earlier run left.")] = False
    extend: Annotated[
        bool, typer.Option("--extend", help="Keep what is there and add more replicates, algorithms or data sets.")
    ] = False
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Fit again what failed before.")] = False
    fail_fast: Annotated[bool, typer.Option("--fail-fast", help="Stop at the first fit that fails.")] = False
    max_failed: Annotated[int, typer.Option(min=0, metavar="N", help="End with status 1 if more fits failed.")] = 0
    predictions: Annotated[str | None, typer.Option(metavar="PATH", help="Write every prediction of the test rows.")] = None
    votes: Annotated[str | None, typer.Option(metavar="PATH", help="Write the votes of the members of ensembles.")] = None


@dataclass(frozen=True)
class Machines:
    """Where the fits run."""

    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, metavar="N", help="Worker processes on this machine.")] = 1
    threads: Annotated[int, typer.Option(min=1, metavar="N", help="BLAS and OpenMP threads in each of them.")] = 1
    cluster: Annotated[str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler, such as tcp://host:8786.")] = None
    show_output: Annotated[bool, typer.Option("--show-output", help="Let through, to standard error, what algorithms print.")] = (
        False
    )

    def __post_init__(self) -> None:
        """Refuse what belongs to this machine where another one fits."""
        idle = [name for name in ("jobs", "threads") if getattr(self, name) != 1]
        if self.cluster is not None and idle:
            raise BenchkitError(
                f"--{idle[0]} has no effect with --cluster", "dask worker --nworkers and --nthreads rule that there"
            )


@dataclass(frozen=True, eq=False)
class Opened:
    """An experiment that is ready to run."""

    plan: "ExperimentPlan"
    design: "Design"
    workers: "Workers"
    digests: dict[str, str] = field(default_factory=dict)


def run(
    request: Request,
    machines: Machines,
    output: Output,
    experiment: Annotated[
        str | None, typer.Argument(metavar="EXPERIMENT.TOML", help="The experiment file.", show_default=False)
    ] = None,
) -> None:
    """Execute the experiment file (and the code that it names): all algorithms on the same resamples."""
    if request.init:
        init(experiment or TEMPLATE)
        return
    from benchkit.run.extras import RUN, require

    require(RUN, "run")
    if experiment is None:
        raise BenchkitError("no experiment file was named", f"benchkit run --init writes one: {TEMPLATE}")
    check_places(request, output)
    with ExitStack() as stack:
        opened = open_experiment(experiment, request, machines, stack)
        if request.dry_run:
            from benchkit.run.pilot import pilot

            emit(pilot(opened.design, opened.workers, machines.jobs), opened, output)
            return
        journal = open_journal(opened, request, output, stack)
        finish(opened, request, output, journal, carry_out(opened, request, output, journal))


def init(path: str) -> None:
    """Write the commented example; BenchkitError if something is there."""
    from benchkit.cli.messages import say
    from benchkit.formats.writing import store
    from benchkit.run.template import text

    if os.path.lexists(path):
        raise BenchkitError(f"{path} exists", "name another file: benchkit run --init other.toml")
    store(path, text().encode(), standard_output)
    say("", f"wrote {path}; benchkit run {path} -o results.csv runs it")


def check_places(request: Request, output: Output) -> None:
    """Raise BenchkitError for a place that could not be written in the end: hours later would be too late."""
    from benchkit.formats.writing import check_target

    for path in (output.output, request.predictions, request.votes):
        if path is not None:
            check_target(path)
            if path != output.output or not output.format:
                named_format(path)


def open_experiment(experiment: str, request: Request, machines: Machines, stack: ExitStack) -> Opened:
    """Read the experiment file and its data, and get the workers ready."""
    from benchkit.formats.data_file import read_data
    from benchkit.run.design import Design
    from benchkit.run.experiment_file import read
    from benchkit.run.loading import load
    from benchkit.run.metrics.known import task_of
    from benchkit.run.worker import Work

    plan = read(Path(experiment))
    datasets = [load(plan, one, task_of(plan.metrics), read_data) for one in plan.datasets]
    design = Design(plan, datasets)
    work = Work(plan, datasets, request.predictions is not None, request.votes is not None, machines.show_output)
    workers = stack.enter_context(closing(make_workers(work, design, machines)))
    digests = {experiment: hashlib.sha256(plan.path.read_bytes()).hexdigest()} | {one.name: one.digest for one in datasets}
    return Opened(plan, design, workers, digests)


def make_workers(work: "Work", design: "Design", machines: Machines) -> "Workers":
    """Return the processes of this machine, or those of a cluster."""
    if machines.cluster is None:
        from benchkit.run.local import LocalWorkers

        return LocalWorkers(work, design, machines.jobs, machines.threads)
    from benchkit.cli.messages import say
    from benchkit.run.cluster import ClusterWorkers

    return ClusterWorkers(work, design, machines.cluster, tell=lambda line: say("note: ", line))


def open_journal(opened: Opened, request: Request, output: Output, stack: ExitStack) -> "Journal":
    """Return the journal beside the output, ready for this experiment; BenchkitError if it belongs to another."""
    from benchkit.run.changes import changes, described, refuse
    from benchkit.run.journal import beside
    from benchkit.run.journal import opened as opened_journal

    plan = opened.plan
    journal = stack.enter_context(opened_journal(beside(output.output, plan.path), request.fresh))
    now = described(plan, list(opened.design.datasets.values()), request.predictions is not None, request.votes is not None)
    before = journal.about("experiment")
    if before is not None:
        refuse(changes(before, now), journal.path, request.extend)
    journal.tell("experiment", now)
    if request.retry_failed:
        journal.forget(("failed", "timeout", "out-of-memory"))
    return journal


def carry_out(opened: Opened, request: Request, output: Output, journal: "Journal") -> "Tally":
    """Run what is missing, while showing how far it is and, into a pipe, the rows; returns when all is done or stopped."""
    from benchkit.cli.messages import say
    from benchkit.cli.run_progress import RunProgress, grouped
    from benchkit.cli.run_stream import RowStream
    from benchkit.run.execution import execute

    watchers: list[Watcher] = []
    if streams(output):
        watchers.append(RowStream(opened.design, journal))
    with RunProgress(opened.design, output.quiet) as progress:
        watchers.append(progress)
        try:
            return execute(
                opened.design,
                journal,
                opened.workers,
                watchers,
                stop=lambda tally: request.fail_fast and tally.failed > 0,
                remark=lambda doubt: say("note: ", doubt),
            )
        except KeyboardInterrupt:
            opened.workers.close()
            kept, total = grouped(journal.count()), grouped(len(opened.design.cells))
            message = f"stopped cleanly with {kept} of {total} fits saved; the same command goes on from here"
    say("", message)
    raise KeyboardInterrupt


def streams(output: Output) -> bool:
    """Say whether rows go to standard output as they come: CSV, and no terminal."""
    from benchkit.formats.writing import to_stdout

    return to_stdout(output.output) and output.format in (None, "csv") and output.table is None and not is_terminal()


def finish(opened: Opened, request: Request, output: Output, journal: "Journal", tally: "Tally") -> None:
    """Write everything and end with status 1 if too much failed."""
    from benchkit.cli.messages import say, show_notes
    from benchkit.cli.run_progress import grouped
    from benchkit.cli.run_report import failures, result_of
    from benchkit.formats.style import Style
    from benchkit.formats.writing import deliver

    if tally.done < tally.total:
        complain([f"stopped at the first failure: {tally.first_failure}"])
    result = result_of(opened.design, journal, tally, request.predictions is not None, request.votes is not None)
    for name, path in (("predictions", request.predictions), ("votes", request.votes)):
        if path is not None:
            kind = named_format(path) or "csv"
            deliver(result, find(FORMATS, kind, "format").load(), kind, path, name, Style(), standard_output)
    too_many = tally.failed > request.max_failed
    unsaid = ("failed-fits",) if too_many else ()  # the complaint says it
    if not streams(output):
        emit(result, opened, output, unsaid)
    elif not output.quiet:
        show_notes(result.notes, unsaid)
    if tally.old and not output.quiet:
        say("note: ", f"{grouped(tally.old)} of these fits were there from before")
    if too_many:
        complain([failures(tally)])


def emit(result: "Result", opened: Opened, output: Output, unsaid: Sequence[str] = ()) -> None:
    """Write a result with where it came from."""
    experiment = {"experiment": str(opened.plan.path.name), "chance": Chance(opened.plan.seed)}
    write(Emitted(result, lambda: opened.digests), output, experiment, unsaid)
