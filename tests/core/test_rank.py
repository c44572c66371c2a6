"""Orders: the checked examples of the mechanisms, cycles, unknown pairs, letters."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.core.rank import rank
from benchkit.errors import BenchkitError
from benchkit.methods.order import letters, relation
from benchkit.tables import shapes


def relations(words: dict[tuple[str, str], str]) -> pl.DataFrame:
    return shapes.build(shapes.RELATIONS, [{"a": a, "b": b, "relation": word} for (a, b), word in words.items()])


def semiorder(size: int, reach: float) -> np.ndarray:
    means = np.arange(float(size))
    return means[None, :] - means[:, None] > reach


def test_five_item_semiorder() -> None:
    # order_mechanisms: means 0..4, pairs at distance >= 2 differ
    beats = semiorder(5, 1.5)
    assert relation.in_degrees(beats).tolist() == [0, 0, 1, 2, 3]
    assert relation.ranks(relation.in_degrees(beats)).tolist() == [1, 1, 3, 4, 5]
    assert relation.tiers(beats).tolist() == [1, 1, 2, 2, 3]
    low, high = relation.rank_bounds(beats)
    assert list(zip(low.tolist(), high.tolist(), strict=True)) == [(1, 2), (1, 3), (2, 4), (3, 5), (4, 5)]


def test_three_items_only_a_beats_c() -> None:
    found = rank(relations({("A", "B"): "tied", ("A", "C"): "better", ("B", "C"): "tied"}))
    assert found.tables["ranks"]["letters"].to_list() == ["a", "ab", "b"]
    assert found.tables["ranks"].select("rank_low", "rank_high").rows() == [(1, 2), (1, 3), (2, 3)]
    assert found.tables["orders"].row(0, named=True)["order"] is None
    assert found.answer == ["no single chain: A ≈ B and B ≈ C, but A < C", "(< better than, ≈ not separated)"]
    assert [note.code for note in found.notes] == ["not-transitive"]


def test_weak_order_prints_one_chain() -> None:
    found = rank(relations({("x", "y"): "tied", ("x", "z"): "better", ("y", "z"): "better"}))
    assert found.tables["orders"]["order"].to_list() == ["x ≈ y < z"]
    assert found.tables["orders"]["transitive"].to_list() == [True]
    assert found.tables["ranks"]["rank"].to_list() == [1, 1, 3]


def test_cycle_is_named_and_tied() -> None:
    found = rank(relations({("A", "B"): "better", ("B", "C"): "better", ("A", "C"): "worse"}))
    assert found.tables["ranks"]["rank"].to_list() == [1, 1, 1]
    assert found.answer[0] == "no single chain: a cycle: A < B, B < C, C < A"


def test_strict_relation_that_is_not_transitive() -> None:
    found = rank(relations({("A", "B"): "better", ("B", "C"): "better", ("A", "C"): "tied"}))
    assert found.answer[0] == "no single chain: A < B and B < C, but A ≈ C"


def test_absent_pair_is_unknown_not_tied() -> None:
    words = {("A", "B"): "better", ("A", "C"): "better", ("A", "D"): "better", ("B", "C"): "tied", ("B", "D"): "tied"}
    found = rank(relations(words))
    assert found.tables["relations"].filter(pl.col("relation") == "unknown").select("a", "b").rows() == [("C", "D")]
    assert found.answer[0] == "no single chain: C and D were not tested"


def test_baseline_table_is_refused() -> None:
    with pytest.raises(BenchkitError, match="one baseline"):
        rank(relations({("A", "main"): "better", ("B", "main"): "tied", ("C", "main"): "worse"}))


def test_pair_given_twice_is_refused() -> None:
    with pytest.raises(BenchkitError, match="twice"):
        rank(pl.concat([relations({("A", "B"): "better"}), relations({("B", "A"): "better"})]))


def test_names_in_the_order_string_are_quoted() -> None:
    found = rank(relations({("a < b", 'say "hi"'): "better", ("a < b", "c"): "better", ('say "hi"', "c"): "better"}))
    assert found.tables["orders"]["order"].to_list() == ['"a < b" < "say ""hi""" < c']


def test_ascii_mark() -> None:
    assert rank(relations({("x", "y"): "tied"}), tie="~").tables["orders"]["order"].to_list() == ["x ~ y"]


def test_letters_of_a_semiorder_are_all_maximal_sets() -> None:
    beats = semiorder(7, 2.5)
    assert letters.compact_letters(~beats & ~beats.T) == ["a", "ab", "abc", "bcd", "cde", "de", "e"]


def test_letters_beyond_the_alphabet() -> None:
    assert [letters.letter(position) for position in (0, 25, 26, 51, 52)] == ["a", "z", "A", "Z", "[53]"]


def test_letters_stay_few_where_maximal_sets_are_many() -> None:
    # each differs from exactly one other: 2^30 maximal sets exist
    tied = np.ones((60, 60), dtype=bool)
    for first in range(0, 60, 2):
        tied[first, first + 1] = tied[first + 1, first] = False
    found = letters.compact_letters(tied)
    assert max(len(text) for text in found) < 26
    assert len(set("".join(found))) < 26


@given(
    st.integers(2, 6).flatmap(lambda k: st.tuples(st.just(k), st.lists(st.sampled_from([-1, 0, 1]), min_size=15, max_size=15)))
)
def test_letters_are_shared_exactly_by_ties(drawn: tuple[int, list[int]]) -> None:
    size, words = drawn
    tied = np.eye(size, dtype=bool)
    for (i, j), word in zip(combinations(range(size), 2), words, strict=False):
        tied[i, j] = tied[j, i] = word == 0
    found = letters.compact_letters(tied)
    for i, j in combinations(range(size), 2):
        assert bool(set(found[i]) & set(found[j])) == tied[i, j]


@given(
    st.integers(2, 6).flatmap(lambda k: st.tuples(st.just(k), st.lists(st.sampled_from([-1, 0, 1]), min_size=15, max_size=15)))
)
def test_faults_agree_with_the_definition_of_a_weak_order(drawn: tuple[int, list[int]]) -> None:
    size, words = drawn
    beats = np.zeros((size, size), dtype=bool)
    for (i, j), word in zip(combinations(range(size), 2), words, strict=False):
        beats[i, j], beats[j, i] = word > 0, word < 0
    # a strict weak order is the comparison of scores: the in-degrees must reproduce it
    degrees = beats.sum(axis=0)
    reproduced = degrees[:, None] < degrees[None, :]
    assert (relation.faults(beats, np.ones((size, size), dtype=bool)) == []) == bool((reproduced == beats).all())


def test_verdicts_that_do_not_hold_together_give_no_rank_intervals() -> None:
    rows = [{"a": a, "b": b, "estimate": -1.0, "verdict": "better", "ci_level": 0.95} for a, b in combinations("abc", 2)]
    kinds = {"holm": "bonferroni", "bh": "bonferroni", "by": "bonferroni", "none": "pointwise"}
    found = {
        adjust: rank(shapes.build(shapes.PAIRS, [{**row, "adjust": adjust, "ci_kind": kind} for row in rows]))
        for adjust, kind in kinds.items()
    }
    bounds = {adjust: result.tables["ranks"].select("rank_low", "rank_high").rows() for adjust, result in found.items()}
    assert bounds["holm"] == [(1, 1), (2, 2), (3, 3)]
    assert bounds["bh"] == bounds["by"] == bounds["none"] == [(None, None)] * 3
    codes = {adjust: [note.code for note in result.notes] for adjust, result in found.items()}
    assert codes == {adjust: [] if adjust == "holm" else ["no-rank-intervals"] for adjust in kinds}
    assert found["bh"].tables["orders"]["order"].to_list() == ["a < b < c"]
    assert [result.answer[0].split("; ")[-1] for result in found.values()] == [
        "95% for all pairs together)", "false discovery rate 5%)", "false discovery rate 5%)", "95% for each pair)"
    ]  # fmt: skip
    posterior = rank(shapes.build(shapes.PAIRS, [{**row, "adjust": "none", "posterior_better": 0.97} for row in rows]))
    assert posterior.answer[0].endswith("posterior probability 95% for each pair)")
    assert posterior.tables["ranks"]["rank_low"].null_count() == 3
