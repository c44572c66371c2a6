"""One drawing on the page: its axes inside the margins that their labels need."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import XAxis
from matplotlib.figure import SubFigure
from matplotlib.legend import Legend
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator

from benchkit.plots.look import Drawing
from benchkit.plots.palette import INK, QUIET
from benchkit.plots.series import Floats
from benchkit.plots.text import inches, wrapped

GAP = 0.16
PANEL_TITLE, NOTE = 9.5, 7.5


@dataclass
class Panel:
    """A drawing and the inches around its axes: margins by column and by row of axes, and its heading (title and note)."""

    area: SubFigure
    drawing: Drawing
    title: str
    note: str
    left: Floats
    right: Floats
    top: Floats
    bottom: Floats
    heading: Text | None = None
    remark: Text | None = None
    heading_height: float = 0.0

    @property
    def beside(self) -> float:
        """The width that is not for axes."""
        return float(self.left.sum() + self.right.sum()) + GAP * (len(self.left) - 1)

    @property
    def above_and_below(self) -> float:
        """The height that is not for axes."""
        return float(self.top.sum() + self.bottom.sum()) + self.heading_height + GAP / 2 * (len(self.top) - 1)


@dataclass(frozen=True)
class Grid:
    """How a drawing has laid out its axes: the share of the height of each row, and the spot of each axes."""

    columns: int
    shares: Floats
    spots: tuple[tuple[Axes, int, int], ...]


def panel(area: SubFigure, drawing: Drawing, title: str, note: str) -> Panel:
    """Return a panel that has not been measured."""
    grid = grid_of(area)
    columns, rows = np.zeros(grid.columns), np.zeros(len(grid.shares))
    return Panel(area, drawing, title, note, columns, columns.copy(), rows, rows.copy())


def grid_of(area: SubFigure) -> Grid:
    """Return the grid that `area.subplots` has made."""
    spots = [(axes, axes.get_subplotspec()) for axes in area.axes]
    grid = area.axes[0].get_gridspec()
    if grid is None:
        raise TypeError("a drawing makes its axes with subplots")
    shares = np.array(grid.get_height_ratios() or [1.0] * grid.nrows, dtype=float)
    placed = tuple((axes, spot.colspan.start, spot.rowspan.start) for axes, spot in spots if spot is not None)
    return Grid(grid.ncols, shares / shares.sum(), placed)


def set_headings(panels: Sequence[Panel], width: float) -> None:
    """Write the heading of each panel in lines of at most `width` inches; all take the height of the tallest."""
    for each in panels:
        _set_heading(each, width)
    tallest = max(each.heading_height for each in panels)
    for each in panels:
        each.heading_height = tallest


def _set_heading(each: Panel, width: float) -> None:
    """Write the title of the panel and its note below."""
    each.heading_height = 0.0
    if each.title:
        each.heading = each.heading or each.area.text(0, 1, "", fontsize=PANEL_TITLE, fontweight="bold", color=INK, va="top")
        each.heading.set_text(wrapped(each.title, width, PANEL_TITLE, "bold"))
        each.heading_height += extent(each.heading)[1] + GAP / 2
    if each.note:
        each.remark = each.remark or each.area.text(0, 1, "", fontsize=NOTE, color=QUIET, va="top")
        each.remark.set_text(wrapped(each.note, width, NOTE))
        each.heading_height += extent(each.remark)[1] + GAP / 2


def align(panels: Sequence[Panel]) -> None:
    """Give panels that lay out their axes alike the largest of their margins, so that their axes are of one size."""
    for each in panels:
        alike = [other for other in panels if (len(other.left), len(other.top)) == (len(each.left), len(each.top))]
        for margins in ("left", "right", "top", "bottom"):
            setattr(each, margins, np.max([getattr(other, margins) for other in alike], axis=0))


def place(each: Panel, left: float, bottom: float, width: float, height: float) -> None:
    """Put the panel into a box, in inches, and its axes inside their margins."""
    page = each.area.get_figure(root=True).get_size_inches()
    each.area.bbox_relative.set_points(np.array([[left, bottom], [left + width, bottom + height]]) / page)
    grid = grid_of(each.area)
    w = (width - each.beside) / grid.columns
    h = (height - each.above_and_below) * grid.shares
    for axes, column, row in grid.spots:
        x = each.left[: column + 1].sum() + each.right[:column].sum() + column * (w + GAP)
        above = each.heading_height + each.top[: row + 1].sum() + each.bottom[:row].sum() + row * GAP / 2
        y = height - above - h[: row + 1].sum()
        axes.set_position((x / width, y / height, w / width, h[row] / height))
    if each.remark:
        each.remark.set_y(1 - (extent(each.heading)[1] + GAP / 2 if each.heading else 0.0) / height)


def widen(each: Panel) -> bool:
    """Widen the margins to what the labels need now; tell whether any grew."""
    dpi = each.area.get_figure(root=True).dpi
    grew = False
    for axes, column, row in grid_of(each.area).spots:
        _wrap_labels(axes, dpi)
        _thin(axes.xaxis)
        outer, inner = axes.get_tightbbox(), axes.bbox
        if outer is None:
            continue
        for margins, position, pixels in (
            (each.left, column, inner.x0 - outer.x0),
            (each.right, column, outer.x1 - inner.x1),
            (each.top, row, outer.y1 - inner.y1),
            (each.bottom, row, inner.y0 - outer.y0),
        ):
            need = float(pixels) / dpi
            if need > margins[position] + 0.004:
                margins[position] = need
                grew = True
    return grew


def _wrap_labels(axes: Axes, dpi: float) -> None:
    """Break the labels of both axes into lines no longer than the axes, first before a parenthesis."""
    for label, pixels in ((axes.xaxis.label, axes.bbox.width), (axes.yaxis.label, axes.bbox.height)):
        text, room, size = label.get_text().replace("\n", " "), float(pixels) / dpi, float(label.get_fontsize())
        if text:
            label.set_text(wrapped(text if inches(text, size) <= room else text.replace(" (", "\n("), room, size))


def _thin(axis: XAxis) -> None:
    """Ask for fewer round ticks while the labels of neighbours touch."""
    locator = axis.get_major_locator()
    if not isinstance(locator, MaxNLocator):
        return
    for bins in (6, 5, 4, 3, 2):
        boxes = [text.get_window_extent() for text in axis.get_ticklabels() if text.get_text()]
        if all(before.x1 + 10 < after.x0 for before, after in pairwise(boxes)):
            return
        locator.set_params(nbins=bins)


def extent(artist: Text | Legend | None) -> tuple[float, float]:
    """Return width and height in inches."""
    page = artist.get_figure(root=True) if artist else None
    if artist is None or page is None:
        return 0.0, 0.0
    box = artist.get_window_extent()
    return float(box.width) / page.dpi, float(box.height) / page.dpi
