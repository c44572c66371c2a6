"""Texts brought to one width on a terminal, numbers with their decimal points below each other."""

from collections.abc import Callable, Sequence

from rich.cells import cell_len


def display_width(text: str) -> int:
    """Return the number of terminal columns that `text` takes."""
    return len(text) if text.isascii() else cell_len(text)


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
