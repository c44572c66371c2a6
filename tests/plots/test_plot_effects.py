"""Effects of pairs: the line of no effect, sides, ratios and what is infinite."""

import numpy as np
import polars as pl
import pytest
from plot_tables import GROUP, axes_of, draw

from benchkit.errors import BenchkitError
from benchkit.methods import EFFECTS
from benchkit.plots.effects import KINDS
from benchkit.plots.look import Look
from benchkit.tables import shapes

NAMES = ("a", "b", "c")


def pairs(name: str, *effects: tuple[float | None, float | None, float | None]) -> dict[str, pl.DataFrame]:
    rows = [
        GROUP | {"better": "lower", "a": "a", "b": NAMES[i + 1], "verdict": "better", "effect_name": name, "effect": effect,
                 "effect_low": low, "effect_high": high}
        for i, (effect, low, high) in enumerate(effects)
    ]  # fmt: skip
    return {"pairs": shapes.build(shapes.PAIRS, rows)}


@pytest.mark.parametrize(
    ("name", "none"),
    [("prob_better", 0.5), ("a12", 0.5), ("ratio", 1.0), ("odds_ratio", 1.0), ("mean_difference", 0.0), ("d_z", 0.0),
     ("cliffs_delta", 0.0), ("rank_biserial", 0.0), ("kendalls_w", 0.0), ("something_new", 0.0)],
)  # fmt: skip
def test_the_line_stands_at_no_effect_inside_the_axes(name: str, none: float) -> None:
    (axes,) = axes_of(draw("effects", pairs(name, (0.8, 0.7, 0.9)), Look(names=NAMES, better="lower")))
    assert [list(line.get_xdata()) for line in axes.lines] == [[none, none]]
    low, high = axes.get_xlim()
    assert low < min(none, 0.7)
    assert high > max(none, 0.9)
    (bars,) = [lines for lines in axes.collections if hasattr(lines, "get_segments")]
    np.testing.assert_allclose(bars.get_segments()[0], [(0.7, 0), (0.9, 0)])


@pytest.mark.parametrize(
    ("name", "better", "right"),
    [("prob_better", "lower", "a"), ("prob_better", "higher", "a"), ("a12", "lower", "a"), ("odds_ratio", "lower", "a"),
     ("ratio", "lower", "b"), ("ratio", "higher", "a"), ("d_z", "lower", "b"), ("cliffs_delta", "higher", "a"),
     ("cliffs_delta", "lower", "a"), ("rank_biserial", "lower", "a")],
)  # fmt: skip
def test_the_ends_say_who_is_better(name: str, better: str, right: str) -> None:
    (axes,) = axes_of(draw("effects", pairs(name, (0.8, 0.7, 0.9)), Look(names=NAMES, better=better)))
    assert {text.get_text(): text.xy[0] for text in axes.texts}[f"{right} better →"] == 1


def test_an_effect_without_sides_says_none() -> None:
    (axes,) = axes_of(draw("effects", pairs("kendalls_w", (0.8, None, None)), Look(names=NAMES, better="lower")))
    assert not axes.texts
    assert axes.get_xlabel() == "Kendall's W"


def test_every_effect_that_can_be_chosen_is_known() -> None:
    assert {entry.name for entry in EFFECTS} <= set(KINDS)


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_what_is_infinite_or_zero_has_a_triangle_at_the_edge(scale: str) -> None:
    tables = pairs("odds_ratio", (np.inf, 2.0, np.inf), (0.0, 0.0, 0.5))
    page = draw("effects", tables, Look(names=NAMES, better="higher", scale=scale))
    (axes,) = axes_of(page)
    edges = [marks.get_offsets().tolist()[0] for marks in axes.collections if marks.get_gid() == "beyond"]
    left, right = axes.get_xlim()
    assert sorted(edges) == sorted([[right, 0], *([[left, 1]] if scale == "log" else [])])
    assert "triangle at the edge" in page.texts[1].get_text().replace("\n", " ")


def test_only_ratios_have_a_log_scale() -> None:
    with pytest.raises(BenchkitError, match="d_z cannot be drawn on a log scale"):
        draw("effects", pairs("d_z", (0.8, 0.7, 0.9)), Look(scale="log"))
