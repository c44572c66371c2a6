"""Figure 3 of the paper: box plots sorted by mean."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure

from benchkit.plots.look import Drawing, Look
from benchkit.plots.palette import INK, QUIET
from benchkit.plots.points import draw_dots, infinite_remark
from benchkit.plots.rows import Row, row_drawing, row_frame
from benchkit.plots.series import Tables, by_algorithm, drawable, numbers

SIDES = ("whisker_low", "q1", "median", "q3", "whisker_high")


def draw(area: SubFigure, tables: Tables, look: Look) -> Drawing:
    """Draw the boxes of `boxes` and those of `dots` that lie beyond the whiskers. A box without quartiles is left out."""
    boxes, dots = tables["boxes"], tables["dots"]
    axes, rows = row_frame(area, tables, look, np.concatenate([numbers(boxes, *SIDES), numbers(dots, "performance")]))
    of_boxes, of_dots = by_algorithm(boxes), by_algorithm(dots)
    infinite = 0
    for row in rows:
        low, high = np.nan, np.nan
        if row.name in of_boxes:
            sides = numbers(of_boxes[row.name], *SIDES)
            low, high = sides[0], sides[-1]
            if drawable(sides).all():
                _draw_box(axes, row, *(float(side) for side in sides))
        if row.name in of_dots:
            performance = numbers(of_dots[row.name], "performance")
            outlying = performance[~((performance >= low) & (performance <= high))]
            infinite += draw_dots(axes, outlying, np.full(len(outlying), row.y), row.style, dots.height, "x")
    return row_drawing(len(rows), look, infinite_remark(infinite))


def _draw_box(axes: Axes, row: Row, low: float, q1: float, median: float, q3: float, high: float) -> None:
    ink = INK if row.style.strong else QUIET
    axes.bxp(
        [{"whislo": low, "q1": q1, "med": median, "q3": q3, "whishi": high}],
        positions=[row.y],
        widths=0.62,
        orientation="horizontal",
        patch_artist=True,
        showfliers=False,
        showcaps=False,
        manage_ticks=False,
        boxprops={"facecolor": row.style.colour, "edgecolor": ink, "linewidth": 0.8, "alpha": 0.75},
        medianprops={"color": ink, "linewidth": 2.0, "solid_capstyle": "butt"},
        whiskerprops={"color": ink, "linewidth": 0.9},
    )
