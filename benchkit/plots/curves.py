"""The curves of the tables of `roc`: which there are, how they lie in the plane, and the colours of ensembles and sizes."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from matplotlib.colors import to_hex, to_rgb

from benchkit.errors import BenchkitError
from benchkit.plots.look import Look
from benchkit.plots.palette import Style, style
from benchkit.plots.series import Floats, Tables, numbers
from benchkit.plots.text import inches

# how much of a colour the line of the smallest size keeps
PALEST = 0.4
# points of a straight piece are set so close on a logarithmic axis that it bends as it should
STEP = 0.04
TICK = 8.5
MOST = 8
BAND = ("upper_fpr", "upper_tpr", "lower_fpr", "lower_tpr")

# ensemble and size, which is null for scores
Key = tuple[str, int | None]


@dataclass(frozen=True, eq=False)
class Curve:
    """One ensemble at one size. rows: its rows of the table that is drawn. shade: its colour, the paler the smaller."""

    key: Key
    label: str
    style: Style
    shade: str
    largest: bool
    rows: pl.DataFrame

    @property
    def points(self) -> Floats:
        """The curve from (0, 0) to (1, 1), shape (n, 2): FPR before TPR."""
        known = np.column_stack([numbers(self.rows, "fpr"), numbers(self.rows, "tpr")])
        known = known[~np.isnan(known).any(axis=1)]
        return np.vstack([[0.0, 0.0], known[np.lexsort(known.T[::-1])], [1.0, 1.0]])

    @property
    def band(self) -> tuple[Floats, Floats]:
        """The upper and the lower line of the band from left to right, each of shape (n, 2); n is 0 where there is none."""
        rows = self.rows.drop_nulls(BAND).sort("fpr", "tpr")
        upper, lower = (
            np.column_stack([numbers(rows, f"{side}_{rate}") for rate in ("fpr", "tpr")]) for side in ("upper", "lower")
        )
        return upper, lower


def curves(table: pl.DataFrame, look: Look) -> list[Curve]:
    """Return the curves of a table with the columns ensemble and voters_used, sizes in rising order.

    Ensembles stand in the order wished for, else in that of the table. Raises BenchkitError if there is none.
    """
    found = _parts(table)
    if not found:
        raise BenchkitError("there is nothing to draw: the table has no curve", "it is made by benchkit roc")
    present = dict.fromkeys(name for name, _ in found)
    names = tuple(dict.fromkeys([*(name for name in look.order if name in present), *present]))
    several = len(found) > len(names)
    drawn = []
    for name in names:
        sizes = sorted((key[1] for key in found if key[0] == name), key=lambda size: size or 0)
        for place, size in enumerate(sizes, 1):
            mine = style(name, look)
            shade = blend(mine.colour, PALEST + (1 - PALEST) * place / len(sizes)) if len(sizes) > 1 else mine.colour
            label = _label(name, size, several, len(names) > 1)
            drawn.append(Curve((name, size), label, mine, shade, place == len(sizes), found[name, size]))
    return drawn


def not_too_many(drawn: list[Curve]) -> tuple[list[Curve], tuple[str, ...]]:
    """Return the curves, beyond eight only the largest size of each ensemble, and what the caption says of that."""
    largest = [curve for curve in drawn if curve.largest]
    if len(drawn) <= MOST or len(largest) == len(drawn):
        return drawn, ()
    return largest, ("the largest size of each ensemble only: --where chooses others",)


def _parts(table: pl.DataFrame) -> dict[Key, pl.DataFrame]:
    parts = table.partition_by("ensemble", "voters_used", as_dict=True, maintain_order=True) if table.height else {}
    return {(str(name), None if size is None else int(size)): rows for (name, size), rows in parts.items()}


def _label(name: str, size: int | None, several: bool, of_many: bool) -> str:
    """Return what tells the curve from the others."""
    if size is None or not several:
        return name
    voters = f"{size} voter{'' if size == 1 else 's'}"
    return f"{name}, {voters}" if of_many else voters


def blend(colour: str, share: float) -> str:
    """Return the colour mixed with white, `share` of it kept."""
    red, green, blue = (1 - share * (1 - part) for part in to_rgb(colour))
    return to_hex((red, green, blue))


def rate_tick(value: float, _position: float | None = None) -> str:
    """Return a rate with as many decimals as it needs, all zeros written out."""
    return f"{value:.{max(0, int(np.ceil(-np.log10(value) - 1e-9)))}f}" if value > 0 else "0"


def of_curve(table: pl.DataFrame | None, key: Key) -> pl.DataFrame | None:
    """Return the rows of one ensemble at one size; None without such rows."""
    if table is None or table.is_empty():
        return None
    rows = table.filter((pl.col("ensemble") == key[0]) & pl.col("voters_used").eq_missing(pl.lit(key[1], pl.Int64)))
    return rows if rows.height else None


def areas(tables: Tables, drawn: list[Curve]) -> dict[Key, tuple[float, str]]:
    """Return the area under each curve, also as text "0.799 [0.767, 0.828]", where the table `ensembles` tells it."""
    found = {}
    for curve in drawn:
        rows = of_curve(tables.get("ensembles"), curve.key)
        if rows is not None and rows["auc"][0] is not None:
            found[curve.key] = (float(rows["auc"][0]), rate_text(*rows.select("auc", "ci_low", "ci_high").row(0)))
    return found


def rate_text(value: float, low: float | None, high: float | None) -> str:
    """Return a rate with its interval, in three decimals, or as many more, up to five, as tell it from 1."""
    decimals = next((digits for digits in (3, 4, 5) if value == 1 or round(value, digits) < 1), 3)

    def text(rate: float) -> str:
        return f">{1 - 10.0**-decimals:.{decimals}f}" if rate < 1 and round(rate, decimals) >= 1 else f"{rate:.{decimals}f}"

    return text(value) if low is None or high is None else f"{text(value)} [{text(low)}, {text(high)}]"


def straight(points: Floats, left: float | None) -> Floats:
    """Return what to draw of straight pieces between points (n, 2): themselves, or with `left` on a logarithmic FPR axis.

    There pieces bend, so points are added within them; what lies below `left` is cut off at it.
    """
    if left is None or len(points) == 0:
        return points
    x, y = np.maximum(points[:, 0], left), points[:, 1].copy()
    crosses = np.flatnonzero((points[:-1, 0] < left) & (points[1:, 0] > left))
    for i in crosses:
        y[i] += (y[i + 1] - y[i]) * (left - points[i, 0]) / (points[i + 1, 0] - points[i, 0])
    outside = points[:, 0] < left
    outside[crosses] = False
    x, y = x[~outside], y[~outside]
    if len(x) < 2:
        return np.column_stack([x, y])
    steps = np.maximum(np.ceil(np.abs(np.diff(np.log(x))) / STEP), 1).astype(np.int64)
    piece = np.repeat(np.arange(len(steps)), steps)
    part = (np.arange(steps.sum()) - np.repeat(np.cumsum(steps) - steps, steps)) / steps[piece]
    across = x[piece] * (x[piece + 1] / x[piece]) ** part
    width = x[piece + 1] - x[piece]
    share = np.divide(across - x[piece], width, out=np.zeros(len(width)), where=width != 0)
    up = y[piece] + share * (y[piece + 1] - y[piece])
    return np.column_stack([np.append(across, x[-1]), np.append(up, y[-1])])


def rate_ticks(left: float, width: float) -> list[float]:
    """Return the ticks of a logarithmic axis of rates from `left` to 1 that has room for them on `width` inches.

    Powers of ten, if there is room with 2 and 5 between them, if there is little only every second, third ... power.
    """
    decades = -np.log10(left)
    powers = np.arange(int(np.ceil(-decades - 1e-9)), 1)
    per_label = (inches("0." + "0" * len(powers), TICK) + 0.12) / width * decades  # decades that a label takes
    if per_label < np.log10(2) and len(powers) < 5:
        ticks = np.concatenate([[power, power + np.log10(2), power + np.log10(5)] for power in range(powers[0] - 1, 0)] + [[0.0]])
        return [float(10**tick) for tick in ticks if tick >= -decades - 1e-9]
    return [float(10.0**power) for power in powers[:: -max(1, int(np.ceil(per_label)))][::-1]]
