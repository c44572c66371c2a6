"""The page: measured text first, then the axes, so that nothing is clipped and the canvas grows where it must."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text

from benchkit.plots.look import Key
from benchkit.plots.palette import INK, QUIET
from benchkit.plots.panel import GAP, Panel, extent, place, set_heading, widen
from benchkit.plots.text import inches, visible, wrapped

EDGE = 0.12
TITLE, CAPTION, LEGEND = 11.0, 7.5, 8.5
NARROWEST = 3.0
ROUNDS = 5


@dataclass(frozen=True)
class Page:
    """All that stands on the page, and its size in inches if one was asked for."""

    figure: Figure
    panels: Sequence[Panel]
    columns: int
    title: str
    caption: str
    keys: Sequence[Key]
    size: tuple[float, float] | None

    @property
    def counts(self) -> tuple[int, int]:
        """How many panels stand side by side and how many above one another."""
        return self.columns, -(-len(self.panels) // self.columns)


def arrange(page: Page) -> None:
    """Find the size of the page and put everything in its place.

    Ticks depend on the size of the axes and margins on the ticks, so the page is set until no margin grows.
    """
    legend = _legend(page) if page.keys else None
    title = page.figure.text(0, 0, "", fontsize=TITLE, fontweight="bold", color=INK, va="top", ha="left")
    caption = page.figure.text(0, 0, "", fontsize=CAPTION, color=QUIET, va="bottom", ha="left")
    for _ in range(ROUNDS):
        _set_page(page, title, caption, legend)
        if not sum(widen(each) for each in page.panels):
            break


def _set_page(page: Page, title: Text, caption: Text, legend: Legend | None) -> None:
    """Lay out the page with the margins known now: title, panels with the legend on their right, caption."""
    columns, rows = page.counts
    legend_width, legend_height = extent(legend)
    right = legend_width + GAP if legend else 0.0
    cell = _cell(page, 0, right + 2 * EDGE)
    words = max(_longest_word(page.title, TITLE, "bold"), _longest_word(page.caption, CAPTION))
    width = max(cell * columns + right + 2 * EDGE, words + 2 * EDGE, NARROWEST)
    title.set_text(wrapped(page.title, width - 2 * EDGE, TITLE, "bold") if page.title else "")
    caption.set_text(wrapped(page.caption, width - 2 * EDGE, CAPTION) if page.caption else "")
    for each in page.panels:
        set_heading(each, cell - GAP)
    above, below = (extent(text)[1] + GAP if text.get_text() else 0.0 for text in (title, caption))
    beyond = above + below + 2 * EDGE
    tall = _cell(page, 1, beyond)
    height = max(tall * rows, legend_height) + beyond
    page.figure.set_size_inches(width, height)
    title.set_position((EDGE / width, 1 - EDGE / height))
    caption.set_position((EDGE / width, EDGE / height))
    if legend:
        legend.set_bbox_to_anchor((1 - (EDGE + legend_width) / width, 1 - (EDGE + above) / height), page.figure.transFigure)
    across = (width - right - 2 * EDGE) / columns
    for position, each in enumerate(page.panels):
        row, column = divmod(position, columns)
        bottom = height - EDGE - above - (row + 1) * tall + _gap(rows)
        place(each, EDGE + column * across, bottom, across - _gap(columns), tall - _gap(rows))


def _gap(count: int) -> float:
    return GAP if count > 1 else 0.0


def _cell(page: Page, side: int, beyond: float) -> float:
    """Return the width (side 0) or height (side 1) of a panel with its labels; all panels have the same."""
    count = page.counts[side]
    sizes = []
    for each in page.panels:
        labels = (each.beside, each.above_and_below)[side] + _gap(count)
        wanted = (each.drawing.width, each.drawing.height)[side]
        if page.size:
            wanted = (page.size[side] - beyond) / count - labels
        sizes.append(max(wanted, each.drawing.least[side]) + labels)
    return max(sizes)


def _longest_word(text: str, size: float, weight: str = "normal") -> float:
    return max((inches(visible(word), size, weight) for word in text.split()), default=0.0)


def _legend(page: Page) -> Legend:
    """Make a legend with as many columns as the height of the panels needs.

    Labels are set afterwards, because matplotlib drops those that begin with an underscore.
    """
    height = page.counts[1] * max(each.drawing.height for each in page.panels)
    height = max(page.size[1] - 1.0, 1.0) if page.size else height
    columns = max(1, int(np.ceil(len(page.keys) * LEGEND * 1.55 / 72 / height)))
    legend = page.figure.legend(
        [entry.handle for entry in page.keys], ["x"] * len(page.keys), loc="upper left", ncols=columns,
        fontsize=LEGEND, borderaxespad=0, borderpad=0, handlelength=1.6, handletextpad=0.5, labelspacing=0.45, columnspacing=1.4,
    )  # fmt: skip
    all_strong = all(entry.strong for entry in page.keys)
    for text, entry in zip(legend.get_texts(), page.keys, strict=True):
        text.set_text(visible(entry.label))
        text.set_color(INK if entry.strong else QUIET)
        text.set_fontweight("bold" if entry.strong and not all_strong else "normal")
    return legend
