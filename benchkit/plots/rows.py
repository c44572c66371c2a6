"""The frame of dot, box, strip and violin: one row for each algorithm, best at the top, the metric along the bottom."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import YAxis
from matplotlib.figure import SubFigure

from benchkit.plots.look import Drawing, Look
from benchkit.plots.number_axis import set_number_axis
from benchkit.plots.palette import INK, QUIET, Style, style
from benchkit.plots.series import Floats, Tables, algorithms, metric
from benchkit.plots.text import visible


@dataclass(frozen=True)
class Row:
    """One algorithm: its name, its height on the axis and its style."""

    name: str
    y: float
    style: Style


def row_frame(area: SubFigure, tables: Tables, look: Look, values: Floats) -> tuple[Axes, list[Row]]:
    """Make axes with a named row for each algorithm; `values` are all the numbers that must lie inside."""
    names = algorithms(tables, look)
    axes = area.subplots()
    set_number_axis(axes, "x", values, metric(tables), look)
    rows = [Row(name, float(y), style(name, look)) for y, name in enumerate(names)]
    name_rows(axes.yaxis, [visible(name) for name in names], [row.style.strong for row in rows])
    axes.set_ylim(len(names) - 0.4, -0.6)
    return axes, rows


def name_rows(axis: YAxis, labels: Sequence[str], strong: Sequence[bool]) -> None:
    """Write the labels at 0, 1, 2 ..., those that are not strong in grey, and take the axis line away."""
    axis.set_ticks(np.arange(len(labels)), labels=list(labels), fontsize=label_size(len(labels)))
    for text, dark in zip(axis.get_ticklabels(), strong, strict=True):
        text.set_color(INK if dark else QUIET)
        text.set_fontweight("bold" if dark and not all(strong) else "normal")
    axis.set_tick_params(length=0)
    axis.axes.spines["left"].set_visible(False)


def label_size(count: int) -> float:
    """Return the size of row labels in points: smaller where there are many."""
    return float(np.interp(count, (12, 40, 120), (9, 8, 6)))


def row_drawing(count: int, look: Look, remarks: tuple[str, ...] = ()) -> Drawing:
    """Ask for rows that are high enough for their labels."""
    least = label_size(count) * 1.3 / 72
    wanted = float(np.interp(count, (7, 30), (0.42, 0.24)))
    return Drawing(*look.axes_inches(6.0, max(count * wanted, 1.0)), (2.5, max(count * least, 0.6)), remarks=remarks)
