"""Where the variance of the rates comes from: shares of voters and of test items along the curve."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator

from benchkit.errors import BenchkitError
from benchkit.plots.curves import Curve, blend, curves, not_too_many, rate_tick, rate_ticks
from benchkit.plots.look import Drawing, Key, Look
from benchkit.plots.number_axis import Numbers
from benchkit.plots.palette import INK, QUIET, ink_on
from benchkit.plots.series import Floats, Tables, numbers
from benchkit.plots.text import inches, visible, wrapped

RATES = (("fpr", "false positive rate"), ("tpr", "true positive rate"))
ITEMS = "#e9e9e9"
HATCH = "////"
SIDE_BY_SIDE = 4
# curves on one page: three rows of four
MOST_CURVES = 12
LABEL, NAME = 8.5, 9.0
MARKS = ("hatched: from the voters, grey: from the test items", "blank: rate 0 or 1")
LEAST = (0.903, 0.25)


def draw(area: SubFigure, tables: Tables, look: Look) -> Drawing:
    """Draw for each curve of `points`, below one another, the stacked shares of the variance of FPR and of TPR.

    From the bottom the voters' share, hatched and in the colour of the ensemble, above it that of the test items. Along the
    bottom runs the threshold, or, on a logarithmic scale, the FPR. A threshold at which nothing varies is left out.
    Raises BenchkitError if no threshold has shares.
    """
    found, remarks = not_too_many(curves(tables["points"], look))
    drawn = [curve for curve in found if any(len(_shares(curve, rate, look)[0]) > 1 for rate, _ in RATES)]
    unseen = [visible(curve.label) for curve in found if curve not in drawn]
    remarks = (*remarks, f"not shown: {', '.join(unseen)}") if unseen else remarks
    if not drawn:
        message = "there is nothing to draw: no threshold has shares of the variance"
        raise BenchkitError(message, "benchkit roc gives them with --vary both")
    drawn, left_out = _first_ones(drawn)
    remarks = (*remarks, *left_out)
    columns = _columns(drawn)
    rows = -(-len(drawn) // columns)
    spots = area.subplots(2 * rows, columns, squeeze=False)
    wide, high = {1: (5.6, 1.7), 2: (3.2, 1.5)}.get(columns, (2.3, 1.2))
    size = look.axes_inches(wide * columns, high * 2 * rows)
    each = (size[0] / columns, size[1] / (2 * rows))
    named = {False: False, True: False}
    left = min((float(_shares(curve, rate, look)[0].min(initial=1.0)) for curve in drawn for rate, _ in RATES), default=1.0)
    for number, curve in enumerate(drawn):
        row, column = divmod(number, columns)
        lowest = number + columns >= len(drawn)
        for half, (rate, words) in enumerate(RATES):
            axes = spots[2 * row + half, column]
            _set_axes(
                axes, curve, look, (words if columns == 1 else rate.upper()) if column == 0 else "", half == 1, lowest, each[1]
            )
            _set_range(axes, curve, look, left, each[0])
            _draw_shares(axes, curve, rate, look, each, named)
            if half == 0 and len(drawn) > 1:
                axes.set_title(
                    wrapped(curve.label, each[0], NAME), fontsize=NAME, color=INK if curve.style.strong else QUIET, pad=4
                )
    for number in range(len(drawn), rows * columns):
        row, column = divmod(number, columns)
        for half in (0, 1):
            spots[2 * row + half, column].remove()
    legend = () if all(named.values()) else _legend(drawn[0])
    return Drawing(*size, (LEAST[0] * columns, LEAST[1] * 2 * rows), legend, remarks, MARKS)


def _shares(curve: Curve, rate: str, look: Look) -> tuple[Floats, Floats]:
    """Return where the shares of a rate stand on the axis, rising, and the voters' shares."""
    axis = "fpr" if look.scale == "log" else "threshold"
    rows = curve.rows.drop_nulls([axis, f"{rate}_share_voters"]).sort("fpr", "threshold", descending=[False, True])
    rows = rows.filter((rows[rate] > 0) & (rows[rate] < 1) & (rows["fpr"] > 0 if look.scale == "log" else True))
    rows = rows if look.scale == "log" else rows.sort("threshold")
    return numbers(rows, axis), numbers(rows, f"{rate}_share_voters")


def _draw_shares(axes: Axes, curve: Curve, rate: str, look: Look, each: tuple[float, float], named: dict[bool, bool]) -> None:
    """Fill the two shares and write what they are where there is room for it; note in `named` which were written."""
    x, share = _shares(curve, rate, look)
    if len(x) < 2:
        axes.annotate(
            "nothing varies", (0.5, 0.5), xycoords="axes fraction", ha="center", va="center", fontsize=LABEL, color=QUIET
        )
        return
    fill = blend(curve.shade, 0.45)
    axes.fill_between(
        x, 0, share, facecolor=fill, edgecolor=blend(curve.shade, 0.75), hatch=HATCH, linewidth=0, zorder=2, gid="voters"
    )
    axes.fill_between(x, share, 1, facecolor=ITEMS, linewidth=0, zorder=2, gid="items")
    axes.plot(x, share, color=curve.shade, linewidth=1.4, zorder=3, gid="share")
    place = (axes.transScale + axes.transLimits).transform(np.column_stack([x, share]))[:, 0]
    for voters, word in ((True, "voters"), (False, "items")):
        spot = _room(place, share if voters else 1 - share, word, each)
        if spot is None:
            continue
        named[voters] = True
        height = spot[1] / 2 if voters else 1 - spot[1] / 2
        box = {"facecolor": fill, "edgecolor": "none", "boxstyle": "square,pad=0.15"} if voters else None
        axes.annotate(
            word, (spot[0], height), xycoords="axes fraction", ha="center", va="center", fontsize=LABEL,
            color=ink_on(fill) if voters else INK, bbox=box, zorder=4,
        )  # fmt: skip


def _room(place: Floats, thickness: Floats, word: str, each: tuple[float, float]) -> tuple[float, float] | None:
    """Return where the part is thick enough for the word, at its thickest, and how thick it is there; None if nowhere."""
    half = (inches(word, LABEL) / 2 + 0.05) / each[0]
    least = (1.35 * LABEL / 72) / each[1]
    best = None
    for middle in np.linspace(place[0] + half, place[-1] - half, 41) if 2 * half < place[-1] - place[0] else ():
        along = np.interp(np.linspace(middle - half, middle + half, 9), place, thickness)
        if along.min() >= least and (best is None or along.min() > best[1]):
            best = (float(middle), float(along.min()))
    return best


def _set_axes(axes: Axes, curve: Curve, look: Look, words: str, below: bool, lowest: bool, high: float) -> None:
    """Name axes `high` inches high: shares on the left of the first column, thresholds below the rates of true positives."""
    axes.set_ylim(0, 1)
    axes.yaxis.set_major_locator(FixedLocator([0, 0.5, 1] if high > 0.55 else [0, 1]))
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}%")
    axes.set_ylabel(f"share, {words}" if words and len(words) > 3 else words)
    axes.tick_params(labelleft=bool(words))
    axes.tick_params(labelbottom=below)
    if below and lowest:
        scores = curve.key[1] is None
        axes.set_xlabel("false positive rate" if look.scale == "log" else "threshold (score)" if scores else "threshold (votes)")


def _set_range(axes: Axes, curve: Curve, look: Look, left: float, width: float) -> None:
    """Let the axis run over all votes or scores of the curve, or over the rates from `left`, the smallest of all curves."""
    if look.scale == "log":
        axes.set_xscale("log")
        axes.set_xlim(left, 1.0)
        axes.xaxis.set_major_locator(FixedLocator(rate_ticks(left, width)))
    else:
        thresholds = numbers(curve.rows.drop_nulls("threshold"), "threshold")
        axes.set_xlim(float(thresholds.min()), float(thresholds.max()))
        axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10], integer=curve.key[1] is not None))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(rate_tick if look.scale == "log" else Numbers("linear", look.ascii))


def _columns(drawn: list[Curve]) -> int:
    """Return how many curves stand side by side: the sizes of one ensemble if all have as many, else up to four."""
    sizes = [sum(other.key[0] == curve.key[0] for other in drawn) for curve in drawn]
    return sizes[0] if len(set(sizes)) == 1 and 1 < sizes[0] <= SIDE_BY_SIDE else min(SIDE_BY_SIDE, len(drawn))


def _first_ones(drawn: list[Curve]) -> tuple[list[Curve], tuple[str, ...]]:
    """Return the curves that one page has room for, highlighted ones first, and what the caption says of the others."""
    if len(drawn) <= MOST_CURVES:
        return drawn, ()
    chosen = sorted(drawn, key=lambda curve: not curve.style.strong)[:MOST_CURVES]
    text = f"the first {MOST_CURVES} of {len(drawn)} curves only: --order, --highlight or --where chooses others"
    return [curve for curve in drawn if curve in chosen], (text,)


def _legend(curve: Curve) -> tuple[Key, ...]:
    """Return the entries of a legend for shares that have no room for their names."""
    return (
        Key("items", Patch(facecolor=ITEMS)),
        Key("voters", Patch(facecolor=blend(curve.shade, 0.45), edgecolor=blend(curve.shade, 0.75), hatch=HATCH, linewidth=0)),
    )
