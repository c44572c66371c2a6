import time
from dataclasses import replace

import numpy as np
import pytest
from experiments import all_pairs, blocks, experiment
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from published import MISSING
from published_ranks import DEMSAR, FLOAT_TIES, GARCIA, GRASSES, LOTION, ROUNDING, TWO
from scipy.stats import friedmanchisquare

from benchkit.core.adjust import adjusted
from benchkit.core.verdicts import judge
from benchkit.errors import BenchkitError
from benchkit.methods.comparison import friedman, sign, wilcoxon
from benchkit.methods.records import Answer, Unadjusted


def compare(values, level=0.95, **options):
    return friedman.compare(replace(blocks(values, level=level), options=options))


def codes(found):
    return [remark.code for remark in found.remarks]


def test_demsar_ignores_ties():
    # Demsar 2006, pp. 11-12: chi2 9.28, F 3.69 on (3, 39), CD 1.25 at .05 and 1.12 at .10
    found = compare(-DEMSAR, ties="ignore")
    assert found.overall_own["chi_square"] == pytest.approx(9.28, abs=0.005)
    assert found.overall.statistic == pytest.approx(3.69, abs=0.005)
    assert (found.overall.df1, found.overall.df2) == (3, 39)
    assert found.overall.p_value == pytest.approx(0.0198230062, abs=1e-9)
    assert found.overall_own["critical_difference"] == pytest.approx(1.25, abs=0.005)
    assert compare(-DEMSAR, 0.90, ties="ignore").overall_own["critical_difference"] == pytest.approx(1.12, abs=0.005)
    assert found.own["mean_rank_a"][[0, 3, 5]] == pytest.approx([3.143, 2.000, 2.893], abs=5e-4)


def test_demsar_with_ties_corrected():
    # R 4.2 and scipy: friedman.test gives 10.228346, p .0167216
    found = compare(-DEMSAR)
    assert found.overall_own["chi_square"] == pytest.approx(10.228346456692924, rel=1e-12)
    assert found.overall_own["p_chi_square"] == pytest.approx(0.01672158032844133, rel=1e-10)
    assert found.overall.statistic == pytest.approx(4.185130111524169, rel=1e-12)
    assert found.method == "friedman-wilcoxon"


def test_demsar_nemenyi():
    # p-values of the studentized range, recomputed with R's ptukey (good to 1e-7 or so)
    found = compare(-DEMSAR, ties="ignore", post_hoc="nemenyi")
    expected = [0.0886727, 0.9561772, 0.0741848, 0.2592281, 0.9998594, 0.2266969]
    assert found.pairs.p_adjusted == pytest.approx(expected, abs=1e-6)
    assert found.pairs.statistic[0] == pytest.approx(2.3421601750764793 * np.sqrt(2), rel=1e-12)
    # p. 12: at .10 C4.5 differs from C4.5+m and from C4.5+m+cf, at .05 nothing differs
    none = np.zeros(6)
    at_10 = judge(compare(-DEMSAR, 0.90, ties="ignore", post_hoc="nemenyi"), 0.90, none).verdict
    assert at_10 == ["worse", "undecided", "worse", "undecided", "undecided", "undecided"]
    assert judge(found, 0.95, none).verdict == ["undecided"] * 6


def test_garcia():
    # Garcia et al. 2010: chi2 16.225, F 6.691
    found = compare(-GARCIA, ties="ignore")
    assert found.overall_own["chi_square"] == pytest.approx(16.225, abs=5e-4)
    assert found.overall.statistic == pytest.approx(6.691, abs=5e-4)


def test_rounding_times_of_r():
    # R 4.2, ?friedman.test: 11.142857, df 2, p .003805041
    found = compare(ROUNDING)
    assert found.overall_own["chi_square"] == pytest.approx(11.142857142857, rel=1e-12)
    assert found.overall_own["p_chi_square"] == pytest.approx(0.00380504077551, rel=1e-10)


def test_lotion_of_r():
    # R 4.2: friedman.test gives 8.328358208955224
    assert compare(LOTION).overall_own["chi_square"] == pytest.approx(8.328358208955224, rel=1e-12)


def test_grasses_of_conover():
    # Conover 1999, pp. 371-373: T1 = 8.097, T2 = 3.19 on (3, 33), critical difference of rank sums 11.49
    found = compare(GRASSES, post_hoc="conover")
    assert found.overall_own["chi_square"] == pytest.approx(8.097, abs=5e-4)
    assert found.overall.statistic == pytest.approx(3.19, abs=0.005)
    assert 12 * found.overall_own["critical_difference"] == pytest.approx(11.49, abs=0.02)  # his t is rounded
    assert (found.p_value < 0.05).tolist() == [True, True, False, False, False, False]
    assert found.df.tolist() == [33.0] * 6


def test_conover_is_an_anova_of_ranks():
    ranks = np.argsort(np.random.default_rng(1).random((20, 4)), axis=1) + 1.0
    rest = ranks - ranks.mean(axis=0) - ranks.mean(axis=1, keepdims=True) + ranks.mean()
    error = np.sqrt(2 * (rest**2).sum() / (19 * 3) / 20)
    found = compare(ranks, post_hoc="conover", ties="ignore")
    assert found.statistic == pytest.approx(found.own["rank_difference"] / error, rel=1e-12)


def test_motorcycle():
    # the reference experiment's table of mean ranks, from R; Friedman's statistic with scipy
    values, _ = experiment("motorcycle")
    found = compare(values)
    assert found.overall_own["chi_square"] == pytest.approx(friedmanchisquare(*values.T).statistic, rel=1e-12)


TIED = arrays(np.float64, st.tuples(st.integers(2, 8), st.integers(3, 5)), elements=st.integers(0, 3).map(float))


@settings(max_examples=15)
@given(TIED)
def test_likert_data_are_scipys_or_the_limit(values):
    found = compare(values)
    assert found.overall_own["chi_square"] >= 0
    if (values == values[:, :1]).all():
        assert (found.overall.statistic, found.overall.p_value, codes(found)[0]) == (0, 1, "ties")
        return
    expected = friedmanchisquare(*values.T)
    assert found.overall_own["chi_square"] == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
    assert found.overall_own["kendall_w"] == pytest.approx(expected.statistic / (values.size - len(values)), abs=1e-12)
    for post_hoc in ("nemenyi", "conover", "bonferroni-dunn"):
        answer = compare(values, post_hoc=post_hoc)
        p = answer.pairs.p_adjusted if isinstance(answer, Answer) else answer.p_value
        assert ((p >= 0) & (p <= 1)).all()


def test_exact_is_near_chi_square_and_right_where_it_is_known():
    assert compare(np.tile([1.0, 2.0, 3.0], (4, 1))).overall_own["p_exact"] == pytest.approx(1 / 216)
    found = compare(-DEMSAR).overall_own
    assert found["p_exact"] == pytest.approx(0.0135928695, abs=1e-9)
    assert np.isnan(found["p_monte_carlo"])


def test_perfect_agreement():
    # scikit-posthocs 19, 63, 76: chi2 at its maximum 40, F infinite; neighbours p .618, steps of two .0377
    values = np.array([3.0, 4, 2, 1, 5]) + np.linspace(0, 0.1, 10)[:, None]
    found = compare(values, post_hoc="nemenyi")
    assert (found.overall_own["chi_square"], found.overall_own["kendall_w"]) == (40, 1)
    assert (found.overall.statistic, found.overall.p_value) == (np.inf, 0)
    assert found.overall_own["critical_difference"] == pytest.approx(1.9288277551893116, rel=1e-7)
    assert found.pairs.p_adjusted[[0, 2, 9, 8]] == pytest.approx([0.61844948, 0.03769607, 1.538e-07, 0.000214243], rel=1e-3)
    assert codes(found) == ["perfect-agreement", "mean-ranks"]
    conover = compare(values, post_hoc="conover")
    assert np.isinf(conover.statistic).all()
    assert (conover.p_value == 0).all()


def test_equal_mean_ranks_are_no_ties():
    found = compare(np.array([[1.0, 2.0, 3.0], [2.0, 3.0, 1.0], [3.0, 1.0, 2.0]]))
    assert (found.overall.statistic, found.overall.p_value, codes(found)) == (0, 1, [])


def test_all_tied():
    for post_hoc in ("nemenyi", "conover", "bonferroni-dunn"):
        found = compare(np.ones((5, 3)), post_hoc=post_hoc)
        pairs = found.pairs if isinstance(found, Answer) else found
        assert (pairs.p_value.tolist(), pairs.statistic.tolist()) == ([1.0] * 3, [0.0] * 3)


def test_two_algorithms_are_the_sign_test():
    found, alone = compare(-TWO), sign.compare(blocks(-TWO))
    assert found.method == "friedman-sign"
    assert compare(-TWO, zeros="wilcox").method == "friedman-wilcoxon-wilcox"  # an option of signed ranks asks for them
    assert found.p_value == alone.p_value
    assert found.overall.p_value == alone.p_value[0]
    assert found.overall_own["p_exact"] == pytest.approx(alone.p_value[0], rel=1e-12)
    # recomputed in the project's cases: chi2 2.4 without and 2.5714 with the tie, CD .5060605
    assert found.overall_own["chi_square"] == pytest.approx(2.571428571428574, rel=1e-12)
    for post_hoc in ("nemenyi", "conover", "bonferroni-dunn"):
        ignoring = compare(-TWO, ties="ignore", post_hoc=post_hoc)
        assert ignoring.overall_own["critical_difference"] == pytest.approx(0.5060605247526638, rel=1e-9)
        assert (ignoring.method, ignoring.p_value) == ("friedman-sign", alone.p_value)
    assert compare(-TWO, post_hoc="wilcoxon").method == "friedman-wilcoxon"


@settings(max_examples=25)
@given(arrays(np.float64, st.tuples(st.integers(1, 9), st.just(2)), elements=st.integers(0, 3).map(float)))
def test_exact_with_two_algorithms_is_the_sign_test(values):
    assert compare(values).overall_own["p_exact"] == pytest.approx(sign.compare(blocks(values)).p_value[0], rel=1e-12)


def test_float_noise_ties():
    # ranks within a replicate see no noise either
    assert compare(FLOAT_TIES).own["n_worse"][0] == 8
    assert compare(np.array([[0.3, 0.1 + 0.2, 0.3], [0.5, 0.5, 0.5]])).overall.p_value == 1


def test_relabelling_swapping_and_transforming():
    values = np.random.default_rng(2).normal(size=(12, 4)).round(1)
    found = compare(values, post_hoc="nemenyi")
    monotone = compare(np.exp(values) + np.arange(12)[:, None], post_hoc="nemenyi")
    assert monotone.pairs.p_adjusted.tolist() == found.pairs.p_adjusted.tolist()
    order = [3, 1, 0, 2]
    moved = compare(values[:, order], post_hoc="nemenyi")
    place = {(order[a], order[b]): i for i, (a, b) in enumerate(all_pairs(4))}
    for i, (a, b) in enumerate(all_pairs(4).tolist()):
        here, sign_ = (place[(a, b)], 1) if (a, b) in place else (place[(b, a)], -1)
        assert moved.pairs.p_adjusted[here] == pytest.approx(found.pairs.p_adjusted[i], rel=1e-9)
        assert moved.own["rank_difference"][here] == pytest.approx(sign_ * found.own["rank_difference"][i])
    assert compare(values[::-1]).overall == compare(values).overall


def test_pairs_are_wilcoxons():
    found, alone = compare(-GARCIA, zeros="wilcox"), wilcoxon.compare(replace(blocks(-GARCIA), options={"zeros": "wilcox"}))
    assert isinstance(found, Unadjusted)
    assert found.p_value.tolist() == alone.p_value.tolist()
    assert found.method == "friedman-wilcoxon-wilcox"
    assert {"rank_difference", "mean_rank_a", "mean_rank_b", "rank_biserial"} <= set(found.own)


def test_incomplete_replicates():
    # pingouin issue 206: 6 complete replicates, 2 dropped; chi2 9.3333, F 17.5
    found = compare(-MISSING)
    assert found.overall_own["chi_square"] == pytest.approx(9.333333333333343, rel=1e-12)
    assert found.overall.statistic == pytest.approx(17.5, rel=1e-12)
    assert found.remarks[0].code == "incomplete-replicates"
    assert found.remarks[0].numbers == {"left_out": 2.0, "replicates": 8.0}
    assert found.n.tolist() == [6, 7, 7]  # pairs use what they share


@pytest.mark.parametrize("values", [[[1.0, 2.0, 3.0]], [[1.0, np.nan, 2.0], [np.nan, 1.0, 2.0]], [[np.nan, 2.0, 1.0]]])
@pytest.mark.parametrize("post_hoc", ["wilcoxon", "nemenyi", "conover", "bonferroni-dunn"])
def test_too_few_complete_replicates(values, post_hoc):
    found = compare(np.array(values), post_hoc=post_hoc)
    assert np.isnan([found.overall.statistic, found.overall.p_value]).all()
    assert "small-n" in codes(found)


def test_bonferroni_dunn():
    # Demsar 2006, p. 12: against C4.5 with k = 4, CD = 2.394 sqrt(20 / 84) = 1.17 at .05, 2.128 sqrt(20 / 84) = 1.04 at .10
    against = np.array([[1, 0], [2, 0], [3, 0]])
    for level, distance in ((0.95, 1.17), (0.90, 1.04)):
        asked = replace(blocks(-DEMSAR, against, level), options={"ties": "ignore", "post_hoc": "bonferroni-dunn"})
        found = friedman.compare(asked)
        assert found.overall_own["critical_difference"] == pytest.approx(distance, abs=0.006)
    # p. 13: z = 2.342, .512, 2.416 with p .019, .607, .016
    assert np.abs(found.statistic) == pytest.approx([2.342, 0.512, 2.415], abs=1e-3)
    assert found.p_value == pytest.approx([0.0191725, 0.6084078, 0.0157200], abs=1e-6)
    judged = adjusted(found, "bonferroni", 0.95, against)
    assert judged.pairs.p_adjusted == pytest.approx([0.0575175, 1.0, 0.0471599], abs=1e-6)
    # p. 13: Holm's and Hochberg's procedures reject none and two at .05: .016 x 3, .019 x 2, .607
    assert adjusted(found, "holm", 0.95, against).pairs.p_adjusted == pytest.approx([0.0471599, 0.6084078, 0.0471599], abs=1e-6)


def test_ranks_give_the_direction_where_means_contradict_them():
    values = np.column_stack([np.zeros(40), np.where(np.arange(40) < 3, -1000.0, 1.0), np.full(40, 2.0)])
    found = compare(values, post_hoc="nemenyi")
    assert found.own["rank_difference"][0] < 0 < values.mean(axis=0)[0] - values.mean(axis=0)[1]
    assert np.isnan(found.pairs.estimate[0])
    assert judge(found, 0.95, np.zeros(3)).verdict[0] == "better"
    assert codes(found) == ["rank-direction", "mean-ranks"]


def test_any_alpha_and_many_algorithms():
    values = np.random.default_rng(5).normal(size=(30, 70))
    for level in (0.5, 0.9999, 1 - 1e-9):
        assert 0 < compare(values, level, post_hoc="nemenyi").overall_own["critical_difference"] < 70


def test_unknown_choice():
    with pytest.raises(BenchkitError, match="'tukey' is no choice of post-hoc"):
        compare(GARCIA, post_hoc="tukey")


def test_large_data_are_quick():
    values = np.random.default_rng(6).normal(size=(100_000, 10))
    start = time.process_time()
    compare(values, post_hoc="nemenyi")
    assert time.process_time() - start < 1.0


FAILED = np.array(
    [
        [0.3, 0.1, np.nan, np.nan],
        [0.4, 0.2, 0.9, 0.5],
        [0.3, 0.2, np.nan, 0.8],
        [0.2, 0.4, 0.6, np.nan],
        [0.5, 0.1, 0.7, 0.8],
        [np.nan, np.nan, np.nan, np.nan],
    ]
)


@pytest.mark.parametrize("post_hoc", ["nemenyi", "conover", "bonferroni-dunn"])
def test_failures_take_the_worst_rank(post_hoc):
    # as if a failure were worse than anything measured: scipy ranks 99, tied with 99; nothing is known of the sixth replicate
    found = compare(FAILED, post_hoc=post_hoc, failures="worst-rank")
    known = friedmanchisquare(*np.nan_to_num(FAILED[:5], nan=99.0).T)
    assert found.overall_own["chi_square"] == pytest.approx(known.statistic, rel=1e-12)
    assert found.overall_own["p_chi_square"] == pytest.approx(known.pvalue, rel=1e-12)
    # ranks of the third: 3.5, 4, 4, 3, 3; of the fourth: 3.5, 3, 3, 4, 4
    assert (found.own["mean_rank_a"][-1], found.own["mean_rank_b"][-1]) == (3.5, 3.5)
    pairs = found.pairs if isinstance(found, Answer) else found
    # the last two share the replicates 2 and 5: (.9 - .5 + .7 - .8)/2; the first two share five
    assert pairs.estimate[[0, -1]] == pytest.approx([0.7 / 5, 0.15])
    assert pairs.n.tolist() == [5] * 6
    said = [(remark.code, remark.numbers) for remark in found.remarks]
    assert said == [("failures-ranked-worst", {"cells": 4.0}), ("mean-ranks", {})]


def test_failures_need_a_post_hoc_test_of_ranks():
    for options in ({}, {"post_hoc": "wilcoxon"}):
        with pytest.raises(BenchkitError, match="worst-rank gives ranks") as caught:
            compare(FAILED, failures="worst-rank", **options)
        assert caught.value.hint == "add --post-hoc nemenyi, conover or bonferroni-dunn"
    with pytest.raises(BenchkitError, match="'best' is no choice of failures"):
        compare(FAILED, failures="best")


def test_dropping_failures_is_the_default():
    dropped = compare(FAILED, post_hoc="nemenyi", failures="drop")
    assert dropped.overall == compare(FAILED[[1, 4]], post_hoc="nemenyi").overall == compare(FAILED, post_hoc="nemenyi").overall
    complete = FAILED[[1, 4]]
    assert compare(complete, post_hoc="nemenyi", failures="worst-rank").remarks == compare(complete, post_hoc="nemenyi").remarks
