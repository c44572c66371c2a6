"""Mirrored densities with median and quartiles."""

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure

from benchkit.plots.look import Drawing, Look
from benchkit.plots.palette import INK, QUIET
from benchkit.plots.rows import Row, row_drawing, row_frame
from benchkit.plots.series import Floats, Tables, by_algorithm, drawable, numbers

HALF = 0.4


def draw(area: SubFigure, tables: Tables, look: Look) -> Drawing:
    """Draw `densities`, each as wide at its mode as the others, and median and quartiles of `boxes`.

    The shape tells where an algorithm's performances lie, so that a wide distribution stays visible next to a narrow one;
    areas are not comparable. On a log scale the part of a curve at or below 0 is left out.
    """
    boxes = tables["boxes"]
    densities = tables["densities"]
    if look.scale == "log":
        densities = densities.filter(pl.col("performance") > 0)
    axes, rows = row_frame(
        area, tables, look, np.concatenate([numbers(densities, "performance"), numbers(boxes, "q1", "median", "q3")])
    )
    of_densities, of_boxes = by_algorithm(densities), by_algorithm(boxes)
    for row in rows:
        if row.name in of_densities:
            curve = of_densities[row.name].sort("performance")
            _draw_shape(axes, row, numbers(curve, "performance"), numbers(curve, "density"))
        if row.name in of_boxes:
            _draw_quartiles(axes, row, *numbers(of_boxes[row.name], "q1", "median", "q3"))
    return row_drawing(len(rows), look)


def _draw_shape(axes: Axes, row: Row, performance: Floats, density: Floats) -> None:
    shown = drawable(performance) & drawable(density)
    if shown.any() and density[shown].max() > 0:
        half = HALF * density[shown] / density[shown].max()
        low, high = row.y - half, row.y + half
        axes.fill_between(performance[shown], low, high, color=row.style.colour, linewidth=0.6, alpha=0.6, zorder=2)


def _draw_quartiles(axes: Axes, row: Row, q1: float, median: float, q3: float) -> None:
    ink = INK if row.style.strong else QUIET
    axes.plot([q1, q3], [row.y, row.y], color=ink, linewidth=3.5, solid_capstyle="butt", zorder=3)
    axes.plot(
        [median],
        [row.y],
        linestyle="",
        marker=row.style.marker,
        markersize=6,
        markerfacecolor="white",
        markeredgecolor=ink,
        zorder=4,
    )
