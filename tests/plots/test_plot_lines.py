"""The joined dots of the bench plot."""

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex, to_rgb
from plot_tables import THREE, axes_of, draw, experiment

from benchkit.plots.look import Look
from benchkit.plots.palette import style_of
from benchkit.plots.threads import blend, faintness

NAMES = ("alpha", "beta", "gamma")
LOOK = Look(names=NAMES, better="lower")


def threads(page) -> dict[str, list[np.ndarray]]:
    """Return the segments by colour; the parting lines of the places are the only dashed ones."""
    found = [lines for lines in axes_of(page)[0].collections if isinstance(lines, LineCollection)]
    return {to_hex(lines.get_color()[0]).upper(): lines.get_segments() for lines in found if lines.get_linestyle()[0][1] is None}


def test_each_segment_has_the_colour_of_its_better_end() -> None:
    found = threads(draw("lines", THREE, LOOK))
    ends = {name: found[style_of(name, NAMES)[0].upper()] for name in NAMES}
    # beta is first in r0, r1, r3 and second in r2; alpha the other way round; gamma is last always
    assert sorted((s[0][1], s[1][1]) for s in ends["beta"]) == [(1, 2), (1.25, 2), (1.5, 2.5), (4, 5)]
    assert sorted((s[0][1], s[1][1]) for s in ends["alpha"]) == [(2, 3), (2, 3.5), (2.25, 4), (2.5, 6)]
    assert ends["gamma"] == []


def test_segments_meet_the_dots() -> None:
    page = draw("lines", THREE, LOOK)
    dots = {(x, y) for line in axes_of(page)[0].lines for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)}
    ends = {tuple(end) for segments in threads(page).values() for segment in segments for end in segment}
    assert ends == dots


def test_an_infinite_or_missing_performance_is_not_joined() -> None:
    found = threads(draw("lines", experiment([[1, 2, np.inf], [1, np.nan, 3]], ["a", "b", "c"])))
    joined = sorted((s[0][1], s[1][1]) for segments in found.values() for s in segments)
    assert joined == [(1, 2), (1, 3)]


def test_segments_fade_as_they_become_many() -> None:
    counts = [1, 100, 1000, 10_000, 1_000_000]
    assert [faintness(count) for count in counts] == sorted((faintness(count) for count in counts), reverse=True)
    assert faintness(0) == 1.0


def test_very_many_segments_become_one_image(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchkit.plots.threads.IMAGE_ABOVE", 9)
    count = 10
    values = np.column_stack([np.zeros(count), np.ones(count)])
    upper, _ = axes_of(draw("lines", experiment(values.tolist(), ["a", "b"]), Look(names=("a", "b"))))
    (image,) = upper.images
    pixels = np.asarray(image.get_array())
    drawn = pixels[..., 3] > 0
    np.testing.assert_allclose(pixels[drawn][:, :3], np.broadcast_to(to_rgb(style_of("a", ("a", "b"))[0]), (drawn.sum(), 3)))
    # limits are 0 and 1 with 4% around: a line from 4% in place 1 to 96% in place 2 goes up through the middle
    rows, columns = np.nonzero(drawn)
    height, width = drawn.shape
    middle = np.abs(columns - width / 2) < 2
    assert abs(rows[middle].mean() / height - 0.5) < 0.02


def test_layers_add_up_as_transparent_paint() -> None:
    coverage = np.zeros((2, 1, 3))
    coverage[0, 0, 1], coverage[:, 0, 2] = 2, (1, 3)
    image = blend(coverage, ["#ff0000", "#0000ff"], 0.1)
    np.testing.assert_allclose(image[0, :, 3], [0, 1 - 0.9**2, 1 - 0.9**4])
    np.testing.assert_allclose(image[0, 2, :3], [0.25, 0, 0.75])
