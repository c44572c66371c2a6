"""Palette and text: who has which colour, and how odd names are written."""

from itertools import product

import pytest
from plot_tables import draw, experiment

from benchkit.plots import OF_CURVES, OF_PAIRS, PLOTS
from benchkit.plots.look import Look
from benchkit.plots.palette import COLOURS, FADED, MARKERS, style, style_of
from benchkit.plots.text import inches, lacks_glyphs, visible, wrapped


def test_ten_differ_in_colour_and_marker_and_a_hundred_in_the_combination() -> None:
    names = [f"a{j}" for j in range(100)]
    styles = [style_of(name, names) for name in names]
    assert len({colour for colour, _ in styles[:10]}) == len({marker for _, marker in styles[:10]}) == 10
    assert set(styles) == set(product(COLOURS, MARKERS))
    assert style_of("unknown", names[:3]) == styles[3]


def test_the_style_depends_on_all_names_not_on_those_drawn() -> None:
    look = Look(names=("a", "b", "c"), highlight=("b",))
    assert style("b", look).colour == COLOURS[1]
    assert style("c", look).colour == FADED
    assert style("c", look).marker == MARKERS[2]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("$x_1$", "$x_1$"),
        ("模型", "模型"),
        ("a\tb\n", "a\\tb\\n"),
        ("\x1b[0m", "\\x1b[0m"),
        ("abc\u202ecba", "abc\\u202ecba"),
        ("\ud800", "\\ud800"),
        ("\uffff", "\\uffff"),
        ("", '""'),
    ],
)
def test_unseen_characters_are_made_visible(name: str, shown: str) -> None:
    assert visible(name) == shown


def test_lines_are_broken_at_blanks_and_words_kept_whole() -> None:
    text = "one two three " * 5 + "w" * 90
    lines = wrapped(text, 1.0, 9.0).split("\n")
    assert " ".join(lines) == text
    assert all(inches(line, 9.0) <= 1.0 for line in lines[:-1])
    assert lines[-1] == "w" * 90
    assert wrapped("two\nlines", 9.0, 9.0) == "two\nlines"


def test_a_character_that_no_font_has_is_known_to_be_missing() -> None:
    assert not lacks_glyphs(["gam", "naïve Bayes ≈ Ω", "$x_1$", "tab\there", ""])
    assert lacks_glyphs(["gam", "\U000f1234"])  # of private use: no font of ours draws it


def test_the_caption_says_that_a_font_is_missing() -> None:
    plain, odd = (draw("strip", experiment([[1, 2], [2, 4]], [name, "b"])).texts[1].get_text() for name in ("a", "\U000f1234"))
    assert plain == ""
    assert odd == "(some names need a font that this machine lacks)"


def test_every_plot_loads_and_says_what_it_is() -> None:
    of_data = ["podium", "lines", "dot", "box", "strip", "violin", "density"]
    assert [entry.name for entry in PLOTS] == [*of_data, *OF_PAIRS, *OF_CURVES]
    assert all(callable(entry.load()) and entry.summary and entry.needs for entry in PLOTS)
