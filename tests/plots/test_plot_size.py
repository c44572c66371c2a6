"""The size asked for: text and marks shrink before the page grows, and panels of one figure are alike."""

from collections.abc import Iterator

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from plot_tables import KINDS, THREE, axes_of, draw, experiment, lines_with, overflow

from benchkit.plots import OF_PAIRS
from benchkit.plots.figure import figure
from benchkit.plots.look import Look

SEVEN = tuple(f"algorithm{j}" for j in range(7))
TABLES = experiment((np.arange(28).reshape(4, 7) % 11).tolist(), SEVEN)


def look(size: tuple[float, float] | None, **more: str) -> Look:
    return Look(names=SEVEN, size=size, better="lower", caption="n = 4", **more)


def sizes(page: Figure) -> Iterator[float]:
    """Return the size of every text that is drawn."""
    return (text.get_fontsize() for text in page.findobj(Text) if text.get_text())


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind == "pvalues" or kind not in OF_PAIRS])
def test_a_journal_column_is_kept(kind: str) -> None:
    page = draw(kind, TABLES, look((3.5, 2.5)))
    assert page.get_size_inches().tolist() == pytest.approx([3.5, 2.5], abs=1e-6)
    assert min(sizes(page)) >= 5 - 1e-9
    assert "size grown" not in page.texts[1].get_text()
    assert overflow(page) <= 1e-9


@pytest.mark.parametrize(("kind", "size"), [("podium", (1.0, 1.0)), ("intervals", (3.5, 2.5)), ("box", (1.0, 1.0))])
def test_a_page_that_had_to_grow_says_so(kind: str, size: tuple[float, float]) -> None:
    page = draw(kind, TABLES, look(size))
    width, height = page.get_size_inches()
    assert width > size[0] or height > size[1]
    caption = page.texts[1].get_text().replace("\n", " ")
    assert caption.endswith(f"(size grown to {width:.2f}x{height:.2f} so that the text fits)")
    assert min(sizes(page)) == pytest.approx(5.0)
    assert overflow(page) <= 1e-9


def test_a_size_that_holds_the_text_leaves_it_as_it_is() -> None:
    assert set(sizes(draw("podium", TABLES, look((9, 6))))) == set(sizes(draw("podium", TABLES, look(None))))


def test_text_marks_and_distances_shrink_alike() -> None:
    small, usual = (axes_of(draw("dot", TABLES, look(size)))[0] for size in ((2.4, 2.2), (9.0, 6.0)))
    scale = small.xaxis.label.get_fontsize() / usual.xaxis.label.get_fontsize()
    assert scale < 0.95
    assert small.xaxis.labelpad == pytest.approx(scale * usual.xaxis.labelpad)
    assert next(text.get_fontsize() for text in small.get_xticklabels()) == pytest.approx(8.5 * scale)
    marks = [[line.get_markersize() for line in lines_with(axes, "o")] for axes in (small, usual)]
    assert marks[0] == pytest.approx([scale * size for size in marks[1]])


@pytest.mark.parametrize("size", [None, (7.0, 5.0)])
def test_all_panels_have_axes_of_one_size_in_line(size: tuple[float, float] | None) -> None:
    long = {"unit": "thousands of long units of time on this machine"}
    looks = [look(size), look(size, **long)] * 2
    page = figure(KINDS["podium"], [(f"panel {i}", THREE, each) for i, each in enumerate(looks)])
    boxes = [[axes.get_window_extent() for axes in area.axes] for area in page.subfigs]
    for of_panel in zip(*boxes, strict=True):
        assert np.ptp([box.width for box in of_panel]) < 0.5
        assert np.ptp([box.height for box in of_panel]) < 0.5
        assert len({round(box.y0) for box in of_panel}) == 2
        assert len({round(box.x0) for box in of_panel}) == 2
    assert overflow(page) <= 1e-9


def test_a_label_longer_than_its_axis_is_broken_before_the_parenthesis() -> None:
    upper, _ = axes_of(draw("podium", THREE, Look(size=(4.0, 3.2), unit="a longer unit of time", better="lower")))
    assert upper.get_ylabel() == "mse in a longer unit of time\n(lower is better)"
