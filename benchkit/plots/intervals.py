"""Figure 5 of the paper: simultaneous confidence intervals of all differences."""

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure

from benchkit.errors import BenchkitError
from benchkit.plots.look import Drawing, Look
from benchkit.plots.number_axis import needs_unit, set_number_axis
from benchkit.plots.palette import FADED, INK, QUIET, style_of
from benchkit.plots.rows import label_size, name_rows
from benchkit.plots.series import Tables, drawable, metric, numbers
from benchkit.plots.text import visible

ONE_COLUMN = 60
UNTESTED = "untested"
MARKS = {"better": "o", "worse": "o", "undecided": "o", "equivalent": "D", UNTESTED: "x"}
MEANINGS = (
    ({"better", "worse"}, "filled: separated, in the colour of the better"),
    ({"undecided"}, "hollow: undecided"),
    ({"equivalent"}, "diamond: equivalent"),
    ({UNTESTED}, "grey cross: not tested"),
)


def draw(area: SubFigure, tables: Tables, look: Look) -> Drawing:
    """Draw one row for each pair, a minus b: estimate, interval and verdict of `pairs`, in its order.

    A zero line, the band of the margin, and at the ends which of the two is better there. The marker is filled when the
    pair is separated or equivalent and hollow when undecided; a small grey cross is an estimate without a verdict: that
    pair was not tested. The row of a pair without an estimate is empty. More than 60 pairs go into several columns on one
    scale.
    """
    if look.scale == "log":
        raise BenchkitError("differences cannot be drawn on a log scale", "choose --scale linear")
    pairs = _ordered(tables["pairs"], look)
    if pairs.is_empty():
        raise BenchkitError("there is nothing to draw: no pair was tested", "benchkit test needs at least two algorithms")
    columns = int(np.ceil(np.sqrt(pairs.height / ONE_COLUMN)))
    height = int(np.ceil(pairs.height / columns))
    better = look.better or pairs["better"][0]
    margins = numbers(pairs, "margin")
    ends = np.concatenate([numbers(pairs, "estimate", "ci_low", "ci_high"), margins, -margins, [0.0]])
    for column, axes in enumerate(area.subplots(1, columns, squeeze=False)[0]):
        part = pairs.slice(column * height, height)
        set_number_axis(axes, "x", ends, metric(tables), look)
        unit = f", {visible(look.unit)}" if needs_unit(metric(tables), look) else ""
        axes.set_xlabel(f"difference in {visible(metric(tables))}{unit}")
        _draw_rows(axes, part, look)
        axes.set_ylim(height - 0.4, -0.6)
        _draw_zero(axes, part)
        if better in ("lower", "higher"):
            _say_sides(axes, a_is_left=better == "lower", ascii_only=look.ascii)
    row = label_size(height) * 1.3 / 72
    wanted = max(row, float(np.interp(height, (10, 40, 120), (0.3, 0.2, 0.12))))
    width = 5.5 if columns == 1 else 3.0 * columns
    least = (1.6 * columns, max(height * row, 0.6))
    return Drawing(*look.axes_inches(width, max(height * wanted, 0.6)), least, marks=_marks(pairs))


def _ordered(pairs: pl.DataFrame, look: Look) -> pl.DataFrame:
    """Return the pairs in the order of the algorithms wished for; without a wish as they are."""
    if not look.order:
        return pairs
    place = {name: position for position, name in enumerate(look.order)}
    last = len(place)
    keys = [(min(place.get(a, last), place.get(b, last)), max(place.get(a, last), place.get(b, last)))
            for a, b in pairs.select("a", "b").iter_rows()]  # fmt: skip
    return pairs[sorted(range(pairs.height), key=keys.__getitem__)]


def _draw_rows(axes: Axes, pairs: pl.DataFrame, look: Look) -> None:
    """Name the rows and draw interval and estimate of each; the row of a pair without an estimate stays empty."""
    minus = "-" if look.ascii else "−"
    rows = pairs.select("a", "b", "verdict").to_dicts()
    strong = [not look.highlight or row["a"] in look.highlight or row["b"] in look.highlight for row in rows]
    name_rows(axes.yaxis, [f"{visible(row['a'])} {minus} {visible(row['b'])}" for row in rows], strong)
    colours = np.array([_colour(row, look) if dark else FADED for row, dark in zip(rows, strong, strict=True)])
    verdicts = np.array([_mark(row["verdict"]) for row in rows])
    colours[verdicts == UNTESTED] = QUIET
    y = np.arange(len(rows))
    estimate, low, high = (numbers(pairs, name) for name in ("estimate", "ci_low", "ci_high"))
    shown = drawable(estimate)
    bounded = shown & ~(np.isnan(low) & np.isnan(high))
    # an interval that is open on a side goes on to the edge
    left, right = axes.get_xlim()
    low, high = (np.clip(np.where(np.isnan(end), estimate, end), left, right) for end in (low, high))
    axes.hlines(y[bounded], low[bounded], high[bounded], colors=colours[bounded].tolist(), linewidths=1.4, zorder=3)
    for verdict, marker in MARKS.items():
        here = shown & (verdicts == verdict)
        if here.any():
            colour = colours[here].tolist()
            fill = {"undecided": {"facecolors": "white", "edgecolors": colour}, UNTESTED: {"color": colour, "linewidths": 1.0}}
            axes.scatter(
                estimate[here], y[here], s=16, marker=marker, zorder=4, **fill.get(verdict, {"color": colour})
            ).set_gid(verdict)  # fmt: skip


def _mark(verdict: str | None) -> str:
    """Return which of the marks a verdict has; a verdict of a kind that we do not know decides nothing."""
    return UNTESTED if verdict is None else verdict if verdict in MARKS else "undecided"


def _colour(row: dict[str, str], look: Look) -> str:
    """Return the colour of the better algorithm, or ink where none is better."""
    winner = {"better": row["a"], "worse": row["b"]}.get(str(row["verdict"]))
    return INK if winner is None else style_of(str(winner), look.names)[0]


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


def _say_sides(axes: Axes, a_is_left: bool, ascii_only: bool) -> None:
    left, right = ("a", "b") if a_is_left else ("b", "a")
    back, forth, minus = ("<-", "->", "-") if ascii_only else ("←", "→", "−")
    for x, shift, align, words in (
        (0.0, -4, "right", f"a {minus} b"),
        (0.0, 0, "left", f"{back} {left} better"),
        (1.0, 0, "right", f"{right} better {forth}"),
    ):
        axes.annotate(
            words, (x, 1.0), (shift, 3), xycoords="axes fraction", textcoords="offset points",
            ha=align, va="bottom", fontsize=8, color=QUIET,
        )  # fmt: skip


def _marks(pairs: pl.DataFrame) -> tuple[str, ...]:
    """Return what the markers mean, for those that occur."""
    shown = drawable(numbers(pairs, "estimate"))
    present = {_mark(verdict) for verdict, here in zip(pairs["verdict"].to_list(), shown, strict=True) if here}
    empty = () if shown.all() else ("empty row: no estimate",)
    return *(words for verdicts, words in MEANINGS if present & verdicts), *empty
