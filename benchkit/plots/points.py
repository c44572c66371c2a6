"""Many dots: spread so that they can be seen, one artist for each algorithm, pixels in vector files when there are many."""

from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from benchkit.plots.palette import Style
from benchkit.plots.series import Floats, drawable

RASTER_ABOVE = 10_000
REACH = 0.35

_GOLDEN = (np.sqrt(5) - 1) / 2


def spread(index: NDArray[np.int64]) -> Floats:
    """Return an offset within +/- 0.35 for each replicate: the golden-ratio sequence, even without chance."""
    return np.asarray(((index + 1) * _GOLDEN % 1 - 0.5) * 2 * REACH)


def draw_dots(axes: Axes, x: Floats, y: Floats, style: Style, total: int, along: Literal["x", "y"], largest: float = 4.5) -> int:
    """Draw the dots of one algorithm whose performances lie along `along`; return how many were infinite.

    total: the dots of the whole axes. largest: the size of a dot in points where there are few. Infinite performances
    become arrows at the end of the axis; missing ones are not drawn.
    """
    performance = x if along == "x" else y
    shown = drawable(performance)
    per_algorithm = max(1, len(performance))
    axes.plot(
        x[shown],
        y[shown],
        linestyle="",
        marker=style.marker,
        color=style.colour,
        markersize=float(np.clip(6.2 - 1.15 * np.log10(per_algorithm), 1.0, 4.5).clip(max=largest)),
        markeredgewidth=0,
        alpha=opacity(per_algorithm),
        rasterized=total > RASTER_ABOVE,
        zorder=3 if style.strong else 2.5,
    )
    return sum(_draw_arrows(axes, x, y, style, along, sign) for sign in (-1, 1))


def _draw_arrows(axes: Axes, x: Floats, y: Floats, style: Style, along: Literal["x", "y"], sign: int) -> int:
    performance = x if along == "x" else y
    beyond = ~drawable(performance) & (np.sign(performance) == sign)
    if beyond.any():
        edge = np.full(int(beyond.sum()), (1 + sign) / 2)
        places = (edge, y[beyond]) if along == "x" else (x[beyond], edge)
        transform = axes.get_yaxis_transform() if along == "x" else axes.get_xaxis_transform()
        marker = {("x", -1): "<", ("x", 1): ">", ("y", -1): "v", ("y", 1): "^"}[along, sign]
        axes.plot(*places, linestyle="", marker=marker, color=style.colour, markersize=6, transform=transform, clip_on=False)
    return int(beyond.sum())


def opacity(count: int) -> float:
    """Return the opacity at which `count` marks of one colour show where they are dense."""
    return float(np.clip(12 / count**0.55, 0.05, 0.85))


def infinite_remark(count: int) -> tuple[str, ...]:
    """Return what the caption says of arrows."""
    return (f"{count} infinite {'value' if count == 1 else 'values'} at the edge",) if count else ()
