"""The table for people, character by character."""

import re

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from written_samples import ODD_NAMES, odd_summary, one_table, pairs, ranks, small, summary

from benchkit.errors import BenchkitError
from benchkit.formats import table
from benchkit.formats.alignment import display_width
from benchkit.formats.rounding import number_cells
from benchkit.formats.style import Style
from benchkit.tables import shapes
from benchkit.tables.result import Result


def written(result: Result, name: str, **style: object) -> str:
    return table.write(result, name, Style(**style)).decode()  # type: ignore[arg-type]


def test_two_rows() -> None:
    assert written(small(), "algorithms") == (
        "mse: two algorithms\n"
        "\n"
        "algorithm    mean     sd  95% CI of the mean   wins\n"
        "gam         570.0  117.9      [555.3, 584.6]  155.0\n"
        "lm         2213.4  340.2                        0.5\n"
        "17 more columns: -f csv\n"
    )


def test_twelve_rows_in_two_units() -> None:
    assert written(pairs(), "pairs") == (
        "metric    a  b       estimate                     90% CI  p adjusted  verdict\n"
        "accuracy  a  b0       0.01234  [   -0.50000,    0.25000]    1.00      undecided\n"
        "accuracy  a  b1      -0.02468  [   -0.50000,    0.25000]    0.814     undecided\n"
        "accuracy  a  b2       0.03702  [   -0.50000,    0.25000]    0.0421    undecided\n"
        "accuracy  a  b3      -0.04936  [   -0.50000,    0.25000]    0.00321   undecided\n"
        "accuracy  a  b4       0.06170  [   -0.50000,    0.25000]    0.000321  undecided\n"
        "accuracy  a  b5      -0.07404  [   -0.50000,    0.25000]    2.3e-07   undecided\n"
        "seconds   a  b6     740.7      [-2000.0,     1500.0]        1.0e-299  undecided\n"
        "seconds   a  b7    -864.2      [-2000.0,     1500.0]       <1e-300    undecided\n"
        "seconds   a  b8     987.7      [-2000.0,     1500.0]                  undecided\n"
        "seconds   a  b9   -1111.1      [-2000.0,     1500.0]        0.500     undecided\n"
        "seconds   a  b10   1234.6      [-2000.0,     1500.0]        0.250     undecided\n"
        "seconds   a  b11  -1358.0      [-2000.0,     1500.0]        0.125     undecided\n"
        "24 more columns: -f csv\n"
    )


def test_letters_and_rank_intervals() -> None:
    assert written(ranks(), "ranks", ascii=True) == (
        "m1 ~ m2\n"
        "\n"
        "algorithm  rank  99% interval  tier  letters\n"
        "m1            1       [1, 10]     1  a\n"
        "m2            2       [2, 11]     1  ab\n"
        "m3            3       [3, 12]     1   b\n"
        "m4            4       [4, 13]     1    c\n"
        "4 more columns: -f csv\n"
    )


def test_ascii_changes_our_signs_and_no_name() -> None:
    assert 'm1 ~ "x \u2248 y" < m3  no\n' in written(ranks(), "orders", ascii=True)
    assert 'm1 \u2248 "x \u2248 y" < m3  no\n' in written(ranks(), "orders")


def test_notes_provenance_and_a_table_without_rows() -> None:
    assert "code  severity  message\nties  warning   3 replicates are tied\n" in written(small(), "notes")
    assert 'key      value\nseed     1\noptions  {"level": 0.95}\n' in written(small(), "provenance")
    assert "(no rows)\n" in written(pairs(), "overall")


def test_an_unknown_table_is_an_error_that_lists_the_tables() -> None:
    with pytest.raises(BenchkitError, match=r"no table 'means' \(it makes: ranks, orders\)") as raised:
        written(ranks(), "means")
    assert raised.value.hint == "--table ranks | orders | notes | provenance"


def test_names_are_escaped_and_aligned() -> None:
    lines = written(odd_summary(), "algorithms").splitlines()
    assert lines[0] == "best: \\x1b[31mred"
    rows = lines[3 : 3 + len(ODD_NAMES)]
    assert rows[9].startswith("\\x1b[31mred  ")
    assert rows[12].startswith("決定木            ")
    assert len({display_width(row) for row in rows}) == 1
    assert all(character.isprintable() or character == "\u200d" for row in rows for character in row)


@pytest.mark.parametrize(
    ("width", "headings", "hidden"),
    [
        (51, "algorithm    mean     sd  95% CI of the mean   wins", "17 more"),
        (50, "algorithm    mean     sd  95% CI of the mean", "18 more"),
        (43, "algorithm    mean  95% CI of the mean", "19 more"),
        (36, "algorithm    mean", "21 more"),
        (5, "algorithm    mean", "21 more"),
    ],
)
def test_the_least_important_go_first_and_keys_never(width: int, headings: str, hidden: str) -> None:
    lines = written(small(), "algorithms", width=width).splitlines()
    assert (lines[2], lines[-1]) == (headings, f"{hidden} columns: -f csv")


@given(st.lists(st.text(max_size=12), min_size=1, max_size=5, unique=True), st.integers(30, 120))
def test_the_width_is_respected_wherever_the_keys_fit(names: list[str], width: int) -> None:
    rows = [{"algorithm": name, "mean": 10.0**place, "sd": 1.0, "median": 2.0} for place, name in enumerate(names)]
    result = summary(rows, headlines=())
    narrow = written(result, "algorithms", width=width).splitlines()[:-1]
    keys = written(result, "algorithms", width=1).splitlines()[:-1]
    assert len(narrow) == len(names) + 1
    assert max(map(display_width, narrow)) <= max(width, *map(display_width, keys))


def test_one_hidden_column_is_singular_and_none_says_nothing() -> None:
    frame = pl.DataFrame({"algorithm": ["a"], "mean": [1.0], "n": [3]})
    assert written(one_table(frame), "algorithms").splitlines()[-1] == "1 more column: -f csv"
    assert written(one_table(frame.drop("n")), "algorithms") == "algorithm  mean\na             1\n"


def test_a_methods_own_columns_are_shown_and_go_first() -> None:
    frame = pl.DataFrame({"a": ["x"], "b": ["y"], "n10": [3], "own_text": ["t"], "estimate": [0.5], "yes": [True]})
    assert written(one_table(frame), "algorithms").splitlines()[0] == "a  b  n10  own text  estimate  yes"
    assert written(one_table(frame), "algorithms", width=18).splitlines()[0] == "a  b  estimate"


def test_infinite_degrees_of_freedom_are_no_column_unless_others_are_finite() -> None:
    frame = pl.DataFrame({"a": ["x", "y"], "b": ["z", "z"], "estimate": [0.5, 1.5], "df": [float("inf"), None]})
    assert written(one_table(frame), "algorithms").splitlines()[0] == "a  b  estimate"
    some = frame.with_columns(df=pl.Series([float("inf"), 9.0]))
    assert written(one_table(some), "algorithms").splitlines()[0].split() == ["a", "b", "estimate", "df"]


def test_several_methods_and_levels_are_told_apart() -> None:
    rows = [{"algorithm": "a", "method": f"m{i}", "mean": 1.5, "ci_low": 1.0, "ci_high": 2.0, "ci_level": i / 10} for i in (8, 9)]
    assert written(summary(rows, headlines=()), "algorithms").splitlines()[:3] == [
        "method  algorithm   mean  CI of the mean  ci level",
        "m8      a          1.500  [1.000, 2.000]       80%",
        "m9      a          1.500  [1.000, 2.000]       90%",
    ]


def test_whole_means_take_the_decimals_of_their_intervals() -> None:
    rows = [{"algorithm": "a", "mean": 3.0, "ci_low": 2.25, "ci_high": 3.75}, {"algorithm": "b", "mean": 4.0}]
    assert "a          3.000  [2.250, 3.750]\n" in written(summary(rows), "algorithms")


def compared(*rows: tuple[str, float, float, float, float | None], digits: int | None = None) -> list[str]:
    """Return estimate and interval as a person sees them, for (dataset, estimate, low, high, standard error)."""
    names = ("dataset", "estimate", "ci_low", "ci_high", "std_error")
    frame = shapes.build(shapes.PAIRS, [{"metric": "m", "a": "a", "b": "b"} | dict(zip(names, row, strict=True)) for row in rows])
    cells = [number_cells(frame, name, digits) for name in names[1:4]]
    return [f"{estimate} [{low}, {high}]" for estimate, low, high in zip(*cells, strict=True)]


def test_an_estimate_and_its_interval_have_the_decimals_of_the_standard_error() -> None:
    assert compared(("d", -41.4, -50.12, -32.81, 3.8), ("d", -1643.46, -1692.8, -1594.2, 25.1)) == [
        "-41.4 [-50.1, -32.8]",
        "-1643.5 [-1692.8, -1594.2]",
    ]
    assert compared(("d", -0.0652, -0.075983, -0.054417, 0.0054)) == ["-0.0652 [-0.0760, -0.0544]"]
    assert compared(("d", -41.0, -50.12, -32.81, 3.8)) == ["-41.0 [-50.1, -32.8]"]


def test_without_standard_errors_an_interval_has_the_decimals_of_its_estimate() -> None:
    assert compared(("d", -0.0937, -0.115, -0.072, None), ("d", -41.4, -82.6, -0.2, None)) == [
        "-0.094 [-0.115, -0.072]",
        "-41.400 [-82.600, -0.200]",
    ]


def test_digits_asked_for_overrule_the_standard_error() -> None:
    assert compared(("d", -41.4, -50.12, -32.81, 3.8), digits=2) == ["-41 [-50, -33]"]


def test_each_data_set_has_the_decimals_of_its_own_errors_unless_they_are_close() -> None:
    small, large = ("d", 0.0123, 0.0101, 0.0145, 0.0011), ("e", 512.3, 480.1, 544.5, 16.0)
    assert compared(small, large, ("f", 0.0, 0.0, 0.0, 0.0)) == [
        "0.0123 [0.0101, 0.0145]", "512 [480, 544]", "0 [0, 0]"
    ]  # fmt: skip
    assert compared(small, ("e", 0.25, 0.21, 0.29, 0.021)) == ["0.0123 [0.0101, 0.0145]", "0.2500 [0.2100, 0.2900]"]


def test_the_smallest_numbers_do_not_read_as_zero() -> None:
    tiny = ("d", 1e-301, -2e-302, 2.2e-301, 6e-302)
    assert compared(tiny) == ["1.000e-301 [-2.000e-302, 2.200e-301]"]
    assert compared(tiny, ("d", 3.0, 2.0, 4.0, 0.5))[0] == "1.000e-301 [-2.000e-302, 2.200e-301]"
    assert compared((*tiny[:4], None), ("d", 3.0, 2.0, 4.0, None))[0] == "1.000e-301 [-2.000e-302, 2.200e-301]"


def test_data_sets_of_different_scale_have_their_own_decimals() -> None:
    rows = [
        {"metric": "mse", "dataset": dataset, "algorithm": "a", "mean": mean, "n": 5}
        for dataset, mean in (("tiny", 0.001234), ("huge", 56789.12), ("none", None))
    ]
    assert written(summary(rows, headlines=()), "algorithms").splitlines()[:4] == [
        "dataset  algorithm          mean",
        "tiny     a              0.001234",
        "huge     a          56789",
        "none     a",
    ]


def test_extreme_values() -> None:
    rows = [
        {"algorithm": name, "mean": mean, "mean_rank": rank}
        for name, mean, rank in (("a", float("inf"), 1.0), ("b", 2.5, 1.5), ("c", -1e-9, 2.25), ("d", float("nan"), None))
    ]
    frame = shapes.build(shapes.ALGORITHMS, rows)
    assert written(one_table(frame), "algorithms").splitlines()[1:5] == [
        "a          inf               1.00",
        "b            2.500           1.50",
        "c           -1.000e-09       2.25",
        "d",
    ]


def test_colour_is_bold_headings_at_most() -> None:
    coloured = written(small(), "algorithms", color=True)
    assert re.findall(r"\x1b\[\d+m", coloured) == ["\x1b[1m", "\x1b[0m"]
    assert re.sub(r"\x1b\[\d+m", "", coloured) == written(small(), "algorithms")


def test_digits() -> None:
    assert written(small(), "algorithms", digits=2).splitlines()[3].split() == ["gam", "570", "118", "[555,", "585]", "155.0"]
    assert written(small(), "algorithms", digits=6).splitlines()[3].split()[:3] == ["gam", "570.040", "117.900"]


def test_the_overall_test_shows_its_p_value() -> None:
    row = {"metric": "mse", "statistic": 1165.63, "df1": 6.0, "df2": 1494.0000001, "p_value": 0.0123, "n_replicates": 250}
    result = Result("test", {"overall": shapes.build(shapes.OVERALL, [row])})
    assert written(result, "overall") == (
        "statistic  df1   df2  p value  replicates\n     1166    6  1494   0.0123         250\n4 more columns: -f csv\n"
    )
