"""Ten colours and ten markers: an algorithm has the same pair in every figure.

The colours are those of Okabe & Ito (2008) and of Tol (2021, muted) that stay apart best under normal vision,
deuteranopia, protanopia and tritanopia (least CIE76 distance of two: 13.6). Markers carry the same in greyscale.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from matplotlib.colors import to_hex, to_rgb
from matplotlib.lines import Line2D

from benchkit.plots.look import Key, Look

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#332288", "#7A4A1E", "#882255", "#333333")
MARKERS = ("o", "^", "s", "D", "v", "P", "X", "<", "p", ">")

INK = "#222222"
QUIET = "#6b6b6b"
FAINT = "#e4e4e4"
FADED = "#c2c2c2"


@dataclass(frozen=True)
class Style:
    """How one algorithm is drawn; not strong: it stands back because others are highlighted."""

    colour: str
    marker: str
    strong: bool = True


def style_of(name: str, names: Sequence[str]) -> tuple[str, str]:
    """Return colour and marker by the position of `name` in `names`.

    The first ten differ in both; the first hundred differ in the combination; then they repeat. A name that is not
    among `names` is styled as if it came after the last.
    """
    position = names.index(name) if name in names else len(names)
    return COLOURS[position % 10], MARKERS[(position + position // 10) % 10]


def style(name: str, look: Look) -> Style:
    """Return the style of an algorithm, faded if others are highlighted."""
    colour, marker = style_of(name, look.names)
    strong = not look.highlight or name in look.highlight
    return Style(colour if strong else FADED, marker, strong)


def key(name: str, look: Look, line: bool = False) -> Key:
    """Return the legend entry of an algorithm: its marker, on a line if the figure draws lines."""
    look_of_name = style(name, look)
    handle = Line2D(
        [], [], color=look_of_name.colour, marker=look_of_name.marker, linestyle="-" if line else "", markersize=5, linewidth=1.4
    )
    return Key(name, handle, look_of_name.strong)


@cache
def ink_on(fill: str) -> str:
    """Return the colour of marks and text that is read on the fill."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(fill))
    return INK if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 else "#ffffff"


def paler(colour: str) -> str:
    """Return the colour with three parts of white."""
    red, green, blue = (0.25 * part + 0.75 for part in to_rgb(colour))
    return to_hex((red, green, blue))
