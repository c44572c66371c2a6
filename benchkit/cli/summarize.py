"""`benchkit summarize`: how did each algorithm perform?"""

from typing import Annotated, Literal

import typer

from benchkit.cli.emit import Outcome
from benchkit.cli.options import Chance, Input, Level, Output


def summarize(
    source: Input,
    level: Level,
    chance: Chance,
    output: Output,  # noqa: ARG001 - the output options are shown with this command
    interval: Annotated[Literal["t", "bootstrap"], typer.Option(help="Interval of the mean: t, or bootstrap (BCa).")] = "t",
    add: Annotated[str, typer.Option(metavar="COLUMN,...", help="Further columns with intervals: iqm, optimality_gap.")] = "",
    target: Annotated[
        list[str] | None,
        typer.Option(metavar="[METRIC=]T", help="The performance to reach, for optimality_gap.", show_default=False),
    ] = None,
    pooled: Annotated[bool, typer.Option("--pooled", help="Those columns over the values of all data sets together.")] = False,
) -> Outcome:
    """Describe each algorithm: mean, spread, quartiles, mean rank and wins."""
    from benchkit.core.aggregates import parse_wish
    from benchkit.core.blocks import experiments
    from benchkit.core.direction import parse_directions
    from benchkit.core.summarize import summarize as answer

    wish = parse_wish(add, target or [], pooled)
    read = source.read(("results",), "summarize")
    reading = experiments(read.frame, read.kind, parse_directions(source.better), source.duplicates)
    return Outcome(answer(reading, level.level, interval, chance.new_generator, wish), read.digests)
