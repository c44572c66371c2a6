"""The report and the explanation as plain text, Markdown and LaTeX."""

import pytest
from written_samples import small

from benchkit.formats import latex, markdown, table
from benchkit.formats.prose import explanation, with_prose
from benchkit.formats.style import Style
from benchkit.tables import shapes
from benchkit.tables.result import EXPLAINED, Note, Result

ODD = "10%_tree beats $x$ & \x1b[31mred*"
WRITERS = {"table": table.write, "markdown": markdown.write, "latex": latex.write}


def reported(report: tuple[str, ...] = (f"{ODD} by 3.", "The second.")) -> Result:
    notes = [Note(EXPLAINED, "Chosen: a.", "info", "mse", name) for name in ("d1", "d2")]
    notes += [Note("other", "not this", "info")]
    return Result("test", {"pairs": shapes.empty(shapes.PAIRS), **small().tables}, notes, report=report)


def text(form: str, style: Style = Style(), report: bool = True, explain: bool = False, name: str = "pairs") -> str:  # noqa: B008
    return with_prose(WRITERS[form], form, report, explain)(reported(), name, style).decode()


@pytest.mark.parametrize(
    ("form", "first"),
    [
        ("table", "10%_tree beats $x$ & \\x1b[31mred* by 3."),
        ("markdown", r"10%\_tree beats \$x\$ \& \\x1b\[31mred\* by 3."),
        ("latex", r"10\%\_tree beats \$x\$ \& \textbackslash{}x1b{[}31mred{*} by 3."),
    ],
)
def test_a_report_stands_instead_of_the_table_and_is_escaped(form: str, first: str) -> None:
    assert text(form) == f"{first}\n\nThe second.\n"


def test_plain_text_is_wrapped_on_a_terminal_only() -> None:
    long = Result("test", reported().tables, report=("word " * 40 + "end.",))
    write = with_prose(table.write, "table", True, False)
    assert len(write(long, "pairs", Style()).decode().splitlines()) == 1
    lines = write(long, "pairs", Style(width=50)).decode().splitlines()
    assert len(lines) > 3
    assert max(map(len, lines)) <= 50


def test_an_explanation_stands_below_the_table_with_its_columns() -> None:
    said = text("table", report=False, explain=True, name="algorithms")
    above, below = said.split("\n\nChosen: a.\n\n")
    assert above == table.write(reported(), "algorithms", Style()).decode().rstrip("\n")
    meanings = below.splitlines()
    assert meanings[0] == "algorithm           a candidate"
    assert "95% CI of the mean  lower and upper end of the confidence interval [the metric's]" in meanings
    assert not any(line.startswith("median") for line in meanings)  # null throughout: not shown


def test_only_columns_that_the_terminal_has_room_for_are_explained() -> None:
    narrow = text("table", Style(width=40), report=False, explain=True, name="algorithms")
    assert "\nwins " not in narrow.split("Chosen: a.")[1]


def test_lists_in_markdown_and_latex() -> None:
    assert "- **algorithm**: a candidate\n" in text("markdown", report=False, explain=True, name="algorithms")
    said = text("latex", report=False, explain=True, name="algorithms")
    assert "\\begin{description}\n  \\item[{algorithm}] a candidate\n" in said
    assert "  \\item[{95\\% CI of the mean}] lower and upper end" in said


def test_an_explanation_is_said_once_or_with_its_place() -> None:
    same = [Note(EXPLAINED, word, "info", None, name) for name in ("d1", "d2") for word in ("one", "two")]
    assert explanation(same) == ["one", "two"]
    other = [*same, Note(EXPLAINED, "three", "info", None, "d3")]
    assert explanation(other) == ["On d1, d2. one", "two", "On d3. three"]


def test_entries_are_a_list_on_a_narrow_terminal() -> None:
    long = "assumes a great deal of what nobody can know"
    rows = [{"name": "a-b", "summary": "what it is", "assumes": long}, {"name": "c", "summary": "short", "source": "Me 1999"}]
    result = Result("list", {"entries": shapes.build(shapes.ENTRIES, rows)})
    assert table.write(result, "entries", Style(width=42)).decode().splitlines() == [
        "a-b",
        "  what it is",
        "  assumes: assumes a great deal of what",
        "    nobody can know",
        "c",
        "  short",
        "  source: Me 1999",
    ]
    assert table.write(result, "entries", Style(width=200)).decode().startswith("name  summary")
