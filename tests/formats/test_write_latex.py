"""LaTeX tables, character by character."""

from written_samples import odd_summary, pairs, ranks, small

from benchkit.formats import latex
from benchkit.formats.style import Style
from benchkit.tables import shapes
from benchkit.tables.result import Result


def test_two_rows() -> None:
    assert latex.write(small(), "algorithms", Style()).decode() == (
        "% needs \\usepackage[T1]{fontenc} and \\usepackage{booktabs}\n"
        "% mse: two algorithms\n"
        "\\begin{tabular}{lrrrr}\n"
        "  \\toprule\n"
        "  algorithm &   mean &    sd & 95\\% CI of the mean &  wins \\\\\n"
        "  \\midrule\n"
        "  gam       &  570.0 & 117.9 &    $[555.3, 584.6]$ & 155.0 \\\\\n"
        "  lm        & 2213.4 & 340.2 &                     &   0.5 \\\\\n"
        "  \\bottomrule\n"
        "\\end{tabular}\n"
    )


def test_numbers_with_signs_powers_and_limits() -> None:
    lines = latex.write(pairs(), "pairs", Style()).decode().splitlines()
    assert lines[6] == (r"  accuracy & a & b1  & $-0.02468$ & $[-0.50000, 0.25000]$ &                0.814 & undecided \\")
    assert lines[10] == (r"  accuracy & a & b5  & $-0.07404$ & $[-0.50000, 0.25000]$ &   $2.3\times10^{-7}$ & undecided \\")
    assert lines[12] == (r"  seconds  & a & b7  &   $-864.2$ &   $[-2000.0, 1500.0]$ &         $<10^{-300}$ & undecided \\")


def test_infinite_and_large_values() -> None:
    rows = [{"algorithm": "a", "mean": float("-inf")}, {"algorithm": "b", "mean": 2.5}, {"algorithm": "c", "mean": 4e9}]
    result = Result("summarize", {"algorithms": shapes.build(shapes.ALGORITHMS, rows)})
    cells = [line.split("&")[1].strip(" \\") for line in latex.write(result, "algorithms", Style()).decode().splitlines()[5:8]]
    assert cells == ["$-\\infty$", "2.500", "$4.000\\times10^{9}$"]


def test_odd_names() -> None:
    lines = latex.write(odd_summary(), "algorithms", Style()).decode().splitlines()
    names = [line.split(" & ")[0].strip() for line in lines[6:-2]]
    assert names[:9] == [
        r"10\%\_tree",
        r"a\&b",
        r"svm\_rbf",
        r"x\textbar{}y",
        "{[}bold]red{[}/bold]",
        "{*}star{*}",
        r"\textasciigrave{}tick\textasciigrave{}",
        r"\textless{}b\textgreater{}\&amp;\textless{}/b\textgreater{}",
        r"\textasciitilde{}\{\$\textasciicircum{}\#\}\textbackslash{}",
    ]
    assert names[9] == r"\textbackslash{}x1b{[}31mred"
    assert lines[1] == r"% best: \x1b[31mred"


def test_letters_and_orders() -> None:
    letters = latex.write(ranks(), "ranks", Style()).decode().splitlines()
    assert [line.rsplit(" & ", 1)[1].strip() for line in letters[6:10]] == [
        "a                      \\\\",
        "ab                     \\\\",
        "\\phantom{a}b           \\\\",
        "\\phantom{a}\\phantom{b}c \\\\",
    ]
    order = latex.write(ranks(), "orders", Style()).decode()
    assert r"m1 $\approx$ \textquotedbl{}x $\approx$ y\textquotedbl{} $<$ m3 & no" in order


def test_a_table_without_rows_has_its_headings() -> None:
    text = latex.write(pairs(), "overall", Style()).decode()
    assert (
        "  metric & dataset & statistic & df1 & df2 & p value & replicates & algorithms \\\\\n  \\midrule\n  \\bottomrule\n"
        in text
    )
