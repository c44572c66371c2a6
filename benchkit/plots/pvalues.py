"""A heat map of the adjusted p-values of all pairs, with signs that say which one is better."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import SubFigure
from matplotlib.patches import Patch

from benchkit.errors import BenchkitError
from benchkit.plots.look import Drawing, Key, Look
from benchkit.plots.pair_rows import ordered
from benchkit.plots.palette import FAINT, INK, QUIET, ink_on, paler
from benchkit.plots.rows import label_size
from benchkit.plots.series import Tables
from benchkit.plots.text import inches, visible

# from the level down: the lightest tone first
MARKS = (0.05, 0.01, 0.001, 1e-6)
TONES = ("#cfe3ea", "#8fbccb", "#2f738e", "#0d4a63")
UNDECIDED, NO_P = FAINT, "#ffffff"
P_SIZE, SMALLEST_P = 7.5, 1e-300
# names below a column that are longer stand upright
WIDEST_NAME = 0.9

SIGNS = {"row": "<", "column": "v", "equivalent": "D", "undecided": "o", "untested": "x"}
MEANINGS = {
    "row": "triangle: points to the name of the better",
    "column": "triangle: points to the name of the better",
    "equivalent": "diamond: equivalent",
    "undecided": "circle: undecided",
    "untested": "cross: not tested",
}


@dataclass(frozen=True)
class Cell:
    """One pair on the map: where it stands, what was found and its p-value, None where there is none."""

    row: int
    column: int
    names: tuple[str, str]
    sign: str
    p: float | None


def draw(area: SubFigure, tables: Tables, look: Look) -> Drawing:
    """Draw one cell for each pair of `pairs`, best algorithms first: to the left and at the top.

    The algorithms of the rows stand on the left, those of the columns below; pairs with one baseline make one column. A
    triangle points to the name of the better one; a diamond is equivalent, a circle undecided, a cross not tested, and an
    empty spot is a pair that is not in the table. The darker the smaller is the adjusted p-value, in steps at the level,
    0.01, 0.001 and 1e-6; undecided and equivalent cells are grey. p-values stand in the cells where these are large enough.
    """
    if look.scale == "log":
        raise BenchkitError("p-values have a scale of their own", "choose --scale linear")
    pairs = ordered(tables, look)
    rows, columns = _axes_of(pairs, look)
    cells = _cells(pairs, rows, columns)
    alpha = _alpha(pairs)
    tones = _tones(alpha)
    texts = ["" if cell.p is None else p_text(cell.p, alpha) for cell in cells]
    needed = max((inches(text, P_SIZE) for text in texts), default=0.0) + 0.12
    name = max(inches(visible(name), 9.0) for name in columns) + 0.1
    wide, high = _cell_inches(max(len(rows), len(columns)), max(needed, name if name <= WIDEST_NAME else 0.0))
    width, height = look.axes_inches(wide * len(columns), high * len(rows))
    wide, high = width / len(columns), height / len(rows)
    written = wide >= needed and high >= 0.3
    axes = area.subplots()
    _draw_cells(axes, cells, tones, look)
    _draw_signs(axes, cells, tones, look, min(wide, high), written)
    if written:
        for cell, text in zip(cells, texts, strict=True):
            axes.text(
                cell.column, cell.row + (0.22 if text else 0), text, fontsize=P_SIZE, ha="center", va="center",
                color=ink_on(_fill(cell, tones, look)),
            )  # fmt: skip
    _name(axes, rows, columns, look, wide)
    least = label_size(max(len(rows), len(columns))) * 1.3 / 72
    smallest = (max(least * len(columns), 1.6), max(least * len(rows), 0.4))
    present = dict.fromkeys(MEANINGS[cell.sign] for cell in cells)
    missing = len(rows) * len(columns) if len(columns) == 1 else len(rows) * (len(rows) + 1) // 2
    empty = ("empty spot: not compared",) if len(cells) < missing else ()
    return Drawing(width, height, smallest, _keys(tones, look), marks=(*present, *empty))


def _axes_of(pairs: pl.DataFrame, look: Look) -> tuple[list[str], list[str]]:
    """Return the algorithms of the rows and of the columns, best first unless an order is wished for."""
    names = best_first(pairs, look)
    against = set(pairs["b"].to_list())
    if len(against) == 1 and pairs.height > 1:
        return [name for name in names if name not in against], list(against)
    return names[1:], names[:-1]


def best_first(pairs: pl.DataFrame, look: Look) -> list[str]:
    """Return the algorithms of the pairs: the order wished for, then by mean, best first, then by name."""
    better = look.better or pairs["better"][0]
    sign = -1.0 if better == "higher" else 1.0
    means: dict[str, float] = {}
    for name, mean in [*pairs.select("a", "mean_a").iter_rows(), *pairs.select("b", "mean_b").iter_rows()]:
        if name not in means or np.isnan(means[name]):
            means[name] = np.nan if mean is None else sign * mean
    place = {name: position for position, name in enumerate(look.names)}
    found = sorted(means, key=lambda name: (np.isnan(means[name]), np.nan_to_num(means[name]), place.get(name, len(place)), name))
    return list(dict.fromkeys([*(name for name in look.order if name in means), *found]))


def _cells(pairs: pl.DataFrame, rows: list[str], columns: list[str]) -> list[Cell]:
    row_of = {name: position for position, name in enumerate(rows)}
    column_of = {name: position for position, name in enumerate(columns)}
    cells = []
    for a, b, verdict, p in pairs.select("a", "b", "verdict", "p_adjusted").iter_rows():
        a_is_row = b in column_of and a in row_of and (a not in column_of or row_of[a] >= column_of[b])
        row, column = (a, b) if a_is_row else (b, a)
        winner = {"better": a, "worse": b}.get(verdict)
        sign = "row" if winner == row else "column" if winner == column else _undecided(verdict)
        cells.append(Cell(row_of[row], column_of[column], (row, column), sign, p))
    return cells


def _undecided(verdict: str | None) -> str:
    return "untested" if verdict is None else "equivalent" if verdict == "equivalent" else "undecided"


def _alpha(pairs: pl.DataFrame) -> float:
    """Return 1 - level, 0.05 where the table does not say it."""
    level = pairs["ci_level"].drop_nulls()
    return round(1 - float(level[0]), 12) if level.len() else MARKS[0]


def _tones(alpha: float) -> list[tuple[float, str]]:
    """Return (upper end of p, colour) of each step, from the level down."""
    marks = [alpha, *(mark for mark in MARKS if mark < alpha)][: len(TONES)]
    return list(zip(marks, TONES[len(TONES) - len(marks) :], strict=True))


def _fill(cell: Cell, tones: list[tuple[float, str]], look: Look) -> str:
    if cell.p is None:
        return NO_P
    if cell.sign not in ("row", "column"):
        return UNDECIDED
    tone = next((colour for mark, colour in reversed(tones) if cell.p <= mark), tones[0][1])
    return tone if _strong(cell.names, look) else paler(tone)


def _strong(names: tuple[str, ...], look: Look) -> bool:
    return not look.highlight or any(name in look.highlight for name in names)


def p_text(p: float, alpha: float) -> str:
    """Return a p-value in at least two significant digits, as many as keep it on its side of every step of colour; never 0."""
    if p < SMALLEST_P:
        return "<1e-300"
    steps = [mark for mark, _ in _tones(alpha)]
    for digits in range(2, 17):
        small = p < 1e-4
        text = f"{p:.{digits - 1}e}" if small else np.format_float_positional(p, precision=digits, fractional=False, trim="-")
        if all((float(text) <= mark) == (p <= mark) for mark in steps):
            break
    return str(text)


def _cell_inches(count: int, needed: float) -> tuple[float, float]:
    """Return the size of a cell: as wide as its p-value up to 12 algorithms, then smaller."""
    side = float(np.interp(count, (12, 30, 60), (0.4, 0.21, 0.14)))
    return (max(needed, 0.6), 0.42) if count <= 12 else (side, side)


def _draw_cells(axes: Axes, cells: list[Cell], tones: list[tuple[float, str]], look: Look) -> None:
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    squares = [corners + np.array([cell.column, cell.row]) for cell in cells]
    fills = [_fill(cell, tones, look) for cell in cells]
    axes.add_collection(PolyCollection(squares, facecolors=fills, edgecolors="white", linewidths=0.8, gid="cells"))


def _draw_signs(axes: Axes, cells: list[Cell], tones: list[tuple[float, str]], look: Look, side: float, written: bool) -> None:
    """Draw the sign of each cell in its middle, or higher where its p-value is written below."""
    area, shift = min((side * 72 * 0.45) ** 2, 30.0), -0.17 if written else 0.0
    for sign, marker in SIGNS.items():
        here = [cell for cell in cells if cell.sign == sign]
        if not here:
            continue
        inks = [ink_on(_fill(cell, tones, look)) if _strong(cell.names, look) else QUIET for cell in here]
        if sign == "undecided":
            style: dict[str, object] = {
                "facecolors": "none",
                "edgecolors": QUIET,
                "s": area * (0.6 if written else 0.3),
                "linewidths": 0.7,
            }
        elif sign == "untested":
            style = {"color": QUIET, "s": area * 0.6, "linewidths": 1.0}
        else:
            style = {"color": inks, "s": area * (0.7 if sign == "equivalent" else 1.0), "linewidths": 0.0}
        x, y = [cell.column for cell in here], [cell.row + (shift if cell.p is not None else 0.0) for cell in here]
        axes.scatter(x, y, marker=marker, gid=sign, zorder=3, **style)  # type: ignore[arg-type]


def _name(axes: Axes, rows: list[str], columns: list[str], look: Look, wide: float) -> None:
    """Name rows and columns, those below upright where they are wider than their column; no frame."""
    size = label_size(max(len(rows), len(columns)))
    upright = max(inches(visible(name), size) for name in columns) > wide - 0.06
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    for axis, names in ((axes.xaxis, columns), (axes.yaxis, rows)):
        axis.set_ticks(np.arange(len(names)), labels=[visible(name) for name in names], fontsize=size)
        axis.set_tick_params(length=0)
        for text, name in zip(axis.get_ticklabels(), names, strict=True):
            text.set_color(INK if _strong((name,), look) else QUIET)
            text.set_fontweight("bold" if look.highlight and _strong((name,), look) else "normal")
    if upright:
        axes.tick_params(axis="x", labelrotation=90)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _keys(tones: list[tuple[float, str]], look: Look) -> tuple[Key, ...]:
    """Return the legend of the colours, the smallest p-values first."""
    sign = "<=" if look.ascii else "≤"
    steps = [Key(f"p {sign} {_short(mark)}", Patch(facecolor=colour)) for mark, colour in reversed(tones)]
    return *steps, Key("not separated", Patch(facecolor=UNDECIDED))


def _short(mark: float) -> str:
    return f"{mark:.4g}".replace("e-0", "e-")
