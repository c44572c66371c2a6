"""A pipe table of GitHub Flavored Markdown, with the columns that people see."""

from benchkit.formats import alignment, escaping
from benchkit.formats.marks import Marks, marks_of
from benchkit.formats.people import Shown, shown_columns
from benchkit.formats.selection import select_table
from benchkit.formats.style import Style
from benchkit.tables.result import Result


def write(result: Result, table: str, style: Style) -> bytes:
    """Return the headlines as a paragraph and the table, numbers to the right; UTF-8.

    Names are escaped so that they render as typed; marks that the style asks for are explained below. Raise BenchkitError for
    an unknown table.
    """
    frame = select_table(result, table)
    marks = marks_of(table, frame, style)
    shown = [column for column in shown_columns(table, frame, style) if column.names[0] not in marks.dropped]
    columns = [_cells(column, style, marks) for column in shown]
    headlines = [_paragraph(headline, style) for headline in result.sentences(table)]
    lines = ["\\\n".join(headlines), ""] if headlines else []
    lines += [f"| {' | '.join(cells)} |" for cells in zip(*columns, strict=True)]
    lines += [text for line in marks.legend for text in ("", _paragraph(line, style))]
    return "".join(f"{line}\n" for line in lines).encode()


def _paragraph(text: str, style: Style) -> str:
    """Return one line of a paragraph that starts no list and no heading."""
    escaped = escaping.markdown(escaping.ascii_glyphs(text) if style.ascii else text)
    start = escaped[: len(escaped) - len(escaped.lstrip("0123456789"))]
    rest = escaped[len(start) :]
    return f"{start}\\{rest}" if rest[:1] in tuple("-+=.)") else escaped


def _bold(text: str) -> str:
    """Return a cell in bold; blanks at its ends stay outside, where ** would not count."""
    inner = text.strip(" ")
    return text.replace(inner, f"**{inner}**", 1) if inner else text


def _cells(shown: Shown, style: Style, marks: Marks) -> list[str]:
    """Return heading, rule and cells of one column, padded so that the source reads as a table, too."""
    texts = shown.texts()
    if shown.kind not in ("number", "interval"):
        glyphs = style.ascii and shown.kind == "order"
        texts = [escaping.markdown(escaping.ascii_glyphs(text) if glyphs else text) for text in texts]
        pad, rule = alignment.pad_right, ("", "")
    else:
        texts = [text.replace("<", "\\<") for text in texts]
        pad, rule = alignment.pad_left, ("", ":")
    name = shown.names[0]
    texts = [_bold(text) if marks.is_bold(name, row) else text for row, text in enumerate(texts)]
    if superscripts := marks.at(name):
        over = [escaping.markdown(sign) for sign in superscripts]
        texts = [text + (f"<sup>{sign}</sup>" if sign else "") for text, sign in zip(texts, over, strict=True)]
    heading = escaping.markdown(shown.heading)
    width = max(3, *map(alignment.display_width, [heading, *texts]))
    dashes = "-" * (width - len(rule[1])) + rule[1]
    return [pad(heading, width), dashes, *(pad(text, width) for text in texts)]
