"""The adjustments of p-values: numbers from R, statsmodels and papers, closed testing by enumeration, and properties."""

from itertools import combinations

import numpy as np
import pytest
from experiments import all_pairs
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from benchkit.errors import BenchkitError
from benchkit.methods.adjustment import (
    benjamini_hochberg,
    benjamini_yekutieli,
    bergmann,
    bonferroni,
    hochberg,
    holm,
    hommel,
    shaffer,
    sidak,
    unadjusted,
)
from benchkit.methods.adjustment.shaffer import equal_pairs

ANY_FAMILY = {
    "bonferroni": bonferroni,
    "sidak": sidak,
    "holm": holm,
    "hochberg": hochberg,
    "hommel": hommel,
    "bh": benjamini_hochberg,
    "by": benjamini_yekutieli,
    "none": unadjusted,
}
EVERY = ANY_FAMILY | {"shaffer": shaffer, "bergmann": bergmann}
NO_CONTRASTS = np.empty((0, 2), dtype=np.int64)

# R: p.adjust (classifiers.json, p_adjust_25 and p_adjust_ties_unsorted)
P_25 = np.array(
    [.001, .008, .039, .041, .042, .06, .074, .205, .212, .216, .222, .251, .269, .275, .34, .341, .384, .569, .594, .696,
     .762, .94, .942, .975, .986]
)  # fmt: skip
R_25 = {
    "bonferroni": [.025, .2, .975] + [1] * 22,
    "holm": [.025, .192, .897, .902, .902] + [1] * 20,
    "hochberg": [.025, .192, .882, .882, .882] + [.986] * 20,
    "hommel": [.025, .192, .682, .697, .714, .84, .962] + [.986] * 18,
    "bh": [.025, .1, .21, .21, .21, .25, 0.2642857142857143] + [0.49107142857142866] * 7
    + [.5328125, .5328125, 0.5647058823529413, 0.781578947368421, 0.781578947368421, .87, 0.9071428571428571] + [.986] * 4,
    "by": [0.09539895444383767, 0.3815958177753507] + [0.8013512173282364] * 3 + [0.9539895444383767] + [1] * 19,
}  # fmt: skip
P_TIES = np.array([0.01, 0.01, 0.04, 1, 0, 0.5])
R_TIES = {
    "bonferroni": [0.06, 0.06, 0.24, 1, 0, 1],
    "holm": [0.05, 0.05, 0.12, 1, 0, 1],
    "hochberg": [0.04, 0.04, 0.12, 1, 0, 1],
    "hommel": [0.04, 0.04, 0.12, 1, 0, 1],
    "bh": [0.02, 0.02, 0.06, 1, 0, 0.6],
    "by": [0.049, 0.049, 0.147, 1, 0, 1],
}

# Garcia & Herrera 2008: Friedman's test of five classifiers on 30 data sets. Raw p-values to seven digits as in the manual
# of scmamp, friedmanPost(data.gh.2008); the algorithms are 0 C4.5, 1 1-NN, 2 NaiveBayes, 3 Kernel, 4 CN2.
GARCIA = np.array(
    [0.004848763, 0.8064959, 4.486991e-08, 0.012763008, 0.010112334, 0.007963489, 0.743971478, 1.736118e-07, 0.024744672,
     0.002880485]
)  # fmt: skip

p_values = st.lists(st.sampled_from([0.0, 0.001, 0.01, 0.02, 0.04, 0.05, 0.2, 0.5, 0.9, 1.0]) | st.floats(0, 1), max_size=15)


def adjusted(name, p, contrasts=NO_CONTRASTS):
    return EVERY[name].adjust(np.array(p, dtype=np.float64), contrasts)


@pytest.mark.parametrize("name", R_25)
def test_r(name):
    assert adjusted(name, P_25) == pytest.approx(R_25[name], rel=1e-12)
    assert adjusted(name, P_TIES) == pytest.approx(R_TIES[name], rel=1e-12)


@pytest.mark.parametrize(
    ("name", "theirs"),
    [("bonferroni", "bonferroni"), ("sidak", "sidak"), ("holm", "holm"), ("hochberg", "simes-hochberg"),
     ("hommel", "hommel"), ("bh", "fdr_bh"), ("by", "fdr_by")],
)  # fmt: skip
@pytest.mark.parametrize("m", [1, 2, 3, 10, 45])
def test_same_as_statsmodels(name, theirs, m):
    p = np.round(np.random.default_rng(m).beta(0.3, 1.0, size=m), 2)  # zeros, small ones and ties
    assert adjusted(name, p) == pytest.approx(np.minimum(multipletests(p, method=theirs)[1], 1.0), abs=1e-14)


def test_published_all_pairs():
    order = np.argsort(GARCIA)
    of_shaffer = [4.487e-7, 1.042e-6, 0.0173, 0.0291, 0.0478, 0.0478, 0.0511, 0.0742, 1.0, 1.0]
    of_bergmann = [4.487e-7, 1.042e-6, 0.0115, 0.0291, 0.0319, 0.0319, 0.0383, 0.0383, 1.0, 1.0]
    rounding = {"rel": 5e-4, "abs": 5e-5}
    assert adjusted("shaffer", GARCIA, all_pairs(5))[order][2:] == pytest.approx(of_shaffer[2:], **rounding)
    assert adjusted("shaffer", GARCIA, all_pairs(5))[order][:2] == pytest.approx(of_shaffer[:2], rel=5e-4, abs=0)
    ours = adjusted("bergmann", GARCIA, all_pairs(5))[order]
    # they put what is out of the order of p in order afterwards; the rule itself gives 3 x .0101 to the sixth
    assert ours[5] == pytest.approx(3 * 0.010112334)
    in_their_order = np.maximum.accumulate(ours)
    assert in_their_order[2:] == pytest.approx(of_bergmann[2:], **rounding)
    assert in_their_order[:2] == pytest.approx(of_bergmann[:2], rel=5e-4, abs=0)


def equal_together(chosen, pairs):
    """Return all pairs that must be equal if the chosen ones are."""
    group = list(range(int(pairs.max()) + 1))
    for a, b in pairs[list(chosen)]:
        group = [group[a] if g == group[b] else g for g in group]
    return tuple(i for i, (a, b) in enumerate(pairs) if group[a] == group[b])


def subsets(m):
    return [chosen for size in range(1, m + 1) for chosen in combinations(range(m), size)]


def bonferroni_of(p):
    return p.size * p.min()


def simes_of(p):
    return np.min(p.size * np.sort(p) / np.arange(1, p.size + 1))


def closed_testing(p, sets, combine):
    """Return for each hypothesis the largest combined p-value among the sets that hold it."""
    found = np.zeros(p.size)
    for chosen in sets:
        found[list(chosen)] = np.maximum(found[list(chosen)], combine(p[list(chosen)]))
    return np.minimum(found, 1.0)


@pytest.mark.parametrize("K", [2, 3, 4, 5])
def test_bergmann_is_closed_testing_of_the_pairs(K):
    pairs = all_pairs(K)
    exhaustive = {equal_together(chosen, pairs) for chosen in subsets(len(pairs))}
    generator = np.random.default_rng(K)
    for _ in range(10):
        p = np.round(generator.beta(0.4, 2.0, len(pairs)), 3)
        assert adjusted("bergmann", p, pairs) == pytest.approx(closed_testing(p, exhaustive, bonferroni_of), rel=1e-14)


@pytest.mark.parametrize("K", [2, 3, 4, 5])
def test_shaffer_counts_what_can_be_equal(K):
    pairs = all_pairs(K)
    sizes = sorted({0} | {len(equal_together(chosen, pairs)) for chosen in subsets(len(pairs))})
    assert list(equal_pairs(K)) == sizes
    p = np.random.default_rng(K).beta(0.4, 2.0, len(pairs))
    expected, highest = np.empty(len(p)), 0.0
    for rank, i in enumerate(np.argsort(p)):
        highest = max(highest, p[i] * max(size for size in sizes if size <= len(p) - rank))
        expected[i] = min(highest, 1.0)
    assert adjusted("shaffer", p, pairs) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(("name", "combine"), [("hommel", simes_of), ("holm", bonferroni_of)])
@pytest.mark.parametrize("m", [1, 3, 6, 10])
def test_closed_testing_of_all_subsets(name, combine, m):
    p = np.random.default_rng(m).beta(0.4, 1.0, m)
    assert adjusted(name, p) == pytest.approx(closed_testing(p, subsets(m), combine), rel=1e-14)


def test_numbers_of_equal_pairs():
    # 5 means: Garcia & Herrera 2008, p. 2680; 7 means by hand: 8 pairs, for one, would need groups of 4 and 3 minus one
    assert equal_pairs(5) == (0, 1, 2, 3, 4, 6, 10)
    assert equal_pairs(7) == (0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 15, 21)
    assert [len(bergmann.partitions(k)) for k in range(1, 10)] == [1, 2, 5, 15, 52, 203, 877, 4140, 21147]  # Bell numbers
    assert len(np.unique(bergmann.partitions(6), axis=0)) == 203


@given(p_values)
def test_any_family(p):
    p = np.array(p, dtype=np.float64)
    found = {name: adjusted(name, p) for name in ANY_FAMILY}
    order = np.argsort(p, kind="stable")
    for values in found.values():
        assert values.shape == p.shape
        assert (values >= p * (1 - 1e-12)).all()
        assert (values <= 1.0).all()
        assert (np.diff(values[order]) >= -1e-15).all()
    for smaller, larger in (("none", "bh"), ("bh", "by"), ("bh", "hommel"), ("hommel", "hochberg"), ("hochberg", "holm"),
                            ("holm", "bonferroni"), ("sidak", "bonferroni")):  # fmt: skip
        assert (found[smaller] <= found[larger] + 1e-15).all()


@pytest.mark.parametrize("name", EVERY)
@given(data=st.data())
def test_order_names_and_sides_do_not_matter(name, data):
    K = data.draw(st.integers(2, 6))
    contrasts = all_pairs(K)
    p = np.array(data.draw(st.lists(st.floats(0, 1), min_size=len(contrasts), max_size=len(contrasts))))
    shuffle = np.array(data.draw(st.permutations(range(len(p)))))
    names = np.array(data.draw(st.permutations(range(0, 3 * K, 3))))
    turned = names[contrasts[shuffle]]
    turned[::2] = turned[::2, ::-1]
    assert adjusted(name, p[shuffle], turned) == pytest.approx(adjusted(name, p, contrasts)[shuffle], abs=1e-15)


@given(st.integers(2, 7), st.integers(0, 10**6))
def test_logic_only_helps(K, seed):
    p = np.random.default_rng(seed).beta(0.4, 2.0, K * (K - 1) // 2)
    of_bergmann, of_shaffer = adjusted("bergmann", p, all_pairs(K)), adjusted("shaffer", p, all_pairs(K))
    assert (p <= of_bergmann).all()
    assert (of_bergmann <= of_shaffer + 1e-15).all()
    assert (of_shaffer <= adjusted("holm", p) + 1e-15).all()


@pytest.mark.parametrize("name", EVERY)
def test_lower_p_values_never_give_higher_ones(name):
    generator = np.random.default_rng(3)
    for _ in range(30):
        p = generator.beta(0.4, 2.0, 10)
        lower = p * generator.choice([1.0, 1.0, 0.5, 0.01], 10)
        assert (adjusted(name, lower, all_pairs(5)) <= adjusted(name, p, all_pairs(5)) + 1e-15).all()


@pytest.mark.parametrize("name", ANY_FAMILY)
def test_missing_p_values_leave_the_family(name):
    some, places = np.array([0.03, 0.2, 0.01]), [1, 2, 4]
    p = np.full(5, np.nan)
    p[places] = some
    found = adjusted(name, p)
    assert found[places] == pytest.approx(adjusted(name, some))
    assert np.isnan(np.delete(found, places)).all()
    assert np.isnan(p[0])
    assert np.isnan(adjusted(name, [np.nan])).all()
    assert adjusted(name, []).size == 0


def test_the_argument_stays_as_it_is():
    for name in EVERY:
        p = np.array([0.3, 0.001, 0.02])
        adjusted(name, p, all_pairs(3))[:] = 7.0
        assert p.tolist() == [0.3, 0.001, 0.02]


def test_sidak_keeps_small_numbers():
    assert adjusted("sidak", [1e-20, 1.0]) == pytest.approx([2e-20, 1.0], rel=1e-14)


@pytest.mark.parametrize("name", ["shaffer", "bergmann"])
def test_all_pairs_only(name):
    with pytest.raises(BenchkitError, match="all pairs") as refused:
        adjusted(name, [0.1, 0.2], [[1, 0], [2, 0]])
    assert "holm" in refused.value.hint
    with pytest.raises(BenchkitError, match="all pairs"):
        adjusted(name, [0.1, 0.2, 0.3], [[0, 1], [0, 2], [2, 0]])
    with pytest.raises(BenchkitError, match="all pairs"):
        adjusted(name, [0.1, 0.2, 0.3], [[0, 1], [1, 1], [2, 0]])
    with pytest.raises(BenchkitError, match="1 of 3 have none"):
        adjusted(name, [0.1, np.nan, 0.3], all_pairs(3))
    assert adjusted(name, [0.1], [[4, 2]]) == pytest.approx([0.1])


def test_bergmann_up_to_nine():
    p = np.random.default_rng(1).beta(0.4, 2.0, 36)
    assert (adjusted("bergmann", p, all_pairs(9)) <= adjusted("shaffer", p, all_pairs(9)) + 1e-15).all()
    with pytest.raises(BenchkitError, match="at most 9 algorithms, and these are 10"):
        adjusted("bergmann", np.full(45, 0.1), all_pairs(10))
