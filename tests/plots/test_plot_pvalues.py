"""The heat map of p-values: cells, the sign that points to the better one, tones by the level, and texts."""

import numpy as np
import polars as pl
import pytest
from matplotlib.colors import to_hex
from plot_tables import GROUP, axes_of, draw, experiment, overflow

from benchkit.errors import BenchkitError
from benchkit.plots.look import Look
from benchkit.plots.pvalues import TONES, UNDECIDED, p_text
from benchkit.tables import shapes

NAMES = ("a", "b", "c")
MEANS = {"a": 2.0, "b": 1.0, "c": 3.0}
LOOK = Look(names=NAMES, better="lower")


def pairs(*rows: tuple[str, str, str | None, float | None], level: float | None = 0.95) -> dict[str, pl.DataFrame]:
    made = [
        GROUP | {"better": "lower", "a": a, "b": b, "mean_a": MEANS[a], "mean_b": MEANS[b], "verdict": verdict, "p_adjusted": p,
                 "ci_level": level}
        for a, b, verdict, p in rows
    ]  # fmt: skip
    return {"pairs": shapes.build(shapes.PAIRS, made)}


THREE = pairs(("a", "b", "worse", 0.03), ("a", "c", "undecided", 0.4), ("b", "c", "better", 2.9e-22))


def signs(axes: object) -> dict[str, list[tuple[float, float]]]:
    return {
        marks.get_gid(): [tuple(spot) for spot in marks.get_offsets().tolist()]
        for marks in axes.collections
        if marks.get_gid() != "cells"
    }


def labels(axes: object) -> tuple[list[str], list[str]]:
    return [text.get_text() for text in axes.get_yticklabels()], [text.get_text() for text in axes.get_xticklabels()]


def test_best_first_and_each_pair_once() -> None:
    (axes,) = axes_of(draw("pvalues", THREE, LOOK))
    assert labels(axes) == (["a", "c"], ["b", "a"])
    (cells,) = [each for each in axes.collections if each.get_gid() == "cells"]
    middles = {tuple(np.mean(path.vertices[:4], axis=0)) for path in cells.get_paths()}
    assert middles == {(0.0, 0.0), (0.0, 1.0), (1.0, 1.0)}
    higher = draw("pvalues", THREE, Look(names=NAMES, better="higher"))
    assert labels(axes_of(higher)[0]) == (["a", "b"], ["c", "a"])


def test_the_sign_points_to_the_better_without_colour() -> None:
    page = draw("pvalues", THREE, LOOK)
    found = {name: [(x, round(y)) for x, y in spots] for name, spots in signs(axes_of(page)[0]).items()}
    assert found == {"column": [(0.0, 0), (0.0, 1)], "undecided": [(1.0, 1)]}
    page = draw("pvalues", THREE, Look(names=NAMES, better="lower", order=("c", "a", "b")))
    assert labels(axes_of(page)[0]) == (["a", "b"], ["c", "a"])
    assert set(signs(axes_of(page)[0])) == {"row", "undecided"}
    assert "triangle: points to the name of the better" in page.texts[1].get_text().replace("\n", " ")


def test_tones_follow_the_level_and_undecided_is_grey() -> None:
    (axes,) = axes_of(draw("pvalues", THREE, LOOK))
    (cells,) = [each for each in axes.collections if each.get_gid() == "cells"]
    assert [to_hex(colour) for colour in cells.get_facecolors()] == [TONES[0], UNDECIDED, TONES[3]]
    page = draw("pvalues", pairs(("a", "b", "worse", 0.0099), level=0.99), LOOK)
    assert [text.get_text() for text in page.legends[0].get_texts()] == ["p ≤ 1e-6", "p ≤ 0.001", "p ≤ 0.01", "not separated"]


def test_numbers_stand_in_the_cells_while_there_is_room() -> None:
    (axes,) = axes_of(draw("pvalues", THREE, LOOK))
    assert [text.get_text() for text in axes.texts] == ["0.03", "0.4", "2.9e-22"]
    many = experiment([list(range(30)), list(range(1, 31))], [f"n{j}" for j in range(30)])
    (axes,) = axes_of(draw("pvalues", many))
    assert not axes.texts
    assert len(signs(axes)["column"]) == 435


@pytest.mark.parametrize(
    ("p", "text"),
    [(0.0, "<1e-300"), (3e-301, "<1e-300"), (2.94e-22, "2.9e-22"), (0.00123, "0.0012"), (0.647, "0.65"), (1.0, "1"),
     (0.04996, "0.05"), (0.0504, "0.0504"), (0.0010009, "0.001001"), (0.0009996, "0.001"), (0.010004, "0.010004"),
     (1.0004e-6, "1.0004e-06"),
     (0.9999e-6, "1.0e-06")],
)  # fmt: skip
def test_a_p_value_is_written_whole_and_on_its_side_of_every_colour(p: float, text: str) -> None:
    assert p_text(p, 0.05) == text


def test_a_baseline_is_one_column() -> None:
    page = draw("pvalues", pairs(("a", "c", "better", 0.01), ("b", "c", "better", 0.01)), LOOK)
    (axes,) = axes_of(page)
    assert labels(axes) == (["b", "a"], ["c"])
    assert set(signs(axes)) == {"row"}
    assert "empty spot" not in page.texts[1].get_text()


def test_two_algorithms_are_one_cell() -> None:
    page = draw("pvalues", pairs(("a", "b", "equivalent", 0.5)), LOOK)
    assert labels(axes_of(page)[0]) == (["a"], ["b"])
    assert set(signs(axes_of(page)[0])) == {"equivalent"}
    assert overflow(page) <= 1e-9


def test_missing_and_untested_pairs_are_told_apart() -> None:
    page = draw("pvalues", pairs(("a", "b", "worse", 0.01), ("a", "c", None, None)), LOOK)
    assert set(signs(axes_of(page)[0])) == {"column", "untested"}
    caption = page.texts[1].get_text().replace("\n", " ")
    assert "cross: not tested" in caption
    assert "empty spot: not compared" in caption


def test_ascii_and_log() -> None:
    page = draw("pvalues", THREE, Look(names=NAMES, better="lower", ascii=True))
    assert all(text.get_text().isascii() for text in [*page.legends[0].get_texts(), *page.texts])
    with pytest.raises(BenchkitError, match="scale of their own"):
        draw("pvalues", THREE, Look(scale="log"))
