"""Pipe tables, character by character."""

import re

from hypothesis import given
from hypothesis import strategies as st
from written_samples import odd_summary, pairs, ranks, small, summary

from benchkit.formats import escaping, markdown
from benchkit.formats.style import Style


def test_two_rows() -> None:
    assert markdown.write(small(), "algorithms", Style()).decode() == (
        "mse: two algorithms\n"
        "\n"
        "| algorithm |   mean |    sd | 95% CI of the mean |  wins |\n"
        "| --------- | -----: | ----: | -----------------: | ----: |\n"
        "| gam       |  570.0 | 117.9 |     [555.3, 584.6] | 155.0 |\n"
        "| lm        | 2213.4 | 340.2 |                    |   0.5 |\n"
    )


def test_twelve_rows_and_no_headline() -> None:
    lines = markdown.write(pairs(), "pairs", Style(width=20)).decode().splitlines()
    assert len(lines) == 14
    assert lines[0] == "| metric   | a   | b   | estimate |              90% CI | p adjusted | verdict   |"
    assert lines[8] == "| seconds  | a   | b6  |    740.7 |   [-2000.0, 1500.0] |   1.0e-299 | undecided |"
    assert lines[9] == "| seconds  | a   | b7  |   -864.2 |   [-2000.0, 1500.0] |   \\<1e-300 | undecided |"


def test_odd_names() -> None:
    lines = markdown.write(odd_summary(), "algorithms", Style()).decode().splitlines()
    cells = [line[2:].split("  ")[0].removesuffix(" |") for line in lines[4:]]
    assert cells[:9] == [
        r"10%\_tree", r"a\&b", r"svm\_rbf", r"x\|y", r"\[bold\]red\[/bold\]", r"\*star\*", r"\`tick\`", r"\<b\>\&amp;\</b\>",
        r"\~{\$^\#}\\",
    ]  # fmt: skip
    assert lines[0] == r"best: \\x1b\[31mred"


def test_orders_and_their_ascii() -> None:
    assert 'm1 \u2248 "x \u2248 y" \\< m3' in markdown.write(ranks(), "orders", Style()).decode()
    plain = markdown.write(ranks(), "orders", Style(ascii=True)).decode()
    assert plain.startswith("m1 \\~ m2\n\n")
    assert 'm1 \\~ "x \u2248 y" \\< m3' in plain


def test_headlines_make_one_paragraph_and_no_list() -> None:
    result = summary([{"algorithm": "a", "mean": 1.5}], headlines=["1. first", "- second", "+x", "# y", "2) z", "== q", "7 a"])
    head = markdown.write(result, "algorithms", Style()).decode().split("\n\n")[0]
    assert head.split("\\\n") == ["1\\. first", "\\- second", "\\+x", "\\# y", "2\\) z", "\\== q", "7 a"]


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=5, unique=True))
def test_every_row_has_as_many_cells_as_the_heading(names: list[str]) -> None:
    rows = [{"algorithm": name, "mean": float(place), "sd": 0.5} for place, name in enumerate(names)]
    lines = markdown.write(summary(rows, headlines=names), "algorithms", Style()).decode().split("\n\n")[-1].splitlines()
    assert len(lines) == len(names) + 2
    for name, line in zip(names, lines[2:], strict=True):
        cells = re.split(r"(?<!\\)(?:\\\\)*\|", line)
        assert len(cells) == 5
        assert line[2:].startswith(escaping.markdown(name))
