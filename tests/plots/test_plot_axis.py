"""Limits, ticks and labels of the axis of the metric."""

import numpy as np
import pytest
from plot_tables import THREE, axes_of, draw, experiment, overflow

from benchkit.errors import BenchkitError
from benchkit.plots.look import Look
from benchkit.plots.number_axis import Numbers, label, limits


@pytest.mark.parametrize(
    ("ticks", "labels"),
    [
        ([0, 500, 1000], ["0", "500", "1000"]),
        ([-0.5, 0.0, 0.5], ["−0.5", "0.0", "0.5"]),
        ([0.25, 0.5, 0.75], ["0.25", "0.50", "0.75"]),
        ([0, 2e-9, 4e-9], ["0", "2×10⁻⁹", "4×10⁻⁹"]),
        ([1e12, 1.5e12], ["1.0×10¹²", "1.5×10¹²"]),
        ([1e9 + 0.25, 1e9 + 0.5], ["1000000000.25", "1000000000.50"]),
        ([-1e-310, 1e-310], ["−100×10⁻³¹²", "100×10⁻³¹²"]),
        ([], []),
    ],
)
def test_labels_stand_alone(ticks: list[float], labels: list[str]) -> None:
    assert Numbers("linear", False).format_ticks(ticks) == labels


def test_labels_in_ascii() -> None:
    assert Numbers("linear", True).format_ticks([-2e-9, 0, 2e-9]) == ["-2e-9", "0", "2e-9"]


def test_labels_of_a_log_scale_have_each_their_own_decimals() -> None:
    assert Numbers("log", False).format_ticks([0.01, 1, 100, 1e6]) == ["0.01", "1", "100", "1×10⁶"]
    assert Numbers("log", False).format_ticks([500, 550, 600]) == ["500", "550", "600"]


def test_limits() -> None:
    assert limits(np.array([0, 100, np.nan, np.inf, -1e301]), "linear") == (-4, 104)
    assert limits(np.array([5.0, 5.0]), "linear") == (4.75, 5.25)
    assert limits(np.array([0.0]), "linear") == (-1, 1)
    assert limits(np.array([np.nan]), "linear") == (-0.04, 1.04)
    low, high = limits(np.array([1.0, 100.0]), "log")
    assert (np.log10(low), np.log10(high)) == (pytest.approx(-0.08), pytest.approx(2.08))


def test_the_label_says_unit_and_direction() -> None:
    assert label("time", Look(unit="s", better="lower")) == "time in s (lower is better)"
    assert label("$auc$", Look()) == "$auc$"


@pytest.mark.parametrize(
    ("metric", "unit", "words"),
    [("seconds", "seconds", "seconds"), ("fit_seconds", "seconds", "fit_seconds"), ("Seconds", "seconds", "Seconds"),
     ("mse", "s", "mse in s"), ("time", "%", "time in %")],
)  # fmt: skip
def test_the_unit_is_not_said_twice(metric: str, unit: str, words: str) -> None:
    assert label(metric, Look(unit=unit, better="lower")) == f"{words} (lower is better)"


@pytest.mark.parametrize("kind", ["podium", "lines", "dot", "box", "strip"])
def test_log_scale_refuses_what_it_cannot_show(kind: str) -> None:
    with pytest.raises(BenchkitError, match="a log scale cannot show the mse 0") as refused:
        draw(kind, experiment([[1, 0], [2, 3]], ["a", "b"]), Look(scale="log"))
    assert refused.value.hint == "choose --scale linear"


@pytest.mark.parametrize("kind", ["podium", "lines", "dot", "box", "strip", "violin", "density"])
def test_log_scale(kind: str) -> None:
    axes = axes_of(draw(kind, THREE, Look(scale="log")))[0]
    assert (axes.get_yscale() if kind in ("podium", "lines") else axes.get_xscale()) == "log"


@pytest.mark.parametrize("scale", [1e-9, 1e12, 1e-300])
@pytest.mark.parametrize("shift", [0.0, 1e9])
def test_extreme_values_keep_distinct_labels_on_the_canvas(scale: float, shift: float) -> None:
    values = shift + scale * np.array([[1, 2, 3], [2, 3.5, 6], [4, 2.25, 5]])
    for kind in ("podium", "strip"):
        page = draw(kind, experiment(values.tolist(), ["a", "b", "c"]))
        axes = axes_of(page)[0]
        axis = axes.yaxis if kind == "podium" else axes.xaxis
        labels = [text.get_text() for text in axis.get_ticklabels()]
        assert len(set(labels)) == len(labels)
        assert overflow(page) <= 1e-9
