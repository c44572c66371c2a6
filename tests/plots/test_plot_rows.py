"""Dot, box, strip and violin: one row for each algorithm."""

import numpy as np
import polars as pl
import pytest
from matplotlib.colors import to_hex
from plot_tables import THREE, axes_of, draw, experiment, lines_with

from benchkit.plots.look import Look
from benchkit.plots.palette import FADED, style_of
from benchkit.plots.points import spread

NAMES = ("alpha", "beta", "gamma")
LOOK = Look(names=NAMES, better="lower", unit="s")
ROW = {"beta": 0, "alpha": 1, "gamma": 2}


@pytest.mark.parametrize("kind", ["dot", "box", "strip", "violin"])
def test_the_best_is_at_the_top(kind: str) -> None:
    (axes,) = axes_of(draw(kind, THREE, LOOK))
    assert [text.get_text() for text in axes.get_yticklabels()] == ["beta", "alpha", "gamma"]
    assert axes.get_yticks().tolist() == [0, 1, 2]
    assert axes.yaxis_inverted()
    assert axes.get_xlabel() == "mse in s (lower is better)"


def test_dot_marks_mean_and_interval() -> None:
    (axes,) = axes_of(draw("dot", THREE, LOOK))
    for name, mean in (("beta", 1.9375), ("alpha", 2.1875), ("gamma", 4.375)):
        dots, marked = lines_with(axes, style_of(name, NAMES)[1])
        assert set(dots.get_ydata()) == {ROW[name]}
        assert (marked.get_xdata()[0], marked.get_ydata()[0]) == (mean, ROW[name])
        intervals = [line for line in axes.lines if line.get_marker() == "None" and set(line.get_ydata()) == {ROW[name]}]
        assert [list(line.get_xdata()) for line in intervals] == [[mean - 0.5, mean + 0.5]]


def test_dot_without_a_mean_shows_its_dots() -> None:
    tables = THREE | {"algorithms": THREE["algorithms"].with_columns(mean=None, ci_low=None, ci_high=None)}
    (axes,) = axes_of(draw("dot", tables, LOOK))
    np.testing.assert_array_equal(lines_with(axes, style_of("gamma", NAMES)[1])[0].get_xdata(), [3, 6, 5, 3.5])


def test_strip_spreads_within_the_row() -> None:
    (axes,) = axes_of(draw("strip", THREE, LOOK))
    for name in NAMES:
        (line,) = lines_with(axes, style_of(name, NAMES)[1])
        np.testing.assert_allclose(line.get_ydata(), ROW[name] + spread(np.arange(4)))


def test_the_spread_is_even() -> None:
    offsets = spread(np.arange(1000))
    assert np.abs(offsets).max() <= 0.35
    # golden-ratio sequence: no stretch of the interval is left out or crowded
    counts, _ = np.histogram(offsets, bins=20, range=(-0.35, 0.35))
    assert counts.min() >= 48
    assert counts.max() <= 52


def test_box_draws_the_given_sides_and_only_outlying_dots() -> None:
    sides = {"whisker_low": [1.25], "q1": [1.3], "median": [1.4], "q3": [1.6], "whisker_high": [3.0]}
    tables = {"boxes": pl.DataFrame({"algorithm": ["beta"], **sides}), "dots": THREE["dots"].filter(algorithm="beta")}
    (axes,) = axes_of(draw("box", tables, LOOK))
    (body,) = axes.patches
    assert sorted(set(body.get_path().vertices[:, 0])) == [1.3, 1.6]
    (dots,) = lines_with(axes, style_of("beta", NAMES)[1])
    assert sorted(dots.get_xdata()) == [1, 4]
    whiskers = {tuple(line.get_xdata()) for line in axes.lines if line is not dots}
    assert {(1.3, 1.25), (1.6, 3.0), (1.4, 1.4)} <= whiskers


def test_box_without_quartiles_is_left_out() -> None:
    boxes = THREE["boxes"].with_columns(q1=None)
    (axes,) = axes_of(draw("box", THREE | {"boxes": boxes}, LOOK))
    assert list(axes.patches) == []
    assert len(axes.get_yticklabels()) == 3


def test_violin_is_mirrored_and_marks_the_quartiles() -> None:
    (axes,) = axes_of(draw("violin", THREE, LOOK))
    shapes = axes.collections
    assert len(shapes) == 3
    for name, shape in zip(("beta", "alpha", "gamma"), shapes, strict=True):
        points = shape.get_paths()[0].vertices
        assert points[:, 1].max() - ROW[name] == pytest.approx(0.4)
        assert ROW[name] - points[:, 1].min() == pytest.approx(0.4)
        assert to_hex(shape.get_facecolor()[0]) == style_of(name, NAMES)[0].lower()
        (median,) = lines_with(axes, style_of(name, NAMES)[1])
        assert median.get_xdata()[0] == THREE["boxes"].filter(algorithm=name)["median"].item()


def test_highlighted_algorithms_keep_their_colour() -> None:
    (axes,) = axes_of(draw("strip", THREE, Look(names=NAMES, highlight=("beta",))))
    colours = {name: lines_with(axes, style_of(name, NAMES)[1])[0].get_color() for name in NAMES}
    assert colours == {"alpha": FADED, "beta": style_of("beta", NAMES)[0], "gamma": FADED}
    assert [text.get_fontweight() for text in axes.get_yticklabels()] == ["bold", "normal", "normal"]


@pytest.mark.parametrize("kind", ["dot", "box", "strip", "violin", "podium", "lines"])
def test_equal_values_get_room(kind: str) -> None:
    tables = experiment([[5, 5], [5, 5], [5, 5]], ["a", "b"])
    if kind == "violin":
        tables["densities"] = tables["densities"].clear()
    axes = axes_of(draw(kind, tables))[0]
    low, high = axes.get_ylim() if kind in ("podium", "lines") else axes.get_xlim()
    assert low < 5 < high


@pytest.mark.parametrize("kind", ["dot", "box", "strip", "podium", "lines"])
def test_infinite_values_are_arrows(kind: str) -> None:
    tables = experiment([[1, 2], [np.inf, 3], [-np.inf, 4], [1e305, 4]], ["a", "b"])
    tables["boxes"] = experiment([[1, 2], [1, 3]], ["a", "b"])["boxes"]
    page = draw(kind, tables)
    arrows = [line for line in axes_of(page)[0].lines if not line.get_clip_on()]
    assert sum(len(line.get_xdata()) for line in arrows) == 3
    assert any("3 infinite values at the edge" in text.get_text() for text in page.texts)
