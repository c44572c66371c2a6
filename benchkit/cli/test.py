"""`benchkit test`: which algorithms differ, by how much, and how surely?"""

from dataclasses import dataclass, field, replace
from typing import Annotated, BinaryIO

import typer

from benchkit.cli.emit import Outcome
from benchkit.cli.groups import typed
from benchkit.cli.options import Chance, Input, Level, Output, Testing, WithinBlocks, standard_input
from benchkit.errors import BenchkitError


@dataclass(frozen=True)
class Gate:
    """The conditions under which a CI job fails."""

    fail_if: Annotated[
        list[str],
        typer.Option(
            metavar="CONDITION",
            help="End with status 1 if it holds: 'A [not] worse than B', * is any; repeatable; see the guide.",
        ),
    ] = field(default_factory=list)


@dataclass(frozen=True)
class Table:
    """Two algorithms known by a 2 x 2 table, without a file."""

    table_counts: Annotated[
        str | None,
        typer.Option(
            metavar="N,N,N,N",
            help="Items that both, only 1, only 2 and neither has right: McNemar's test of algorithms 1 and 2, without FILE.",
            show_default=False,
        ),
    ] = None

    def refuse_data(self, source: Input) -> None:
        """Raise BenchkitError where there are data, too: files, how to read them, or something on standard input."""
        for name in typed(source):
            what = "a FILE" if name == "files" else f"--{name}"
            raise BenchkitError(f"--table-counts and {what} exclude each other", "leave out one of them")
        if has_data(standard_input()):
            raise BenchkitError(
                "--table-counts and data on standard input exclude each other",
                "leave out one of them; in a loop, add < /dev/null",
            )


@dataclass(frozen=True)
class Wording:
    """What is said in sentences."""

    report: Annotated[bool, typer.Option("--report", help="Say what was found in three sentences, instead of the table.")] = False
    explain: Annotated[
        bool, typer.Option("--explain", help="Say which method was chosen, and why, and what the columns mean.")
    ] = False


def has_data(stream: BinaryIO | None) -> bool:
    """Say whether something can be read from the stream now, without waiting for it."""
    from select import select

    if stream is None:
        return False
    try:
        ready = bool(select([stream], [], [], 0)[0])
    except (OSError, ValueError):  # no file of the system's: never waits
        ready = True
    return ready and stream.read(1) != b""


def compare_algorithms(
    source: Input,
    testing: Testing,
    table: Table,
    within: WithinBlocks,
    gate: Gate,
    wording: Wording,
    level: Level,
    chance: Chance,
    output: Output,
) -> Outcome:
    """Compare algorithms: all pairs (or each with a baseline), with simultaneous intervals and verdicts."""
    from benchkit.cli.progress import progress
    from benchkit.core.blocks import experiments
    from benchkit.core.compare import compare
    from benchkit.core.direction import parse_directions
    from benchkit.core.gate import hits, parse

    conditions = [parse(text) for text in gate.fail_if]
    question = testing.question(level.level, within)
    if table.table_counts is not None:
        from benchkit.core.counts import compare_table, parse_counts, question_of_counts

        counts, question = parse_counts(table.table_counts), question_of_counts(question)
        table.refuse_data(source)
        result = compare_table(counts, question)
        return Outcome(result, dict, lambda: hits(result, conditions), wording.report, wording.explain)
    read = source.read(("results",), "test", testing.cluster)
    directions = parse_directions(source.better)
    reading = experiments(read.frame, read.kind, directions, source.duplicates, testing.cluster, testing.unpaired)
    result = compare(reading, question, chance.new_generator, progress(output.quiet))
    result = replace(result, notes=[*read.notes, *result.notes])
    return Outcome(result, read.digests, lambda: hits(result, conditions), wording.report, wording.explain)
