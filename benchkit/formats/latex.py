"""A booktabs table for papers, with the columns that people see."""

import re

from benchkit.formats import alignment, escaping
from benchkit.formats.marks import Marks, marks_of
from benchkit.formats.people import Shown, shown_columns
from benchkit.formats.selection import select_table
from benchkit.formats.style import Style
from benchkit.tables.result import Result

PACKAGES = r"% needs \usepackage[T1]{fontenc} and \usepackage{booktabs}"

_POWER = re.compile(r"(\d(?:\.\d+)?)e([+-])0*(\d+)")


def write(result: Result, table: str, style: Style) -> bytes:
    """Return the headlines as comments and a tabular, to be read by input; UTF-8.

    Names are escaped; numbers, in mathematics where they have a sign or a power, keep the decimals of the table for
    people. Marks that the style asks for are explained in a line below. Raise BenchkitError for an unknown table.
    """
    frame = select_table(result, table)
    marks = marks_of(table, frame, style)
    shown = [column for column in shown_columns(table, frame, style) if column.names[0] not in marks.dropped]
    alignments = "".join("r" if column.kind in ("number", "interval") else "l" for column in shown)
    rows = [
        f"  {' & '.join(cells)} \\\\".replace("  \\\\", " \\\\")
        for cells in zip(*(_cells(column, marks) for column in shown), strict=True)
    ]
    lines = [PACKAGES, *(f"% {escaping.terminal(headline)}" for headline in result.sentences(table))]
    lines += [f"\\begin{{tabular}}{{{alignments}}}", "  \\toprule", rows[0], "  \\midrule", *rows[1:]]
    lines += ["  \\bottomrule", *(_legend(line, len(shown)) for line in marks.legend), "\\end{tabular}"]
    return "".join(f"{line}\n" for line in lines).encode()


def _legend(text: str, columns: int) -> str:
    """Return a line below the table, as wide as the table at least."""
    said = escaping.latex(text).replace(r"\textless{}=", r"$\le$")
    return f"  \\multicolumn{{{columns}}}{{l}}{{\\footnotesize {said}}} \\\\"


def _cells(shown: Shown, marks: Marks) -> list[str]:
    """Return heading and cells of one column, padded so that the source reads as a table, too."""
    pad = alignment.pad_left if shown.kind in ("number", "interval") else alignment.pad_right
    name = shown.names[0]
    body = [_bold(text) if marks.is_bold(name, row) else text for row, text in enumerate(_body(shown))]
    if superscripts := marks.at(name):
        widest = max(superscripts, key=len)
        body = [_raised(text, sign, widest) for text, sign in zip(body, superscripts, strict=True)]
    cells = [escaping.latex(shown.heading), *body]
    width = max(map(alignment.display_width, cells))
    return [pad(cell, width) for cell in cells]


def _bold(text: str) -> str:
    """Return a cell in bold: a number in mathematics by mathbf."""
    if len(text) > 1 and text[0] == text[-1] == "$":
        return f"$\\mathbf{{{text[1:-1]}}}$"
    return f"\\textbf{{{text}}}" if text else text


def _raised(text: str, sign: str, widest: str) -> str:
    """Return a cell with its superscript, as wide as the widest one, so that numbers stay below each other."""
    room = widest[len(sign) :]
    raised = f"{_upright(sign)}\\phantom{{{_upright(room)}}}" if room else _upright(sign)
    return f"{text[:-1]}^{{{raised}}}$" if text.endswith("$") else f"{text}$^{{{raised}}}$"


def _upright(sign: str) -> str:
    """Return letters in the upright type of text; stars are as they are."""
    return f"\\mathrm{{{sign}}}" if sign.isalpha() else sign


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
