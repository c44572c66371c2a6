"""Bold best, letters and stars in LaTeX and Markdown; odd names stay what they are."""

import re

import polars as pl
import pytest
from written_samples import ODD_NAMES, odd_summary, ranks

from benchkit.errors import BenchkitError
from benchkit.formats import escaping, latex, markdown
from benchkit.formats.marks import check
from benchkit.formats.style import Style
from benchkit.tables import shapes
from benchkit.tables.result import Result

BEST, LETTERS, STARS = Style(marks=("best",)), Style(marks=("letters",)), Style(marks=("stars",))


def summaries(better: str | None) -> Result:
    rows = [
        {"metric": metric, "dataset": "iris", "algorithm": name, "mean": mean, "better": better}
        for metric in ("m1", "m2")
        for name, mean in (("a", 1.5), ("b", -2.5 if metric == "m1" else 1.5), ("c", None))
    ]
    return Result("summarize", {"algorithms": shapes.build(shapes.ALGORITHMS, rows)})


def means(letters: tuple[str | None, ...] = ("a", "ab", "b")) -> Result:
    rows = [
        {
            "metric": "mse",
            "dataset": "iris",
            "method": "mixed",
            "algorithm": name,
            "estimate": mean,
            "ci_level": 0.95,
            "letters": one,
        }
        for name, mean, one in zip("xyz", (-1.5, 0.25, 2.0), letters, strict=True)
    ]
    return Result("test", {"pairs": shapes.empty(shapes.PAIRS), "means": shapes.build(shapes.MEANS, rows)})


def pairs(p_values: tuple[float | None, ...], adjust: str = "holm") -> Result:
    rows = [
        {"metric": "mse", "dataset": "iris", "method": "mixed", "adjust": adjust, "a": "a", "b": f"b{place}",
         "estimate": 1.5 * (-1.0) ** place, "p_adjusted": p, "verdict": "undecided"}
        for place, p in enumerate(p_values)
    ]  # fmt: skip
    return Result("test", {"pairs": shapes.build(shapes.PAIRS, rows)})


def bold_rows(result: Result, table: str) -> list[str]:
    """Return the rows of the table in Markdown that hold a bold cell, without blanks."""
    text = markdown.write(result, table, BEST).decode()
    return [line.replace(" ", "") for line in text.splitlines() if "**" in line]


@pytest.mark.parametrize(
    ("better", "rows"),
    [
        ("lower", ["|m1|**b**|**-2.500**|", "|m2|**a**|**1.500**|", "|m2|**b**|**1.500**|"]),
        ("higher", ["|m1|**a**|**1.500**|", "|m2|**a**|**1.500**|", "|m2|**b**|**1.500**|"]),
        (None, []),
    ],
)
def test_the_best_mean_is_bold_in_its_direction(better: str | None, rows: list[str]) -> None:
    assert bold_rows(summaries(better), "algorithms") == rows


def test_algorithms_that_are_not_separated_from_the_best_are_not_bold() -> None:
    assert bold_rows(means(("a", "a", "b")), "means") == ["|**x**|**-1.500**|a|"]
    assert len(bold_rows(ranks(), "ranks")) == 1


def test_bold_numbers_with_a_sign_in_latex() -> None:
    text = latex.write(means(), "means", BEST).decode()
    assert re.search(r"\\textbf\{x\} +& +\$\\mathbf\{-1\.500\}\$", text)
    assert text.count("bf{") == 2


def test_letters_are_raised_instead_of_their_column() -> None:
    lines = [re.sub(" +", " ", line).strip() for line in latex.write(means(), "means", LETTERS).decode().splitlines()]
    assert lines[1:] == [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"algorithm & estimate \\",
        r"\midrule",
        r"x & $-1.500^{\mathrm{a}\phantom{\mathrm{b}}}$ \\",
        r"y & 0.250$^{\mathrm{ab}}$ \\",
        r"z & 2.000$^{\mathrm{b}\phantom{\mathrm{b}}}$ \\",
        r"\bottomrule",
        r"\multicolumn{2}{l}{\footnotesize Algorithms that share a letter are not separated.} \\",
        r"\end{tabular}",
    ]
    text = markdown.write(means(), "means", LETTERS).decode()
    assert "0.250<sup>ab</sup>" in text
    assert text.endswith("\n\nAlgorithms that share a letter are not separated.\n")


def test_stars_by_adjusted_p_value() -> None:
    p_values = (0.2, 0.05, 0.011, 0.01, 0.001, 1e-9, None)
    text = markdown.write(pairs(p_values), "pairs", STARS).decode()
    stars = [line.count("\\*") for line in text.splitlines() if line.startswith("| a ") and "b" in line][-7:]
    assert stars == [0, 1, 1, 2, 3, 3, 0]
    assert text.endswith("\n\n\\* p \\<= .05, \\*\\* p \\<= .01, \\*\\*\\* p \\<= .001; p adjusted for all pairs\n")
    lines = latex.write(pairs(p_values), "pairs", STARS).decode().splitlines()
    assert any(r"1.500$^{\phantom{***}}$" in line for line in lines)
    assert any(r"$-1.500^{*\phantom{**}}$" in line for line in lines)
    assert lines[-2].startswith(
        r"  \multicolumn{5}{l}{\footnotesize {*} p $\le$ .05, {*}{*} p $\le$ .01, {*}{*}{*} p $\le$ .001; p adj"
    )
    assert "p of each pair alone" in markdown.write(pairs((0.2,), "none"), "pairs", STARS).decode()


def test_marks_without_what_they_mark_are_refused() -> None:
    with pytest.raises(BenchkitError, match="no p-values for stars"):
        latex.write(pairs((None, None)), "pairs", STARS)
    with pytest.raises(BenchkitError, match="no letters"):
        latex.write(means((None, None, None)), "means", LETTERS)


@pytest.mark.parametrize(
    ("marks", "form", "table", "hint"),
    [
        (("best",), "csv", "means", "-f latex or -f markdown"),
        (("stars",), "latex", "means", "it marks --table pairs"),
        (("letters",), "markdown", "pairs", "it marks --table means, --table ranks"),
        (("loud",), "latex", "pairs", "--mark takes best, letters, stars"),
    ],
)
def test_a_mark_without_a_place_is_refused(marks: tuple[str, ...], form: str, table: str, hint: str) -> None:
    with pytest.raises(BenchkitError) as refused:
        check(marks, form, [table])
    assert refused.value.hint == hint


@pytest.mark.parametrize("name", ODD_NAMES)
def test_odd_names_stay_escaped_in_bold(name: str) -> None:
    table = odd_summary().tables["algorithms"].filter(pl.col("algorithm") == name).with_columns(better=pl.lit("lower"))
    one = Result("summarize", {"algorithms": table})
    assert f"\\textbf{{{escaping.latex(name)}}} &" in latex.write(one, "algorithms", BEST).decode()
    assert f"| **{escaping.markdown(name)}** " in markdown.write(one, "algorithms", BEST).decode()
