"""The effect size of each pair with its interval, beside the line of no effect."""

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import SubFigure

from benchkit.errors import BenchkitError
from benchkit.plots.look import Drawing, Look, Scale
from benchkit.plots.number_axis import needs_unit, set_number_axis
from benchkit.plots.pair_rows import columns_of, draw_rows, drawing, marks_of, ordered, say_sides
from benchkit.plots.palette import INK
from benchkit.plots.series import Tables, metric, numbers
from benchkit.plots.text import visible

COLUMNS = ("effect", "effect_low", "effect_high")


@dataclass(frozen=True)
class Kind:
    """How an effect size is drawn.

    none: its value where neither is better. words: the axis; {metric} stands for the metric with its unit. between: the
    sign between a and b in the rows. side: who is better on the right: "a", "metric" (b where less is better), or nobody.
    ratio: it lives on (0, inf), so that a log scale fits.
    """

    none: float
    words: str
    between: str = "vs"
    side: str = ""
    ratio: bool = False


KINDS = {
    "prob_better": Kind(0.5, "share of replicates on which a is better, ties half", side="a"),
    "a12": Kind(0.5, "probability that a value of a is better than one of b, ties half", side="a"),
    "odds_ratio": Kind(1.0, "odds of being right, a against b", side="a", ratio=True),
    "ratio": Kind(1.0, "ratio of {metric}, geometric mean within replicates", "/", "metric", ratio=True),
    "mean_difference": Kind(0.0, "mean difference in {metric}", "−", "metric"),
    "d_z": Kind(0.0, "mean difference in {metric}, in standard deviations of the difference", "−", "metric"),
    "cliffs_delta": Kind(0.0, "Cliff's delta: P(a better) less P(a worse)", side="a"),
    "rank_biserial": Kind(0.0, "matched rank-biserial correlation, positive if a is better", side="a"),
    "kendalls_w": Kind(0.0, "Kendall's W"),
}


def usual_scale(tables: Tables) -> Scale:
    """Return log for ratios, of which 1/2 is as far from 1 as 2 is, else linear."""
    names = set(tables["pairs"]["effect_name"].drop_nulls().to_list())
    return "log" if names and all(name in KINDS and KINDS[name].ratio for name in names) else "linear"


def draw(area: SubFigure, tables: Tables, look: Look) -> Drawing:
    """Draw one row for each pair of `pairs`: effect, effect_low and effect_high, marked by the verdict as in intervals.

    A line at no effect (0.5 for shares and probabilities, 1 for ratios, else 0), and at the ends which of the two is better
    there. An interval without end goes to the edge; an effect that is infinite, or 0 on a log scale, has a triangle there.
    Raises BenchkitError for a log scale of effects other than ratios, and where no pair has an effect.
    """
    pairs = ordered(tables, look)
    name = str(pairs["effect_name"][0] or "effect")
    kind = KINDS.get(name, Kind(0.0, name))
    if look.scale == "log" and not kind.ratio:
        raise BenchkitError(f"{name} cannot be drawn on a log scale", "choose --scale linear, or --effect ratio")
    all_values = numbers(pairs, *COLUMNS)
    if look.scale == "log":
        all_values = all_values[all_values > 0]
    between = "-" if look.ascii and kind.between == "−" else kind.between
    better = look.better or pairs["better"][0]
    right_is_a = kind.side == "a" or better == "higher"
    unit = f", {visible(look.unit)}" if needs_unit(metric(tables), look) and name == "mean_difference" else ""
    for axes, part in columns_of(area, pairs):
        set_number_axis(axes, "x", np.append(all_values, kind.none), metric(tables), look)
        axes.set_xlabel(kind.words.format(metric=visible(metric(tables)) + unit) if name in KINDS else visible(name))
        axes.axvline(kind.none, color=INK, linewidth=0.9, zorder=1)
        draw_rows(axes, part, look, COLUMNS, lambda a, b: f"{visible(a)} {between} {visible(b)}")
        if kind.side and (kind.side == "a" or better in ("lower", "higher")):
            say_sides(axes, f"a {between} b", a_is_left=not right_is_a, ascii_only=look.ascii)
    shown = numbers(pairs, "effect")
    if look.scale == "log":
        shown = np.where(shown <= 0, -np.inf, shown)
    return drawing(pairs, look, marks_of(pairs, shown))
