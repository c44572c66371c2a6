"""A booktabs table for papers, with the columns that people see."""

import re

from benchkit.formats import alignment, escaping
from benchkit.formats.people import Shown, shown_columns
from benchkit.formats.selection import select_table
from benchkit.formats.style import Style
from benchkit.tables.result import Result

PACKAGES = r"% needs \usepackage[T1]{fontenc} and \usepackage{booktabs}"

_POWER = re.compile(r"(\d(?:\.\d+)?)e([+-])0*(\d+)")


def write(result: Result, table: str, style: Style) -> bytes:
    """Return the headlines as comments and a tabular, to be read by input; UTF-8.

    Names are escaped; numbers, in mathematics where they have a sign or a power, keep the decimals of the table for
    people. Raise BenchkitError for an unknown table.
    """
    frame = select_table(result, table)
    shown = shown_columns(table, frame, style)
    alignments = "".join("r" if column.kind in ("number", "interval") else "l" for column in shown)
    rows = [f"  {' & '.join(cells)} \\\\".replace("  \\\\", " \\\\") for cells in zip(*map(_cells, shown), strict=True)]
    lines = [PACKAGES, *(f"% {escaping.terminal(headline)}" for headline in result.sentences(table))]
    lines += [f"\\begin{{tabular}}{{{alignments}}}", "  \\toprule", rows[0], "  \\midrule", *rows[1:]]
    lines += ["  \\bottomrule", "\\end{tabular}"]
    return "".join(f"{line}\n" for line in lines).encode()


def _cells(shown: Shown) -> list[str]:
    """Return heading and cells of one column, padded so that the source reads as a table, too."""
    pad = alignment.pad_left if shown.kind in ("number", "interval") else alignment.pad_right
    cells = [escaping.latex(shown.heading), *_body(shown)]
    width = max(map(alignment.display_width, cells))
    return [pad(cell, width) for cell in cells]


def _body(shown: Shown) -> list[str]:
    if shown.kind in ("number", "interval"):
        return [_number(text) for text in shown.texts()]
    if shown.kind == "letters":
        letters = [escaping.latex(cell) for cell in shown.cells]
        return alignment.align_letters(letters, lambda letter: f"\\phantom{{{letter}}}")
    return [escaping.latex_order(cell) if shown.kind == "order" else escaping.latex(cell) for cell in shown.cells]


def _number(text: str) -> str:
    r"""Return a number or an interval; a minus, a power of ten and infinity need $...$."""
    powers = _POWER.sub(_power, text).replace("<1\\times", "<").replace("inf", "\\infty").replace("%", "\\%")
    return f"${powers}$" if powers.startswith("[") or any(sign in powers for sign in "-<\\") else powers


def _power(found: re.Match[str]) -> str:
    mantissa, sign, exponent = found.groups()
    return f"{mantissa}\\times10^{{{sign.replace('+', '')}{exponent}}}"
