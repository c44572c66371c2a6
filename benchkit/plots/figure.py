"""One figure of one or many panels, and its bytes."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import inf
from typing import Any, BinaryIO, Literal

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from benchkit.errors import BenchkitError
from benchkit.plots.layout import Page, arrange, finished
from benchkit.plots.look import Draw, Drawing, Key, Look
from benchkit.plots.palette import FAINT, INK, QUIET
from benchkit.plots.panel import panel
from benchkit.plots.shrinking import least_scale
from benchkit.plots.text import OWN_FONT, families, lacks_glyphs, no_glyph_warnings
from benchkit.registry import Entry

Format = Literal["svg", "png", "pdf"]
Size = tuple[float, float]
Panels = Sequence[tuple[str, Mapping[str, pl.DataFrame], Look]]

RC: Any = {
    "text.parse_math": False,
    # unhinted text is as wide in the measurement as in the output, whatever the resolution
    "text.hinting": "none",
    "svg.hashsalt": "benchkit",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "font.size": 9.0,
    "axes.labelsize": 9.0,
    "axes.labelcolor": INK,
    "axes.edgecolor": QUIET,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
}

# no dates, no versions: the same figure gives the same bytes
METADATA: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}

MOST_PIXELS = 40e6
DPI = 200.0

# of the scale at which the page that has grown would be as small as asked; margins do not shrink quite alike
NEARLY = 0.95

# panels are drawn smaller where there are several
SHRINK = {1: 1.0, 2: 0.85, 3: 0.75, 4: 0.75}
SHRINK_MANY = 0.6

# about the inches that labels, titles and captions of a panel take
BESIDE, ABOVE_AND_BELOW = 1.0, 1.4


@contextmanager
def _settings() -> Iterator[None]:
    """Set our look and nothing of the machine's matplotlibrc, and put everything back afterwards."""
    with mpl.rc_context(), no_glyph_warnings():
        mpl.rcdefaults()
        mpl.rcParams.update(RC)
        mpl.rcParams["font.family"] = [*families(), "sans-serif"]  # the last for readers of SVG without our font
        mpl.rcParams["font.sans-serif"] = [OWN_FONT]
        yield


def figure(kind: Entry, panels: Panels) -> Figure:
    """Draw each (panel title, tables of one metric and data set, look) with the entry's draw function.

    The title and the size are those of the first look. Where the size cannot hold the text, text and marks become smaller
    (text no smaller than 5 points); where even that is not enough the page grows, and the caption says so. One panel shows
    its panel title only when there is no title. A caption that all panels share stands once, others under the titles of
    their panels; the legend stands once. Raises BenchkitError when there is nothing to draw.
    """
    if not panels:
        raise BenchkitError("there is nothing to draw", "look at the data with benchkit summarize")
    draw: Draw = kind.load()
    asked = panels[0][2].size
    with _settings():
        page = _page(draw, panels, asked)
        least = least_scale(page.figure)
        while page.size and page.has_grown and page.scale > least:
            fitting = page.scale * NEARLY * float(np.min(page.size / page.figure.get_size_inches()))
            page = _page(draw, panels, asked, max(least, fitting), may_grow=fitting <= least)
        return finished(page)


def _page(draw: Draw, panels: Panels, asked: Size | None, scale: float = 1.0, may_grow: bool = False) -> Page:
    """Draw the panels on a page of the size asked for, with text and marks of `scale` times their usual size."""
    columns = _columns(len(panels))
    rows = -(-len(panels) // columns)
    shrink = SHRINK.get(len(panels), SHRINK_MANY)
    size = (asked[0] / scale, asked[1] / scale) if asked else None
    room = (size[0] / columns - BESIDE, size[1] / rows - ABOVE_AND_BELOW) if size else (inf, inf)
    canvas = Figure(figsize=(8.0, 6.0), dpi=100)
    FigureCanvasAgg(canvas)
    areas = canvas.subfigures(rows, columns, squeeze=False).ravel()
    drawings = [
        draw(area, tables, replace(look, shrink=shrink, room=room))
        for area, (_, tables, look) in zip(areas, panels, strict=False)
    ]
    said = [_words(look.caption, *drawing.remarks) for (_, _, look), drawing in zip(panels, drawings, strict=True)]
    alike = len(set(said)) == 1
    parts = [
        panel(area, drawing, title if len(panels) > 1 else "", "" if alike else words)
        for area, drawing, (title, _, _), words in zip(areas, drawings, panels, said, strict=False)
    ]
    first = panels[0][2]
    title = first.title or (panels[0][0] if len(panels) == 1 else "")
    marks = dict.fromkeys(mark for drawing in drawings for mark in drawing.marks)
    caption = _words(said[0] if alike else "", *marks)
    if lacks_glyphs(_names(panels)):
        caption = f"{caption} (some names need a font that this machine lacks)".lstrip()
    page = Page(canvas, parts, columns, title, caption, _keys(drawings, first), size, scale, may_grow)
    arrange(page)
    return page


def _names(panels: Panels) -> Iterator[str]:
    """Yield the names that are drawn: titles, and metrics and algorithms of all tables."""
    for title, tables, look in panels:
        yield from (title, look.title or "")
        for table in tables.values():
            for column in {"metric", "algorithm", "ensemble", "a", "b"} & set(table.columns):
                yield from table[column].drop_nulls().unique().to_list()


def save(page: Figure, stream: BinaryIO, file_format: Format) -> None:
    """Write the figure to a binary stream: the same figure, the same bytes. Text stays text in SVG and PDF."""
    width, height = page.get_size_inches()
    dpi = min(DPI, float(np.sqrt(MOST_PIXELS / (width * height))))
    with _settings():
        page.savefig(stream, format=file_format, dpi=dpi, metadata=METADATA[file_format])


def _columns(count: int) -> int:
    """Return how many panels stand side by side: up to four, a little fewer than a square would have."""
    return min(4, int(np.ceil(np.sqrt(count))))


def _words(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _keys(drawings: Sequence[Drawing], look: Look) -> list[Key]:
    """Return the keys of all legends, each once: in their common order, else in natural order of names."""
    orders = {tuple(key.label for key in drawing.legend) for drawing in drawings}
    keys = {key.label: key for drawing in drawings for key in drawing.legend}
    if len(orders) == 1 or not set(keys) <= set(look.names):
        return list(keys.values())
    return sorted(keys.values(), key=lambda key: look.names.index(key.label))
