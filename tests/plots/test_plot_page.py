"""The whole page: names as they are, nothing clipped, the same bytes twice, nothing of ours left behind."""

import re
import subprocess
import sys
from io import BytesIO
from itertools import pairwise
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from plot_tables import KINDS, ODD_NAMES, THREE, axes_of, draw, experiment, overflow

from benchkit.errors import BenchkitError
from benchkit.plots import OF_PAIRS
from benchkit.plots.figure import figure, save
from benchkit.plots.look import Look
from benchkit.plots.text import visible

ODD = experiment((np.arange(28).reshape(4, 7) % 11).tolist(), ODD_NAMES)
ODD_LOOK = Look(title="a title of $many$ words " * 8, names=ODD_NAMES, better="lower", caption="n = 4 and so on " * 12)


def svg_text(page) -> str:
    stream = BytesIO()
    save(page, stream, "svg")
    nodes = ElementTree.fromstring(stream.getvalue()).iter()
    return " ".join("".join(node.itertext()) for node in nodes if node.tag.endswith("text"))


@pytest.mark.parametrize("kind", KINDS)
def test_names_are_text_and_never_markup(kind: str, capfd: pytest.CaptureFixture[str]) -> None:
    text = svg_text(draw(kind, ODD, ODD_LOOK))
    for name in ODD_NAMES:
        assert visible(name) in text
    assert "esc\\x1b[31m" in text
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [None, (3.0, 2.0), (14.0, 9.0)])
def test_nothing_is_clipped(kind: str, size: tuple[float, float] | None) -> None:
    page = draw(kind, ODD, Look(ODD_LOOK.title, size, names=ODD_NAMES, better="lower", caption=ODD_LOOK.caption))
    assert overflow(page) <= 1e-9
    if size == (14.0, 9.0) and kind not in OF_PAIRS:
        assert page.get_size_inches().tolist() == pytest.approx([14, 9])
    for axes in axes_of(page):
        assert axes.get_window_extent().width > (60 if kind in ("simplex", "shares", "enough") else 100)


def test_row_labels_do_not_collide() -> None:
    names = [f"algorithm {j}" for j in range(60)]
    page = draw("box", experiment([list(range(60)), list(range(1, 61))], names))
    boxes = [text.get_window_extent() for text in axes_of(page)[0].get_yticklabels()]
    assert all(below.y1 <= above.y0 for above, below in pairwise(boxes))


@pytest.mark.parametrize(
    ("kind", "file_format"),
    [("podium", "svg"), ("podium", "png"), ("podium", "pdf"), ("intervals", "svg"), ("pvalues", "pdf"), ("simplex", "svg")],
)
def test_the_same_figure_gives_the_same_bytes(kind: str, file_format: str) -> None:
    streams = [BytesIO(), BytesIO()]
    for stream in streams:
        save(draw(kind, THREE), stream, file_format)
    first, second = (stream.getvalue() for stream in streams)
    assert first == second
    assert len(first) > 1000
    assert not re.search(rb"20\d\d-\d\d-\d\d|CreationDate", first)


def test_settings_of_the_machine_neither_rule_nor_change() -> None:
    plain, odd = BytesIO(), BytesIO()
    save(draw("podium", THREE), plain, "svg")
    with mpl.rc_context({"font.size": 30, "text.color": "red", "savefig.bbox": "tight", "lines.linewidth": 9}):
        before = dict(mpl.rcParams)
        save(draw("podium", THREE), odd, "svg")
        assert dict(mpl.rcParams) == before
    assert plain.getvalue() == odd.getvalue()


def test_panels_share_legend_caption_and_title() -> None:
    other = experiment([[3, 1, 2], [3, 1, 2]], ["beta", "alpha", "gamma"])
    look = Look("two data sets", names=("alpha", "beta", "gamma"), caption="n = 4")
    page = figure(KINDS["podium"], [("first", THREE, look), ("second", other, look)])
    assert [area.texts[0].get_text() for area in page.subfigs] == ["first", "second"]
    assert [text.get_text() for text in page.legends[0].get_texts()] == ["alpha", "beta", "gamma"]
    assert [text.get_text() for text in page.texts] == ["two data sets", "n = 4"]
    boxes = [area.bbox for area in page.subfigs]
    assert boxes[0].x1 <= boxes[1].x0
    assert boxes[0].width == pytest.approx(boxes[1].width)
    assert overflow(page) <= 1e-9


def test_captions_that_differ_stand_under_their_panel_titles() -> None:
    panels = [(f"set {i}", THREE, Look(names=("alpha", "beta", "gamma"), caption=f"n = {i}")) for i in range(7)]
    page = figure(KINDS["strip"], panels)
    drawn = [area for area in page.subfigs if area.axes]
    assert [[text.get_text() for text in area.texts] for area in drawn] == [[f"set {i}", f"n = {i}"] for i in range(7)]
    assert [text.get_text() for text in page.texts] == ["", ""]
    for area in drawn:
        heading, note = (text.get_window_extent() for text in area.texts)
        assert note.y1 <= heading.y0
        assert area.axes[0].get_window_extent().y1 < note.y0
    assert overflow(page) <= 1e-9


def test_one_panel_without_title_is_named_by_its_panel_title() -> None:
    assert draw("dot", THREE, Look()).texts[0].get_text() == "panel"
    assert draw("dot", THREE, Look(title="finding")).texts[0].get_text() == "finding"


def test_no_panels_is_an_error() -> None:
    with pytest.raises(BenchkitError, match="nothing to draw"):
        figure(KINDS["dot"], [])


def test_drawing_does_not_load_pyplot() -> None:
    code = "import sys, benchkit.plots.figure, benchkit.plots.podium; print('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
