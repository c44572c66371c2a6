"""The page: measured text first, then the axes, so that nothing is clipped and the canvas grows where it must."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text

from benchkit.plots.look import Key
from benchkit.plots.palette import INK, QUIET
from benchkit.plots.panel import GAP, Panel, align, extent, place, set_headings, widen
from benchkit.plots.shrinking import shrink
from benchkit.plots.text import inches, visible, wrapped

EDGE = 0.12
TITLE, CAPTION, LEGEND = 11.0, 7.5, 8.5
NARROWEST = 3.0
ROUNDS = 24
# inches from which on a name in the legend is broken at blanks
WIDEST_KEY = 3.4


@dataclass(frozen=True)
class Page:
    """All that stands on the page, and its size in inches if one was asked for.

    scale: what the page is going to be shrunk by; sizes here are those before. may_grow: this is the last scale to try, so
    the caption says so if the page grows beyond its size.
    """

    figure: Figure
    panels: Sequence[Panel]
    columns: int
    title: str
    caption: str
    keys: Sequence[Key]
    size: tuple[float, float] | None
    scale: float = 1.0
    may_grow: bool = False

    @property
    def has_grown(self) -> bool:
        """Whether the page had to become larger than asked."""
        return self.size is not None and bool(np.any(self.figure.get_size_inches() > np.add(self.size, 1e-6)))

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
    words = page.caption
    for _ in range(ROUNDS):
        _set_page(page, title, caption, words, legend)
        grew = sum(widen(each) for each in page.panels)
        before, words = words, _with_growth(page)
        if not grew and words == before:
            break


def _with_growth(page: Page) -> str:
    """Return the caption with the size of the page if that has grown and nothing more can be done about it."""
    if not (page.may_grow and page.has_grown):
        return page.caption
    width, height = page.figure.get_size_inches() * page.scale
    return f"{page.caption} (size grown to {width:.2f}x{height:.2f} so that the text fits)".lstrip()


def finished(page: Page) -> Figure:
    """Return the figure of the page that was arranged, shrunk by its scale, with a new legend in the place of the old."""
    if page.scale == 1:
        return page.figure
    shrink(page.figure, page.scale)
    for legend in page.figure.legends[:]:
        anchor = legend.get_bbox_to_anchor().transformed(page.figure.transFigure.inverted())
        legend.remove()
        _legend(page, page.scale).set_bbox_to_anchor((anchor.x0, anchor.y0), page.figure.transFigure)
    return page.figure


def _set_page(page: Page, title: Text, caption: Text, words: str, legend: Legend | None) -> None:
    """Lay out the page with the margins known now: title, panels with the legend on their right, caption."""
    columns, rows = page.counts
    align(page.panels)
    legend_width, legend_height = extent(legend)
    right = legend_width + GAP if legend else 0.0
    cell = _cell(page, 0, right + 2 * EDGE)
    longest = max(_longest_word(page.title, TITLE, "bold"), _longest_word(words, CAPTION))
    width = max(cell * columns + right + 2 * EDGE, longest + 2 * EDGE, 0.0 if page.size else NARROWEST)
    title.set_text(wrapped(page.title, width - 2 * EDGE, TITLE, "bold") if page.title else "")
    caption.set_text(wrapped(words, width - 2 * EDGE, CAPTION) if words else "")
    set_headings(page.panels, cell - GAP)
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


def _legend(page: Page, scale: float = 1.0) -> Legend:
    """Make a legend with as many columns as the height of the panels needs.

    Labels are set afterwards, because matplotlib drops those that begin with an underscore.
    """
    height = page.counts[1] * max(each.drawing.height for each in page.panels)
    height = max(page.size[1] - 1.0, 1.0) if page.size else height
    labels = [wrapped(entry.label, WIDEST_KEY, LEGEND) for entry in page.keys]
    lines = sum(label.count("\n") + 1 for label in labels)
    columns = max(1, int(np.ceil(lines * LEGEND * 1.55 / 72 / height)))
    legend = page.figure.legend(
        [entry.handle for entry in page.keys], ["x"] * len(page.keys), loc="upper left", ncols=columns,
        fontsize=LEGEND * scale, markerscale=scale, borderaxespad=0, borderpad=0, handlelength=1.6, handletextpad=0.5,
        labelspacing=0.45, columnspacing=1.4,
    )  # fmt: skip
    all_strong = all(entry.strong for entry in page.keys)
    for text, label, entry in zip(legend.get_texts(), labels, page.keys, strict=True):
        text.set_text(label)
        text.set_color(INK if entry.strong else QUIET)
        text.set_fontweight("bold" if entry.strong and not all_strong else "normal")
    return legend
