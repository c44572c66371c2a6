"""`benchkit test`: which algorithms differ, by how much, and how surely?"""

from dataclasses import dataclass, field, replace
from typing import Annotated

import typer

from benchkit.cli.emit import Outcome
from benchkit.cli.options import Chance, Input, Level, Output, RankTies, Testing


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


def compare_algorithms(
    source: Input, testing: Testing, ranked: RankTies, gate: Gate, level: Level, chance: Chance, output: Output
) -> Outcome:
    """Compare algorithms: all pairs (or each with a baseline), with simultaneous intervals and verdicts."""
    from benchkit.cli.progress import progress
    from benchkit.core.blocks import experiments
    from benchkit.core.compare import compare
    from benchkit.core.direction import parse_directions
    from benchkit.core.gate import hits, parse

    conditions = [parse(text) for text in gate.fail_if]
    question = testing.question(level.level, ranked.ties)
    read = source.read(("results",), "test")
    reading = experiments(read.frame, read.kind, parse_directions(source.better), source.duplicates)
    result = compare(reading, question, chance.new_generator, progress(output.quiet))
    result = replace(result, notes=[*read.notes, *result.notes])
    return Outcome(result, read.digests, lambda: hits(result, conditions))
