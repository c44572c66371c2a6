"""The axis of the metric: its limits, its ticks as plain numbers, and its label with unit and direction."""

import re
from collections.abc import Sequence
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import Formatter, Locator, LogLocator, MaxNLocator, NullLocator

from benchkit.errors import BenchkitError
from benchkit.plots.look import Look, Scale
from benchkit.plots.series import Floats, drawable
from benchkit.plots.text import visible

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def set_number_axis(axes: Axes, which: Literal["x", "y"], values: Floats, metric: str, look: Look) -> None:
    """Give the axis the scale, limits around the finite `values`, ticks and label of the metric.

    A log scale with values that it cannot show is a BenchkitError.
    """
    low, high = limits(values, look.scale)
    axis = axes.xaxis if which == "x" else axes.yaxis
    if look.scale == "log":
        _refuse_not_positive(values, metric)
        set_scale = axes.set_xscale if which == "x" else axes.set_yscale
        set_scale("log")
    set_limits = axes.set_xlim if which == "x" else axes.set_ylim
    set_limits(low, high)
    axis.set_major_locator(locator(low, high, look.scale))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(Numbers(look.scale, look.ascii))
    axis.set_label_text(label(metric, look))
    axes.grid(visible=True, axis=which)


def label(metric: str, look: Look) -> str:
    """Return the words of the axis: the metric, its unit unless the metric's name says it, and its direction."""
    unit = f" in {visible(look.unit)}" if needs_unit(metric, look) else ""
    direction = f" ({look.better} is better)" if look.better else ""
    return f"{visible(metric)}{unit}{direction}"


def needs_unit(metric: str, look: Look) -> bool:
    """Return whether the metric has a unit that is not a word of its name, as seconds is of fit_seconds."""
    return look.unit.lower() not in ("", metric.lower(), *re.split(r"[\W_]+", metric.lower()))


def limits(values: Floats, scale: Scale) -> tuple[float, float]:
    """Return limits a little beyond the finite values; around a single value they leave room on both sides."""
    shown = values[drawable(values)]
    if scale == "log":
        shown = np.log10(shown[shown > 0])
    if shown.size == 0:
        low, high = 0.0, 1.0
    else:
        low, high = float(shown.min()), float(shown.max())
    span = high - low
    around = max(abs(low), abs(high))
    pad = 0.04 * span if span > 1e-12 * around else (0.05 * around or 1.0)
    low, high = low - pad, high + pad
    return (10**low, 10**high) if scale == "log" else (low, high)


def locator(low: float, high: float, scale: Scale) -> Locator:
    """Return round ticks; on a log scale powers of ten, with 2 and 5 between them on a short axis."""
    decades = np.log10(high / low) if scale == "log" else 0.0
    if decades < 1:
        return MaxNLocator(nbins="auto", steps=[1, 2, 2.5, 5, 10])
    return LogLocator(subs=(1.0, 2.0, 5.0) if decades < 3 else (1.0,), numticks=8)


def _refuse_not_positive(values: Floats, metric: str) -> None:
    wrong = values[values <= 0]
    if wrong.size:
        raise BenchkitError(f"a log scale cannot show the {visible(metric)} {float(wrong[0]):g}", "choose --scale linear")


class Numbers(Formatter):
    """Tick labels that stand alone: no offset and no factor at the end of the axis that could be missed or clipped."""

    def __init__(self, scale: Scale, ascii_only: bool) -> None:
        self.scale = scale
        self.ascii_only = ascii_only

    def __call__(self, x: float, pos: int | None = None) -> str:  # noqa: ARG002 - matplotlib's signature
        """Return the label of one tick alone."""
        return self.format_ticks([x])[0]

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        """Return labels with as many decimals as tell neighbours apart."""
        if len(values) == 0:
            return []
        if self.scale == "log" and max(values) >= 10 * min(values):
            return [text for value in values for text in self._alike([value])]
        return self._alike(values)

    def _alike(self, values: Sequence[float]) -> list[str]:
        """Write all with the same power of ten and the same number of decimals."""
        ticks = np.asarray(values, dtype=float)
        largest = float(np.abs(ticks).max())
        exponent = 3 * int(np.floor(np.log10(largest) / 3)) if largest > 0 else 0
        if exponent >= 6 or exponent < -3:
            mantissas = ticks / 10.0**exponent if exponent > -300 else ticks * 1e300 * 10.0 ** (-exponent - 300)
            decimals = _decimals(mantissas)
            if decimals <= 3:
                return [self._signed(f"{mantissa:.{decimals}f}", exponent) for mantissa in mantissas]
        decimals = _decimals(ticks)
        return [self._signed(f"{tick:.{decimals}f}", 0) for tick in ticks]

    def _signed(self, digits: str, exponent: int) -> str:
        zero = float(digits) == 0
        digits = digits.lstrip("-") if zero else digits
        if self.ascii_only:
            return digits if exponent == 0 or zero else f"{digits}e{exponent}"
        power = "" if exponent == 0 or zero else f"×10{str(exponent).translate(_RAISED)}"
        return digits.replace("-", "−") + power


def _decimals(ticks: Floats) -> int:
    """Return how many decimals write every tick to a thousandth of their distance."""
    steps = np.diff(np.unique(ticks))
    step = float(steps.min()) if steps.size else float(np.abs(ticks).max()) or 1.0
    return next((n for n in range(17) if np.all(np.abs(np.round(ticks, n) - ticks) <= 1e-3 * step)), 17)
