"""`benchkit benchplot`: the pictures of a benchmark experiment."""

from dataclasses import replace
from typing import TYPE_CHECKING

from benchkit.cli.curve_pictures import READS, curve_panels
from benchkit.cli.emit import Outcome, write
from benchkit.cli.groups import typed
from benchkit.cli.options import Chance, Input, Level, Output, Testing, find, is_terminal
from benchkit.cli.picture import PICTURES, Picture, PictureOutput, draw
from benchkit.cli.rank import refuse_test_options
from benchkit.errors import BenchkitError
from benchkit.formats import FORMATS
from benchkit.plots import OF_CURVES, OF_PAIRS, PLOTS

# of each pair: enough to see the shape of a cloud
POSTERIOR_DRAWS = 1000

if TYPE_CHECKING:
    from benchkit.core.panels import Panel
    from benchkit.core.question import Question
    from benchkit.formats.source import Source
    from benchkit.tables.result import Result


def benchplot(source: Input, picture: Picture, testing: Testing, level: Level, chance: Chance, output: PictureOutput) -> None:
    """Draw the experiment: places, distributions or what a test found; -f csv prints the numbers drawn instead."""
    from benchkit.cli.messages import show_notes
    from benchkit.core.algorithms import algorithm_names

    entry = find(PLOTS, picture.kind, "kind of figure")
    question = testing.question(level.level)
    refuse_without_effect(picture, testing)
    kind = picture_format(output)
    read = source.read(kinds_of(picture.kind), "benchplot", testing.cluster)
    if picture.kind in OF_CURVES:
        panels, result, names = curve_panels(read, source, picture, level)
    else:
        if read.kind == "pairs":
            refuse_test_options(read.kind, source, testing, level)
        panels, result = panels_of(read, source, picture, question, chance, output)
        names = algorithm_names(read.everything)
    if kind not in PICTURES:
        arguments = {"source": source, "picture": picture, "testing": testing, "level": level, "chance": chance}
        write(Outcome(result, read.digests), output, arguments)
        return
    draw(entry, panels, picture, names, output, kind)
    if not output.quiet:
        # what intervals of curves are about stands in the caption
        show_notes(result.notes, hidden=("read", "inference-target") if picture.kind in OF_CURVES else ("read",))


def kinds_of(figure: str) -> tuple[str, ...]:
    """Return the tables that a kind of figure is drawn from."""
    if figure in OF_CURVES:
        return READS[figure]
    return ("results", "pairs") if figure in OF_PAIRS and figure != "simplex" else ("results",)


def refuse_without_effect(picture: Picture, testing: Testing) -> None:
    """Raise BenchkitError for an option that this kind of figure does not use."""
    idle = typed(testing) if picture.kind not in OF_PAIRS else {}
    if picture.ties != "random" and picture.kind not in ("podium", "lines"):
        idle = {"ties": picture.ties, **idle}
    if idle:
        name = next(iter(idle))
        raise BenchkitError(
            f"--{name} has no effect on a figure of kind {picture.kind}", f"leave out --{name}, or choose another --kind"
        )


def picture_format(output: Output) -> str:
    """Return the picture's format, or a table's: from -f, from the suffix, else SVG into a pipe."""
    from benchkit.formats.writing import format_for

    if output.format:
        if output.format not in PICTURES:
            find(FORMATS, output.format, "format")
        return output.format
    if output.output is None:
        if is_terminal():
            raise BenchkitError("a picture cannot be shown in a terminal", "add -o out.svg, or -f csv for the numbers")
        return "svg"
    suffix = output.output.rpartition(".")[2].lower()
    known = suffix if suffix in PICTURES else format_for(output.output)
    if known is None:
        raise BenchkitError(f"the name {output.output} says no format", "give a file name that ends in .svg, .png or .pdf")
    return known


def panels_of(
    read: "Source", source: Input, picture: Picture, question: "Question", chance: Chance, output: Output
) -> "tuple[list[Panel], Result]":
    """Ask core for what the figure draws; also as the tables that -f csv prints."""
    from benchkit.cli.progress import progress
    from benchkit.core.blocks import experiments
    from benchkit.core.compare import compare
    from benchkit.core.direction import parse_directions
    from benchkit.core.pair_panels import pair_panels
    from benchkit.core.panels import distribution_panels, drawn

    if read.kind == "pairs":
        panels = pair_panels(picture.kind, read.frame.collect())
        return panels, drawn(panels, read.notes)
    directions, cluster = parse_directions(source.better), question.options.get("cluster")
    reading = experiments(read.frame, read.kind, directions, source.duplicates, cluster)
    if picture.kind in OF_PAIRS:
        question = replace(question, draws=POSTERIOR_DRAWS if picture.kind == "simplex" else 0)
        result = compare(reading, question, chance.new_generator, progress(output.quiet))
        panels = pair_panels(picture.kind, result.tables["pairs"], result.tables.get("draws"))
        return panels, replace(drawn(panels, result.notes), headlines=result.headlines, answer=result.answer)
    panels = distribution_panels(picture.kind, reading, picture.ties, question.level, chance.new_generator)
    return panels, drawn(panels, reading.notes)
