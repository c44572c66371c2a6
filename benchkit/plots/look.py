"""What a person may wish of a figure, and what a drawing asks of the page around it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Literal

import polars as pl
from matplotlib.artist import Artist
from matplotlib.figure import SubFigure

Scale = Literal["linear", "log"]


@dataclass(frozen=True)
class Look:
    """Everything about one panel that is not in its tables.

    title: the finding or the data. size: width and height of the whole figure in inches; text shrinks
    to fit. order: algorithms in the order wanted; those that it leaves out follow in the order of the tables. highlight:
    algorithms that keep their colour while the others fade. names: all algorithms before any selection, in natural order:
    they rule colours and markers. caption: n, method and level. unit and better belong to the metric. ascii: write no
    signs beyond ASCII of our own. shrink and room are set by `figure`: smaller panels among others, and about the inches
    that the axes of a panel can have on a page of the size wanted.
    """

    title: str | None = None
    size: tuple[float, float] | None = None
    scale: Scale = "linear"
    order: tuple[str, ...] = ()
    highlight: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    caption: str = ""
    unit: str = ""
    better: str | None = None
    ascii: bool = False
    shrink: float = 1.0
    room: tuple[float, float] = (inf, inf)

    def axes_inches(self, width: float, height: float) -> tuple[float, float]:
        """Return the inches that axes get which would like `width` and `height`."""
        return min(width * self.shrink, self.room[0]), min(height * self.shrink, self.room[1])


@dataclass(frozen=True)
class Key:
    """One entry of a legend; a key that is not strong stands back because others are highlighted."""

    label: str
    handle: Artist
    strong: bool = True


@dataclass(frozen=True)
class Drawing:
    """What a drawing wants of the page: inches for its axes (gaps and labels excluded), a legend and words in the caption.

    least: the inches below which its marks or its row labels would collide. remarks: what the caption says of this drawing.
    marks: what its marks mean, said once for the whole figure.
    """

    width: float
    height: float
    least: tuple[float, float]
    legend: tuple[Key, ...] = ()
    remarks: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


Draw = Callable[[SubFigure, Mapping[str, pl.DataFrame], Look], Drawing]
