"""Crosses at marked points of ROC curves, bands, and what the caption says of both."""

import numpy as np
import polars as pl
import pytest
from matplotlib.axes import Axes
from plot_tables import CURVES as NAMES
from plot_tables import axes_of, caption, draw, mark
from plot_tables import points_of as lines
from plot_tables import roc_tables as tables

from benchkit.methods.curve.bands import LEAST_COUNT
from benchkit.plots.look import Look

LOG = Look(names=NAMES, scale="log")
LINEAR = Look(names=NAMES)


def rates(axes: Axes, gid: str) -> list[np.ndarray]:
    """Return the ends of the bars, which stand in shares of the axes, as rates."""
    to_rates = axes.transAxes - axes.transData
    return [to_rates.transform(points) for points in lines(axes, gid)]


def test_a_cross_has_the_interval_asked_for_and_that_of_the_other_rate_at_the_threshold() -> None:
    asked = [
        mark("alpha", "tpr_at_fpr", 0.1, 0.5),
        mark("alpha", "fpr_at_tpr", 0.9, 0.7),
        mark("alpha", "partial_auc", 0.1, 0.04),
    ]
    (axes,) = axes_of(draw("roc", tables(("alpha",), marks=asked), LOG))
    up, across = rates(axes, "asked")
    np.testing.assert_allclose(up, [[0.1, 0.4], [0.1, 0.6]])
    np.testing.assert_allclose(across, [[0.56, 0.9], [0.84, 0.9]])
    np.testing.assert_allclose(rates(axes, "other")[0], [[0.07, 0.5], [0.13, 0.5]])
    assert not lines(axes, "estimate")


def test_bars_that_overlap_stand_side_by_side_with_their_estimates_marked() -> None:
    asked = [mark("alpha", "tpr_at_fpr", 0.1, 0.5), mark("beta", "tpr_at_fpr", 0.1, 0.55)]
    page = draw("roc", tables(marks=asked), LINEAR)
    (axes,) = axes_of(page)
    first, second = rates(axes, "asked")
    np.testing.assert_allclose((first[:, 0] + second[:, 0]) / 2, 0.1)
    assert second[0, 0] - first[0, 0] == pytest.approx(0.1 / 4.2)
    estimates = rates(axes, "estimate")
    np.testing.assert_allclose([point[0] for point in estimates], [[first[0, 0], 0.5], [second[0, 0], 0.55]])
    # each thin bar would cross the other's bar
    assert not lines(axes, "other")
    assert "overlapping bars at one rate stand side by side" in caption(page)
    assert "thin bar" not in caption(page)


def test_bars_that_are_apart_stay_where_they_are() -> None:
    asked = [mark("alpha", "tpr_at_fpr", 0.1, 0.3), mark("beta", "tpr_at_fpr", 0.1, 0.6)]
    (axes,) = axes_of(draw("roc", tables(marks=asked), LINEAR))
    assert [bar[0, 0] for bar in rates(axes, "asked")] == pytest.approx([0.1, 0.1])
    assert len(lines(axes, "other")) == 2


def test_thin_bars_give_way_to_bars_of_other_rates() -> None:
    asked = [mark("alpha", "tpr_at_fpr", at, 0.5) for at in (0.1, 0.11, 0.8)]
    page = draw("roc", tables(("alpha",), marks=asked), LOG)
    (axes,) = axes_of(page)
    (kept,) = rates(axes, "other")
    assert kept[0, 0] < 0.8 < kept[1, 0]
    assert len(lines(axes, "estimate")) == 2
    assert "thin bar: of the other rate at that threshold, where there is room" in caption(page)


def test_the_caption_says_which_bands_are_drawn_and_why_they_end() -> None:
    ends = f"only where at least {LEAST_COUNT:g} true and {LEAST_COUNT:g} false positives and negatives are expected"
    assert f"95% simultaneous band, {ends}" in caption(draw("roc", tables(("alpha",)), LINEAR))
    assert f"95% simultaneous bands, {ends}" in caption(draw("roc", tables(), LINEAR))
    found = tables()
    nulls = pl.col("^(upper|lower)_.*$")
    without = found | {"points": found["points"].with_columns(pl.when(pl.col("ensemble") == "alpha").then(nulls))}
    assert f"95% simultaneous band, {ends}; too few for beta" in caption(draw("roc", without, LINEAR))
    none = found | {"points": found["points"].with_columns(pl.when(False).then(nulls))}
    assert "no band: there is no threshold where at least 10" in caption(draw("roc", none, LINEAR))
    assert "simultaneous" not in caption(draw("roc", none, LINEAR))


def test_beyond_six_curves_the_caption_speaks_of_no_band_but_how_to_have_some() -> None:
    names = tuple("abcdefgh")
    many = tables(names, marks=[mark(name, "tpr_at_fpr", 0.1, 0.5) for name in names])
    page = draw("roc", many, Look(names=names))
    assert "simultaneous" not in caption(page)
    assert "bands are drawn of up to 6 curves: --highlight" in caption(page)
    assert "bars at marked points are drawn of up to 6 curves" in caption(page)
    assert not lines(axes_of(page)[0], "asked")
    page = draw("roc", many, Look(names=names, highlight=("b",)))
    assert "95% simultaneous band of those highlighted, only" in caption(page)
    assert len(lines(axes_of(page)[0], "asked")) == 1


def test_a_mark_below_all_rates_is_on_the_axis() -> None:
    (axes,) = axes_of(draw("roc", tables(("alpha",), marks=[mark("alpha", "tpr_at_fpr", 0.001, 0.1)]), LOG))
    assert axes.get_xlim()[0] == pytest.approx(0.0005)
