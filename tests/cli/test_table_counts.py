"""McNemar's test of a 2 x 2 table without a file."""

import json
import time
from pathlib import Path

import pytest
from command_line import Run

# both right, only 1 right, only 2 right, both wrong: two tables of a lecture, and R 4.2's mcnemar.test and binom.test
FIRST, SECOND = "9959,11,1,29", "9945,25,15,15"


def document(run: Run, counts: str, *options: str) -> dict[str, object]:
    ran = run("test", "--table-counts", counts, *options, "-f", "json")
    assert ran.status == 0, ran.err
    return json.loads(ran.out)


def pair(run: Run, counts: str, *options: str) -> dict[str, object]:
    return document(run, counts, *options)["tables"]["pairs"][0]


@pytest.mark.parametrize(
    ("counts", "plain", "p", "corrected", "exact"),
    [(FIRST, 8.333333333333334, 0.0038924171227786, 6.75, 0.00634765625), (SECOND, 2.5, 0.113846298, 2.025, 0.153859944)],
)
def test_the_lectures_tables(run: Run, counts: str, plain: float, p: float, corrected: float, exact: float) -> None:
    row = pair(run, counts, "--variant", "uncorrected")
    assert (row["a"], row["b"], row["better"], row["method"]) == ("1", "2", "higher", "mcnemar-uncorrected")
    assert row["statistic"] == pytest.approx(plain, rel=1e-12)
    assert row["p_value"] == pytest.approx(p, rel=1e-8)
    assert row["p_exact"] == pytest.approx(exact, rel=1e-8)
    assert pair(run, counts, "--variant", "corrected")["statistic"] == pytest.approx(corrected, rel=1e-12)
    assert pair(run, counts, "--variant", "exact")["p_value"] == row["p_exact"]


@pytest.mark.parametrize("options", [(), ("--baseline", "1"), ("--margin", "5%"), ("--level", "0.9", "--effect", "odds_ratio")])
def test_the_same_as_the_items_one_by_one(run: Run, tmp_path: Path, options: tuple[str, ...]) -> None:
    rows = [(1, 1)] * 30 + [(1, 0)] * 9 + [(0, 1)] * 2 + [(0, 0)] * 7
    lines = ["metric,item,1,2", *(f"accuracy,{i},{a},{b}" for i, (a, b) in enumerate(rows, start=1))]
    (tmp_path / "items.csv").write_text("\n".join(lines))
    items = json.loads(run("test", tmp_path / "items.csv", "--wide", *options, "-f", "json").out)
    table = document(run, "30,9,2,7", *options)
    assert table["tables"].keys() == items["tables"].keys()
    for name, expected in items["tables"].items():
        made = table["tables"][name]
        assert len(made) == len(expected)
        for one, other in zip(made, expected, strict=True):
            assert list(one) == list(other)
            for column, value in other.items():
                assert one[column] == (pytest.approx(value, rel=1e-9) if isinstance(value, float) else value), (name, column)
    notes = {note["code"]: note["message"] for note in items["notes"]}
    assert {note["code"]: note["message"] for note in table["notes"]} == {
        code: message for code, message in notes.items() if code != "chosen-method"
    }


def test_a_billion_items_take_no_longer(run: Run) -> None:
    begin = time.perf_counter()
    row = pair(run, "1000000000,900000,899000,1000000000")
    assert time.perf_counter() - begin < 2
    assert row["n"] == 2001799000
    assert row["statistic"] == pytest.approx(1000**2 / 1799000, rel=1e-9)
    overall = document(run, "1000000000,900000,899000,1000000000")["tables"]["overall"][0]
    assert (overall["n_replicates"], overall["n_algorithms"]) == (2001799000, 2)


def test_effects_that_counts_tell_and_others(run: Run) -> None:
    assert pair(run, FIRST, "--effect", "odds_ratio")["effect"] == 11.0
    assert pair(run, FIRST)["effect"] == pytest.approx((11 + (9959 + 29) / 2) / 10000, rel=1e-12)
    found = document(run, FIRST, "--effect", "d_z")
    row = found["tables"]["pairs"][0]
    assert (row["effect_name"], row["effect"], row["effect_low"]) == ("d_z", None, None)
    assert "effect-unknown" in [note["code"] for note in found["notes"]]


def test_a_gate_and_a_pipe(run: Run) -> None:
    ran = run("test", "--table-counts", FIRST, "--fail-if", "2 worse than 1", "-q")
    assert ran.status == 1
    assert "2 is worse than 1: accuracy -0.001" in ran.err
    ranked = run("rank", "-", "--table", "orders", "-f", "csv", "-q", stdin=ran.raw)
    assert "1 < 2" in ranked.out


@pytest.mark.parametrize(
    "counts", ["1,2,3", "1,2,3,4,5", "1,2,3,-4", "1,2,x,4", "1,2,,4", "1.5,2,3,4", "0,0,0,0", "", "9" * 18 + ",1,1,1", "9" * 400]
)
def test_bad_counts(run: Run, counts: str) -> None:
    message, hint = run("test", "--table-counts", counts).complaint()
    assert message.startswith("--table-counts")
    assert "9959,11,1,29" in hint


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--method", "sign"), "sign cannot work from four counts"),
        (("--zeros", "pratt"), "--zeros is no option of mcnemar"),
        (("--unpaired",), "--unpaired is no option of mcnemar"),
        (("--baseline", "gam"), "there is no algorithm gam"),
        (("--variant", "yates"), "no variant"),
        (("--wide",), "--table-counts and --wide"),
        (("--better", "lower"), "--table-counts and --better"),
        (("items.csv",), "--table-counts and a FILE"),
        (("-",), "--table-counts and a FILE"),
    ],
)
def test_what_does_not_go_with_counts(run: Run, options: tuple[str, ...], words: str) -> None:
    assert words in run("test", "--table-counts", FIRST, *options).complaint()[0]


def test_data_on_standard_input(run: Run) -> None:
    message, hint = run("test", "--table-counts", FIRST, stdin=b"item,a,b\n").complaint()
    assert "data on standard input" in message
    assert "< /dev/null" in hint
    assert run("test", "--table-counts", FIRST, stdin=b"").status == 0
