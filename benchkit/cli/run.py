"""`benchkit run`: execute a benchmark experiment."""

from dataclasses import dataclass
from typing import Annotated

import typer

from benchkit.cli.options import Output, standard_output
from benchkit.errors import BenchkitError

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
    from benchkit.cli.run_session import run_experiment

    run_experiment(experiment, request, machines, output)


def init(path: str) -> None:
    """Write the commented example; BenchkitError if something is there."""
    import os

    from benchkit.cli.messages import say
    from benchkit.formats.writing import store
    from benchkit.run.template import text

    if os.path.lexists(path):
        raise BenchkitError(f"{path} exists", "name another file: benchkit run --init other.toml")
    store(path, text().encode(), standard_output)
    say("", f"wrote {path}; benchkit run {path} -o results.csv runs it")
