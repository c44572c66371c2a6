"""How wide a text stands on a terminal, and texts brought to one width.

Widths follow unicodedata (East Asian wide and fullwidth 2, combining and format characters 0) and the sequences that
terminals draw as one emoji. rich.cells would do as well, but costs 25 ms to import.
"""

import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

_JOINER = "\u200d"
_EMOJI_STYLE = "\ufe0f"


@lru_cache(maxsize=4096)
def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf") or "\u1160" <= character <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def display_width(text: str) -> int:
    """Return the number of terminal columns that `text` takes."""
    if text.isascii():
        return len(text)
    width = 0
    last = 0  # the width of the character that a following one may change or join
    before = ""
    for character in text:
        own = _character_width(character)
        if character == _EMOJI_STYLE and last == 1 and unicodedata.category(before).startswith("S"):
            width, last = width + 1, 2
        elif last == 2 and (before == _JOINER or "\U0001f3fb" <= character <= "\U0001f3ff"):
            pass  # drawn into the emoji before it
        elif own:
            width, last = width + own, own
        before = character
    return width


def pad_right(text: str, width: int) -> str:
    """Return `text` at the left of `width` columns."""
    return text + " " * (width - display_width(text))


def pad_left(text: str, width: int) -> str:
    """Return `text` at the right of `width` columns."""
    return " " * (width - display_width(text)) + text


def _split_at_point(text: str) -> tuple[int, int]:
    """Return how many characters stand before the point (or the exponent, or the end) and from there on."""
    before = min((place for sign in ".e" if (place := text.find(sign)) >= 0), default=len(text))
    return before, len(text) - before


def align_points(numbers: Sequence[str]) -> list[str]:
    """Return the texts, all of one width, with their decimal points below each other."""
    splits = [_split_at_point(text) for text in numbers]
    before = max((split[0] for split in splits), default=0)
    after = max((split[1] for split in splits), default=0)
    return [" " * (before - left) + text + " " * (after - right) for text, (left, right) in zip(numbers, splits, strict=True)]


def align_intervals(lows: Sequence[str], highs: Sequence[str]) -> list[str]:
    """Return [low, high], lower and upper points below each other, commas and brackets beside their numbers."""
    ends = zip(align_points(lows), align_points(highs), strict=True)
    texts = [_beside(f"[{low}", ",") + " " + _beside(high, "]") for low, high in ends]
    return [text if low or high else "" for text, low, high in zip(texts, lows, highs, strict=True)]


def _beside(padded: str, sign: str) -> str:
    """Return `padded` with `sign` between its text and the blanks that follow."""
    text = padded.rstrip(" ")
    return text + sign + " " * (len(padded) - len(text))


def align_letters(cells: Sequence[str], blank: Callable[[str], str] = lambda _: " ") -> list[str]:
    """Return the letters of a compact letter display, each in the place of its own letter (A after z).

    `blank` makes what stands where a cell lacks a letter. Cells that are no such letters come back as they are.
    """
    alphabet = sorted(set("".join(cells)), key=lambda letter: (letter.isupper(), letter))
    if not all(letter.isalpha() for letter in alphabet) or any(len(set(cell)) < len(cell) for cell in cells):
        return list(cells)
    rows = (alphabet[: max(map(alphabet.index, cell), default=-1) + 1] for cell in cells)
    return ["".join(letter if letter in cell else blank(letter) for letter in row) for cell, row in zip(cells, rows, strict=True)]
