"""The options of a figure, and the figures that follow from them."""

import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from benchkit.cli.options import Output, names, standard_output
from benchkit.errors import BenchkitError
from benchkit.plots import PLOTS
from benchkit.registry import Entry

if TYPE_CHECKING:
    from benchkit.core.panels import Panel
    from benchkit.plots.look import Look

PICTURES = ("svg", "png", "pdf")


@dataclass(frozen=True)
class Picture:
    """What is drawn and how."""

    kind: Annotated[str, typer.Option("--kind", "-k", metavar="NAME", help=f"{names(PLOTS)}.")] = "podium"
    by: Annotated[
        Literal["panel", "file"], typer.Option(help="Several metrics or data sets: panels of one figure, or a file each.")
    ] = "panel"
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Title of the figure.")] = None
    size: Annotated[str | None, typer.Option(metavar="WxH", help="Size in inches, such as 8x5.")] = None
    scale: Annotated[
        Literal["linear", "log"] | None,
        typer.Option(
            help="Scale of performance, effects or false positive rates; default linear, log of ratios, of roc log with a linear "
            "inset."
        ),
    ] = None
    order: Annotated[str, typer.Option(metavar="NAME,...", help="Order of the algorithms; default: best first.")] = ""
    highlight: Annotated[str, typer.Option(metavar="NAME,...", help="Draw these strongly and the others faintly.")] = ""
    ties: Annotated[
        Literal["random", "share"], typer.Option(help="Break ties within a replicate at random, or share the places.")
    ] = "random"

    @property
    def inches(self) -> tuple[float, float] | None:
        """The size, or None if none was asked for."""
        if self.size is None:
            return None
        try:
            width, height = (float(part) for part in self.size.lower().replace("\u00d7", "x").split("x"))
        except ValueError:
            raise BenchkitError(
                f"--size does not understand '{self.size}'", "write WIDTHxHEIGHT in inches, such as 8x5"
            ) from None
        if not (1 <= width <= 100 and 1 <= height <= 100):
            raise BenchkitError(f"--size cannot be {self.size}", "width and height lie between 1 and 100 inches")
        return width, height

    def chosen(self, option: str, all_names: Sequence[str]) -> tuple[str, ...]:
        """Return the names given to --order or --highlight; raise BenchkitError for one that does not exist."""
        given = tuple(name.strip() for name in getattr(self, option).split(",") if name.strip())
        for name in given:
            if name not in all_names:
                raise BenchkitError(f"--{option} names '{name}', which is no algorithm", "algorithms: " + ", ".join(all_names))
        return given


@dataclass(frozen=True)
class PictureOutput(Output):
    """Where the figure goes, and in which format."""

    format: Annotated[
        str | None,
        typer.Option("--format", "-f", metavar="FORMAT", help="svg, png, pdf; or csv, json ... for the numbers drawn."),
    ] = None
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="PATH", help="A file whose suffix names the format; default: SVG into a pipe."),
    ] = None


def look(picture: Picture, panel: "Panel", all_names: Sequence[str], ascii_only: bool) -> "Look":
    """Return how one panel looks."""
    from benchkit.plots.look import Look

    return Look(
        picture.title,
        picture.inches,
        picture.scale or _usual_scale(picture.kind, panel),
        picture.chosen("order", all_names),
        picture.chosen("highlight", all_names),
        tuple(all_names),
        panel.caption,
        panel.unit,
        panel.better,
        ascii_only,
    )


def _usual_scale(kind: str, panel: "Panel") -> Literal["linear", "log"]:
    """Return the scale of a figure for which none was asked."""
    if kind == "effects":
        from benchkit.plots.effects import usual_scale

        return usual_scale(panel.tables)
    return "log" if kind == "roc" else "linear"


def draw(entry: Entry, panels: "Sequence[Panel]", picture: Picture, all_names: Sequence[str], output: Output, kind: str) -> None:
    """Draw one figure of all panels, or one for each (--by file), and write it."""
    from benchkit.formats.writing import store

    several = picture.by == "file" and len(panels) > 1
    if several and output.output is None:
        raise BenchkitError("--by file makes several files", "add -o out.svg; the names become out-METRIC-DATASET.svg")
    groups = [[panel] for panel in panels] if several else [panels]
    targets = [own_name(str(output.output), group[0]) if several else output.output for group in groups]
    if len(set(targets)) < len(targets):
        raise BenchkitError("two figures would have the same file name", "choose with --where, or --by panel")
    pictures = [rendered(entry, group, picture, all_names, output.ascii, kind) for group in groups]
    for target, picture_bytes in zip(targets, pictures, strict=True):
        store(target, picture_bytes, standard_output)


def rendered(
    entry: Entry, panels: "Sequence[Panel]", picture: Picture, all_names: Sequence[str], ascii_only: bool, kind: str
) -> bytes:
    """Return the bytes of one figure."""
    figure, save = drawing_functions()
    drawing = figure(entry, [(panel.title, panel.tables, look(picture, panel, all_names, ascii_only)) for panel in panels])
    stream = BytesIO()
    save(drawing, stream, kind)
    return stream.getvalue()


def drawing_functions() -> tuple[Callable[..., Any], Callable[..., None]]:
    """Import what draws; a setting of the machine that stops matplotlib is named."""
    os.environ["MPLBACKEND"] = "agg"
    logging.getLogger("matplotlib").setLevel(logging.CRITICAL)  # what it says of its caches helps nobody here
    try:
        from benchkit.plots.figure import figure, save
    except (ValueError, OSError) as fault:
        message = f"matplotlib does not start: {str(fault).splitlines()[0]}"
        raise BenchkitError(message, "look at the file matplotlibrc here or in the home folder") from fault
    return figure, save


def own_name(target: str, panel: "Panel") -> str:
    """Return out-METRIC-DATASET.svg for out.svg; what a file name cannot hold becomes an underscore."""
    folder, slash, name = target.rpartition("/")
    stem, dot, suffix = name.rpartition(".") if "." in name else (name, "", "")
    parts = [part for part in (panel.metric, panel.dataset) if part]
    clean = ["".join("_" if mark in '/\\:*?"<>|' or not mark.isprintable() else mark for mark in part) for part in parts]
    return folder + slash + "-".join([part for part in (stem, *clean) if part]) + dot + suffix
