"""Pictures of ROC curves: `benchplot --kind roc, shares, enough` and `roc --plot`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from benchkit.cli.groups import typed
from benchkit.cli.options import Input, Level, find, standard_output
from benchkit.cli.picture import PICTURES, Picture, rendered
from benchkit.errors import BenchkitError
from benchkit.plots import PLOTS

if TYPE_CHECKING:
    import polars as pl

    from benchkit.core.panels import Panel
    from benchkit.formats.source import Source
    from benchkit.tables.result import Result

# tables of `benchkit roc` that each kind can be drawn from; a result document has all of them
READS = {"roc": ("ensembles", "points"), "shares": ("ensembles", "points"), "enough": ("ensembles",)}


def curve_panels(read: "Source", source: Input, picture: Picture, level: Level) -> "tuple[list[Panel], Result, list[str]]":
    """Return the panels of a figure of curves, their tables for -f csv, and all ensembles, which rule the colours."""
    from benchkit.core.panels import drawn
    from benchkit.core.roc.panels import ensemble_names, roc_panels

    given = {**typed(level), **({"better": source.better} if source.better else {})}
    if given:
        name = next(iter(given))
        raise BenchkitError(f"--{name} has no effect on a figure of kind {picture.kind}", f"give --{name} to benchkit roc")
    tables = {name: frame.collect() for name, frame in read.frames.items()}
    panels = roc_panels(picture.kind, tables)
    return panels, drawn(panels, read.notes), ensemble_names({"everything": read.everything.collect()})


def picture_suffix(path: str) -> str:
    """Return svg, png or pdf, as the name of the file ends; BenchkitError for another name. Cheap: call it before the work."""
    suffix = path.rpartition(".")[2].lower()
    if suffix not in PICTURES:
        raise BenchkitError(f"--plot cannot write {path}", "give a file name that ends in .svg, .png or .pdf")
    return suffix


def plot_curves(tables: "Mapping[str, pl.DataFrame]", path: str, ascii_only: bool, kind: str = "roc") -> None:
    """Draw the tables of `roc` (ensembles, points, marks, pairs) into the file at `path`, whose suffix names the format."""
    from benchkit.core.roc.panels import ensemble_names, roc_panels
    from benchkit.formats.writing import store

    picture = Picture(kind)
    panels = roc_panels(kind, tables)
    entry = find(PLOTS, kind, "kind of figure")
    store(path, rendered(entry, panels, picture, ensemble_names(tables), ascii_only, picture_suffix(path)), standard_output)
