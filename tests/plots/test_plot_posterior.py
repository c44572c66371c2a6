"""Bars and triangles of posteriors: parts, numbers, places."""

import numpy as np
import polars as pl
import pytest
from matplotlib.colors import to_hex
from plot_tables import GROUP, axes_of, draw, experiment

from benchkit.errors import BenchkitError
from benchkit.plots.look import Look
from benchkit.plots.palette import style_of
from benchkit.plots.posterior import EQUIVALENT, share_text
from benchkit.plots.simplex import HEIGHT, points
from benchkit.tables import shapes

NAMES = ("a", "b", "c")
LOOK = Look(names=NAMES, better="lower")
THREE = experiment([[1, 2, 3], [2, 3, 4]], NAMES)


def one(better: float | None, equivalent: float | None, worse: float | None) -> dict[str, pl.DataFrame]:
    row = {"a": "a", "b": "b", "verdict": "better", "posterior_better": better, "posterior_equivalent": equivalent}
    return {"pairs": shapes.build(shapes.PAIRS, [GROUP | row | {"posterior_worse": worse}])}


def test_three_parts_from_better_to_worse() -> None:
    (axes,) = axes_of(draw("posterior", one(0.5, 0.3, 0.2), LOOK))
    parts = [(bar.get_gid(), bar.get_x(), bar.get_width(), to_hex(bar.get_facecolor())) for bar in axes.patches]
    blue, orange = (style_of(name, NAMES)[0].lower() for name in "ab")
    assert [part[0] for part in parts] == ["a", "equivalent", "b"]
    np.testing.assert_allclose([part[1:3] for part in parts], [(0, 0.5), (0.5, 0.3), (0.8, 0.2)])
    assert [part[3] for part in parts] == [blue, EQUIVALENT, orange]
    assert [text.get_text() for text in axes.texts] == ["b", "0.500", "0.300", "0.200"]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["a"]


def test_small_parts_have_no_number_and_the_caption_says_so() -> None:
    page = draw("posterior", one(0.97, 0.02, 0.01), LOOK)
    assert [text.get_text() for text in axes_of(page)[0].texts] == ["b", "0.970"]
    assert "small parts have no number: all three sum to 1" in page.texts[1].get_text().replace("\n", " ")
    page = draw("posterior", one(None, None, None), LOOK)
    assert not axes_of(page)[0].patches
    assert "empty row: no posterior" in page.texts[1].get_text()


@pytest.mark.parametrize(("share", "text"), [(1.0, ">0.999"), (0.9994, "0.999"), (0.0004, "<0.001"), (0.5, "0.500")])
def test_nothing_is_certain(share: float, text: str) -> None:
    assert share_text(share) == text


def test_corners_of_the_triangle() -> None:
    corners = points(np.eye(3))
    np.testing.assert_allclose(corners, [(0, 0), (0.5, HEIGHT), (1, 0)])
    np.testing.assert_allclose(points(np.full((1, 3), 1 / 3)), [(0.5, HEIGHT / 3)])


def test_a_triangle_for_each_pair_with_its_draws_by_region() -> None:
    spots = axes_of(draw("simplex", THREE, LOOK))
    assert len(spots) == 3
    clouds = {cloud.get_gid(): cloud.get_offsets().tolist() for cloud in spots[0].collections}
    assert set(clouds) == {"a", "equivalent", "b"}
    np.testing.assert_allclose(clouds["a"], points(np.array([[0.7, 0.2, 0.1]])))
    assert [text.get_text() for text in spots[0].texts] == ["a\n0.500", "b\n0.200", "equivalent 0.300"]


def test_what_a_simplex_cannot_show() -> None:
    many = experiment([list(range(13)), list(range(1, 14))], [f"n{j}" for j in range(13)])
    with pytest.raises(BenchkitError, match="78 triangles") as refused:
        draw("simplex", many, LOOK)
    assert "--baseline" in refused.value.hint
    for kind in ("posterior", "simplex"):
        with pytest.raises(BenchkitError, match="log scale"):
            draw(kind, THREE, Look(scale="log"))
