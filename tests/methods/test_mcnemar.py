from math import comb

import numpy as np
import pytest
from experiments import all_pairs
from hypothesis import given
from hypothesis import strategies as st
from outcomes import MLXTEND, PRIMES, VOTES, from_table, oriented, outcome_blocks

from benchkit.errors import BenchkitError
from benchkit.methods.comparison.mcnemar import compare, exact_p_values
from benchkit.methods.comparison.table_counts import compare_counts

# R 4.2, mcnemar.test, binom.test and twice the one-sided mid-p (shared/reference/classifiers.json):
# table; chi-square, p; corrected, p; exact; mid-p
R = {
    (9959, 11, 1, 29): (
        8.333333333333334, 0.0038924171227786297, 6.75, 0.009374768459434878, 0.006347656250000004, 0.0034179687500000035,
    ),
    (9945, 25, 15, 15): (2.5, 0.11384629800665812, 2.025, 0.15472892348537878, 0.15385994416283236, 0.11727520595741261),
    (90, 3, 0, 7): (3, 0.08326451666355056, 4 / 3, 0.24821307898992362, 0.25, 0.125),
    (90, 0, 3, 7): (3, 0.08326451666355056, 4 / 3, 0.24821307898992362, 0.25, 0.125),
    (80, 5, 5, 10): (0, 1, 0, 1, 1, 1),
    (97, 1, 1, 1): (0, 1, 0, 1, 1, 1),
    (98, 1, 0, 1): (1, 0.31731050786291415, 0, 1, 1, 0.5),
    (500000, 60000, 61000, 379000): (
        8.264462809917354, 0.004042862198797275, 8.24794214876033, 0.004079822654824915, 0.004079637581188638,
        0.004042830143611533,
    ),
}  # fmt: skip


@pytest.mark.parametrize("table", R)
def test_every_variant_as_in_r(table):
    chi, p, corrected, p_corrected, exact, midp = R[table]
    found = {variant: compare_counts(table, variant) for variant in ("uncorrected", "corrected", "exact", "midp")}
    assert found["uncorrected"].statistic == pytest.approx([chi], rel=1e-12)
    assert found["uncorrected"].p_value == pytest.approx([p], rel=1e-12)
    assert found["corrected"].statistic == pytest.approx([corrected], rel=1e-12)
    assert found["corrected"].p_value == pytest.approx([p_corrected], rel=1e-12)
    assert found["exact"].p_value == pytest.approx([exact], rel=1e-12)
    assert found["midp"].p_value == pytest.approx([midp], rel=1e-12)
    for variant, one in found.items():
        assert one.method == f"mcnemar-{variant}"
        assert one.own["p_exact"] == pytest.approx([exact], rel=1e-12)


def test_the_tables_of_the_lecture():
    first, second = (9959, 11, 1, 29), (9945, 25, 15, 15)
    for table, chi, p, corrected, exact in ((first, 8.3333, 0.0039, 6.75, 0.00635), (second, 2.5, 0.1138, 2.025, 0.1539)):
        found = compare_counts(table, "uncorrected")
        assert found.statistic == pytest.approx([chi], abs=5e-5)
        assert found.p_value == pytest.approx([p], abs=5e-5)
        assert compare_counts(table, "corrected").statistic == pytest.approx([corrected])
        assert compare_counts(table, "exact").p_value == pytest.approx([exact], abs=5e-5)


@pytest.mark.parametrize(
    ("table", "corrected", "p", "exact"),
    [
        ((9945, 25, 15, 15), 2.025, 0.154728923485, None),  # mlxtend mcnemar.ipynb, table B
        ((794, 86, 150, 570), 16.817797, 4.114562e-05, None),  # R ?mcnemar.test (Agresti 1990, p. 350)
        ((101, 121, 59, 33), 20.67222, 5.450095e-06, 4e-6),  # statsmodels, test_nonparametric.py, from R and vassarstats
        ((101, 70, 59, 33), 0.7751938, 0.3786151, 0.378688),
        ((101, 80, 59, 33), 2.87769784, 0.08981434, 0.089452),
        ((101, 30, 60, 33), None, None, 0.00206),
        ((101, 10, 30, 33), None, None, 0.002221),
        ((101, 10, 10, 33), None, None, 1.0),
    ],
)
def test_published_tables(table, corrected, p, exact):
    found = compare_counts(table, "corrected")
    if corrected is not None:
        assert found.statistic == pytest.approx([corrected], rel=1e-6)
        assert found.p_value == pytest.approx([p], rel=1e-6)
    if exact is not None:
        assert found.own["p_exact"] == pytest.approx([exact], abs=5e-7 if exact != 0.00206 else 5e-6)


def test_votes_of_four_classifiers_as_in_r():
    # shared/reference/classifiers.json, votes: pairwise_mcnemar
    found = compare(outcome_blocks(oriented(VOTES), all_pairs(4), variant="corrected"))
    assert found.own["n10"].tolist() == [29, 19, 40, 12, 30, 34]
    assert found.own["n01"].tolist() == [3, 10, 8, 29, 24, 11]
    chi = [19.53125, 2.206896551724138, 20.020833333333332, 6.2439024390243905, 0.46296296296296297, 10.755555555555556]
    assert found.statistic == pytest.approx(chi, rel=1e-12)
    exact = [2.556014806032184e-06, 0.13604594767093653, 3.305266709219278e-06, 0.011507789735333077]
    assert found.own["p_exact"] == pytest.approx([*exact, 0.49661743531793445, 0.0008240823595997452], rel=1e-12)
    assert -found.means.estimate == pytest.approx([0.91, 0.78, 0.865, 0.75])
    midp = [1.4011748135089893e-06, 0.09873714670538893, 1.964653776553868e-06, 0.007915897334896733]
    automatic = compare(outcome_blocks(oriented(VOTES), all_pairs(4)))
    assert automatic.method == "mcnemar-midp"
    assert automatic.p_value == pytest.approx([*midp, 0.4187541882690163, 0.0005355850721002781], rel=1e-12)


def test_mlxtend_models_and_language_models():
    found = compare(outcome_blocks(oriented(MLXTEND), all_pairs(3), variant="uncorrected"))
    assert found.statistic == pytest.approx([5.333333333333333, 4.0, 0.0])
    assert found.p_value == pytest.approx([0.020921335337794035, 0.04550026389635857, 1.0])
    assert found.own["p_exact"] == pytest.approx([0.03857421875, 0.076812744140625, 1.0])
    assert -found.means.estimate == pytest.approx([0.84, 0.92, 0.92])
    primes = compare(outcome_blocks(oriented(PRIMES), all_pairs(4)))
    assert -primes.means.estimate == pytest.approx([0.518, 0.680, 0.840, 0.502])
    assert primes.own["n10"].tolist() == [242, 144, 34, 39, 413, 477]


def test_the_one_with_more_of_its_own_right_is_better():
    # rasbt/mlxtend#664: A alone has 9 right, B alone 2
    found = compare(outcome_blocks(from_table(30, 9, 2, 9), all_pairs(2)))
    assert found.estimate == pytest.approx([-7 / 50])  # less is better
    assert (found.mean_a, found.mean_b) == (pytest.approx([-39 / 50]), pytest.approx([-32 / 50]))
    assert found.own["odds_ratio"] == pytest.approx([4.5])
    assert found.own["p_exact"] == pytest.approx([0.0654296875])
    low, high = found.interval(np.array([0.95]))
    assert low[0] < high[0] < 0
    errors = compare(outcome_blocks(from_table(30, 9, 2, 9) + 1.0, all_pairs(2)))  # the same as errors: 1 is wrong
    assert errors.own["n10"].tolist() == [9]
    assert errors.estimate == pytest.approx(found.estimate)
    assert errors.mean_a == pytest.approx([11 / 50])


def test_no_discordant_item_gives_statistic_0_and_p_1():
    values = oriented({"111": 38, "110": 2, "000": 10})
    for variant in ("auto", "exact", "midp", "corrected", "uncorrected"):
        found = compare(outcome_blocks(values, all_pairs(3), variant=variant))
        assert [found.estimate[0], found.statistic[0], found.p_value[0]] == [0, 0, 1]
        assert np.isnan(found.own["odds_ratio"][0])
        assert np.isnan(found.std_error[0])
        assert found.own["odds_ratio"][1] == np.inf
        assert [(remark.code, remark.pairs) for remark in found.remarks] == [("no-discordant", (0,))]
    low, high = found.interval(np.full(3, 0.95))
    assert (low[0], high[0]) == (pytest.approx(-(1.959963984540054**2) / (50 + 1.959963984540054**2)), pytest.approx(-low[0]))


@given(st.integers(0, 40), st.integers(0, 40))
def test_exact_and_mid_p_by_summation(b, c):
    total, least = b + c, min(b, c)
    below = sum(comb(total, k) for k in range(least)) / 2**total
    at = comb(total, least) / 2**total
    exact, midp = exact_p_values(np.array([float(b)]), np.array([float(c)]))
    assert exact == pytest.approx([min(1.0, 2 * (below + at))], rel=1e-13)
    assert midp == pytest.approx([1.0 if b == c else 2 * below + at], rel=1e-13)


@given(st.lists(st.lists(st.sampled_from([0.0, -1.0, np.nan]), min_size=3, max_size=3), min_size=2, max_size=30))
def test_counts_with_missing_cells_and_swapped_pairs(rows):
    values = np.array(rows)
    found = compare(outcome_blocks(values, all_pairs(3)))
    swapped = compare(outcome_blocks(values, all_pairs(3)[:, ::-1]))
    for i, (a, b) in enumerate(all_pairs(3)):
        first, second = values[:, a], values[:, b]
        both = ~np.isnan(first) & ~np.isnan(second)
        assert found.n[i] == both.sum()
        if both.any():
            assert found.estimate[i] == pytest.approx((first - second)[both].mean())
            assert found.mean_a[i] - found.mean_b[i] == pytest.approx(found.estimate[i])
            right = -1.0 if np.nanmin(values) < 0 else 0.0
            assert found.own["n10"][i] == ((first == right) & (second != right))[both].sum()
        else:
            assert np.isnan([found.estimate[i], found.p_value[i], found.statistic[i], found.own["p_exact"][i]]).all()
            assert found.remarks[0].code == "not-estimable"
    assert swapped.estimate == pytest.approx(-found.estimate, nan_ok=True)
    assert swapped.p_value == pytest.approx(found.p_value, nan_ok=True)
    assert swapped.statistic == pytest.approx(found.statistic, nan_ok=True)
    low, high = found.interval(np.full(3, 0.9))
    assert swapped.interval(np.full(3, 0.9)) == (pytest.approx(-high, nan_ok=True), pytest.approx(-low, nan_ok=True))


def test_means_are_those_of_the_values():
    values = oriented(VOTES)
    values[:5, 1] = np.nan
    found = compare(outcome_blocks(values, all_pairs(4)))
    assert found.means.n.tolist() == [200, 195, 200, 200]
    assert found.means.estimate == pytest.approx(np.nanmean(values, axis=0))
    assert found.means.std_error == pytest.approx(np.nanstd(values, axis=0, ddof=1) / np.sqrt(found.means.n))
    d = values[:, 0] - values[:, 2]
    assert found.std_error[1] == pytest.approx(d.std() / np.sqrt(200))


def test_automatic_variant_goes_by_the_pair():
    values = np.zeros((24_000, 3))
    values[:10_001, 0], values[:9_999, 1] = -1.0, -1.0
    found = compare(outcome_blocks(values, all_pairs(3)))
    assert found.method == "mcnemar-auto"
    assert [(remark.code, remark.pairs) for remark in found.remarks] == [("mixed-variants", (1,))]
    assert found.p_value[0] == pytest.approx(0.25)


@pytest.mark.parametrize(
    "values", [[[0.5, 1.0], [0.0, 1.0]], [[1.0, 2.0], [2.0, 1.0]], [[-1.0, 0.0], [1.0, 0.0]], [[-2.0, -1.0]] * 2]
)
def test_numbers_are_refused(values):
    with pytest.raises(BenchkitError, match="0 or 1"):
        compare(outcome_blocks(np.array(values), all_pairs(2)))


def test_unknown_variants_and_strange_tables_are_refused():
    with pytest.raises(BenchkitError, match="no variant"):
        compare(outcome_blocks(from_table(1, 1, 1, 1), all_pairs(2), variant="edwards"))
    for counts, variant in (((1, 2, 3), "auto"), ((0, 0, 0, 0), "auto"), ((5, -1, 2, 3), "auto"), ((5, 1, 2, 3), "edwards")):
        with pytest.raises(BenchkitError):
            compare_counts(counts, variant)


def test_a_table_is_the_same_as_its_items():
    table, items = compare_counts((30, 9, 2, 9)), compare(outcome_blocks(from_table(30, 9, 2, 9), all_pairs(2)))
    for name in ("n", "mean_a", "mean_b", "estimate", "p_value", "std_error", "statistic", "df"):
        assert getattr(table, name) == pytest.approx(getattr(items, name))
    assert {name: column.tolist() for name, column in table.own.items()} == {name: c.tolist() for name, c in items.own.items()}
    assert table.means.estimate == pytest.approx(items.means.estimate)
    assert table.means.n.tolist() == [50, 50]


@pytest.mark.parametrize("variant", ["exact", "midp", "corrected", "uncorrected"])
@pytest.mark.parametrize("split", [(0, 0), (1, 0), (2, 3), (7, 5)])
def test_the_smallest_p_value_is_that_of_items_all_on_one_side(variant, split):
    only_a, only_b = split
    found, extreme = (
        compare(outcome_blocks(oriented({"10": b, "01": c, "11": 20}), all_pairs(2), variant=variant))
        for b, c in ((only_a, only_b), (only_a + only_b, 0))
    )
    assert found.own["smallest_p"][0] == pytest.approx(extreme.p_value[0], rel=1e-12)
    assert extreme.p_value[0] <= found.p_value[0]
