"""The lines of crosses at marked points."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from benchkit.plots.cross_places import Place, asked_bar, middle, thin_bar
from benchkit.plots.series import Floats

DENSE = np.linspace(0, 1, 30)[:, None]


def draw_crosses(axes: Axes, places: Sequence[Place], left: float | None) -> Floats:
    """Draw the intervals, thick that of the rate asked for; return points along them in shares of the axes.

    The estimate is where the two bars cross; it has a marker where there is no thin bar, or where the cross was moved.
    """
    ink = [np.zeros((0, 2))]
    for place in places:
        asked, thin = asked_bar(place, left), thin_bar(place, left)
        known: dict[str, Any] = {
            "color": place.curve.shade,
            "transform": axes.transAxes,
            "solid_capstyle": "butt",
            "clip_on": False,
        }
        caps = ("_", "|") if place.cross.asked_up else ("|", "_")
        axes.plot(*asked.T, zorder=4.0, gid="halo", linewidth=3.2, **(known | {"color": "white"}))
        axes.plot(*asked.T, zorder=4.2, gid="asked", linewidth=1.8, marker=caps[0], markersize=6, markeredgewidth=1.2, **known)
        if place.thin:
            axes.plot(*thin.T, zorder=4.1, gid="other", linewidth=0.9, marker=caps[1], markersize=4, markeredgewidth=0.9, **known)
        if place.shift or not place.thin:
            axes.plot(
                *middle(place, left)[:, None], zorder=4.3, gid="estimate", marker=place.curve.style.marker, markersize=5.5,
                markeredgecolor="white", markeredgewidth=0.7, **known,
            )  # fmt: skip
        bars = (asked, thin) if place.thin else (asked,)
        ink += [first + DENSE * (last - first) for first, last in bars]
    return np.vstack(ink)
