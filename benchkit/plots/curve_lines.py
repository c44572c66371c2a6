"""The lines of ROC curves: bands, curves with a few markers, and where they go on to FPR 0."""

import numpy as np
from matplotlib.axes import Axes

from benchkit.plots.curves import Curve, straight
from benchkit.plots.series import Floats

# markers along a curve, by which it is told from others without colour
MARKED = 5
MOST_BANDS = 6


def draw_curves(axes: Axes, drawn: list[Curve], left: float | None, inset: bool = False) -> Floats:
    """Draw bands and curves; return points along all of them."""
    ink = [np.zeros((0, 2))]
    with_bands = banded(drawn)
    for curve in drawn:
        strong = 3.0 if curve.style.strong else 2.4
        if curve in with_bands:
            ink.append(_draw_band(axes, curve, left, len(drawn)))
        points = straight(curve.points, left)
        ink.append(points)
        marked = [] if inset or len(drawn) == 1 else _marked(axes, points, drawn.index(curve) / len(drawn))
        axes.plot(
            *points.T, color=curve.shade, linewidth=1.0 if inset else 1.5, zorder=strong, solid_joinstyle="round", gid="curve",
            marker=curve.style.marker, markersize=4.5, markevery=marked, clip_on=False,
        )  # fmt: skip
        if left and not inset and len(points):
            axes.plot(
                *points[:1].T, marker="<", markersize=5, color=curve.shade, linestyle="", zorder=4.5, gid="goes on",
                clip_on=False,
            )  # fmt: skip
    return np.vstack(ink)


def banded(drawn: list[Curve]) -> list[Curve]:
    """Return the curves whose bands are drawn: the largest sizes, if these are too many those highlighted, else none."""
    largest = [curve for curve in drawn if curve.largest]
    strong = [curve for curve in largest if curve.style.strong]
    return next((some for some in (largest, strong) if len({curve.key for curve in some}) <= MOST_BANDS), [])


def _draw_band(axes: Axes, curve: Curve, left: float | None, count: int) -> Floats:
    """Fill between the two lines of the band; return points that cover it."""
    upper, lower = (straight(line, left) for line in curve.band)
    if not len(upper) or not len(lower):
        return np.zeros((0, 2))
    around = np.vstack([upper, lower[::-1]])
    if len(curve.band[0]) == 1:
        axes.plot(*around.T, color=curve.shade, linewidth=3.0, alpha=0.35, zorder=1.9, gid="band edge")
    axes.fill(*around.T, facecolor=curve.shade, alpha=0.22 if count < 4 else 0.12, linewidth=0, zorder=1.8, gid="band")
    for line in (upper, lower):
        axes.plot(*line.T, color=curve.shade, linewidth=0.5, alpha=0.7, zorder=1.9, gid="band edge")
    middle = [upper[np.linspace(0, len(upper) - 1, 200).astype(int)], lower[np.linspace(0, len(lower) - 1, 200).astype(int)]]
    return np.vstack([around, *(middle[0] + share * (middle[1] - middle[0]) for share in np.linspace(0.1, 0.9, 9))])


def _marked(axes: Axes, points: Floats, shift: float) -> list[int]:
    """Return the points that carry the marker: evenly along the curve as it is seen, each curve at places of its own."""
    share = share_of_axes(axes, points)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(share, axis=0).T))])
    wanted = (np.arange(MARKED) + 0.1 + 0.8 * shift) / MARKED * along[-1]
    return sorted({int(i) for i in np.searchsorted(along, wanted) if i < len(points)})


def share_of_axes(axes: Axes, points: Floats) -> Floats:
    """Return points of the plane as shares of the axes."""
    return np.asarray((axes.transScale + axes.transLimits).transform(points))
