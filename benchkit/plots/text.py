"""The only way for names to get into a figure: as they are, whole, and never as markup.

Mathtext is switched off for every text of a figure (figure.RC), so `$x_1$` stays `$x_1$`. Characters that cannot be
seen or that XML forbids are written as escapes. Fonts that know more characters than matplotlib's own are used when the
machine has them; a character that no font knows shows as a box, in SVG as itself.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from warnings import catch_warnings, filterwarnings

from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font

OWN_FONT = "DejaVu Sans"
WIDER_FONTS = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans SC", "Noto Sans JP", "Source Han Sans SC", "PingFang SC",
    "Hiragino Sans", "Microsoft YaHei", "Yu Gothic", "Malgun Gothic", "WenQuanYi Zen Hei", "Droid Sans Fallback",
    "Arial Unicode MS", "Noto Sans", "Segoe UI Symbol", "Apple Symbols",
)  # fmt: skip

_JOINERS = "\u200c\u200d"  # part of the spelling of Persian words and of emoji
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def visible(text: str) -> str:
    r"""Return `text` with each unseen character as an escape (\n, \x1b, \u202e); an empty text as two quotes."""
    return "".join(_escaped(character) for character in text) or '""'


def _escaped(character: str) -> str:
    unseen = unicodedata.category(character) in _UNSEEN and character not in _JOINERS
    forbidden = ord(character) & 0xFFFE == 0xFFFE
    return ascii(character)[1:-1] if unseen or forbidden else character


@cache
def families() -> list[str]:
    """Return the font families to try in turn, those that this machine has."""
    present = {font.name for font in fontManager.ttflist}
    return [OWN_FONT, *(name for name in WIDER_FONTS if name in present)]


@cache
def _known_characters() -> frozenset[int]:
    """Return the characters that at least one of the families in use has a glyph for."""
    fonts = (get_font(findfont(FontProperties(family=[name]))) for name in families())
    return frozenset(character for font in fonts for character in font.get_charmap())


def lacks_glyphs(texts: Iterable[str]) -> bool:
    """Tell whether a character of the texts, written as in a figure, is in none of the families in use."""
    characters = {character for text in texts for character in visible(text)} - set(" \n" + _JOINERS)
    return any(ord(character) not in _known_characters() for character in characters)


@contextmanager
def no_glyph_warnings() -> Iterator[None]:
    """Silence matplotlib about characters that no font has: the name is data, and nobody can act on the warning."""
    with catch_warnings():
        filterwarnings("ignore", message=r"Glyph .* missing from", category=UserWarning)
        yield


@cache
def _measure() -> RendererAgg:
    return RendererAgg(1, 1, 72)  # type: ignore[no-untyped-call]


@lru_cache(4096)
def inches(text: str, size: float, weight: str = "normal") -> float:
    """Return the width of one line of text set in `size` points."""
    properties = FontProperties(family=families(), size=size, weight=weight)
    with no_glyph_warnings():
        width, _, _ = _measure().get_text_width_height_descent(text, properties, False)  # type: ignore[no-untyped-call]
    return float(width) / 72


def wrapped(text: str, width: float, size: float, weight: str = "normal") -> str:
    """Break `text` at blanks into lines of at most `width` inches; a longer word keeps a line of its own, whole."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in visible(paragraph).split(" "):
            longer = f"{line} {word}" if line else word
            if line and inches(longer, size, weight) > width:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return "\n".join(lines)
