"""ROC curves: where they lie, how they bend on a logarithmic axis, bands, crosses, shares and sizes."""

import numpy as np
import polars as pl
import pytest
from plot_tables import CURVES as NAMES
from plot_tables import axes_of, caption, draw, mark, overflow
from plot_tables import points_of as lines
from plot_tables import roc_tables as tables

from benchkit.errors import BenchkitError
from benchkit.plots.curves import PALEST, blend, rate_text, rate_tick, rate_ticks, straight
from benchkit.plots.free_place import free_place
from benchkit.plots.look import Look
from benchkit.plots.palette import style_of

LOG = Look(names=NAMES, scale="log")
LINEAR = Look(names=NAMES)


def test_a_curve_runs_through_its_points_from_corner_to_corner() -> None:
    (axes,) = axes_of(draw("roc", tables(), LINEAR))
    first, second = lines(axes, "curve")
    np.testing.assert_allclose(first[:, 0], [0, 0, 0.02, 0.1, 0.4, 1, 1])
    np.testing.assert_allclose(second[:, 1], np.array([0, 0, 0.02, 0.1, 0.4, 1, 1]) ** 0.25)
    assert [line.get_color() for line in axes.lines if line.get_gid() == "curve"] == [style_of(name, NAMES)[0] for name in NAMES]
    assert not axes.child_axes


def test_on_a_logarithmic_axis_the_curve_begins_at_half_a_false_positive_and_goes_on() -> None:
    (axes,) = axes_of(draw("roc", tables(("alpha",)), LOG))
    (points,) = lines(axes, "curve")
    # the smallest rate is 0.02, two of the 100 negative items
    assert axes.get_xlim() == pytest.approx((0.01, 1))
    # straight from (0, 0) to (0.02, 0.02**(1/3)) in the plane of the rates: half as high halfway
    np.testing.assert_allclose(points[0], [0.01, 0.02 ** (1 / 3) / 2])
    np.testing.assert_allclose(lines(axes, "goes on"), [points[:1]])
    between = points[(points[:, 0] > 0.1) & (points[:, 0] < 0.4)]
    assert len(between) > 10
    low, high = 0.1 ** (1 / 3), 0.4 ** (1 / 3)
    np.testing.assert_allclose(between[:, 1], low + (between[:, 0] - 0.1) / 0.3 * (high - low))


def test_the_band_is_filled_between_its_lines() -> None:
    (axes,) = axes_of(draw("roc", tables(("alpha",)), LINEAR))
    (band,) = axes.patches
    around = [(0.8 * 0.1, 1.05 * 0.1 ** (1 / 3)), (0.8 * 0.4, 1.05 * 0.4 ** (1 / 3)), (1.2 * 0.4, 0.95 * 0.4 ** (1 / 3))]
    np.testing.assert_allclose(band.get_path().vertices[:3], around)
    assert len(lines(axes, "band edge")) == 2


def test_a_band_of_one_threshold_is_a_line() -> None:
    found = tables(("alpha",))
    one = pl.when(pl.col("threshold") == 1).then(pl.col("^(upper|lower)_.*$"))
    (axes,) = axes_of(draw("roc", found | {"points": found["points"].with_columns(one)}, LINEAR))
    across = [[0.8 * 0.4, 1.05 * 0.4 ** (1 / 3)], [1.2 * 0.4, 0.95 * 0.4 ** (1 / 3)]]
    assert any(np.allclose(line, across) for line in lines(axes, "band edge") if len(line) == 2)


def test_the_inset_has_the_same_curves_on_linear_axes_and_hides_nothing() -> None:
    (axes,) = axes_of(draw("roc", tables(), LOG))
    (inset,) = axes.child_axes
    assert inset.get_xscale() == "linear"
    np.testing.assert_allclose(lines(inset, "curve")[1][:, 0], [0, 0, 0.02, 0.1, 0.4, 1, 1])
    frame = axes.patches[-1].get_window_extent()
    for points in lines(axes, "curve"):
        x, y = axes.transData.transform(points).T
        assert not ((x > frame.x0) & (x < frame.x1) & (y > frame.y0) & (y < frame.y1)).any()


def test_sizes_are_shades_and_only_the_largest_has_a_band() -> None:
    page = draw("roc", tables(("alpha",), sizes=(4, 16, 64)), LINEAR)
    (axes,) = axes_of(page)
    colour = style_of("alpha", NAMES)[0]
    shades = [line.get_color() for line in axes.lines if line.get_gid() == "curve"]
    assert shades == [blend(colour, PALEST + (1 - PALEST) * place / 3) for place in (1, 2, 3)]
    assert shades[-1].lower() == colour.lower()
    assert len(axes.patches) == 1
    assert page.legends[0].get_texts()[0].get_text() == "4 voters: 0.700 [0.650, 0.750]"
    assert "band of the largest size, only where" in page.texts[1].get_text()


def test_beyond_eight_curves_only_the_largest_sizes_are_drawn() -> None:
    page = draw("roc", tables(tuple("abcde"), sizes=(4, 16)), Look(names=tuple("abcde"), scale="log"))
    assert len(lines(axes_of(page)[0], "curve")) == 5
    assert "the largest size of each ensemble only" in page.texts[1].get_text().replace("\n", " ")


def test_beyond_six_curves_bands_are_those_of_highlighted_ones() -> None:
    names = tuple("abcdefgh")
    assert not axes_of(draw("roc", tables(names), Look(names=names)))[0].patches
    assert len(axes_of(draw("roc", tables(names), Look(names=names, highlight=("b",))))[0].patches) == 1


def test_the_legend_has_the_largest_area_first_unless_an_order_is_wished_for() -> None:
    for order, expected in (((), ["beta", "alpha"]), (("alpha",), ["alpha", "beta"])):
        page = draw("roc", tables(), Look(names=NAMES, order=order))
        assert [text.get_text().partition(":")[0] for text in page.legends[0].get_texts()] == expected


def test_points_alone_are_enough_for_curves() -> None:
    page = draw("roc", {"points": tables()["points"]}, LOG)
    assert [text.get_text() for text in page.legends[0].get_texts()] == ["alpha", "beta"]
    assert axes_of(page)[0].get_xlim()[0] == pytest.approx(0.01)


def test_shares_are_stacked_and_named() -> None:
    page = draw("shares", tables(("alpha",)), LINEAR)
    upper, lower = axes_of(page)
    for axes, share in ((upper, [0.3, 0.4, 0.5]), (lower, [0.5, 0.4, 0.3])):
        np.testing.assert_allclose(lines(axes, "share"), [np.column_stack([[1, 2, 3], share])])
        assert [part.get_gid() for part in axes.collections] == ["voters", "items"]
        assert axes.collections[0].get_hatch()
        assert {text.get_text() for text in axes.texts} == {"voters", "items"}
        assert axes.get_xlim() == (0, 4)
    assert not page.legends


def test_shares_along_the_rate_leave_out_zero() -> None:
    upper, _ = axes_of(draw("shares", tables(("alpha",)), LOG))
    np.testing.assert_allclose(lines(upper, "share"), [np.column_stack([[0.02, 0.1, 0.4], [0.5, 0.4, 0.3]])])
    assert upper.get_xlim() == pytest.approx((0.02, 1))


def test_shares_that_are_too_thin_for_their_name_have_a_legend() -> None:
    found = tables(("alpha",))
    thin = found["points"].with_columns(pl.lit(0.01).alias("fpr_share_voters"), pl.lit(0.01).alias("tpr_share_voters"))
    page = draw("shares", found | {"points": thin}, LINEAR)
    assert [text.get_text() for text in page.legends[0].get_texts()] == ["items", "voters"]


def test_shares_of_many_ensembles_are_those_that_a_page_has_room_for() -> None:
    names = tuple(f"e{number:02}" for number in range(60))
    many = tables(names)
    page = draw("shares", many, Look(names=names))
    assert len(axes_of(page)) == 2 * 12
    assert page.get_size_inches()[1] < 11
    assert "the first 12 of 60 curves only: --order, --highlight or --where chooses others" in caption(page)
    page = draw("shares", many, Look(names=names, highlight=("e40",)))
    titles = [axes.get_title() for axes in axes_of(page)]
    assert "e40" in titles
    assert "e11" not in titles


def test_the_lowest_axes_of_each_column_name_the_threshold() -> None:
    names = tuple(f"e{number}" for number in range(6))
    below = axes_of(draw("shares", tables(names), Look(names=names)))
    assert [axes.get_xlabel() != "" for axes in below if axes.get_title() == ""].count(True) == 4


def test_without_shares_there_is_nothing_to_draw() -> None:
    found = tables(("alpha",))["points"].with_columns(
        pl.lit(None, pl.Float64).alias(f"{rate}_share_voters") for rate in ("fpr", "tpr")
    )
    with pytest.raises(BenchkitError, match="no threshold has shares"):
        draw("shares", {"points": found}, LINEAR)


def test_sizes_stand_on_powers_of_two_beside_each_other() -> None:
    marks = [mark(name, "tpr_at_fpr", 0.1, 0.5, size) for name in NAMES for size in (4, 16, 64)]
    page = draw("enough", tables(sizes=(4, 16, 64), marks=marks), LINEAR)
    area, rate = axes_of(page)
    first, second = lines(area, "numbers")
    np.testing.assert_allclose(np.log2(first[:, 0] * second[:, 0]) / 2, [2, 4, 6])
    assert (first[:, 0] < second[:, 0]).all()
    np.testing.assert_allclose(first[:, 1], [0.7, 0.72, 0.74])
    np.testing.assert_allclose(area.collections[0].get_segments()[0][:, 1], [0.65, 0.75])
    assert [text.get_text() for text in area.get_xticklabels()] == ["4", "16", "64"]
    assert rate.get_ylabel() == "TPR at FPR 0.1 (higher is better)"
    assert area.get_xscale() == "log"


def test_sizes_beyond_the_voters_at_hand_are_open_marks_at_a_dashed_line() -> None:
    found = tables(("alpha",), sizes=(4, 16, 64))
    some = found | {"ensembles": found["ensembles"].with_columns(n_voters=pl.lit(16, pl.Int64))}
    page = draw("enough", some, LINEAR)
    (axes,) = axes_of(page)
    np.testing.assert_allclose(lines(axes, "numbers")[0][:, 0], [4, 16])
    (beyond,) = [line for line in axes.lines if line.get_gid() == "extrapolated"]
    np.testing.assert_allclose(beyond.get_xdata(), [64])
    assert beyond.get_linestyle() == "--"
    assert beyond.get_markerfacecolor() == "white"
    assert "open marks, dashed lines: extrapolated" in caption(page)
    page = draw("enough", found, LINEAR)
    assert not lines(axes_of(page)[0], "extrapolated")
    assert "extrapolated" not in caption(page)


def test_sizes_that_are_close_do_not_mix() -> None:
    page = draw("enough", tables(sizes=(100, 110)), LINEAR)
    (axes,) = axes_of(page)
    first, second = lines(axes, "numbers")
    assert second[0, 0] < first[1, 0]
    assert "ensembles of one size stand side by side" in caption(page)


def test_long_names_in_the_legend_are_broken_and_whole() -> None:
    long = "a forest with a very long name that says all of its options, depth 20, features sqrt, bootstrap no"
    page = draw("enough", tables((long, "beta")), Look(names=(long, "beta")))
    text = page.legends[0].get_texts()[0].get_text()
    assert text.count("\n") >= 1
    assert text.replace("\n", " ") == long
    assert page.get_size_inches()[0] < 10


def test_one_size_and_scores_are_told() -> None:
    page = draw("enough", tables(), LINEAR)
    assert "one size only: --voters-used shows more" in page.texts[1].get_text()
    scores = tables()["ensembles"].with_columns(pl.lit(None, pl.Int64).alias("voters_used"))
    with pytest.raises(BenchkitError, match="scores have no numbers of voters"):
        draw("enough", {"ensembles": scores}, LINEAR)


@pytest.mark.parametrize("kind", ["roc", "shares", "enough"])
@pytest.mark.parametrize("size", [None, (3.5, 2.6), (2.0, 2.0)])
def test_nothing_is_clipped_with_sizes_and_marks(kind: str, size: tuple[float, float] | None) -> None:
    marks = [mark(name, "fpr_at_tpr", 0.9, 0.5, each) for name in NAMES for each in (1, 4096)]
    page = draw(kind, tables(sizes=(1, 4096), marks=marks), Look(names=NAMES, scale="log", size=size, caption="n " * 50))
    assert overflow(page) <= 1e-9


def test_straight_pieces_are_cut_at_the_left_end() -> None:
    points = np.array([[0.0, 0.2], [0.0, 0.4], [0.1, 0.6], [0.1, 0.8], [1.0, 1.0]])
    found = straight(points, 0.05)
    np.testing.assert_allclose(found[0], [0.05, 0.5])
    assert (np.diff(found, axis=0) >= 0).all()
    assert found[found[:, 0] == 0.1, 1].tolist() == [0.6, 0.8]
    assert straight(points, None) is points
    assert straight(points[:1], 0.05).shape == (0, 2)


def test_rates_in_words() -> None:
    assert rate_text(0.91234, 0.9, None) == "0.912"
    assert rate_text(0.95, 0.9, 0.9998) == "0.950 [0.900, >0.999]"
    assert rate_text(1 - 1e-9, 0.0, 1.0) == ">0.999 [0.000, 1.000]"
    assert rate_text(0.99996, 0.99, 1.0) == "0.99996 [0.99000, 1.00000]"
    assert [rate_tick(value) for value in (1.0, 0.5, 0.02, 0.0001)] == ["1", "0.5", "0.02", "0.0001"]
    assert rate_ticks(0.004, 6.0) == pytest.approx([0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1])
    assert rate_ticks(0.0004, 2.0) == pytest.approx([0.001, 0.01, 0.1, 1])
    assert rate_ticks(1e-7, 2.0)[-1] == 1
    assert len(rate_ticks(1e-7, 2.0)) <= 4


def test_a_free_place_is_empty_and_near_a_corner() -> None:
    diagonal = np.column_stack([np.linspace(0, 1, 500)] * 2)
    place = free_place(diagonal, (0.4, 0.4), ((1.0, 0.0), (0.0, 1.0)))
    assert place == pytest.approx((0.6, 0.0))
    dense = np.stack(np.meshgrid(np.linspace(0, 1, 60), np.linspace(0, 1, 60)), axis=-1).reshape(-1, 2)
    assert free_place(dense, (0.4, 0.4), ((1.0, 0.0),)) is None
