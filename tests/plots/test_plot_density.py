"""Curves and where their names go."""

import numpy as np
from plot_tables import THREE, axes_of, draw, experiment

from benchkit.plots.curve_names import name_spots
from benchkit.plots.look import Look
from benchkit.plots.palette import style_of

NAMES = ("alpha", "beta", "gamma")


def test_each_algorithm_has_its_curve_and_its_name() -> None:
    page = draw("density", THREE, Look(names=NAMES, better="lower"))
    (axes,) = axes_of(page)
    assert [line.get_color() for line in axes.lines] == [style_of(name, NAMES)[0] for name in ("beta", "alpha", "gamma")]
    np.testing.assert_allclose(axes.lines[2].get_xdata(), np.array([-1, -0.5, 0, 0.5, 1]) + 4.375)
    assert {text.get_text() for text in axes.texts} == set(NAMES)
    assert not page.legends
    assert axes.get_ylim()[0] == 0


def test_many_curves_share_a_legend() -> None:
    names = [f"a{j}" for j in range(20)]
    page = draw("density", experiment([list(range(20)), list(range(20))], names), Look(names=tuple(names)))
    assert [text.get_text() for text in page.legends[0].get_texts()] == names
    assert not axes_of(page)[0].texts


def test_names_meet_neither_curves_nor_each_other() -> None:
    x = np.linspace(0, 7, 80)
    curves = {f"curve {m}": np.column_stack([x, 3.4 * np.exp(-((x - m) ** 2))]) for m in (2, 4, 5)}
    spots = name_spots(curves)
    assert spots is not None
    middles = np.array([spot.middle for spot in spots.values()])
    apart = np.abs(middles[:, None] - middles)[~np.eye(3, dtype=bool)]
    assert ((apart[:, 0] > 0.4) | (apart[:, 1] > 0.15)).all()
    for name, spot in spots.items():
        assert np.hypot(*(curves[name] - spot.point).T).min() < 0.05


def test_no_room_is_told() -> None:
    x = np.linspace(0, 1, 50)
    crowd = {f"a name too long for the room {m}": np.column_stack([x, np.full(50, m / 20)]) for m in range(12)}
    assert name_spots(crowd) is None


def test_without_any_density_the_caption_says_why() -> None:
    tables = {"densities": THREE["densities"].clear()}
    page = draw("density", tables, Look(caption="n = 4"))
    assert any(text.get_text() == "n = 4; no density: the values are too few or all equal" for text in page.texts)
    assert not axes_of(page)[0].lines
