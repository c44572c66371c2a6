"""Estimated densities, one curve for each algorithm, named at the curve where there is room."""

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure
from matplotlib.ticker import MaxNLocator

from benchkit.plots.curve_names import LABEL, LINE, name_spots
from benchkit.plots.look import Drawing, Look
from benchkit.plots.number_axis import Numbers, set_number_axis
from benchkit.plots.palette import QUIET, key, style
from benchkit.plots.series import Floats, Tables, algorithms, by_algorithm, drawable, metric, numbers
from benchkit.plots.text import visible

NAMED_IN_PLACE = 12
WIDTH, HEIGHT = 7.0, 4.0
LEAST = (2.2, 1.4)
LARGE = 0.8  # share of the size below which panels have one legend


def draw(area: SubFigure, tables: Tables, look: Look) -> Drawing:
    """Draw the curves of `densities`, named in place where every name finds room, else in a legend.

    On a log scale the part of a curve at or below 0 is left out. An algorithm without a density (all its values
    are equal) has no curve; if none has one the panel is empty and the caption says why.
    """
    densities = tables["densities"]
    if look.scale == "log":
        densities = densities.filter(pl.col("performance") > 0)
    names = algorithms(tables, look) if densities.height else ()
    size = np.array(look.axes_inches(WIDTH, HEIGHT))
    axes = area.subplots()
    set_number_axis(axes, "x", numbers(densities, "performance"), metric(tables), look)
    axes.yaxis.set_major_locator(MaxNLocator(4))
    axes.yaxis.set_major_formatter(Numbers("linear", look.ascii))
    axes.set_ylabel("density")
    of_densities = by_algorithm(densities)
    curves = {name: _curve(of_densities[name]) for name in names if name in of_densities}
    curves = {name: curve for name, curve in curves.items() if len(curve)}
    highest = max((float(curve[:, 1].max()) for curve in curves.values()), default=1.0) or 1.0
    for name, curve in curves.items():
        _draw_curve(axes, name, curve, look)
    axes.set_ylim(0, highest / max(1 - 2 * LINE / size[1], 0.5))
    in_place = 0 < len(curves) <= NAMED_IN_PLACE and look.shrink >= LARGE
    named = in_place and _name_curves(axes, curves, look, size)
    if not named:
        axes.set_ylim(0, 1.05 * highest)
    remarks = () if curves else ("no density: the values are too few or all equal",)
    legend = () if named else tuple(key(name, look, line=True) for name in names)
    return Drawing(float(size[0]), float(size[1]), LEAST, legend, remarks)


def _curve(densities: pl.DataFrame) -> Floats:
    """Return the points of a curve from left to right, shape (n, 2)."""
    table = densities.sort("performance")
    x, y = numbers(table, "performance"), numbers(table, "density")
    shown = drawable(x) & drawable(y)
    return np.column_stack([x[shown], y[shown]])


def _draw_curve(axes: Axes, name: str, curve: Floats, look: Look) -> None:
    """Draw the curve with markers at its mode and in its tails, so that it can be told from others in grey."""
    x, y = curve.T
    mine = style(name, look)
    mass = np.cumsum(y) / max(float(y.sum()), 1e-300)
    marked = {int(np.argmax(y)), *(int(np.searchsorted(mass, share)) for share in (0.1, 0.9))}
    axes.plot(
        x, y, color=mine.colour, marker=mine.marker, markersize=4.5, linewidth=1.5, zorder=3 if mine.strong else 2,
        markevery=sorted(position for position in marked if position < len(y)),
    )  # fmt: skip


def _name_curves(axes: Axes, curves: dict[str, Floats], look: Look, size: Floats) -> bool:
    """Write the names at their curves and tell whether all found room, measured on axes of `size` inches."""
    to_share = axes.transScale + axes.transLimits
    spots = name_spots({name: to_share.transform(curve) * size for name, curve in curves.items()})
    if spots is None:
        return False
    for name, spot in spots.items():
        mine = style(name, look)
        shift = np.subtract(spot.middle, spot.point) * 72
        point = to_share.inverted().transform(np.array(spot.point) / size)
        axes.annotate(
            visible(name), (float(point[0]), float(point[1])), (float(shift[0]), float(shift[1])), textcoords="offset points",
            ha="center", va="center", fontsize=LABEL, color=mine.colour if mine.strong else QUIET, zorder=4,
            arrowprops={"arrowstyle": "-", "color": mine.colour, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 0},
        )  # fmt: skip
    return True
