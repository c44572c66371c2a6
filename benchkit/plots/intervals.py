"""Figure 5 of the paper: simultaneous confidence intervals of all differences."""

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure

from benchkit.errors import BenchkitError
from benchkit.plots.look import Drawing, Look
from benchkit.plots.number_axis import needs_unit, set_number_axis
from benchkit.plots.pair_rows import columns_of, draw_rows, drawing, marks_of, ordered, say_sides
from benchkit.plots.palette import INK, QUIET
from benchkit.plots.series import Tables, metric, numbers
from benchkit.plots.text import visible

COLUMNS = ("estimate", "ci_low", "ci_high")


def draw(area: SubFigure, tables: Tables, look: Look) -> Drawing:
    """Draw one row for each pair, a minus b: estimate, interval and verdict of `pairs`, in its order.

    A zero line, the band of the margin, and at the ends which of the two is better there. The marker is filled when the
    pair is separated or equivalent and hollow when undecided; a small grey cross is an estimate without a verdict: that
    pair was not tested. The row of a pair without an estimate is empty. More than 60 pairs go into several columns on one
    scale. Ratios of --transform log stand around a line at 1, without a band, also on a log scale.
    """
    pairs = ordered(tables, look)
    ratios = "transform" in pairs.columns and (pairs["transform"] == "log").any()
    if look.scale == "log" and not ratios:
        raise BenchkitError("differences cannot be drawn on a log scale", "choose --scale linear")
    better = look.better or pairs["better"][0]
    minus = "/" if ratios else "-" if look.ascii else "−"
    margins = numbers(pairs, "margin")
    around = np.array([1.0]) if ratios else np.concatenate([margins, -margins, [0.0]])
    ends = np.concatenate([numbers(pairs, *COLUMNS), around])
    for axes, part in columns_of(area, pairs):
        set_number_axis(axes, "x", ends, metric(tables), look)
        unit = f", {visible(look.unit)}" if needs_unit(metric(tables), look) else ""
        said = f"ratio of {visible(metric(tables))}" if ratios else f"difference in {visible(metric(tables))}{unit}"
        axes.set_xlabel(said)
        draw_rows(axes, part, look, COLUMNS, lambda a, b: f"{visible(a)} {minus} {visible(b)}")
        if ratios:
            axes.axvline(1.0, color=INK, linewidth=0.9, zorder=1)
        else:
            _draw_zero(axes, part)
        if better in ("lower", "higher"):
            say_sides(axes, f"a {minus} b", a_is_left=better == "lower", ascii_only=look.ascii)
    return drawing(pairs, look, marks_of(pairs, numbers(pairs, "estimate")))


def _draw_zero(axes: Axes, pairs: pl.DataFrame) -> None:
    """Draw the zero line and, where there is a margin, its band: each pair's own, since a relative one differs."""
    axes.axvline(0.0, color=INK, linewidth=0.9, zorder=1)
    margins = np.nan_to_num(numbers(pairs, "margin"))
    if (margins > 0).any():
        y = np.arange(len(margins))
        edges = np.concatenate([y - 0.5, y[-1:] + 0.5])
        edges[0], edges[-1] = -0.6, edges[-1] + 0.1
        band = np.append(margins, margins[-1])
        axes.fill_betweenx(edges, -band, band, step="post", color=QUIET, alpha=0.15, linewidth=0, zorder=0)
