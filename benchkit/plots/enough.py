"""Did I grow enough trees? AUC and rates at marked points against the number of voters."""

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator

from benchkit.errors import BenchkitError
from benchkit.plots.look import Drawing, Look
from benchkit.plots.number_axis import Numbers, limits
from benchkit.plots.palette import key, style
from benchkit.plots.series import Floats, Tables, numbers
from benchkit.plots.text import inches

NAMES = {"tpr_at_fpr": "TPR at FPR", "fpr_at_tpr": "FPR at TPR", "partial_auc": "area up to FPR"}
BETTER = {"fpr_at_tpr": "lower"}
# in powers of two, from the leftmost to the rightmost ensemble at one size
SPREAD = 0.34
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
    for number, (axes, (words, column, table)) in enumerate(zip(spots, parts, strict=False)):
        _draw_part(axes, table, column, names, look)
        _set_sizes(axes, sizes, len(names), size[0] / columns)
        axes.set_ylabel(words if size[1] / rows > ROOMY else words.partition(" (")[0])
        if number + columns >= len(parts):
            axes.set_xlabel("voters")
    remarks = ("one size only: --voters-used shows more",) if len(sizes) == 1 else ()
    legend = tuple(key(name, look, line=True) for name in names) if len(names) > 1 else ()
    return Drawing(*size, (LEAST[0] * columns, LEAST[1] * rows), legend, remarks)


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


def _draw_part(axes: Axes, table: pl.DataFrame, column: str, names: tuple[str, ...], look: Look) -> None:
    """Draw one number of all ensembles: a line through the estimates and a bar for each interval."""
    shown: list[Floats] = []
    for place, name in enumerate(names):
        rows = table.filter(pl.col("ensemble") == name).sort("voters_used")
        mine = style(name, look)
        shift = SPREAD * ((place + 0.5) / len(names) - 0.5) if len(names) > 1 else 0.0
        x = numbers(rows, "voters_used") * 2**shift
        estimate, low, high = (numbers(rows, each) for each in (column, "ci_low", "ci_high"))
        low, high = (np.where(np.isnan(end), estimate, end) for end in (low, high))
        axes.vlines(x, low, high, colors=mine.colour, linewidths=1.3, zorder=2.6, gid="interval")
        axes.plot(
            x, estimate, color=mine.colour, marker=mine.marker, markersize=5, linewidth=1.2, zorder=3 if mine.strong else 2,
            gid="numbers",
        )  # fmt: skip
        shown += [estimate, low, high]
    axes.set_ylim(*limits(np.concatenate(shown), "linear"))
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    axes.yaxis.set_major_formatter(Numbers("linear", look.ascii))
    axes.grid(visible=True, axis="y")


def _set_sizes(axes: Axes, sizes: Floats, count: int, width: float) -> None:
    """Scale the axis in powers of two, with a tick at each size that has room for its number."""
    axes.set_xscale("log", base=2)
    beside = 2 ** (0.25 + (SPREAD / 2 if count > 1 else 0.0))
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
