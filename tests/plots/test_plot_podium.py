"""The geometry of the bench plot, on artists."""

import numpy as np
import polars as pl
import pytest
from plot_tables import KINDS, THREE, axes_of, draw, experiment, lines_with

from benchkit.errors import BenchkitError
from benchkit.plots.look import Look
from benchkit.plots.palette import style_of

# Means: beta 1.9375, alpha 2.1875, gamma 4.375, so g = 1, 2, 3. Places by replicate (beta, alpha, gamma):
# r0 1 2 3, r1 1 2 3, r2 2 1 3, r3 1 2 3.
NAMES = ("alpha", "beta", "gamma")
LOOK = Look(names=NAMES, better="lower")


def test_the_dots_stand_in_their_stripes() -> None:
    upper, _ = axes_of(draw("podium", THREE, LOOK))
    expected = {"beta": [0.5, 0.5, 3.5, 0.5], "alpha": [4.5, 4.5, 1.5, 4.5], "gamma": [8.5, 8.5, 8.5, 8.5]}
    performance = {"beta": [1, 1.5, 4, 1.25], "alpha": [2, 2.5, 2.25, 2], "gamma": [3, 6, 5, 3.5]}
    for name, stripes in expected.items():
        colour, marker = style_of(name, NAMES)
        (line,) = lines_with(upper, marker)
        assert line.get_color() == colour
        assert np.abs(np.asarray(line.get_xdata()) - stripes).max() <= 0.35
        np.testing.assert_array_equal(line.get_ydata(), performance[name])


def test_the_bars_stand_under_their_stripes_without_gaps() -> None:
    _, lower = axes_of(draw("podium", THREE, LOOK))
    found = {bar.get_x() + bar.get_width() / 2: bar.get_height() for bar in lower.patches}
    assert {bar.get_width() for bar in lower.patches} == {1.0}
    assert found == {0.5: 3, 3.5: 1, 1.5: 1, 4.5: 3, 8.5: 4}
    assert sorted(text.get_text() for text in lower.texts) == ["1", "1", "3", "3", "4"]


def test_two_panels_share_one_abscissa_of_places() -> None:
    upper, lower = axes_of(draw("podium", THREE, LOOK))
    assert upper.get_xlim() == lower.get_xlim() == (0, 9)
    assert lower.get_position().height / upper.get_position().height == pytest.approx(0.4)
    assert lower.get_position().x0 == pytest.approx(upper.get_position().x0)
    assert [text.get_text() for text in lower.get_xticklabels()] == ["1.", "2.", "3."]
    assert lower.get_xticks().tolist() == [1.5, 4.5, 7.5]
    for axes in (upper, lower):
        (partings,) = [lines for lines in axes.collections if lines.get_linestyle()[0][1] is not None]
        assert [segment[0][0] for segment in partings.get_segments()] == [3, 6]


def test_the_legend_and_the_stripes_follow_the_global_order_or_the_wish() -> None:
    page = draw("podium", THREE, LOOK)
    assert [text.get_text() for text in page.legends[0].get_texts()] == ["beta", "alpha", "gamma"]
    page = draw("podium", THREE, Look(names=NAMES, order=("gamma",)))
    assert [text.get_text() for text in page.legends[0].get_texts()] == ["gamma", "beta", "alpha"]
    (line,) = lines_with(axes_of(page)[0], style_of("gamma", NAMES)[1])
    assert np.abs(np.asarray(line.get_xdata()) - 6.5).max() <= 0.35


def test_a_missing_value_takes_no_place_and_an_infinite_one_is_an_arrow() -> None:
    tables = experiment([[1, 2, np.nan], [1, np.inf, 3], [2, 1, 3]], ["a", "b", "c"])
    page = draw("podium", tables)
    upper, _ = axes_of(page)
    (arrow,) = [line for line in upper.lines if not line.get_clip_on()]
    assert arrow.get_ydata() == [1.0]
    assert sum(len(np.atleast_1d(line.get_xdata())) for line in upper.lines) == 8
    assert any("1 infinite value at the edge" in text.get_text() for text in page.texts)
    assert np.isfinite(upper.get_ylim()).all()


def test_a_share_of_a_tie_is_a_fraction_of_a_bar() -> None:
    places = THREE["places"].with_columns(count=pl.col("count") / 2)
    _, lower = axes_of(draw("podium", {"places": places, "dots": THREE["dots"]}, LOOK))
    assert {bar.get_height() for bar in lower.patches} == {0.5, 1.5, 2}
    assert "1.5" in {text.get_text() for text in lower.texts}


def test_many_dots_are_one_rasterised_artist_for_each_algorithm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchkit.plots.points.RASTER_ABOVE", 14)
    count = 5
    values = np.column_stack([np.linspace(0, 1, count), np.linspace(1, 3, count), np.linspace(3, 4, count)])
    upper, _ = axes_of(draw("podium", experiment(values.tolist(), ["a", "b", "c"])))
    assert len(upper.lines) == 3
    assert all(line.get_rasterized() for line in upper.lines)
    assert not any(line.get_rasterized() for line in axes_of(draw("podium", THREE, LOOK))[0].lines)


@pytest.mark.parametrize("K", [1, 2, 60])
def test_any_number_of_algorithms(K: int) -> None:
    names = [f"algorithm {j}" for j in range(K)]
    upper, lower = axes_of(draw("podium", experiment([list(range(K)), list(range(1, K + 1))], names)))
    assert upper.get_xlim() == (0, K * K)
    assert [bar.get_height() for bar in lower.patches] == [2] * K
    assert len(lower.get_xticklabels()) == K


def test_nothing_to_draw_is_said() -> None:
    empty = {name: table.clear() for name, table in THREE.items()}
    with pytest.raises(BenchkitError, match="nothing to draw"):
        KINDS["podium"].load()(None, empty, LOOK)
