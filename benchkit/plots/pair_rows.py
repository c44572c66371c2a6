"""What figures with one row for each pair share: the order of the rows, their columns, and marks that say the verdict."""

from collections.abc import Callable, Iterator

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure

from benchkit.errors import BenchkitError
from benchkit.plots.look import Drawing, Look
from benchkit.plots.palette import FADED, INK, QUIET, style_of
from benchkit.plots.rows import label_size, name_rows
from benchkit.plots.series import Floats, Tables, drawable, numbers

ONE_COLUMN = 60
UNTESTED, BEYOND = "untested", "beyond"
MARKS = {"better": "o", "worse": "o", "undecided": "o", "equivalent": "D", UNTESTED: "x"}
MEANINGS = (
    ({"better", "worse"}, "filled: separated, in the colour of the better"),
    ({"undecided"}, "hollow: undecided"),
    ({"equivalent"}, "diamond: equivalent"),
    ({UNTESTED}, "grey cross: not tested"),
)


def ordered(tables: Tables, look: Look) -> pl.DataFrame:
    """Return the pairs in the order of the algorithms wished for; without a wish as they are. No pair: BenchkitError."""
    pairs = tables["pairs"]
    if pairs.is_empty():
        raise BenchkitError("there is nothing to draw: no pair was tested", "benchkit test needs at least two algorithms")
    if not look.order:
        return pairs
    place = {name: position for position, name in enumerate(look.order)}
    last = len(place)
    keys = [(min(place.get(a, last), place.get(b, last)), max(place.get(a, last), place.get(b, last)))
            for a, b in pairs.select("a", "b").iter_rows()]  # fmt: skip
    return pairs[sorted(range(pairs.height), key=keys.__getitem__)]


def columns_of(area: SubFigure, pairs: pl.DataFrame) -> Iterator[tuple[Axes, pl.DataFrame]]:
    """Yield axes side by side and the pairs that each shows, 60 in the first column before there is a second."""
    columns = int(np.ceil(np.sqrt(pairs.height / ONE_COLUMN)))
    height = rows_of(pairs)
    for column, axes in enumerate(area.subplots(1, columns, squeeze=False)[0]):
        yield axes, pairs.slice(column * height, height)
        axes.set_ylim(height - 0.4, -0.6)


def rows_of(pairs: pl.DataFrame) -> int:
    """Return how many rows a column has."""
    return int(np.ceil(pairs.height / np.ceil(np.sqrt(pairs.height / ONE_COLUMN))))


def drawing(pairs: pl.DataFrame, look: Look, marks: tuple[str, ...]) -> Drawing:
    """Ask for rows that are high enough for their labels, and for the width of all columns."""
    height = rows_of(pairs)
    columns = int(np.ceil(pairs.height / height))
    row = label_size(height) * 1.3 / 72
    wanted = max(row, float(np.interp(height, (10, 40, 120), (0.3, 0.2, 0.12))))
    width = 5.5 if columns == 1 else 3.0 * columns
    least = (1.6 * columns, max(height * row, 0.6))
    return Drawing(*look.axes_inches(width, max(height * wanted, 0.6)), least, marks=marks)


def draw_rows(
    axes: Axes, pairs: pl.DataFrame, look: Look, columns: tuple[str, str, str], label: Callable[[str, str], str]
) -> None:
    """Name the rows and draw the number and the interval of each, the columns given: (number, low, high).

    The row of a pair without a number stays empty. An interval that is open, or goes beyond the axis, ends at its edge; a
    number beyond the axis, such as an infinite one, is a triangle there.
    """
    rows = pairs.select("a", "b", "verdict").to_dicts()
    strong = [not look.highlight or row["a"] in look.highlight or row["b"] in look.highlight for row in rows]
    name_rows(axes.yaxis, [label(row["a"], row["b"]) for row in rows], strong)
    colours = np.array([_colour(row, look) if dark else FADED for row, dark in zip(rows, strong, strict=True)])
    verdicts = np.array([mark_of(row["verdict"]) for row in rows])
    colours[verdicts == UNTESTED] = QUIET
    y = np.arange(len(rows))
    estimate, low, high = (numbers(pairs, name) for name in columns)
    left, right = axes.get_xlim()
    given = ~np.isnan(estimate)
    beyond = given & ~((estimate >= left) & (estimate <= right))
    shown = given & ~beyond
    bounded = given & ~(np.isnan(low) & np.isnan(high))
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
    for edge, marker, here in ((left, "<", beyond & (estimate < left)), (right, ">", beyond & (estimate > right))):
        if here.any():
            at = axes.scatter(np.full(here.sum(), edge), y[here], s=24, marker=marker, color=colours[here].tolist(), zorder=4)
            at.set_clip_on(False)
            at.set_gid(BEYOND)


def mark_of(verdict: str | None) -> str:
    """Return which of the marks a verdict has; a verdict of a kind that we do not know decides nothing."""
    return UNTESTED if verdict is None else verdict if verdict in MARKS else "undecided"


def _colour(row: dict[str, str], look: Look) -> str:
    """Return the colour of the better algorithm, or ink where none is better."""
    winner = {"better": row["a"], "worse": row["b"]}.get(str(row["verdict"]))
    return INK if winner is None else style_of(str(winner), look.names)[0]


def say_sides(axes: Axes, label: str, a_is_left: bool, ascii_only: bool) -> None:
    """Write above the axes what the rows are called, and which of the two is better at which end."""
    left, right = ("a", "b") if a_is_left else ("b", "a")
    back, forth = ("<-", "->") if ascii_only else ("←", "→")
    for x, shift, align, words in (
        (0.0, -4, "right", label),
        (0.0, 0, "left", f"{back} {left} better"),
        (1.0, 0, "right", f"{right} better {forth}"),
    ):
        axes.annotate(
            words, (x, 1.0), (shift, 3), xycoords="axes fraction", textcoords="offset points",
            ha=align, va="bottom", fontsize=8, color=QUIET,
        )  # fmt: skip


def marks_of(pairs: pl.DataFrame, shown: Floats) -> tuple[str, ...]:
    """Return what the markers mean, for those that occur; shown: the numbers that are drawn, NaN where there is none."""
    here = drawable(shown)
    present = {mark_of(verdict) for verdict, there in zip(pairs["verdict"].to_list(), here, strict=True) if there}
    far = ("triangle at the edge: beyond the axis",) if (~np.isnan(shown) & ~here).any() else ()
    empty = ("empty row: no estimate",) if np.isnan(shown).any() else ()
    return *(words for verdicts, words in MEANINGS if present & verdicts), *far, *empty
