"""One run from its experiment file to its tables; loaded only when something is run, so it imports at its top."""

import os
import signal
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchkit.cli.emit import Outcome, complain, named_format, write
from benchkit.cli.messages import say, show_notes
from benchkit.cli.options import Chance, Output, find, is_terminal, standard_output
from benchkit.cli.run import Machines, Request
from benchkit.cli.run_progress import RunProgress, grouped
from benchkit.cli.run_report import counted, failures, first_failures, result_of
from benchkit.cli.run_stream import RowStream
from benchkit.errors import BenchkitError
from benchkit.formats import FORMATS
from benchkit.formats.data_file import read_data
from benchkit.formats.style import Style
from benchkit.formats.writing import check_target, deliver, to_folder, to_stdout
from benchkit.run.changes import changes, described, refuse
from benchkit.run.cluster import ClusterWorkers
from benchkit.run.design import Design
from benchkit.run.execution import Tally, Watcher, Workers, execute
from benchkit.run.experiment_file import read
from benchkit.run.journal import Journal, beside, opened
from benchkit.run.loading import load
from benchkit.run.local import LocalWorkers
from benchkit.run.metrics.known import task_of
from benchkit.run.pilot import pilot
from benchkit.run.plan import ExperimentPlan
from benchkit.run.worker import Work
from benchkit.tables.result import Note, Result

FAILURES = ("failed", "timeout", "out-of-memory")


@dataclass(frozen=True, eq=False)
class Session:
    """An experiment that is ready to run, with what was asked for."""

    request: Request
    output: Output
    plan: ExperimentPlan
    design: Design
    workers: Workers
    digests: dict[str, str]


def run_experiment(experiment: str, request: Request, machines: Machines, output: Output) -> None:
    """Run the experiment file, or its trial, and write the outcome."""
    check_places(request, output)
    for name in ("SIGTERM", "SIGHUP"):  # what schedulers and closed terminals send stops a run as Ctrl-C does
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
    with ExitStack() as stack:
        session = open_session(experiment, request, machines, output, stack)
        if request.dry_run:
            emit(pilot(session.design, session.workers, machines.jobs), session)
            return
        journal = open_journal(session, stack)
        finish(session, journal, carry_out(session, journal))


def check_places(request: Request, output: Output) -> None:
    """Raise BenchkitError for a place that could not be written in the end: hours later would be too late."""
    if request.fresh and (request.extend or request.retry_failed):
        raise BenchkitError("--fresh drops what --extend or --retry-failed would keep", "give one of them")
    if request.dry_run and output.output and os.path.isfile(output.output):
        raise BenchkitError(f"{output.output} exists, and a dry run overwrites nothing", "leave out -o, or name another file")
    for path in (output.output, request.predictions, request.votes):
        if path is not None:
            check_target(path)
            if path != output.output or not output.format:
                named_format(path)


def open_session(experiment: str, request: Request, machines: Machines, output: Output, stack: ExitStack) -> Session:
    """Read the experiment file and its data, and get the workers ready; they are closed with the stack."""
    plan = read(Path(experiment))
    keep_inputs(plan, request, output)
    datasets = [load(plan, one, task_of(plan.metrics), read_data) for one in plan.datasets]
    design = Design(plan, datasets)
    work = Work(plan, datasets, request.predictions is not None, request.votes is not None, machines.show_output)
    workers = stack.enter_context(closing(make_workers(work, design, machines)))
    digests = {experiment: sha256(plan.path.read_bytes()).hexdigest()} | {one.name: one.digest for one in datasets}
    return Session(request, output, plan, design, workers, digests)


def keep_inputs(plan: ExperimentPlan, request: Request, output: Output) -> None:
    """Raise BenchkitError if an output would overwrite something that the experiment reads, or another output."""
    folder, algorithms = plan.path.parent, plan.algorithms
    specs = [one.function for one in algorithms] + [one.function for one in plan.metrics]
    specs += [one.loader for one in plan.datasets] + [step.estimator for one in algorithms for step in one.steps]
    modules = [folder.joinpath(*spec.partition(":")[0].split(".")).with_suffix(".py") for spec in specs if spec]
    scripts = [path for one in algorithms for word in one.command if (path := folder / word).is_file()]
    taken = [plan.path, plan.resampling.samples, *(one.path for one in plan.datasets), *modules, *scripts]
    known = {path.resolve(): "is read by the experiment" for path in taken if path is not None}
    for option, name in (("-o", output.output), ("--predictions", request.predictions), ("--votes", request.votes)):
        if name is None or to_stdout(name) or to_folder(name):
            continue
        path = Path(name).resolve()
        if path in known:
            raise BenchkitError(f"{option} {name} {known[path]}", "name another file")
        known[path] = f"is written by {option}, too"


def make_workers(work: Work, design: Design, machines: Machines) -> Workers:
    """Return the processes of this machine, or those of a cluster."""
    if machines.cluster is None:
        return LocalWorkers(work, design, machines.jobs, machines.threads)
    return ClusterWorkers(work, design, machines.cluster, tell=lambda line: say("note: ", line))


def open_journal(session: Session, stack: ExitStack) -> Journal:
    """Return the journal beside the output, ready for this experiment; BenchkitError if it belongs to another."""
    request, plan = session.request, session.plan
    now = describe(session)
    journal = stack.enter_context(opened(beside(session.output.output, plan.path), request.fresh))
    before = journal.about("experiment")
    if before is not None:
        refuse(changes(before, now), journal.path, request.extend)
    journal.tell("experiment", now)
    if request.retry_failed:
        journal.forget(FAILURES)
    return journal


def describe(session: Session) -> dict[str, Any]:
    """Return all that the outcomes depend on, as it is now."""
    request, datasets = session.request, list(session.design.datasets.values())
    return described(session.plan, datasets, request.predictions is not None, request.votes is not None)


def carry_out(session: Session, journal: Journal) -> Tally:
    """Run what is missing, while showing how far it is and, into a pipe, the rows; return when all is done or stopped."""
    design, request = session.design, session.request
    watchers: list[Watcher] = [RowStream(design, journal)] if streams(session.output) else []
    with RunProgress(design, session.output.quiet) as progress:
        try:
            return execute(
                design,
                journal,
                session.workers,
                [*watchers, progress],
                stop=lambda tally: request.fail_fast and tally.failed > 0,
                remark=lambda doubt: say("note: ", doubt),
            )
        except KeyboardInterrupt:
            session.workers.close()
            kept, total = grouped(journal.count()), grouped(len(design.cells))
    say("", f"stopped cleanly with {kept} of {total} fits saved; the same command goes on from here")
    raise KeyboardInterrupt


def streams(output: Output) -> bool:
    """Say whether rows go to standard output as they come: CSV, and no terminal."""
    return to_stdout(output.output) and output.format in (None, "csv") and output.table is None and not is_terminal()


def finish(session: Session, journal: Journal, tally: Tally) -> None:
    """Write everything and end with status 1 if too much failed."""
    request, output = session.request, session.output
    if tally.done < tally.total:
        kept = f"{counted(tally.done, 'fit')} saved; the same command without --fail-fast goes on from here"
        complain([f"stopped at the first failure: {first_failures(tally)[0]}", kept])
    result = result_of(session.design, journal, tally, request.predictions is not None, request.votes is not None)
    result = replace(result, notes=[*result.notes, *edited(session, journal)])
    for name, path in (("predictions", request.predictions), ("votes", request.votes)):
        if path is not None:
            kind = named_format(path) or "csv"
            alone = Result("run", {name: result.tables[name]})
            deliver(alone, find(FORMATS, kind, "format").load(), kind, path, name, Style(), standard_output)
    too_many = tally.failed > request.max_failed
    unsaid = ("failed-fits",) if too_many else ()  # the complaint says it
    if not streams(output):
        emit(result, session, unsaid)
    elif not output.quiet:
        show_notes(result.notes, unsaid)
    if tally.old and not output.quiet:
        say("note: ", f"{grouped(tally.old)} of these fits were there from before")
    if too_many:
        complain([failures(tally), *first_failures(tally)])


def edited(session: Session, journal: Journal) -> list[Note]:
    """Return a note if code or scripts have changed since the run began: workers may have loaded either version."""
    now = describe(session)
    found = changes(journal.about("experiment"), now)
    if not found:
        return []
    return [Note("code-changed", f"while this ran: {found[0].what}; fits of both versions may stand there: --fresh", "warning")]


def emit(result: Result, session: Session, unsaid: Sequence[str] = ()) -> None:
    """Write a result with where it came from."""
    asked = {"experiment": session.plan.path.name, "chance": Chance(session.plan.seed)}
    write(Outcome(result, lambda: session.digests), session.output, asked, unsaid)
