"""How an answer is to look for people; the machine formats ignore it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Style:
    """digits: significant digits, None for the usual 4 (3 for p-values and mean ranks).

    width: columns of the terminal, None for as wide as the table needs. ascii: our own glyphs (≈, ×) as ASCII; names
    stay as they are. color: headings in bold. marks: best, letters and stars, in formats that can (formats/marks.py).
    """

    digits: int | None = None
    width: int | None = None
    ascii: bool = False
    color: bool = False
    marks: tuple[str, ...] = ()
