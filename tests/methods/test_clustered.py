from itertools import product

import numpy as np
import pytest
import scipy.stats
from experiments import all_pairs, codes
from hypothesis import given
from hypothesis import strategies as st
from outcomes import outcome_blocks

from benchkit.methods.comparison import clustered_permutation, clustered_t, sign_patterns
from benchkit.methods.records import Blocks

METHODS = (clustered_t, clustered_permutation)
DIFFERENCES = np.array([1, 0, 2, -1, 3, 0.5, -0.5, 1, 2, 2.5, 0, 1.5, -2, 0.25])
CLUSTERS = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 4, 4, 5, 5])


def one_pair(differences, clusters=None, offset=0.0):
    values = np.column_stack([np.asarray(differences, dtype=float) + offset, np.full(len(differences), offset)])
    return outcome_blocks(values, all_pairs(2), None if clusters is None else np.asarray(clusters))


def numbers(found):
    pairs = found if hasattr(found, "interval") else found.pairs
    return pairs.estimate, pairs.std_error, pairs.statistic, pairs.p_value


def test_unequal_clusters_as_in_r():
    # R: t.test(c(3, 2, 3, 2.5, 1.5, -1.75)), the sums of the clusters
    found = clustered_t.compare(one_pair(DIFFERENCES, CLUSTERS))
    assert found.estimate == pytest.approx([10.25 / 14])
    assert found.statistic == pytest.approx([2.33543368278719], rel=1e-12)
    assert found.p_value == pytest.approx([0.066758300015892447], rel=1e-12)
    assert found.df == pytest.approx([5])
    assert found.own["clusters"] == pytest.approx([6])
    assert found.remarks == ()


def test_errors_of_means_as_in_statsmodels():
    # statsmodels 0.15: OLS(d, 1).fit(cov_type="cluster", cov_kwds={"groups": g}, use_t=True)
    found = clustered_t.compare(one_pair(DIFFERENCES, CLUSTERS)).means
    assert found.estimate == pytest.approx([0.7321428571428573, 0.0])
    assert found.std_error == pytest.approx([0.2968822268898315, 0.0], rel=1e-12)
    assert found.df == pytest.approx([5, 5])


def test_equal_clusters_give_the_t_test_of_their_means_as_in_r():
    # R: t.test(c(.3, -.1, .8, .5, -.2, .9)), each mean standing for two items
    means = np.array([0.3, -0.1, 0.8, 0.5, -0.2, 0.9])
    items = np.concatenate([means + 1.5, means - 1.5])
    found = clustered_t.compare(one_pair(items, np.tile(np.arange(6), 2)))
    assert found.p_value == pytest.approx([0.105160252784826], rel=1e-12)


@pytest.mark.parametrize("clusters", [None, np.arange(14)])
def test_without_clusters_it_is_the_paired_t(clusters):
    found = clustered_t.compare(one_pair(DIFFERENCES, clusters))
    peer = scipy.stats.ttest_1samp(DIFFERENCES, 0)
    assert found.statistic == pytest.approx([peer.statistic], rel=1e-12)
    assert found.p_value == pytest.approx([peer.pvalue], rel=1e-12)
    assert found.own["design_effect"] == pytest.approx([1.0], rel=1e-12)
    assert found.means.df == pytest.approx([13, 13])


def test_design_effect_of_repeated_answers():
    single = np.array([1.0, 0, -1, 1, 1, 0, 1, 0, 0, -1, 1, 1])
    found = clustered_t.compare(one_pair(np.repeat(single, 4), np.repeat(np.arange(12), 4)))
    assert found.std_error == pytest.approx([single.std(ddof=1) / np.sqrt(12)])
    assert found.own["design_effect"] == pytest.approx([4 * 47 / 44])
    assert found.n.tolist() == [48]


@pytest.mark.parametrize("method", METHODS)
def test_missing_cells_and_other_pairs_do_not_matter(method):
    generator = np.random.default_rng(5)
    values, clusters = generator.normal(size=(24, 3)), np.repeat(np.arange(8), 3)
    values[[0, 1, 2, 7], 1] = np.nan
    found = method.compare(outcome_blocks(values, all_pairs(3), clusters))
    kept = ~np.isnan(values[:, 1])
    alone = method.compare(outcome_blocks(values[kept][:, :2], all_pairs(2), clusters[kept]))
    for several, single in zip(numbers(found), numbers(alone), strict=True):
        assert several[0] == pytest.approx(single[0], rel=1e-12)
    assert found.own["clusters"].tolist() == [7, 8, 7]


@pytest.mark.parametrize("method", METHODS)
@given(st.permutations(range(14)), st.integers(-3, 3))
def test_properties(method, order, shift):
    plain = numbers(method.compare(one_pair(DIFFERENCES, CLUSTERS)))
    order = np.array(order)
    moved = numbers(method.compare(one_pair(DIFFERENCES[order], 5 - CLUSTERS[order], 10.0**shift)))
    swapped = numbers(method.compare(one_pair(-DIFFERENCES, CLUSTERS)))
    for i, sign in enumerate((-1, 1, -1, 1)):
        assert moved[i] == pytest.approx(plain[i], rel=1e-9)
        assert swapped[i] == pytest.approx(sign * plain[i], rel=1e-9)


@pytest.mark.parametrize("offset", [0.0, 0.1, 1e6])
def test_limits_without_variation(offset):
    clusters = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    same, apart = (clustered_t.compare(one_pair(np.full(10, d), clusters, offset)) for d in (0.0, 0.3))
    assert [column[0] for column in numbers(same)] == [0, 0, 0, 1]
    assert [column[0] for column in numbers(apart)][1:] == [0, np.inf, 0]
    assert codes(same) == codes(apart) == ["zero-variance"]
    same, apart = (clustered_permutation.compare(one_pair(np.full(10, d), clusters, offset)) for d in (0.0, 0.3))
    assert [column[0] for column in numbers(same)] == [0, 0, 0, 1]
    # the differences vary once some signs are changed: 2 of 2^5 patterns do not
    assert [column[0] for column in numbers(apart)][1:] == [0, np.inf, pytest.approx(1 / 16)]
    assert (apart.low[0], apart.high[0]) == (-np.inf, np.inf)
    assert (codes(apart), apart.own["smallest_p"]) == (["zero-variance"], [1 / 16])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("values", [[[1.0, 2.0]], [[1.0, 2.0], [3.0, 5.0]], [[1.0, np.nan], [np.nan, 2.0]]])
def test_fewer_than_two_clusters(method, values):
    found = method.compare(outcome_blocks(np.array(values), all_pairs(2), np.zeros(len(values), dtype=int)))
    estimate, std_error, statistic, p_value = numbers(found)
    assert np.isnan([std_error, statistic, p_value]).all()
    assert np.isnan(estimate[0]) == np.isnan(values[0][1])
    assert codes(found) == ["not-estimable"]


def enumerated(values, clusters):
    """Return |t| of every pattern of signs, the observed one first, by the definition of cluster-t."""
    patterns = []
    for signs in product((1.0, -1.0), repeat=int(clusters.max()) + 1):
        row = []
        for a, b in all_pairs(values.shape[1]):
            sums = np.bincount(clusters, (values[:, a] - values[:, b]) * np.array(signs)[clusters])
            row.append(abs(scipy.stats.ttest_1samp(sums, 0).statistic))
        patterns.append(row)
    return np.array(patterns)


def test_exact_permutation_by_enumeration():
    generator = np.random.default_rng(11)
    clusters = np.array([0, 0, 0, 1, 2, 2, 3, 3, 4, 5, 5, 6])
    values = generator.normal([0, 0.7, 1.4], size=(12, 3))
    values[3] = values[3, 0]  # a cluster without any difference still counts
    found = clustered_permutation.compare(outcome_blocks(values, all_pairs(3), clusters))
    every = enumerated(values, clusters)
    reach = every >= every[0] * (1 - 1e-9)
    assert np.abs(found.pairs.statistic) == pytest.approx(every[0], rel=1e-10)
    assert found.pairs.p_value == pytest.approx(reach.mean(axis=0), rel=1e-12)
    order = np.argsort(-every[0])
    p = [np.mean(every[:, order[i:]].max(axis=1) >= every[0, order[i]] * (1 - 1e-9)) for i in range(3)]
    assert found.pairs.p_adjusted[order] == pytest.approx(np.maximum.accumulate(p), rel=1e-12)
    assert found.overall.statistic == pytest.approx(every[0].max())
    assert found.overall.p_value == pytest.approx(p[0])
    assert found.adjust == "max-t"
    assert found.step_wise
    single_step = found.tail(np.abs(found.pairs.statistic))
    assert single_step == pytest.approx([np.mean(every.max(axis=1) >= t * (1 - 1e-9)) for t in every[0]])
    excludes = (found.low > 0) | (found.high < 0)
    assert excludes.tolist() == (single_step <= 0.05).tolist()


def test_one_sided_data_of_five_replicates():
    # golang/go#19634: one algorithm is constant; the permutation p is 2/2^5, not "no difference"
    values = np.column_stack([[10.0, 11, 12, 10.5, 11.5], np.full(5, 20.0)])
    found = clustered_permutation.compare(outcome_blocks(values, all_pairs(2)))
    assert found.pairs.p_value == pytest.approx([0.0625])
    assert (found.low[0], found.high[0]) == (-np.inf, np.inf)
    assert found.own["smallest_p"] == pytest.approx([0.0625])
    assert found.remarks == ()


def test_drawn_patterns_agree_with_all_of_them(monkeypatch):
    values, clusters = np.random.default_rng(2).normal([0, 0.4, 0.8], size=(26, 3)), np.repeat(np.arange(13), 2)
    every = clustered_permutation.compare(outcome_blocks(values, all_pairs(3), clusters))
    monkeypatch.setattr(sign_patterns, "MOST_EXACT", 12)
    drawn = clustered_permutation.compare(outcome_blocks(values, all_pairs(3), clusters))
    again = clustered_permutation.compare(outcome_blocks(values, all_pairs(3), clusters))
    assert drawn.own["smallest_p"] == pytest.approx(np.full(3, 2.0**-12))
    assert drawn.pairs.p_value == pytest.approx(every.pairs.p_value, abs=0.02)
    assert drawn.pairs.p_adjusted == pytest.approx(every.pairs.p_adjusted, abs=0.02)
    assert drawn.pairs.critical == pytest.approx(every.pairs.critical, rel=0.05)
    assert drawn.pairs.p_value.tolist() == again.pairs.p_value.tolist()
    assert drawn.pairs.p_value * 10_000 == pytest.approx(np.round(drawn.pairs.p_value * 10_000))


def test_equivalence_agrees_with_the_interval():
    values = np.random.default_rng(4).normal(size=(40, 2)) * 0.1
    found = clustered_permutation.compare(outcome_blocks(values, all_pairs(2), np.repeat(np.arange(20), 2)))
    edge = np.maximum(-found.low, found.high)
    assert found.p_equivalence(edge * 1.0001)[0] <= 0.05 < found.p_equivalence(edge * 0.9)[0]
    assert found.p_equivalence(np.abs(found.pairs.estimate)) == pytest.approx([1.0])
    assert found.adjust == "none"


def test_tied_statistics_and_the_interval_agree():
    # 9 against 2: 67 of 1024 patterns reach the observed statistic, so that it is tied with the critical value
    found = clustered_permutation.compare(one_pair([-1] * 9 + [1] * 2 + [0] * 39))
    assert found.pairs.p_value == pytest.approx([0.0654296875])
    assert found.low[0] <= 0 <= found.high[0]
    assert found.own["smallest_p"] == pytest.approx([2.0**-10])


def test_draws_give_the_smallest_p():
    values = np.random.default_rng(8).normal([0, 9], size=(60, 2))
    found = clustered_permutation.compare(Blocks(values, all_pairs(2), 0.95, np.random.default_rng(1), draws=199))
    assert found.pairs.p_value == pytest.approx([1 / 200])
    assert found.own["smallest_p"] == pytest.approx([1 / 200])


SIZES = [9, 9, 1, 4, 2, 7, 1, 3]


@pytest.mark.parametrize("seed", range(4))
def test_the_interval_holds_what_the_test_does_not_reject(seed):
    cluster = np.repeat(np.arange(8), SIZES)
    differences = np.random.default_rng(seed).normal(0.5, 1.0, size=36) + np.random.default_rng(seed).normal(size=8)[cluster]
    found = clustered_t.compare(one_pair(differences, cluster, offset=3.0))
    assert found.std_error != pytest.approx(found.estimate / found.statistic, rel=1e-3)
    for level in (0.5, 0.95):
        for end in found.interval(np.array([level])):
            sums = np.bincount(cluster, differences - end[0])
            assert scipy.stats.ttest_1samp(sums, 0).pvalue == pytest.approx(1 - level, rel=1e-6)


def test_effects_that_go_with_the_size_of_the_cluster_leave_a_width():
    # every sum is 1, of nine values or of one; ends by hand: sqrt(20) (1 - 5x)/(4x sqrt(20/19)) = -/+ t(.975, 19)
    differences, cluster = np.repeat([1 / 9, 1.0], [90, 10]), np.concatenate([np.repeat(np.arange(10), 9), np.arange(10, 20)])
    found = clustered_t.compare(one_pair(differences, cluster))
    (low,), (high,) = found.interval(np.array([0.95]))
    half = scipy.stats.t.ppf(0.975, 19) * 4 * np.sqrt(20 / 19) / np.sqrt(20)
    assert (low, high) == (pytest.approx(1 / (5 + half)), pytest.approx(1 / (5 - half)))
    assert codes(found) == ["zero-variance"]
    assert found.p_value == [0]


def test_sizes_that_vary_too_much_leave_no_ends():
    found = clustered_t.compare(one_pair(np.r_[np.full(30, 0.1), 2.0, 1.0], np.r_[np.zeros(30, int), 1, 2]))
    assert [end.tolist() for end in found.interval(np.array([0.95]))] == [[-np.inf], [np.inf]]


def test_flips_of_unequal_clusters_agree_with_their_interval():
    cluster = np.repeat(np.arange(8), SIZES)
    values = np.random.default_rng(4).normal([0, 0.4, 0.1], size=(36, 3))
    found = clustered_permutation.compare(outcome_blocks(values, all_pairs(3), cluster))
    excludes = (found.low > 0) | (found.high < 0)
    assert excludes.tolist() == (found.tail(np.abs(found.pairs.statistic)) <= 0.05).tolist()
    edge = np.maximum(-found.low, found.high)
    assert (found.p_equivalence(edge * 1.0001) <= 0.05).all()
    assert (found.p_equivalence(edge * 0.99) > 0.05).all()
