"""Did I grow enough trees? AUC and rates at marked points against the number of voters."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator

from benchkit.errors import BenchkitError
from benchkit.plots.look import Drawing, Look
from benchkit.plots.number_axis import Numbers, limits
from benchkit.plots.palette import Style, key, style
from benchkit.plots.series import Floats, Tables, numbers
from benchkit.plots.text import inches

NAMES = {"tpr_at_fpr": "TPR at FPR", "fpr_at_tpr": "FPR at TPR", "partial_auc": "area up to FPR"}
BETTER = {"fpr_at_tpr": "lower"}
# in powers of two, from the leftmost to the rightmost ensemble at one size: for few and for each of many ensembles
SPREAD, FOR_EACH = 0.34, 0.06
# which part of the gap between two sizes that takes at most
OF_GAP = 0.7
DASHED = (0, (3, 2))
LEAST = (1.05, 0.8)
MOST_ACROSS = 3
# inches of height from which on an axis also says which way is better
ROOMY = 1.7


def draw(area: SubFigure, tables: Tables, look: Look) -> Drawing:
    """Draw AUC from `ensembles`, and each of the `marks`, against voters_used, with intervals.

    Sizes stand on an axis of powers of two, ensembles at one size a little beside each other. Raises BenchkitError for
    ensembles without sizes, which scores are.
    """
    parts = _parts(tables)
    names = _names(parts[0][2], look)
    columns = 2 if len(parts) == 4 else min(MOST_ACROSS, len(parts))
    rows = -(-len(parts) // columns)
    spots = area.subplots(rows, columns, squeeze=False).ravel()
    for axes in spots[len(parts) :]:
        axes.remove()
    wide, high = {1: (5.2, 3.4), 2: (3.4, 2.8)}.get(columns, (2.6, 2.3))
    size = look.axes_inches(wide * columns, high * rows)
    sizes = np.unique(np.concatenate([numbers(table, "voters_used") for _, _, table in parts]))
    spread = _spread(sizes, len(names)) if len(names) > 1 else 0.0
    at_hand = dict(parts[0][2].select("ensemble", "n_voters").rows())
    for number, (axes, (words, column, table)) in enumerate(zip(spots, parts, strict=False)):
        _draw_part(axes, table, column, {name: (style(name, look), at_hand.get(name)) for name in names}, spread)
        axes.yaxis.set_major_formatter(Numbers("linear", look.ascii))
        _set_sizes(axes, sizes, spread, size[0] / columns)
        axes.set_ylabel(words if size[1] / rows > ROOMY else words.partition(" (")[0])
        if number + columns >= len(parts):
            axes.set_xlabel("voters")
    remarks = ("one size only: --voters-used shows more",) if len(sizes) == 1 else ()
    legend = tuple(key(name, look, line=True) for name in names) if len(names) > 1 else ()
    beyond = (parts[0][2]["voters_used"] > parts[0][2]["n_voters"]).any()
    marks = (
        *(("ensembles of one size stand side by side",) if len(names) > 1 else ()),
        *(("open marks, dashed lines: extrapolated",) if beyond else ()),
    )
    return Drawing(*size, (LEAST[0] * columns, LEAST[1] * rows), legend, remarks, marks)


def _spread(sizes: Floats, count: int) -> float:
    """Return how far ensembles at one size stand apart, in powers of two, so that those of two sizes do not mix."""
    return float(min([max(SPREAD, FOR_EACH * count), *(OF_GAP * np.diff(np.log2(sizes)))]))


def _parts(tables: Tables) -> list[tuple[str, str, pl.DataFrame]]:
    """Return what each panel shows: its name, the column of the number, and its rows."""
    ensembles = tables["ensembles"].drop_nulls(["voters_used", "auc"])
    if ensembles.is_empty():
        raise BenchkitError("there is nothing to draw: scores have no numbers of voters", "choose --kind roc")
    parts = [("AUC (higher is better)", "auc", ensembles)]
    marks = tables.get("marks")
    if marks is None or marks.is_empty():
        return parts
    marks = marks.drop_nulls(["voters_used", "estimate"])
    for (what, at), rows in marks.partition_by("characteristic", "at", as_dict=True, maintain_order=True).items():
        words = f"{NAMES.get(str(what), str(what))} {at:g} ({BETTER.get(str(what), 'higher')} is better)"
        parts.append((words, "estimate", rows))
    return parts


def _names(ensembles: pl.DataFrame, look: Look) -> tuple[str, ...]:
    found = ensembles["ensemble"].unique(maintain_order=True).to_list()
    return tuple(dict.fromkeys([*(name for name in look.order if name in found), *found]))


def _draw_part(
    axes: Axes, table: pl.DataFrame, column: str, ensembles: Mapping[str, tuple[Style, int | None]], spread: float
) -> None:
    """Draw one number of all ensembles: a line through the estimates and a bar for each interval.

    ensembles: how each is drawn and how many voters it has; sizes beyond these are open marks at a dashed line.
    """
    shown: list[Floats] = []
    for place, (name, (mine, at_hand)) in enumerate(ensembles.items()):
        rows = table.filter(pl.col("ensemble") == name).sort("voters_used")
        sizes = numbers(rows, "voters_used")
        x = sizes * 2 ** (spread * ((place + 0.5) / len(ensembles) - 0.5))
        estimate, low, high = (numbers(rows, each) for each in (column, "ci_low", "ci_high"))
        low, high = (np.where(np.isnan(end), estimate, end) for end in (low, high))
        axes.vlines(x, low, high, colors=mine.colour, linewidths=1.3, zorder=2.6, gid="interval")
        grown = len(sizes) if at_hand is None else int((sizes <= at_hand).sum())
        above = 3.0 if mine.strong else 2.7
        known: dict[str, Any] = {"color": mine.colour, "markersize": 5, "linewidth": 1.2}
        axes.plot(x[:grown], estimate[:grown], marker=mine.marker, zorder=above, gid="numbers", **known)
        if grown < len(sizes):
            # no line leads there: a step between the two kinds of size says nothing of more voters
            beyond: dict[str, Any] = {"markerfacecolor": "white", "linestyle": DASHED, "gid": "extrapolated"}
            axes.plot(x[grown:], estimate[grown:], marker=mine.marker, zorder=above, **beyond, **known)
        shown += [estimate, low, high]
    axes.set_ylim(*limits(np.concatenate(shown), "linear"))
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    axes.grid(visible=True, axis="y")


def _set_sizes(axes: Axes, sizes: Floats, spread: float, width: float) -> None:
    """Scale the axis in powers of two, with a tick at each size that has room for its number."""
    axes.set_xscale("log", base=2)
    # one size has the whole width for its ensembles
    beside = 2 ** (spread / 2 + (0.25 if len(sizes) > 1 or not spread else 0.04))
    low, high = float(sizes[0]) / beside, float(sizes[-1]) * beside
    axes.set_xlim(low, high)
    shown: list[float] = []
    edge = np.inf
    for value in sizes[::-1]:
        middle = width * float(np.log(value / low) / np.log(high / low))
        half = inches(f"{value:.0f}", 8.5) / 2
        if middle + half + 0.08 <= edge:
            shown.append(float(value))
            edge = middle - half
    axes.xaxis.set_major_locator(FixedLocator(shown[::-1]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0f}")
