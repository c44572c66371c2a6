"""The bench plot, Figure 4 of the paper: who took which place, with which performance, and how often."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure
from matplotlib.ticker import MaxNLocator

from benchkit.plots.look import Drawing, Look
from benchkit.plots.number_axis import Numbers, set_number_axis
from benchkit.plots.palette import QUIET, key, style
from benchkit.plots.points import draw_dots, infinite_remark, spread
from benchkit.plots.series import Tables, algorithms, by_algorithm, metric, numbers
from benchkit.plots.text import inches, visible

COUNT_SIZE = 7.0


@dataclass(frozen=True)
class Stage:
    """The two panels on one abscissa, the algorithms in the global order and the dots with their positions.

    dots: the table `dots` without rows that took no place, with columns x (in the stripe) and, for each replicate, index.
    """

    upper: Axes
    lower: Axes
    names: tuple[str, ...]
    dots: pl.DataFrame
    drawing: Drawing


def draw(area: SubFigure, tables: Tables, look: Look) -> Drawing:
    """Draw `dots` above and `places` below, with a legend in the global order.

    The abscissa has K places of K units; in place r the algorithm that is g-th in the global order stands at
    (r - 1) K + g - 0.5. Dots are spread within +/- 0.35 of that; the bar of its count is 1 wide.
    """
    return draw_stage(area, tables, look).drawing


def draw_stage(area: SubFigure, tables: Tables, look: Look) -> Stage:
    """Draw the bench plot and return its parts, for those who add to it."""
    names = algorithms({"places": tables["places"], "dots": tables["dots"]}, look)
    upper, lower = area.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": (1, 0.4)})
    dots = placed(tables["dots"], names)
    set_number_axis(upper, "y", numbers(tables["dots"], "performance"), metric(tables), look)
    width, height = look.axes_inches(*wanted_inches(len(names)))
    if look.size:
        width = max(width - max(inches(visible(name), 9.0) for name in names) - 0.4, 1.0)  # the legend takes its part
    stripe = width / len(names) ** 2
    infinite = _draw_all_dots(upper, dots, names, look, stripe)
    _draw_bars(lower, tables["places"], names, look, stripe)
    _draw_places(upper, lower, len(names))
    area.align_ylabels([upper, lower])
    least = (max(2.5, 0.3 * len(names)), 1.8)
    drawing = Drawing(width, height, least, tuple(key(name, look) for name in names), infinite_remark(infinite))
    return Stage(upper, lower, names, dots, drawing)


def wanted_inches(K: int) -> tuple[float, float]:
    """Return the size at which K algorithms on K places are told apart as well as a page allows."""
    width = float(np.clip(2.5 + 0.65 * K, 4.0, 16.0))
    return width, float(np.clip(0.6 * width, 3.4, 7.0))


def placed(dots: pl.DataFrame, names: tuple[str, ...]) -> pl.DataFrame:
    """Return the dots that took a place, with their x and the index of their replicate."""
    replicates = dots.select(pl.col("replicate").unique(maintain_order=True)).with_row_index("index")
    order = pl.DataFrame({"algorithm": names, "g": np.arange(1, len(names) + 1)})
    table = dots.filter(pl.col("place").is_not_null()).join(order, on="algorithm", how="inner", maintain_order="left")
    table = table.join(replicates, on="replicate", nulls_equal=True, how="left", maintain_order="left")
    across = pl.Series(spread(table["index"].cast(pl.Int64).to_numpy()))
    return table.with_columns(x=(pl.col("place") - 1) * len(names) + pl.col("g") - 0.5 + across)


def _draw_all_dots(axes: Axes, dots: pl.DataFrame, names: tuple[str, ...], look: Look, stripe: float) -> int:
    """Draw the dots of each algorithm, no larger than its stripe can hold, in inches; return how many were infinite."""
    of_dots = by_algorithm(dots)
    largest = max(36.0 * stripe, 2.2)
    infinite = 0
    for name in names:
        if name in of_dots:
            x, y = (numbers(of_dots[name], column) for column in ("x", "performance"))
            infinite += draw_dots(axes, x, y, style(name, look), dots.height, "y", largest)
    return infinite


def _draw_bars(axes: Axes, places: pl.DataFrame, names: tuple[str, ...], look: Look, stripe: float) -> None:
    """Draw one bar for each algorithm on each place, with its count above it if the counts fit the stripes, in inches."""
    K = len(names)
    of_places = by_algorithm(places.filter(pl.col("count") > 0))
    counts = {name: numbers(table, "count") for name, table in of_places.items()}
    words = {name: [f"{value:.4g}" for value in count] for name, count in counts.items()}
    upright = max((inches(word, COUNT_SIZE) for some in words.values() for word in some), default=0.0) > stripe
    for g, name in enumerate(names):
        if name in counts:
            x = (numbers(of_places[name], "place") - 1) * K + g + 0.5
            bars = axes.bar(x, counts[name], width=1.0, color=style(name, look).colour, linewidth=0)
            if not upright or stripe > 1.1 * COUNT_SIZE / 72:
                axes.bar_label(bars, words[name], fontsize=COUNT_SIZE, color=QUIET, padding=2, rotation=90 if upright else 0)
    highest = max((float(count.max()) for count in counts.values()), default=1.0)
    axes.set_ylim(0, (1.25 if upright else 1.15) * highest)
    axes.yaxis.set_major_locator(MaxNLocator(3, integer=True))
    axes.yaxis.set_major_formatter(Numbers("linear", look.ascii))
    axes.set_ylabel("replicates")


def _draw_places(upper: Axes, lower: Axes, K: int) -> None:
    """Part the places by dashed lines and number them in their middles."""
    for axes in (upper, lower):
        between = np.arange(1, K) * K
        axes.vlines(
            between, 0, 1, transform=axes.get_xaxis_transform(), colors=QUIET, linestyles="dashed", linewidths=0.6, zorder=1
        )
    lower.set_xlim(0, K * K)
    lower.set_xticks((np.arange(K) + 0.5) * K, labels=[f"{place}." for place in range(1, K + 1)])
    lower.tick_params(axis="x", length=0)
    upper.tick_params(axis="x", length=0, labelbottom=False)
    lower.set_xlabel("place")
