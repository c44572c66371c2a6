"""What limits the verdicts: notes on too few and unequal replicates, and on what an adjustment controls."""

import numpy as np
import pytest
from in_memory import Read

from benchkit.core.compare import compare
from benchkit.core.question import Question
from benchkit.errors import BenchkitError
from benchkit.methods.records import Floats
from benchkit.tables.result import Result


def ask(reading: object, method: str, level: float = 0.95, baseline: str | None = None, **options: str) -> Result:
    question = Question(method, level=level, baseline=baseline, options=options)
    return compare(reading, question, lambda: np.random.default_rng(1))  # type: ignore[arg-type]


def messages(result: Result) -> dict[str, str]:
    codes = [note.code for note in result.notes if note.code != "choice-explained"]
    assert len(codes) == len(set(codes))
    return {note.code: note.message for note in result.notes}


def ladder(replicates: int, algorithms: int) -> Floats:
    """Every replicate says the same: a1 < a2 < ..."""
    return np.arange(replicates)[:, None] + 10.0 * np.arange(algorithms) + np.linspace(0, 1, replicates)[:, None] ** 2


def apart(sizes: tuple[int, ...]) -> Floats:
    """Independent samples: replicates of their own for each algorithm."""
    values = np.full((sum(sizes), len(sizes)), np.nan)
    starts = np.cumsum((0, *sizes))
    for j, size in enumerate(sizes):
        values[starts[j] : starts[j + 1], j] = np.arange(size) + 100.0 * j
    return values


@pytest.mark.parametrize("method", ["sign", "wilcoxon", "permutation"])
def test_five_replicates_of_two_algorithms_cannot_reach_the_level(read: Read, method: str) -> None:
    # 2 (1/2)^5 = .0625; six give .03125
    told = messages(ask(read(ladder(5, 2)), method))["too-few-to-reach"]
    assert told == (
        "no result could be significant: the smallest p-value that 5 replicates can give is 0.0625; 6 could reach 0.05"
    )
    assert "too-few-to-reach" not in messages(ask(read(ladder(6, 2)), method))
    assert "too-few-to-reach" not in messages(ask(read(ladder(5, 2)), method, level=0.9))


def test_the_family_counts_unless_the_adjustment_lets_all_pairs_differ_together(read: Read) -> None:
    # Holm of three times .03125 is .09375; Hochberg's largest p-value is not multiplied
    seven = read(ladder(6, 3))
    told = messages(ask(seven, "sign"))["too-few-to-reach"]
    assert told == (
        "no result could be significant: the smallest p-value that 6 replicates can give is 0.0312 (0.0938 adjusted for "
        "3 pairs); 7 could reach 0.05, and fewer pairs (--baseline, --where) need less"
    )
    assert ask(seven, "sign").tables["pairs"]["verdict"].to_list() == ["undecided"] * 3
    for adjust in ("hochberg", "hommel", "bh", "none"):
        result = ask(seven, "sign", adjust=adjust)
        assert "too-few-to-reach" not in messages(result)
        assert result.tables["pairs"]["verdict"].to_list() == ["better"] * 3
    assert "too-few-to-reach" not in messages(ask(read(ladder(7, 3)), "sign"))


def test_many_pairs_of_few_replicates(read: Read) -> None:
    # ten pairs, 10 * 2 (1/2)^9 = .039 and twice that with eight
    told = messages(ask(read(ladder(2, 5)), "sign"))["too-few-to-reach"]
    assert "2 replicates can give is 0.5 (1 adjusted for 10 pairs); 9 could reach 0.05" in told


def test_friedman_with_pairs_by_signed_ranks_says_it_too(read: Read) -> None:
    assert "5 replicates can give is 0.0625 (0.188 adjusted" in messages(ask(read(ladder(5, 3)), "friedman"))["too-few-to-reach"]


def test_only_pairs_that_cannot_differ_are_named(read: Read) -> None:
    values = ladder(8, 3)
    values[:4, 2] = values[:4, 1] = np.nan
    values[:4, 1] = 1.0 + values[:4, 0]
    told = messages(ask(read(values), "sign", adjust="none"))["too-few-to-reach"]
    assert told.startswith("no result could be significant for a1 and a3, a2 and a3: the smallest p-value that 4 replicates can")
    ties = ladder(8, 2)
    ties[:4, 1] = ties[:4, 0]
    told = messages(ask(read(ties), "sign"))["too-few-to-reach"]
    assert "that 4 replicates can give is 0.125; 6 could reach" in told
    equal = ladder(8, 2)
    equal[:, 1] = equal[:, 0]
    assert messages(ask(read(equal), "sign")).keys() & {"too-few-to-reach", "zero-variance"} == {"zero-variance"}


def test_items_that_only_one_has_right(read: Read) -> None:
    # four discordant items: mid-p (1/2)^4, exact 2 (1/2)^4, both above .05; chi-square erfc(sqrt(2)) = .0455
    values = np.zeros((30, 2))
    values[:4, 0] = 1
    told = messages(ask(read(values, better="higher"), "mcnemar"))
    assert "that 4 replicates that only one has right can give is 0.0625; 5 could" in told["too-few-to-reach"]
    exact = messages(ask(read(values, better="higher"), "mcnemar", variant="exact"))
    assert "can give is 0.125; 6 could" in exact["too-few-to-reach"]
    assert "too-few-to-reach" not in messages(ask(read(values, better="higher"), "mcnemar", variant="uncorrected"))


def test_independent_samples(read: Read) -> None:
    # 2 / C(6, 3) = .1; 2 / C(8, 4) = .0286
    told = messages(ask(read(apart((3, 3))), "unpaired-permutation", unpaired=""))
    assert told["too-few-to-reach"] == (
        "no result could be significant: the smallest p-value that samples of 3 and 3 can give is 0.1; "
        "larger ones could reach 0.05"
    )
    assert "too-few-to-reach" not in messages(ask(read(apart((4, 4))), "unpaired-permutation", unpaired=""))
    outcomes = apart((3, 3))
    outcomes[:3, 0], outcomes[3:, 1] = 1.0, 0.0
    told = messages(ask(read(outcomes, better="higher"), "fisher", unpaired=""))
    assert "samples of 3 and 3 can give is 0.1;" in told["too-few-to-reach"]
    assert "unequal-replicates" not in told


def test_a_posterior_out_of_reach(read: Read) -> None:
    # 1 - (distribution function of beta(.5, 2.5) at 1/2, here of 2 replicates for a and half of one for either)
    told = messages(ask(read(ladder(2, 2)), "bayes-sign"))["too-few-to-reach"]
    assert told == (
        "no result could reach the level 0.95: if all of 2 replicates agree, the posterior is 0.924; more of them could"
    )
    assert "too-few-to-reach" not in messages(ask(read(ladder(5, 2)), "bayes-sign"))


def test_one_replicate(read: Read) -> None:
    for method in ("mixed", "paired-t", "sign", "friedman", "bootstrap", "permutation", "rm-anova", "bayes-sign"):
        told = messages(ask(read(ladder(1, 3)), method))
        assert told["one-replicate"].startswith("one replicate only: no error can be estimated; measure two or more"), method
        assert not told.keys() & {"small-n", "too-few-to-reach", "unequal-replicates"}, method


def test_one_score_against_five(read: Read) -> None:
    # Kaleidophon/deep-significance#16
    told = messages(ask(read(apart((1, 5))), "welch-t", unpaired=""))
    assert told["one-replicate"].startswith("a1 has one replicate only, which does not tell how far performance varies")
    assert ask(read(apart((1, 5))), "welch-t", unpaired="").tables["pairs"]["verdict"].to_list() == [None]


def test_unequal_sets_of_replicates(read: Read) -> None:
    values = np.random.default_rng(3).normal(size=(20, 3))
    assert "unequal-replicates" not in messages(ask(read(values), "paired-t"))
    values[:12, 1], values[:3, 0] = np.nan, np.nan
    assert messages(ask(read(values), "paired-t"))["unequal-replicates"] == (
        "a2 lacks 12 of 20 replicates, a1 lacks 3; 8 of 20 have all algorithms; the pairs rest on 8 to 17 (column n)"
    )


def test_adjustments_say_what_they_control(read: Read) -> None:
    reading = read(ladder(12, 3) + np.random.default_rng(5).normal(size=(12, 3)))
    for adjust in ("hochberg", "hommel"):
        assert messages(ask(reading, "paired-t", adjust=adjust))["simes-condition"] == (
            f"{adjust} holds under Simes' condition, unproved for two-sided tests of pairs; --adjust holm needs none"
        )
    for adjust in ("bh", "by"):
        assert messages(ask(reading, "paired-t", adjust=adjust))["false-discovery-rate"].startswith(
            f"{adjust} controls the expected share of wrong verdicts among the pairs that differ (0.05)"
        )
    assert messages(ask(reading, "paired-t", adjust="none"))["not-simultaneous"] == (
        "nothing is adjusted: each of 3 pairs has its own error of 0.05, so that without a difference 0.15 verdicts are wrong "
        "on average; --adjust holm controls the probability of any"
    )
    codes = {"simes-condition", "false-discovery-rate", "not-simultaneous"}
    assert not codes & messages(ask(reading, "paired-t")).keys()
    two = read(ladder(12, 2))
    assert not codes & {code for adjust in ("none", "bh", "hommel") for code in messages(ask(two, "paired-t", adjust=adjust))}


def test_a_posterior_is_no_error_rate(read: Read) -> None:
    told = messages(ask(read(ladder(12, 3)), "bayes-signed-rank"))["posterior-no-error-rate"]
    assert told == (
        "a posterior probability of 0.95 is no error rate (without a difference, up to about 0.1 of the pairs), and nothing is "
        "adjusted for 3 pairs; --method wilcoxon has one"
    )


def test_two_algorithms_of_friedman_are_told_which_test_answers(read: Read) -> None:
    assert "the exact sign test" in messages(ask(read(ladder(8, 2)), "friedman"))["two-algorithms"]
    assert "two-algorithms" not in messages(ask(read(ladder(8, 3)), "friedman"))


def test_tests_that_reject_too_often_name_another(read: Read) -> None:
    overlapping = apart((7, 12))
    overlapping[7:, 1] -= 97
    for method in ("brunner-munzel", "probability-of-improvement"):
        assert messages(ask(read(overlapping), method, unpaired=""))["liberal-at-small-n"] == (
            "only 7 values of an algorithm: this test rejects too often below 10; --method unpaired-permutation holds its level"
        )
    noise = np.random.default_rng(8).normal(size=(19, 3))
    told = messages(ask(read(noise[:, :2]), "bootstrap"))["liberal-at-small-n"]
    assert told.startswith("only 19 replicates: BCa intervals are too narrow below 20; --method permutation holds its level")
    told = messages(ask(read(noise), "bootstrap"))["liberal-at-small-n"]
    assert told.startswith("only 19 replicates: BCa intervals are too narrow below 100 where there are several pairs; ")


def scattered(method: str) -> tuple[Floats, str]:
    """Six algorithms of which two differ a little: a pair by itself sees it, all together do not."""
    rng = np.random.default_rng(SEEDS[method])
    if method in ("cochran-q", "looney-f"):
        return (rng.random((60, 6)) < [0.5, 0.72, 0.6, 0.6, 0.6, 0.6]).astype(np.float64), "higher"
    values = rng.normal([0.0, 1.0, 0.5, 0.5, 0.5, 0.5], size=(12, 6))
    if method == "welch-t":
        values = np.where(np.kron(np.eye(6), np.ones((12, 1))) > 0, np.tile(values, (6, 1)), np.nan)
    return values, "lower"


SEEDS = {"friedman": 3, "quade": 3, "cochran-q": 0, "looney-f": 0, "welch-t": 3, "rm-anova": 3, "paired-t": 2}


@pytest.mark.parametrize("method", SEEDS)
def test_an_overall_test_that_is_not_significant_and_a_pair_that_is(read: Read, method: str) -> None:
    values, better = scattered(method)
    options = {"adjust": "none"} | ({"unpaired": ""} if method == "welch-t" else {})
    result = ask(read(values, better=better), method, **options)
    assert result.tables["overall"]["p_value"][0] > 0.05
    assert {"better", "worse"} & set(result.tables["pairs"]["verdict"])
    assert messages(result)["omnibus-disagrees"].startswith("the overall test is not significant and a pair is")
    assert "omnibus-disagrees" not in messages(ask(read(values, better=better), method, level=0.999999, **options))


def test_an_unknown_adjustment_is_refused(read: Read) -> None:
    with pytest.raises(BenchkitError, match="no adjustment"):
        ask(read(ladder(8, 3)), "sign", adjust="sideways")


def test_how_many_replicates_an_overall_test_rests_on(read: Read) -> None:
    values = np.random.default_rng(3).normal(size=(20, 3))
    values[:3, 1] = np.nan
    dropped = ask(read(values), "friedman")
    assert messages(dropped)["incomplete-replicates"] == "3 incomplete replicates left out of the overall test, which uses 17"
    assert dropped.tables["overall"]["n_replicates"].to_list() == [17]
    ranked = ask(read(values), "friedman", failures="worst-rank", post_hoc="nemenyi")
    told = messages(ranked)
    assert told["failures-ranked-worst"].startswith("3 missing cells took the worst rank of the replicate")
    assert told["unequal-replicates"] == "a2 lacks 3 of 20 replicates; 17 of 20 have all algorithms"
    assert ranked.tables["overall"]["n_replicates"].to_list() == [20]
