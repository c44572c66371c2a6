"""ROC curves with their bands: false positives on a logarithmic axis with an inset of linear ones, or on a linear axis."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator

from benchkit.plots.cross_lines import draw_crosses
from benchkit.plots.cross_places import placed
from benchkit.plots.crosses import crosses
from benchkit.plots.curve_lines import banded, draw_curves, share_of_axes
from benchkit.plots.curve_words import of_bands, of_marks
from benchkit.plots.curves import TICK, Curve, areas, curves, not_too_many, rate_tick, rate_ticks, straight
from benchkit.plots.free_place import free_place
from benchkit.plots.layout import WIDEST_KEY
from benchkit.plots.look import Drawing, Key, Look
from benchkit.plots.number_axis import Numbers
from benchkit.plots.palette import FAINT, QUIET
from benchkit.plots.series import Floats, Tables
from benchkit.plots.text import inches, visible

WIDTH, HEIGHT = 5.6, 4.2
SQUARE = 4.2
LEAST = (2.0, 1.7)
# share of the axes that the inset takes, with its labels; the largest that finds room
INSETS = (0.48, 0.42, 0.36, 0.31)
INSET_LABELS = (0.3, 0.22)  # inches on its left and below
AROUND = 0.015
LEAST_RATE = 1e-7


def draw(area: SubFigure, tables: Tables, look: Look) -> Drawing:
    """Draw the curves of `points`, their bands, and crosses at the points of `marks`.

    Between two thresholds a curve is straight in the plane of the rates, as the areas take it, and so it bends on a
    logarithmic axis, which begins at half of one false positive and where a triangle says that the curve goes on to FPR 0.
    Of several sizes of an ensemble only the largest has its band and crosses, of many ensembles those highlighted.
    `ensembles` gives the areas beside the names.
    """
    drawn, remarks = not_too_many(curves(tables["points"], look))
    left = _left(tables, drawn) if look.scale == "log" else None
    axes = area.subplots()
    legend = _legend(tables, drawn, look) if len(drawn) > 1 else ()
    size = _size(left, legend, look)
    _set_rates(axes, left, look, size[0])
    ink = draw_curves(axes, drawn, left)
    asked = {curve.key: crosses(tables, curve) for curve in drawn if curve.largest}
    places = placed([(curve, cross) for curve in banded(drawn) for cross in asked[curve.key]], left, size)
    bars = draw_crosses(axes, places, left)
    remarks = (*of_bands(drawn, tables["points"]), *remarks)
    if left and not _inset(axes, drawn, look, np.vstack([share_of_axes(axes, ink), bars]), size):
        remarks = (*remarks, "no room for an inset: --scale linear")
    with_areas = len(drawn) > 1 and bool(areas(tables, drawn))
    return Drawing(*size, LEAST, legend, remarks, of_marks(places, drawn, left, with_areas, any(asked.values())))


def _size(left: float | None, legend: tuple[Key, ...], look: Look) -> tuple[float, float]:
    """Return about the inches that the axes get; on a page of a given size the legend takes its part."""
    width, height = look.axes_inches(*((WIDTH, HEIGHT) if left else (SQUARE, SQUARE)))
    if look.size and legend:
        width = max(
            min(width, look.room[0] - min(WIDEST_KEY, max(inches(visible(key.label), TICK) for key in legend)) - 0.4), LEAST[0]
        )
    return width, height


def _left(tables: Tables, drawn: list[Curve]) -> float:
    """Return where the logarithmic axis begins: half of one false positive, or of the smallest rate, if that is larger.

    A marked rate is on the axis in any case.
    """
    smallest = min((float(rate) for curve in drawn for rate in curve.points[:, 0] if rate > 0), default=0.1)
    ensembles = tables.get("ensembles")
    items = None if ensembles is None or ensembles.is_empty() else ensembles["n_negative"].max()
    one = 1 / float(str(items)) if items else LEAST_RATE
    marked = [cross.x for curve in drawn if curve.largest for cross in crosses(tables, curve) if cross.x > 0]
    return min([max(min(smallest, 0.5), one) / 2, *(rate / 2 for rate in marked)])


def _set_rates(axes: Axes, left: float | None, look: Look, width: float) -> None:
    """Give the axes, `width` inches wide, their scales, limits, ticks, names and the line of chance."""
    if left:
        axes.set_xscale("log")
        axes.set_xlim(left, 1.0)
        axes.xaxis.set_major_locator(FixedLocator(rate_ticks(left, width)))
    else:
        axes.set_xlim(0.0, 1.0)
        axes.xaxis.set_major_locator(FixedLocator([0, 0.2, 0.4, 0.6, 0.8, 1]))
    axes.minorticks_off()
    axes.xaxis.set_major_formatter(rate_tick if left else Numbers("linear", look.ascii))
    axes.set_ylim(0.0, 1.0)
    axes.yaxis.set_major_locator(FixedLocator([0, 0.2, 0.4, 0.6, 0.8, 1]))
    axes.yaxis.set_major_formatter(Numbers("linear", look.ascii))
    axes.set_xlabel("false positive rate")
    axes.set_ylabel("true positive rate")
    axes.grid(visible=True)
    chance = straight(np.array([[0.0, 0.0], [1.0, 1.0]]), left)
    axes.plot(*chance.T, color=QUIET, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1.6, gid="chance")


def _inset(axes: Axes, drawn: list[Curve], look: Look, ink: Floats, size: tuple[float, float]) -> bool:
    """Draw the same curves on linear axes in a free place, off the line of chance if it can be; tell whether there was one."""
    beside, below = INSET_LABELS[0] / size[0], INSET_LABELS[1] / size[1]
    above = 0.19 / size[1]
    chance = next(np.column_stack(line.get_data()) for line in axes.lines if line.get_gid() == "chance")
    avoided = (np.vstack([ink, share_of_axes(axes, chance)]), ink)
    for taken, share in ((taken, share) for taken in avoided for share in INSETS):
        width, height = share, share * size[0] / size[1] * 0.9
        if height > 0.7 or min(width * size[0], height * size[1]) < 0.8:
            continue
        spot = free_place(taken, (width + 2 * AROUND, height + 2 * AROUND), ((0.985, 0.03), (0.03, 0.97)))
        if spot is None:
            continue
        place = (spot[0] + AROUND, spot[1] + AROUND)
        back = Rectangle(
            place, width, height, transform=axes.transAxes, facecolor="white", edgecolor=FAINT, linewidth=0.8, zorder=4.9
        )
        axes.add_patch(back)
        bounds = (place[0] + beside, place[1] + below, width - beside - INSET_LABELS[0] / 2 / size[0], height - below - above)
        small = axes.inset_axes(bounds, zorder=5)
        small.set_gid("inset")
        small.set_xlim(0, 1)
        small.set_ylim(0, 1)
        for axis in (small.xaxis, small.yaxis):
            axis.set_major_locator(FixedLocator([0, 0.5, 1]))
            axis.set_major_formatter(Numbers("linear", look.ascii))
            axis.set_tick_params(labelsize=7, pad=1.5, length=2)
        small.set_title("linear", fontsize=7, color=QUIET, pad=2)
        small.plot([0, 1], [0, 1], color=QUIET, linewidth=0.6, linestyle=(0, (4, 3)), zorder=1.6)
        draw_curves(small, drawn, None, inset=True)
        return True
    return False


def _legend(tables: Tables, drawn: list[Curve], look: Look) -> tuple[Key, ...]:
    """Return the entries of the legend: names, with the areas where they are known, then the largest first as a rule."""
    area = areas(tables, drawn)
    if not look.order and len(area) == len(drawn):
        best = {curve.key[0]: area[curve.key][0] for curve in drawn}
        drawn = sorted(drawn, key=lambda curve: -best[curve.key[0]])
    return tuple(
        Key(
            f"{curve.label}: {area[curve.key][1]}" if curve.key in area else curve.label,
            Line2D([], [], color=curve.shade, marker=curve.style.marker, markersize=5, linewidth=1.6),
            curve.style.strong,
        )
        for curve in drawn
    )
