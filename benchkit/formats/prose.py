"""Sentences for people as plain text, Markdown or LaTeX: the report, and the explanation with the columns' meaning."""

import textwrap
from collections.abc import Sequence

from benchkit.formats import escaping
from benchkit.formats.people import Shown, shown_columns
from benchkit.formats.selection import select_table
from benchkit.formats.style import Style
from benchkit.formats.table import NARROWEST, shown_in
from benchkit.formats.writing import Writer
from benchkit.tables.columns import COLUMNS
from benchkit.tables.result import EXPLAINED, Note, Result

# the formats that hold sentences
TEXTS = ("table", "markdown", "latex")
Meaning = tuple[str, str]


def with_prose(writer: Writer, format_name: str, report: bool, explain: bool) -> Writer:
    """Return a writer of the report, instead of the table that `writer` writes, and of the explanation below it; UTF-8.

    Plain text is wrapped at the width of a terminal; elsewhere a paragraph is one line.
    """
    lay, define = {"table": (_plain, _plain_list), "markdown": (_markdown, _markdown_list), "latex": (_latex, _latex_list)}[
        format_name
    ]

    def write(result: Result, table: str, style: Style) -> bytes:
        parts = [lay(paragraph, style) for paragraph in result.report] if report else []
        if explain:
            parts += [lay(paragraph, style) for paragraph in explanation(result.notes)]
            shown = shown_in(result, table, style) if format_name == "table" else _shown(result, table, style)
            parts.append(define(meanings(shown), style))
        text = "\n\n".join(part for part in parts if part)
        above = b"" if report else writer(result, table, style) + b"\n"
        return above + f"{text}\n".encode()

    return write


def _shown(result: Result, table: str, style: Style) -> list[Shown]:
    return shown_columns(table, select_table(result, table), style)


def explanation(notes: Sequence[Note]) -> list[str]:
    """Return the paragraphs of the explanation: once where all experiments share it, else each with its experiments."""
    by_place: dict[tuple[str | None, str | None], list[str]] = {}
    for note in notes:
        if note.code == EXPLAINED:
            by_place.setdefault((note.dataset, note.metric), []).append(note.message)
    places: dict[tuple[str, ...], list[str]] = {}
    for place, paragraphs in by_place.items():
        places.setdefault(tuple(paragraphs), []).append(" ".join(filter(None, place)) or "one experiment")
    if len(places) == 1:
        return list(next(iter(places)))
    return [
        paragraph if position else f"On {', '.join(where)}. {paragraph}"
        for paragraphs, where in places.items()
        for position, paragraph in enumerate(paragraphs)
    ]


def meanings(columns: Sequence[Shown]) -> list[Meaning]:
    """Return the heading of each column with what it means and its unit."""
    return [(shown.heading, _meaning(shown)) for shown in columns]


def _meaning(shown: Shown) -> str:
    first = COLUMNS.get(shown.names[0])
    if first is None:
        return "a column of the method's own"
    unit = f" [{first.unit}]" if first.unit else ""
    meaning = first.meaning
    if shown.kind == "interval":
        meaning = meaning.replace("lower end of", "lower and upper end of").replace("fewest", "fewest and most")
    return meaning + unit


def _plain(text: str, style: Style) -> str:
    return _filled(escaping.terminal(escaping.ascii_glyphs(text) if style.ascii else text), style)


def _filled(text: str, style: Style, indent: str = "") -> str:
    if style.width is None:
        return text
    width = max(style.width, NARROWEST)
    return textwrap.fill(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _plain_list(columns: Sequence[Meaning], style: Style) -> str:
    wide = max((len(heading) for heading, _ in columns), default=0)
    lines = [f"{escaping.terminal(heading):<{wide}}  {escaping.terminal(meaning)}" for heading, meaning in columns]
    return "\n".join(_filled(line, style, " " * (wide + 2)) for line in lines)


def _markdown(text: str, style: Style) -> str:
    return escaping.markdown(escaping.ascii_glyphs(text) if style.ascii else text)


def _markdown_list(columns: Sequence[Meaning], style: Style) -> str:
    return "\n".join(f"- **{_markdown(heading, style)}**: {_markdown(meaning, style)}" for heading, meaning in columns)


def _latex(text: str, style: Style) -> str:  # noqa: ARG001 - like the others
    return escaping.latex(text)


def _latex_list(columns: Sequence[Meaning], style: Style) -> str:
    items = [f"  \\item[{{{_latex(heading, style)}}}] {_latex(meaning, style)}" for heading, meaning in columns]
    return "\n".join(["\\begin{description}", *items, "\\end{description}"])
