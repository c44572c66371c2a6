"""Text from files stays text on terminals, in Markdown and in LaTeX."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.formats import escaping
from benchkit.formats.alignment import (
    align_intervals,
    align_letters,
    align_points,
    display_width,
    pad_left,
    pad_right,
)

TEXTS = st.text(st.characters(exclude_categories=()), max_size=30)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("gam", "gam"),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\x9b31m\x7f", "\\x9b31m\\x7f"),
        ("\u202egpj", "\\u202egpj"),
        ("a\u200bb\ufeff", "a\\u200bb\\ufeff"),
        ("x\U000e0041", "x\\U000e0041"),
        ("決定木 é 👩\u200d🔬", "決定木 é 👩\u200d🔬"),
        ("\udcff", "\\udcff"),
    ],
)
def test_terminal(text: str, shown: str) -> None:
    assert escaping.terminal(text) == shown


@given(TEXTS)
def test_no_text_commands_a_terminal(text: str) -> None:
    shown = escaping.terminal(text)
    assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]
    assert not [
        c for c in shown if unicodedata.bidirectional(c) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    ]
    assert shown.encode().decode() == shown


def test_markdown() -> None:
    assert escaping.markdown("a|b*c_d`e<f>&[g]~\\") == "a\\|b\\*c\\_d\\`e\\<f\\>\\&\\[g\\]\\~\\\\"
    assert escaping.markdown("a\nb") == "a\\\\nb"


@given(TEXTS)
def test_markdown_unescapes_to_the_terminal_text(text: str) -> None:
    shown = escaping.markdown(text)
    assert re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", shown) == escaping.terminal(text)
    assert not set("|`*_<>&[]~$#").intersection(re.sub(r"\\.", "", shown))


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("10%_tree", r"10\%\_tree"),
        ("a&b", r"a\&b"),
        ("svm_rbf", r"svm\_rbf"),
        ("{$#}", r"\{\$\#\}"),
        ("^~\\", r"\textasciicircum{}\textasciitilde{}\textbackslash{}"),
        ("<|>", r"\textless{}\textbar{}\textgreater{}"),
        ("a -- b - c", "a -{}- b - c"),
        ("[x]*", "{[}x]{*}"),
        ("''``", r"'{}'\textasciigrave{}\textasciigrave{}"),
        ("a \u2248 b \u00d7", r"a $\approx$ b $\times$"),
    ],
)
def test_latex(text: str, source: str) -> None:
    assert escaping.latex(text) == source


@given(TEXTS)
def test_latex_leaves_no_active_character(text: str) -> None:
    commands = r"\\text[a-z]+\{\}|\$\\(?:approx|times)\$|\\[{}$&#_%]|\{[\[*]\}|[-',]\{\}"
    assert not re.search(r"[\\{}$&#^_~%<>|\"`]", re.sub(commands, "", escaping.latex(text)))


def test_an_order_keeps_its_relations_apart_from_names() -> None:
    assert escaping.latex_order('a < "b < c" \u2248 d<e') == (
        r"a $<$ \textquotedbl{}b \textless{} c\textquotedbl{} $\approx$ d\textless{}e"
    )
    assert escaping.ascii_glyphs('a \u2248 "b \u2248 c" < d\u2248e, 7 \u00d7 250') == 'a ~ "b \u2248 c" < d\u2248e, 7 x 250'


@pytest.mark.parametrize(
    ("text", "width"),
    [("gam", 3), ("決定木", 6), ("e\u0301", 1), ("é", 1), ("🌲", 2), ("👩\u200d🔬", 2), ("👍🏽", 2), ("❤\ufe0f", 2),
     ("🇨🇭", 2), ("한", 2), ("", 0)],
)  # fmt: skip
def test_display_width(text: str, width: int) -> None:
    assert display_width(text) == width


def test_padding_counts_columns_of_the_terminal() -> None:
    assert (pad_right("木", 4), pad_left("木", 4)) == ("木  ", "  木")


def test_points_stand_below_each_other() -> None:
    assert align_points(["1.5", "-10", "", "2.3e-07", "<1e-300"]) == [
        "  1.5    ",
        "-10      ",
        "         ",
        "  2.3e-07",
        " <1e-300 ",
    ]


def test_intervals_keep_commas_and_brackets_beside_their_numbers() -> None:
    lows, highs = ["0.25", "-10.0", "", "-inf"], ["1.25", "12.0", "", "inf"]
    assert align_intervals(lows, highs) == ["[   0.25,   1.25]", "[ -10.0,   12.0] ", "", "[-inf,    inf]   "]


def test_letters_stand_in_their_own_place() -> None:
    assert align_letters(["a", "b", "ab", "", "A"]) == ["a", " b", "ab", "", "  A"]
    assert align_letters(["a b", "aa"]) == ["a b", "aa"]
    assert align_letters(["b", "a"], str.upper) == ["Ab", "a"]
