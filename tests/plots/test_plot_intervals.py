"""Simultaneous intervals: rows, sides, verdicts."""

import numpy as np
import polars as pl
import pytest
from matplotlib.colors import to_hex
from plot_tables import GROUP, THREE, axes_of, draw

from benchkit.errors import BenchkitError
from benchkit.plots.look import Look
from benchkit.plots.palette import QUIET, style_of
from benchkit.tables import shapes

NAMES = ("a", "b", "c")
ROWS = [
    {"a": "a", "b": "b", "estimate": -2.0, "ci_low": -3.0, "ci_high": -1.0, "verdict": "better", "margin": 0.5},
    {"a": "a", "b": "c", "estimate": 0.1, "ci_low": -0.2, "ci_high": 0.4, "verdict": "equivalent", "margin": 0.5},
    {"a": "b", "b": "c", "estimate": 0.5, "ci_low": -0.5, "ci_high": 1.5, "verdict": "undecided", "margin": 0.5},
]
PAIRS = shapes.build(shapes.PAIRS, [GROUP | {"better": "lower"} | row for row in ROWS])
LOOK = Look(names=NAMES, better="lower")


def test_one_row_for_each_pair_with_its_interval() -> None:
    (axes,) = axes_of(draw("intervals", {"pairs": PAIRS}, LOOK))
    assert [text.get_text() for text in axes.get_yticklabels()] == ["a − b", "a − c", "b − c"]
    (bars,) = [lines for lines in axes.collections if hasattr(lines, "get_segments")]
    np.testing.assert_allclose(
        [[(x, y) for x, y in segment] for segment in bars.get_segments()],
        [[(-3, 0), (-1, 0)], [(-0.2, 1), (0.4, 1)], [(-0.5, 2), (1.5, 2)]],
    )


def test_the_verdict_is_readable_without_colour() -> None:
    page = draw("intervals", {"pairs": PAIRS}, LOOK)
    (axes,) = axes_of(page)
    marks = {marks.get_gid(): marks for marks in axes.collections if marks.get_gid()}
    assert set(marks) == {"better", "equivalent", "undecided"}
    assert to_hex(marks["better"].get_facecolor()[0]) == style_of("a", NAMES)[0].lower()
    assert to_hex(marks["undecided"].get_facecolor()[0]) == "#ffffff"
    assert to_hex(marks["undecided"].get_edgecolor()[0]) != "#ffffff"
    assert marks["equivalent"].get_paths()[0].vertices.shape != marks["undecided"].get_paths()[0].vertices.shape
    caption = next(text.get_text() for text in page.texts if "hollow" in text.get_text())
    assert caption == "filled: separated, in the colour of the better; hollow: undecided; diamond: equivalent"


@pytest.mark.parametrize(
    ("better", "left", "right"), [("lower", "← a better", "b better →"), ("higher", "← b better", "a better →")]
)
def test_the_ends_of_the_axis_say_who_is_better(better: str, left: str, right: str) -> None:
    (axes,) = axes_of(draw("intervals", {"pairs": PAIRS}, Look(names=NAMES, better=better)))
    words = {text.get_text(): text.xy[0] for text in axes.texts}
    assert words[left] == 0
    assert words[right] == 1


def test_ascii_only() -> None:
    page = draw("intervals", {"pairs": PAIRS}, Look(names=NAMES, better="lower", ascii=True))
    (axes,) = axes_of(page)
    texts = [*axes.texts, *axes.get_yticklabels(), *axes.get_xticklabels(), *page.texts]
    assert all(text.get_text().isascii() for text in texts)
    assert axes.get_yticklabels()[0].get_text() == "a - b"


def test_zero_line_and_margin_band_are_inside() -> None:
    (axes,) = axes_of(draw("intervals", {"pairs": PAIRS}, LOOK))
    assert [list(line.get_xdata()) for line in axes.lines] == [[0, 0]]
    (band,) = [shape for shape in axes.collections if "FillBetween" in type(shape).__name__]
    x = band.get_paths()[0].vertices[:, 0]
    assert (x.min(), x.max()) == (-0.5, 0.5)
    low, high = axes.get_xlim()
    assert low < -3
    assert high > 1.5
    no_margin = PAIRS.with_columns(margin=pl.lit(0.0))
    (axes,) = axes_of(draw("intervals", {"pairs": no_margin}, LOOK))
    assert not [shape for shape in axes.collections if "FillBetween" in type(shape).__name__]


def test_ratios_stand_around_one() -> None:
    pairs = PAIRS.with_columns(estimate=0.8, ci_low=0.7, ci_high=0.9, transform=pl.lit("log"))
    (axes,) = axes_of(draw("intervals", {"pairs": pairs}, Look(names=NAMES, better="lower", scale="log")))
    assert [list(line.get_xdata()) for line in axes.lines] == [[1, 1]]
    assert axes.get_xlabel() == "ratio of mse"
    assert axes.get_yticklabels()[0].get_text() == "a / b"


def test_open_intervals_and_pairs_without_estimate() -> None:
    pairs = PAIRS.with_columns(
        ci_low=pl.Series([-np.inf, -0.2, -0.5]),
        estimate=pl.Series([-2.0, None, 0.5]),
        verdict=pl.Series(["better", None, "undecided"]),
    )
    (axes,) = axes_of(draw("intervals", {"pairs": pairs}, LOOK))
    (bars,) = [lines for lines in axes.collections if hasattr(lines, "get_segments")]
    assert bars.get_segments()[0][0][0] == axes.get_xlim()[0]
    assert len(bars.get_segments()) == 2
    assert [text.get_text() for text in axes.get_yticklabels()] == ["a − b", "a − c", "b − c"]
    assert sum(len(marks.get_offsets()) for marks in axes.collections if marks.get_gid()) == 2


def test_a_pair_that_was_not_tested_is_a_grey_cross_and_not_undecided() -> None:
    untested = {"verdict": None, "ci_low": None, "ci_high": None}
    rows = [ROWS[0], ROWS[1] | untested, ROWS[2] | untested | {"estimate": None}]
    page = draw("intervals", {"pairs": shapes.build(shapes.PAIRS, [GROUP | row for row in rows])}, LOOK)
    (axes,) = axes_of(page)
    marks = {marks.get_gid(): marks for marks in axes.collections if marks.get_gid()}
    assert set(marks) == {"better", "untested"}
    assert marks["untested"].get_offsets().tolist() == [[0.1, 1]]
    assert to_hex(marks["untested"].get_edgecolor()[0]) == QUIET
    (bars,) = [lines for lines in axes.collections if hasattr(lines, "get_segments")]
    assert [segment[0][1] for segment in bars.get_segments()] == [0]
    assert len(axes.get_yticklabels()) == 3
    assert page.texts[1].get_text() == (
        "filled: separated, in the colour of the better; grey cross: not tested; empty row: no estimate"
    )


@pytest.mark.parametrize(("unit", "words"), [("mse", "difference in mse"), ("s", "difference in mse, s")])
def test_the_unit_of_a_difference(unit: str, words: str) -> None:
    (axes,) = axes_of(draw("intervals", {"pairs": PAIRS}, Look(names=NAMES, unit=unit)))
    assert axes.get_xlabel() == words


def test_the_order_wished_for_rules_the_rows() -> None:
    (axes,) = axes_of(draw("intervals", {"pairs": PAIRS}, Look(names=NAMES, order=("c", "b"))))
    assert [text.get_text() for text in axes.get_yticklabels()] == ["b − c", "a − c", "a − b"]


def test_many_pairs_go_into_columns_on_one_scale() -> None:
    names = [f"n{j}" for j in range(16)]
    rows = [GROUP | {"a": a, "b": b, "estimate": float(i)} for i, a in enumerate(names) for b in names[i + 1 :]]
    columns = axes_of(draw("intervals", {"pairs": shapes.build(shapes.PAIRS, rows)}, Look(names=tuple(names))))
    assert len(columns) == 2
    assert columns[0].get_xlim() == columns[1].get_xlim()
    assert sum(len(axes.get_yticklabels()) for axes in columns) == 120


def test_what_cannot_be_drawn() -> None:
    with pytest.raises(BenchkitError, match="log scale") as refused:
        draw("intervals", {"pairs": PAIRS}, Look(scale="log"))
    assert "--scale linear" in refused.value.hint
    with pytest.raises(BenchkitError, match="no pair was tested"):
        draw("intervals", {"pairs": THREE["pairs"].clear()}, LOOK)
