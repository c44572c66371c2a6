"""The sentences of --report: the better one in the right direction, by how much, how surely, about what.

Five differences 1, 2, 3, 2, 2 have mean 2 and standard error sqrt(.5/5): t = 6.3246 on 4 degrees of freedom, p = .0032,
95% interval 2 +/- 2.7764 x .3162 = [1.12, 2.88]. Wilson's interval of 5 of 5 is [5/(5 + 1.96^2), 1] = [.566, 1].
"""

import numpy as np
import pytest
from in_memory import Read

from benchkit.core.compare import compare
from benchkit.core.counts import compare_table, parse_counts, question_of_counts
from benchkit.core.duel import Duel
from benchkit.core.question import Question
from benchkit.tables.result import Result

BASE = np.array([1.0, 5.0, 2.0, 9.0, 4.0])
DIFFERENCES = np.array([1.0, 2.0, 3.0, 2.0, 2.0])
ODD = ("equal", "same", "no difference")


def new_generator() -> np.random.Generator:
    return np.random.default_rng(1)


def told(result: Result) -> str:
    assert len(result.report) == 1
    return result.report[0]


def two(read: Read, better: str, question: Question, first: str = "a", second: str = "b") -> str:
    """Report a comparison of `first` with `second`, whose values are larger by 2 in the mean."""
    rows = [(name, i, value) for i, pair in enumerate(zip(BASE, BASE + DIFFERENCES, strict=True))
            for name, value in zip((first, second), pair, strict=True)]  # fmt: skip
    columns: dict[str, list[object]] = {
        "metric": ["score"] * 10,
        "dataset": ["iris"] * 10,
        "algorithm": [row[0] for row in rows],
        "replicate": [str(row[1]) for row in rows],
        "performance": [row[2] for row in rows],
        "resampling": ["bootstrap"] * 10,
    }
    return told(compare(read(columns, better), question, new_generator))


@pytest.mark.parametrize(
    ("better", "first", "second", "winner", "loser", "word"),
    [
        ("lower", "a", "b", "a", "b", "lower"),
        ("higher", "a", "b", "b", "a", "higher"),
        ("lower", "b", "a", "b", "a", "lower"),
        ("higher", "b", "a", "a", "b", "higher"),
    ],
)
def test_two_algorithms_both_directions(
    read: Read, better: str, first: str, second: str, winner: str, loser: str, word: str
) -> None:
    assert two(read, better, Question("paired-t"), first, second) == (
        f"On 5 resamples of iris, {winner} is better than {loser} in score. "
        f"Its score is {word} by 2.00 (95% interval 1.12 to 2.88, p = 0.0032), "
        "and it is the better one in 100% of the replicates (56.6% to 100%). "
        "The confidence level is 95% (method paired-t); this is about resamples of iris, not about new data."
    )


@pytest.mark.parametrize("better", ["lower", "higher"])
def test_a_baseline_is_judged_from_the_others_side(read: Read, better: str) -> None:
    said = two(read, better, Question("paired-t", baseline="a"))
    winner, loser = ("a", "b") if better == "lower" else ("b", "a")
    assert f"{winner} is better than {loser} in score. Its score is {better} by 2.00" in said


def test_a_margin_names_equivalence_and_indecision(read: Read) -> None:
    assert "a is better than b in score by more than the margin of 1. Its" in two(
        read, "lower", Question("paired-t", margins=("1",))
    )
    equivalent = two(read, "lower", Question("paired-t", margins=("3",)))
    assert "a and b are equivalent in score within the margin of 3. For a against b, its score is lower by 2.00" in equivalent
    assert "p of equivalence = " in equivalent
    undecided = two(read, "lower", Question("paired-t", margins=("2",)))
    assert "a is not worse than b in score by the margin of 2 or more (noninferior), and it is undecided whether" in undecided
    undecided = two(read, "higher", Question("paired-t", margins=("2",)))
    assert "it is undecided whether a and b differ in score by more than the margin of 2." in undecided


def test_a_large_p_value_is_no_evidence_of_equality(read: Read) -> None:
    values = np.random.default_rng(7).normal(size=(6, 2))
    said = told(compare(read(values), Question("paired-t"), new_generator))
    assert "it is undecided whether a1 or a2 is better in performance, which is no evidence that they are equal" in said
    assert not any(word in said.replace("no evidence that they are equal", "") for word in ODD)


def of_three(read: Read, better: str, method: str = "paired-t", **more: object) -> str:
    noise = np.random.default_rng(3).normal(size=(20, 3))
    return told(compare(read(noise + np.array([0.0, 0.2, 9.0]), better), Question(method, **more), new_generator))  # type: ignore[arg-type]


def test_several_algorithms_name_the_leader_and_what_is_undecided(read: Read) -> None:
    lower, higher = of_three(read, "lower"), of_three(read, "higher")
    assert lower.startswith("On 20 replicates, a1 is better in performance than a3; its comparison with a2 is undecided. ")
    assert "Against a3, its performance is lower by " in lower
    assert higher.startswith("On 20 replicates, a3 is better in performance than each of the 2 others. Against a2, the closest")
    assert "its performance is higher by " in higher
    for said in (lower, higher):
        assert "In all, 2 of the 3 pairs differ, with 95% confidence for all 3 pairs together (method paired-t, Holm)" in said
        assert said.endswith("this is about replicates like these, if they are independent, which no column tells.")


def test_several_against_a_baseline(read: Read) -> None:
    said = of_three(read, "higher", baseline="a2")
    assert said.startswith("On 20 replicates, against a2 in performance: a3 is better; a1 is undecided. The largest difference")
    assert "that of a3: its performance is higher by 8." in said
    worse = of_three(read, "lower", baseline="a1", margins=("3",))
    assert "against a1 in performance with a margin of 3: a3 is worse; a2 is equivalent." in worse


def test_the_adjustment_tells_how_sure(read: Read) -> None:
    alone = of_three(read, "lower", options={"adjust": "none"})
    assert "each judged at 95% by itself, so that some may differ by chance (method paired-t)" in alone
    assert "adjusted p" not in alone
    assert "and 5% of such differences are expected to be false" in of_three(read, "lower", options={"adjust": "bh"})


def test_nothing_separated(read: Read) -> None:
    said = told(compare(read(np.random.default_rng(5).normal(size=(5, 4))), Question("paired-t"), new_generator))
    assert "no algorithm is shown to be better in performance than another, which is no evidence that they are equal." in said
    assert "In all, 0 of the 6 pairs differ" in said


def test_a_posterior_decides_only_above_the_level(read: Read) -> None:
    decided = two(read, "higher", Question("bayes-signed-rank"))
    assert "b is better than a in score. Its score is higher by 2 (posterior probabilities: better over 99.9%" in decided
    assert "A posterior probability of 95% decides (method bayes-signed-rank)" in decided
    level = two(read, "higher", Question("bayes-sign", level=0.999))
    assert "it is undecided whether a or b is better" in level
    rope = two(read, "higher", Question("bayes-signed-rank", margins=("50",)))  # autorank issue 3: all is in the ROPE
    assert "a and b are equivalent in score within the margin of 50" in rope
    assert "equivalent over 99.9%" in rope


def test_independent_samples(read: Read) -> None:
    values = np.random.default_rng(2).normal(size=(12, 2)) + np.array([0.0, 3.0])
    said = told(compare(read(values, "higher"), Question("welch-t"), new_generator))
    assert "a2 is better than a1 in performance. Its performance is higher by " in said


def test_pairs_that_cannot_be_tested(read: Read) -> None:
    values = np.random.default_rng(2).normal(size=(12, 3))
    values[:6, 2] = values[6:, 1] = np.nan  # a2 and a3 share nothing
    said = told(compare(read(values), Question("paired-t"), new_generator))
    assert "In all, 0 of the 3 pairs differ and 1 could not be tested, with 95% confidence for all 2 pairs together" in said
    values[:, 2] += 9  # so that a3 is the best, as more is better
    assert "a3 is better in performance than a1; a2 and a3 could not be compared." in told(
        compare(read(values, "higher"), Question("paired-t"), new_generator)
    )
    against = told(compare(read(values), Question("paired-t", baseline="a2"), new_generator))
    assert "a3 is not tested" in against
    alone = told(compare(read(values[:1, :2]), Question("paired-t"), new_generator))
    assert alone == "Measured on 1 replicate: performance. No pair could be tested, for reasons that the notes give."


def test_names_that_need_quotes(read: Read) -> None:
    assert '"a < b" is better than b in score' in two(read, "lower", Question("paired-t"), "a < b", "b")


def test_counts_without_a_file() -> None:
    said = told(compare_table(parse_counts("9959,11,1,29"), question_of_counts(Question())))
    assert said.startswith("On 10000 items, 1 is better than 2 in accuracy. Its accuracy is higher by 0.00100 ")
    assert "of the items, a tie being half" in said
    turned = told(compare_table(parse_counts("9959,1,11,29"), question_of_counts(Question())))
    assert "2 is better than 1 in accuracy. Its accuracy is higher by 0.00100 " in turned


@pytest.mark.parametrize(
    ("effect", "value", "turned"),
    [
        ("prob_better", 0.75, 0.25),
        ("a12", 0.75, 0.25),
        ("ratio", 0.5, 2.0),
        ("odds_ratio", 0.0, float("inf")),
        ("d_z", 0.75, -0.75),
    ],
)
def test_effects_turn_with_the_side(effect: str, value: float, turned: float) -> None:
    names = ("metric", "estimate", "ci_low", "ci_high", "p_adjusted", "p_equivalence", "effect_high")
    row: dict[str, object] = dict.fromkeys(names)
    row |= {"a": "a", "b": "b", "better": "lower", "adjust": "holm", "verdict": "better", "ci_level": 0.95, "margin": 0.0}
    row |= {"effect_name": effect, "effect": value, "effect_low": value}
    assert Duel.of(row).effect == (value, value, None)
    other = Duel.of(row, "b")
    assert (other.effect, other.verdict, other.second) == ((turned, None, turned), "worse", "a")


def test_ratios_of_geometric_means(read: Read) -> None:
    from benchkit.core.arrange import Arrangement

    asked = Question("paired-t", arrangement=Arrangement(transform="log"))
    assert "b is better than a in score. Its score is 1." in two(read, "higher", asked)
    assert "a is better than b in score. Its score is 0." in two(read, "lower", asked)


def test_all_pairs_that_could_not_be_compared_are_named(read: Read) -> None:
    values = np.random.default_rng(1).normal(10.0, 1.0, size=(20, 4))
    values[:10, :2] = values[10:, 2:] = np.nan  # a1 and a2 share no replicate with a3 and a4
    said = told(compare(read(values), Question("sign"), new_generator))
    assert "a1 and a3, a1 and a4, a2 and a3, a2 and a4 could not be compared" in said


def test_a_family_of_one_is_not_called_all_pairs(read: Read) -> None:
    values = np.random.default_rng(1).normal(10.0, 1.0, size=(20, 3))
    values[:10, 0] = values[10:, 1] = values[:9, 2] = np.nan  # a1 and a3 alone share replicates enough
    said = told(compare(read(values), Question("paired-t"), new_generator))
    assert "all 1 pair" not in said
    assert "with 95% confidence (" in said


def test_what_is_not_worse_is_told(read: Read) -> None:
    values = np.column_stack([BASE, BASE + np.array([0.5, -0.5, 1.0, 0.0, 0.5])])  # a1 - a2: -.3 -/+ 2.776 x .2549
    found = compare(read(values), Question("paired-t", margins=("0.6",), baseline="a2"), new_generator)
    row = found.tables["pairs"].row(0, named=True)
    assert (row["verdict"], row["noninferior"]) == ("undecided", True)
    assert "a1 is not worse than a2 in performance by the margin of 0.6 or more (noninferior)" in told(found)
    assert found.answer[0].endswith("0 equivalent, 1 undecided but noninferior (a not worse than b by the margin)")
