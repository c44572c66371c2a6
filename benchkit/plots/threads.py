"""Many straight segments: one collection for each colour, or one image of their density when there are very many."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from numpy.typing import NDArray

from benchkit.plots.points import RASTER_ABOVE
from benchkit.plots.series import Floats

IMAGE_ABOVE = 30_000
PIXELS = (900, 500)
AT_ONCE = 2_000_000


@dataclass(frozen=True)
class Threads:
    """Segments from (x0, y0) to (x1, y1) in data units, shape (n,), with x0 < x1, and the number of each one's colour."""

    x0: Floats
    y0: Floats
    x1: Floats
    y1: Floats
    colour: NDArray[np.int64]


def draw_threads(axes: Axes, threads: Threads, colours: Sequence[str]) -> None:
    """Draw the segments below the dots, the fainter the more there are. The limits of the axes must be set."""
    count = len(threads.x0)
    if count > IMAGE_ABOVE:
        image = blend(_coverage(axes, threads, len(colours)), colours, faintness(count))
        axes.imshow(image, extent=(0, 1, 0, 1), transform=axes.transAxes, origin="lower", aspect="auto", zorder=2)
        return
    for number, colour in enumerate(colours):
        mine = threads.colour == number
        ends = np.stack([threads.x0[mine], threads.y0[mine], threads.x1[mine], threads.y1[mine]], axis=1).reshape(-1, 2, 2)
        lines = LineCollection(
            list(ends), colors=[colour], linewidths=0.7, alpha=faintness(count), zorder=2, rasterized=count > RASTER_ABOVE
        )
        axes.add_collection(lines, autolim=False)


def faintness(count: int) -> float:
    """Return the opacity of one segment among `count`."""
    return float(np.clip(20 / count**0.65, 0.003, 0.6)) if count else 1.0


def _coverage(axes: Axes, threads: Threads, colours: int) -> Floats:
    """Count the segments of each colour that pass each pixel; shape (colours, height, width)."""
    to_share = axes.transScale + axes.transLimits
    start = to_share.transform(np.column_stack([threads.x0, threads.y0]))
    end = to_share.transform(np.column_stack([threads.x1, threads.y1]))
    width, height = PIXELS
    first = np.floor(start[:, 0] * width).astype(np.int64)
    columns = np.maximum(np.floor(end[:, 0] * width).astype(np.int64) - first, 1)
    slope = (end[:, 1] - start[:, 1]) / columns
    total = np.zeros(colours * height * width)
    cuts = np.searchsorted(np.cumsum(columns), np.arange(AT_ONCE, int(columns.sum()) + AT_ONCE, AT_ONCE))
    for part in np.split(np.arange(len(columns)), cuts):
        length = columns[part]
        step = np.arange(int(length.sum())) - np.repeat(np.cumsum(length) - length, length)
        x = np.repeat(first[part], length) + step
        y = ((np.repeat(start[part, 1], length) + np.repeat(slope[part], length) * (step + 0.5)) * height).astype(np.int64)
        inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        pixel = (np.repeat(threads.colour[part], length) * height + y) * width + x
        total += np.bincount(pixel[inside], minlength=len(total))
    return total.reshape(colours, height, width)


def blend(coverage: Floats, colours: Sequence[str], opacity: float) -> Floats:
    """Mix the colours by coverage; the opacity is that of as many transparent layers. Shape (height, width, 4)."""
    layers = coverage.sum(axis=0)
    mixed = np.tensordot(coverage, np.array([to_rgb(colour) for colour in colours]), axes=(0, 0))
    mixed /= np.maximum(layers, 1)[..., None]
    return np.concatenate([mixed, (1 - (1 - opacity) ** layers)[..., None]], axis=2)
