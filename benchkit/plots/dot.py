"""Figure 2 of the paper: every performance of each algorithm, sorted by mean, with the mean and its interval."""

import numpy as np
from matplotlib.figure import SubFigure

from benchkit.plots.look import Drawing, Look
from benchkit.plots.palette import INK
from benchkit.plots.points import draw_dots, infinite_remark
from benchkit.plots.rows import row_drawing, row_frame
from benchkit.plots.series import Tables, by_algorithm, numbers

CAP = 0.2  # of a row; caps keep an interval visible that is narrower than the marker of its mean


def draw(area: SubFigure, tables: Tables, look: Look) -> Drawing:
    """Draw `dots` on one row for each algorithm; above them mean and confidence interval from `algorithms`.

    An algorithm without a mean (infinite values) or without an interval shows its dots alone.
    """
    dots = tables["dots"]
    summary = tables["algorithms"]
    axes, rows = row_frame(area, tables, look, numbers(dots, "performance"))
    of_dots, of_summary = by_algorithm(dots), by_algorithm(summary)
    infinite = 0
    for row in rows:
        if row.name in of_dots:
            performance = numbers(of_dots[row.name], "performance")
            infinite += draw_dots(axes, performance, np.full(len(performance), row.y), row.style, dots.height, "x")
        if row.name in of_summary:
            mean, low, high = (numbers(of_summary[row.name], column)[0] for column in ("mean", "ci_low", "ci_high"))
            ink = INK if row.style.strong else row.style.colour
            axes.plot([low, high], [row.y, row.y], color=ink, linewidth=1.6, zorder=4, solid_capstyle="butt")
            axes.vlines([low, high], row.y - CAP, row.y + CAP, colors=ink, linewidths=1.2, zorder=4)
            axes.plot(
                [mean], [row.y], linestyle="", marker=row.style.marker, markersize=5.5, markerfacecolor="white",
                markeredgecolor=ink, markeredgewidth=1.0, zorder=5,
            )  # fmt: skip
    return row_drawing(len(rows), look, infinite_remark(infinite))
