"""The posterior of each pair as one bar: better, equivalent and worse, with the probabilities written in."""

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure

from benchkit.errors import BenchkitError
from benchkit.plots.look import Drawing, Look
from benchkit.plots.number_axis import Numbers
from benchkit.plots.pair_rows import columns_of, drawing, ordered
from benchkit.plots.palette import FADED, INK, QUIET, ink_on, style_of
from benchkit.plots.rows import label_size, name_rows
from benchkit.plots.series import Tables, numbers
from benchkit.plots.text import inches, visible

COLUMNS = ("posterior_better", "posterior_equivalent", "posterior_worse")
EQUIVALENT = "#d9d9d9"
CERTAIN = 0.9995


def draw(area: SubFigure, tables: Tables, look: Look) -> Drawing:
    """Draw one bar for each pair of `pairs`, of a better, equivalent and b better.

    From the left end, where a is named, the probability that a is better, in its colour; then in grey that the two are
    equivalent; up to the right end, where b is named, that b is better. Probabilities are written where their part is wide
    enough for them. A pair without a posterior is an empty row.
    """
    if look.scale == "log":
        raise BenchkitError("probabilities cannot be drawn on a log scale", "choose --scale linear")
    pairs = ordered(tables, look)
    asked = drawing(pairs, look, ())
    complete = True
    columns = list(columns_of(area, pairs))
    for axes, part in columns:
        complete &= _draw_bars(axes, part, look, asked.width / len(columns))
    shown = ~np.isnan(numbers(pairs, COLUMNS[0]))
    rope = bool(np.nan_to_num(numbers(pairs, COLUMNS[1])).any() or np.nan_to_num(numbers(pairs, "margin")).any())
    marks = (
        "coloured part: probability that the algorithm on its side is better",
        *(("grey: equivalent",) if rope else ()),
        *(() if complete else ("small parts have no number: all three sum to 1" if rope else "small parts have no number",)),
        *(() if shown.all() else ("empty row: no posterior",)),
    )
    return drawing(pairs, look, marks)


def _draw_bars(axes: Axes, pairs: pl.DataFrame, look: Look, width: float) -> bool:
    """Draw the bars of one column, `width` inches wide; tell whether all numbers had room."""
    axes.set_xlim(0.0, 1.0)
    axes.set_xticks([0.0, 0.25, 0.5, 0.75, 1.0])
    axes.xaxis.set_major_formatter(Numbers("linear", look.ascii))
    axes.set_xlabel("posterior probability")
    rows = pairs.select("a", "b").rows()
    strong = [not look.highlight or a in look.highlight or b in look.highlight for a, b in rows]
    size = label_size(len(rows))
    name_rows(axes.yaxis, [visible(a) for a, _ in rows], strong)
    parts = np.stack([numbers(pairs, name) for name in COLUMNS], axis=1)
    starts = np.cumsum(np.column_stack([np.zeros(len(rows)), parts]), axis=1)
    complete = True
    for y, ((a, b), dark) in enumerate(zip(rows, strong, strict=True)):
        weight = "bold" if dark and not all(strong) else "normal"
        # tick labels stand on the left only
        axes.annotate(
            visible(b), (1.0, y), (4, 0), textcoords="offset points", annotation_clip=False, va="center_baseline",
            fontsize=size, color=INK if dark else QUIET, fontweight=weight,
        )  # fmt: skip
        fills = [style_of(a, look.names)[0], EQUIVALENT, style_of(b, look.names)[0]]
        for part, start, fill, what in zip(parts[y], starts[y], fills, ("a", "equivalent", "b"), strict=False):
            if np.isnan(part) or part <= 0:
                continue
            colour = fill if dark else (EQUIVALENT if what == "equivalent" else FADED)
            axes.barh(y, part, 0.74, start, color=colour, edgecolor="white", linewidth=0.6)[0].set_gid(what)
            text = share_text(float(part))
            if inches(text, size - 0.5) + 0.08 <= part * width:
                axes.text(start + part / 2, y, text, fontsize=size - 0.5, ha="center", va="center_baseline", color=ink_on(colour))
            else:
                complete = False
    return complete


def share_text(share: float) -> str:
    """Return a probability in three decimals; one that would round to 0 or 1 as <0.001 or >0.999, since none is certain."""
    return ">0.999" if share >= CERTAIN else "<0.001" if share < 1 - CERTAIN else f"{share:.3f}"
