"""The bench plot with each replicate's dots joined: whether the same replicates make an algorithm good and another bad."""

import numpy as np
from matplotlib.figure import SubFigure

from benchkit.plots.look import Drawing, Look
from benchkit.plots.palette import style
from benchkit.plots.podium import draw_stage
from benchkit.plots.series import Tables, drawable, numbers
from benchkit.plots.threads import Threads, draw_threads


def draw(area: SubFigure, tables: Tables, look: Look) -> Drawing:
    """Draw the podium and join the dots of each replicate from its first place to its last.

    A segment has the colour of the algorithm at its left, better place. An infinite performance is not joined.
    """
    stage = draw_stage(area, tables, look)
    dots = stage.dots.sort("index", "place", "x")
    x, y, algorithm, replicate = (numbers(dots, name) for name in ("x", "performance", "g", "index"))
    shown = drawable(y)
    joined = np.flatnonzero((replicate[1:] == replicate[:-1]) & shown[1:] & shown[:-1])
    threads = Threads(x[joined], y[joined], x[joined + 1], y[joined + 1], algorithm[joined].astype(np.int64) - 1)
    draw_threads(stage.upper, threads, [style(name, look).colour for name in stage.names])
    return stage.drawing
