"""--fail-if: grammar, both directions, and what may never pass."""

import polars as pl
import pytest

from benchkit.core.gate import hits, parse
from benchkit.errors import BenchkitError
from benchkit.tables import shapes
from benchkit.tables.result import Note, Result

ROW = {
    "metric": "mse", "dataset": None, "better": "lower", "estimate": -12.3, "ci_low": -20.5, "ci_high": -4.1, "ci_level": 0.95,
    "margin": 0.0,
}  # fmt: skip


def result(*rows: dict[str, object], notes: tuple[Note, ...] = ()) -> Result:
    return Result("test", {"pairs": shapes.build(shapes.PAIRS, [{**ROW, **row} for row in rows])}, notes)


MAIN_BETTER = {"a": "main", "b": "pr", "verdict": "better"}


def test_a_hit_is_told_from_the_side_that_was_asked() -> None:
    found = hits(result(MAIN_BETTER), [parse("pr worse than main")])
    assert found == ["pr is worse than main: mse +12.3, 95% interval [4.1, 20.5]"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("pr worse than main", 1),
        ("main better than pr", 1),
        ("pr better than main", 0),
        ("pr not better than main", 1),
        ("pr not worse than main", 0),
        ("* worse than main", 1),
        ("* worse than *", 1),
        ("pr undecided main", 0),
        ("pr not undecided main", 1),
        ("pr equivalent to main", 0),
        ("pr not equivalent to main", 1),
    ],
)
def test_words(text: str, count: int) -> None:
    assert len(hits(result(MAIN_BETTER), [parse(text)])) == count


def test_not_holds_for_undecided() -> None:
    undecided = {"a": "main", "b": "pr", "verdict": "undecided", "ci_low": -1.0, "ci_high": 2.0}
    assert len(hits(result(undecided), [parse("pr not worse than main")])) == 1
    assert len(hits(result(undecided), [parse("* undecided *")])) == 1


@pytest.mark.parametrize(
    ("better", "low", "high", "first", "expected"),
    [
        ("lower", -3.0, 1.0, "a", True),  # a - b at most 1: a is worse by less than 2
        ("lower", -3.0, 1.0, "b", False),  # b - a may be 3
        ("lower", -1.5, 9.0, "b", True),
        ("higher", -3.0, 1.0, "a", False),  # a may be 3 lower
        ("higher", -3.0, 1.0, "b", True),
    ],
)
def test_noninferior_both_ways(better: str, low: float, high: float, first: str, expected: bool) -> None:
    of_a = high < 2.0 if better == "lower" else low > -2.0
    row = {
        "a": "a",
        "b": "b",
        "verdict": "undecided",
        "better": better,
        "ci_low": low,
        "ci_high": high,
        "margin": 2.0,
        "noninferior": of_a,
    }
    second = "b" if first == "a" else "a"
    assert bool(hits(result(row), [parse(f"{first} noninferior to {second}")])) == expected


def test_noninferior_needs_a_margin() -> None:
    with pytest.raises(BenchkitError, match="needs a margin"):
        hits(result(MAIN_BETTER), [parse("pr noninferior to main")])


def test_quoted_names() -> None:
    row = {"a": "my model", "b": "*", "verdict": "worse"}
    assert len(hits(result(row), [parse('"my model" worse than "*"')])) == 1


@pytest.mark.parametrize(
    "text", ["", "pr", "pr worse main", "pr worse than", "pr is worse than main", "a b worse than main", "pr not main"]
)
def test_grammar(text: str) -> None:
    with pytest.raises(BenchkitError, match="does not understand"):
        parse(text)


def test_what_was_not_tested_never_passes() -> None:
    with pytest.raises(BenchkitError, match="names typo"):
        hits(result(MAIN_BETTER), [parse("typo worse than main")])
    with pytest.raises(BenchkitError, match="could not be tested"):
        hits(result({**MAIN_BETTER, "verdict": None}), [parse("pr worse than main")])
    with pytest.raises(BenchkitError, match="not tested"):
        hits(result(MAIN_BETTER, notes=(Note("not-tested", "not tested: x", dataset="iris"),)), [parse("pr worse than main")])
    both = result({**MAIN_BETTER, "dataset": "iris"}, {"a": "main", "b": "x", "verdict": "worse", "dataset": "wine"})
    with pytest.raises(BenchkitError, match="not tested"):
        hits(both, [parse("pr worse than main")])
    base = result({"a": "pr", "b": "main", "verdict": "worse"}, {"a": "x", "b": "main", "verdict": "worse"})
    with pytest.raises(BenchkitError, match="not tested"):
        hits(base, [parse("pr worse than x")])


def test_every_dataset_is_looked_at() -> None:
    pairs = result({**MAIN_BETTER, "dataset": "iris"}, {**MAIN_BETTER, "dataset": "wine", "verdict": "undecided"})
    assert hits(pairs, [parse("pr worse than main")]) == ["pr is worse than main on iris: mse +12.3, 95% interval [4.1, 20.5]"]
    assert pairs.tables["pairs"].filter(pl.col("dataset") == "wine").height == 1


def test_a_hit_tells_the_margin() -> None:
    row = {**MAIN_BETTER, "margin": 2.0, "noninferior": True}
    assert hits(result(row), [parse("pr worse than main")])[0].endswith("interval [4.1, 20.5], margin 2")


def test_the_hint_writes_names_as_they_are_typed() -> None:
    named = result({**MAIN_BETTER, "a": 'a "b" c'})
    with pytest.raises(BenchkitError) as refusal:
        hits(named, [parse("x worse than main")])
    typed = '"a ""b"" c"'
    assert typed in (refusal.value.hint or "")
    hits(named, [parse(f"{typed} worse than {MAIN_BETTER['b']}")])
