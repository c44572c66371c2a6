"""Small tables such as core makes, with numbers that can be checked by eye, and ways to look at what was drawn."""

from collections.abc import Mapping, Sequence

import matplotlib as mpl
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
    contrasts = [(a, b) for a in range(len(names)) for b in range(a + 1, len(names))]
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
        "pairs": [_pair(names[a], names[b], float(means[a]), float(means[b])) for a, b in contrasts],
        "draws": [row for a, b in contrasts for row in _draws(names[a], names[b])],
        "ensembles": [row for j in range(len(names)) for row in ensemble(names[j], 0.7 + 0.01 * j)],
        "points": [row for j in range(len(names)) for row in curve(names[j], 3 + j)],
        "marks": [mark(names[j], "tpr_at_fpr", 0.1, 0.5) for j in range(len(names))],
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


def _pair(a: str, b: str, mean_a: float, mean_b: float) -> dict[str, object]:
    estimate = mean_a - mean_b
    low, high = estimate - 0.5, estimate + 0.5
    verdict = "better" if high < 0 else "worse" if low > 0 else "undecided"
    p = 0.001 if verdict != "undecided" else 0.4
    return {
        "a": a, "b": b, "better": "lower", "mean_a": mean_a, "mean_b": mean_b, "estimate": estimate, "ci_low": low,
        "ci_high": high, "ci_level": 0.95, "p_adjusted": p, "effect_name": "d_z", "effect": estimate, "effect_low": low,
        "effect_high": high, "verdict": verdict, "posterior_better": 0.5, "posterior_equivalent": 0.3, "posterior_worse": 0.2,
    }  # fmt: skip


def _draws(a: str, b: str) -> list[dict[str, object]]:
    """Return a draw in each of the three regions."""
    shares = ((0.7, 0.2, 0.1), (0.2, 0.6, 0.2), (0.0, 0.25, 0.75))
    columns = ("share_better", "share_equivalent", "share_worse")
    return [{"a": a, "b": b, "draw": i + 1} | dict(zip(columns, drawn, strict=True)) for i, drawn in enumerate(shares)]


def ensemble(name: str, auc: float, sizes: Sequence[int] = (4,)) -> list[dict[str, object]]:
    """Return a row of `ensembles` for each size, on 100 items of each class; the area grows by 0.02 with each size."""
    known = {"n_voters": max(sizes), "n_negative": 100, "n_positive": 100, "target": "rerun", "vary": "both", "ci_level": 0.95}
    areas = [auc + 0.02 * step for step in range(len(sizes))]
    return [
        {"method": "joint", "ensemble": name, "voters_used": size, **known, "auc": area, "ci_low": area - 0.05,
         "ci_high": area + 0.05, "share_voters": 0.25, "share_items": 0.75}
        for size, area in zip(sizes, areas, strict=True)
    ]  # fmt: skip


def curve(name: str, power: float, size: int = 4) -> list[dict[str, object]]:
    """Return the points of TPR = FPR**(1/power) at FPR 1, 0.4, 0.1, 0.02 and 0, with a band between FPR 0.05 and 0.5."""
    found = []
    for threshold, fpr in enumerate((1.0, 0.4, 0.1, 0.02, 0.0)):
        tpr = fpr ** (1 / power)
        band = {"upper_fpr": 0.8 * fpr, "upper_tpr": min(1.05 * tpr, 1), "lower_fpr": 1.2 * fpr, "lower_tpr": 0.95 * tpr}
        found.append(
            {"method": "joint", "ensemble": name, "voters_used": size, "threshold": threshold, "fpr": fpr, "tpr": tpr,
             "fpr_low": 0.7 * fpr, "fpr_high": min(1.3 * fpr, 1), "tpr_low": 0.9 * tpr, "tpr_high": min(1.1 * tpr, 1),
             "ci_level": 0.95, "fpr_share_voters": 0.2 + 0.1 * threshold, "tpr_share_voters": 0.6 - 0.1 * threshold}
            | (band if 0.05 < fpr < 0.5 else {})
        )  # fmt: skip
    return found


def mark(name: str, characteristic: str, at: float, estimate: float, size: int = 4) -> dict[str, object]:
    """Return a row of `marks`."""
    return {
        "ensemble": name, "voters_used": size, "characteristic": characteristic, "at": at, "estimate": estimate,
        "ci_low": 0.8 * estimate, "ci_high": 1.2 * estimate, "ci_level": 0.95,
    }  # fmt: skip


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
    # unhinted as in the output: hinted text of small sizes is up to a tenth wider
    with no_glyph_warnings(), mpl.rc_context({"text.hinting": "none"}):
        box = page.get_tightbbox()
    return float(max(-box.x0, -box.y0, box.x1 - width, box.y1 - height))


CURVES = ("alpha", "beta")


def roc_tables(
    names: Sequence[str] = CURVES, sizes: Sequence[int] = (4,), marks: Sequence[dict[str, object]] = ()
) -> dict[str, pl.DataFrame]:
    """Return the tables of curves FPR**(1/3), FPR**(1/4) ... of each size."""
    points = [row for j, name in enumerate(names) for size in sizes for row in curve(name, 3 + j, size)]
    areas = [row for j, name in enumerate(names) for row in ensemble(name, 0.7 + 0.05 * j, sizes)]
    return {
        "ensembles": shapes.build(shapes.ENSEMBLES, areas),
        "points": shapes.build(shapes.POINTS, points),
        "marks": shapes.build(shapes.MARKS, marks) if marks else shapes.empty(shapes.MARKS),
    }


def points_of(axes: Axes, gid: str) -> list[np.ndarray]:
    """Return the points of the lines of that kind."""
    return [np.column_stack(line.get_data()) for line in axes.lines if line.get_gid() == gid]


def caption(page: Figure) -> str:
    """Return the caption in one line."""
    return page.texts[1].get_text().replace("\n", " ")
