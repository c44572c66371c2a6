"""A finished page made smaller: its text and marks with it, so that it looks the same and a small size asked for holds."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import Collection, PathCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Annotation, Text

SMALLEST_TEXT = 5.0


def least_scale(page: Figure) -> float:
    """Return the scale at which the smallest text of the page is set in 5 points, at most 1."""
    sizes = [_points(text) for text in page.findobj(Text) if isinstance(text, Text) and text.get_text()]
    return min(1.0, SMALLEST_TEXT / min(sizes, default=SMALLEST_TEXT))


def shrink(page: Figure, scale: float) -> None:
    """Multiply the page, its text, lines, marks and their distances by `scale`, all but legends.

    Places of axes and text are shares of the page and stay. Tick labels are set through their axis, so that ticks made
    later are alike. A legend must be made anew, because it keeps the size that it was made with.
    """
    axes = [part for area in page.subfigs for whole in area.axes for part in whole.findobj(Axes) if isinstance(part, Axes)]
    for part in axes:
        for axis in (part.xaxis, part.yaxis):
            _shrink_axis(axis, scale)
    _shrink_artists(page, axes, scale)
    page.set_size_inches(*(np.asarray(page.get_size_inches()) * scale))


def _points(text: Text) -> float:
    return float(text.get_fontsize())


def _shrink_axis(axis: Axis, scale: float) -> None:
    tick = axis.get_major_ticks(1)[0]
    axis.set_tick_params(
        labelsize=_points(tick.label1) * scale,
        pad=tick.get_pad() * scale,  # type: ignore[func-returns-value, operator]  # it does return points
        length=tick.tick1line.get_markersize() * scale,
        width=tick.tick1line.get_markeredgewidth() * scale,
        grid_linewidth=tick.gridline.get_linewidth() * scale,
    )
    axis.labelpad *= scale
    axis.label.set_fontsize(_points(axis.label) * scale)


def _shrink_artists(page: Figure, axes: list[Axes], scale: float) -> None:
    """Shrink what stands on the page, on its panels and inside their axes; ticks and labels of axes are not among these."""
    holders = [page, *page.subfigs, *axes]
    for artist in [child for holder in holders for child in holder.get_children()]:
        if isinstance(artist, Text):
            artist.set_fontsize(_points(artist) * scale)
        if isinstance(artist, Annotation):
            if artist.anncoords == "offset points":
                right, up = artist.xyann
                artist.xyann = (right * scale, up * scale)
            if artist.arrow_patch:
                artist.arrow_patch.set_linewidth(artist.arrow_patch.get_linewidth() * scale)
        elif isinstance(artist, Line2D):
            artist.set_linewidth(artist.get_linewidth() * scale)
            artist.set_markersize(artist.get_markersize() * scale)
            artist.set_markeredgewidth(artist.get_markeredgewidth() * scale)
        elif isinstance(artist, Patch):
            artist.set_linewidth(artist.get_linewidth() * scale)
        elif isinstance(artist, Collection):
            artist.set_linewidth([float(width) * scale for width in np.atleast_1d(artist.get_linewidth())])
            if isinstance(artist, PathCollection):
                artist.set_sizes(np.asarray(artist.get_sizes()) * scale**2)
