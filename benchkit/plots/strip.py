"""Every performance as a dot, spread within the row of its algorithm."""

import numpy as np
from matplotlib.figure import SubFigure

from benchkit.plots.look import Drawing, Look
from benchkit.plots.points import draw_dots, infinite_remark, spread
from benchkit.plots.rows import row_drawing, row_frame
from benchkit.plots.series import Tables, by_algorithm, numbers


def draw(area: SubFigure, tables: Tables, look: Look) -> Drawing:
    """Draw `dots`: along the row at the performance, across it by the golden-ratio sequence in the order of the table."""
    dots = tables["dots"]
    axes, rows = row_frame(area, tables, look, numbers(dots, "performance"))
    of_dots = by_algorithm(dots)
    infinite = 0
    for row in rows:
        if row.name in of_dots:
            performance = numbers(of_dots[row.name], "performance")
            across = row.y + spread(np.arange(len(performance)))
            infinite += draw_dots(axes, performance, across, row.style, dots.height, "x")
    return row_drawing(len(rows), look, infinite_remark(infinite))
