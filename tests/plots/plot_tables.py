"""Small tables such as core makes, with numbers that can be checked by eye, and ways to look at what was drawn."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from benchkit.plots import PLOTS
from benchkit.plots.figure import figure
from benchkit.plots.look import Look
from benchkit.plots.text import no_glyph_warnings
from benchkit.tables import shapes

KINDS = {entry.name: entry for entry in PLOTS}
GROUP = {"metric": "mse", "dataset": "d"}
ODD_NAMES = ("10%_tree", "$x_1$", "_hidden", "模型", "a&b <c>", "long_" * 12, "esc\x1b[31m")


def experiment(values: Sequence[Sequence[float]], names: Sequence[str]) -> dict[str, pl.DataFrame]:
    """Return every table of a replicate x algorithm matrix, lower is better; NaN is missing and takes no place."""
    matrix = np.array(values, dtype=float)
    means = np.nanmean(np.where(np.isfinite(matrix), matrix, np.nan), axis=0)
    order = sorted(range(len(names)), key=lambda j: (means[j], names[j]))
    places = np.argsort(np.argsort(np.where(np.isnan(matrix), np.inf, matrix), axis=1, kind="stable"), axis=1) + 1
    counts = {(j, place): int(((places[:, j] == place) & ~np.isnan(matrix[:, j])).sum()) for j in order for place in places[0]}
    tables = {
        "places": [
            {"algorithm": names[j], "place": place, "count": counts[j, place]}
            for j in order
            for place in range(1, len(names) + 1)
        ],
        "dots": [
            {"replicate": f"r{i}", "algorithm": names[j], "place": int(places[i, j]), "performance": float(matrix[i, j])}
            for i in range(len(matrix))
            for j in range(len(names))
            if not np.isnan(matrix[i, j])
        ],
        "algorithms": [
            {"algorithm": names[j], "mean": means[j], "ci_low": means[j] - 0.5, "ci_high": means[j] + 0.5} for j in order
        ],
        "boxes": [_box(names[j], matrix[:, j]) for j in order],
        "densities": [row for j in order for row in _hat(names[j], float(means[j]))],
        "pairs": [
            _pair(names[a], names[b], float(means[a] - means[b])) for a in range(len(names)) for b in range(a + 1, len(names))
        ],
    }
    return {
        name: shapes.build(shapes.SHAPES[name], [GROUP | row for row in rows]) if rows else shapes.empty(shapes.SHAPES[name])
        for name, rows in tables.items()
    }


def _box(name: str, values: np.ndarray) -> dict[str, object]:
    present = np.sort(values[np.isfinite(values)])
    q1, median, q3 = np.quantile(present, [0.25, 0.5, 0.75])
    return {
        "algorithm": name, "whisker_low": present[0], "q1": q1, "median": median, "q3": q3, "whisker_high": present[-1]
    }  # fmt: skip


def _hat(name: str, middle: float) -> list[dict[str, object]]:
    """Return a triangular density of height 1 from middle - 1 to middle + 1."""
    return [
        {"algorithm": name, "performance": middle + shift, "density": 1 - abs(shift)} for shift in (-1.0, -0.5, 0.0, 0.5, 1.0)
    ]


def _pair(a: str, b: str, estimate: float) -> dict[str, object]:
    low, high = estimate - 0.5, estimate + 0.5
    verdict = "better" if high < 0 else "worse" if low > 0 else "undecided"
    return {"a": a, "b": b, "better": "lower", "estimate": estimate, "ci_low": low, "ci_high": high, "verdict": verdict}


THREE = experiment([[1, 2, 3], [1.5, 2.5, 6], [4, 2.25, 5], [1.25, 2, 3.5]], ["beta", "alpha", "gamma"])


def draw(kind: str, tables: Mapping[str, pl.DataFrame], look: Look | None = None) -> Figure:
    """Draw one panel."""
    look = look or Look(names=tuple(tables["algorithms"]["algorithm"].sort()), better="lower")
    return figure(KINDS[kind], [("panel", tables, look)])


def axes_of(page: Figure) -> list[Axes]:
    """Return the axes of the first panel."""
    return page.subfigs[0].axes


def lines_with(axes: Axes, marker: str) -> list[Line2D]:
    """Return the lines that are drawn with the marker."""
    return [line for line in axes.lines if line.get_marker() == marker and len(np.atleast_1d(line.get_xdata()))]


def overflow(page: Figure) -> float:
    """Return by how many inches the drawing is larger than the canvas, at most rounding error if nothing is clipped."""
    width, height = page.get_size_inches()
    with no_glyph_warnings():
        box = page.get_tightbbox()
    return float(max(-box.x0, -box.y0, box.x1 - width, box.y1 - height))
