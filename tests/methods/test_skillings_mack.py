from dataclasses import replace
from itertools import permutations, product
from unittest.mock import patch

import numpy as np
import pytest
from experiments import blocks
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from published_ranks import ASSEMBLY, GARCIA

from benchkit.methods.comparison import friedman, permuted_totals, sign, skillings_mack, wilcoxon


def compare(values, **options):
    return skillings_mack.compare(replace(blocks(values), options=options))


def test_published_example():
    # Skillings & Mack 1981, p. 173: 15.49 on 3 degrees of freedom
    found = compare(ASSEMBLY)
    assert found.overall.statistic == pytest.approx(15.49, abs=0.005)
    assert (found.overall.df1, found.overall.p_value) == (3, pytest.approx(0.00144, abs=1e-5))
    assert found.n.tolist() == [7, 8, 7, 8, 6, 7]


def test_the_authors_formula():
    values = np.where(np.random.default_rng(1).random((12, 4)) < 0.25, np.nan, np.random.default_rng(2).normal(size=(12, 4)))
    values = values[(~np.isnan(values)).sum(axis=1) > 1]
    sums, together = np.zeros(4), np.zeros((4, 4))
    for row in values:
        here = np.flatnonzero(~np.isnan(row))
        k = here.size
        ranks = row[here].argsort().argsort() + 1
        sums[here] += np.sqrt(12 / (k + 1)) * (ranks - (k + 1) / 2)
        together[np.ix_(here, here)] += 1
    covariance = np.diag(together.sum(axis=1)) - together
    expected = sums[:3] @ np.linalg.solve(covariance[:3, :3], sums[:3])
    assert compare(values).overall.statistic == pytest.approx(expected, rel=1e-10)
    assert compare(values, ties="ignore").overall.statistic == pytest.approx(expected, rel=1e-10)


@settings(max_examples=25)
@given(arrays(np.float64, st.tuples(st.integers(2, 8), st.integers(2, 5)), elements=st.integers(0, 3).map(float)))
def test_complete_data_are_friedmans(values):
    found = skillings_mack.compare(blocks(values, draws=9)).overall
    whole = friedman.compare(blocks(values, draws=9))
    if values.shape[1] == 2:
        assert (found.statistic, found.p_value) == (whole.overall.statistic, whole.overall.p_value)
        return
    expected = whole.overall_own
    assert found.statistic == pytest.approx(expected["chi_square"], rel=1e-9, abs=1e-9)
    assert found.p_value == pytest.approx(expected["p_chi_square"], rel=1e-9, abs=1e-9)


def test_two_algorithms_are_the_sign_test():
    # binomial: 5 of 6 that differ, 2 (1 + 6) / 2^6; replicates with one value or a tie do not count
    values = np.array([[1.0, 2], [1, 3], [2, 5], [1, 9], [4, 5], [3, 2], [7, 7], [np.nan, 4]])
    found = compare(values)
    alone = sign.compare(blocks(values))
    assert (found.method, found.overall.p_value) == ("skillings-mack-sign", found.p_value[0])
    assert found.p_value[0] == pytest.approx(14 / 64, rel=1e-12)
    assert (found.estimate[0], found.n[0]) == (alone.estimate[0], 7)
    assert found.remarks[0].code == "two-algorithms"
    ranked = compare(values, zeros="wilcox")  # an option of signed ranks asks for them
    assert ranked.p_value[0] == wilcoxon.compare(replace(blocks(values), options={"zeros": "wilcox"})).p_value[0]


def test_ties_ignored_as_in_garcia():
    assert compare(-GARCIA, ties="ignore").overall.statistic == pytest.approx(16.225, abs=5e-4)


def enumerated(values, statistic, **options):
    """The share of all orders of what each replicate has whose statistic is at least the observed one."""
    present = ~np.isnan(values)
    orders = [[*permutations(row[here])] for row, here in zip(values, present, strict=True)]
    reached, every = 0, 0
    for one in product(*orders):
        moved = np.full(values.shape, np.nan)
        moved[present] = np.concatenate(one)
        reached += compare_without_draws(moved, **options) >= statistic * (1 - 1e-9) - 1e-12
        every += 1
    return reached / every


def compare_without_draws(values, **options):
    return skillings_mack.compare(replace(blocks(values, draws=0), options=options)).overall.statistic


# missing cells and ties; the first row alone connects the second algorithm
HOLES = np.array([[3.0, 0, 1], [2, np.nan, 0], [np.nan, 0, np.nan], [0, 0, 0], [1, 2, np.nan], [5, 4, 4]])


@pytest.mark.parametrize("options", [{}, {"ties": "ignore"}])
@pytest.mark.parametrize(
    "values",
    [HOLES, HOLES[:4], HOLES[[0, 5]], np.column_stack([HOLES[[0, 1, 4]], [np.nan, 7, 1]])],
    ids=["6x3", "4x3", "2x3", "3x4"],
)
def test_exact_is_enumeration(values, options):
    found = compare(values, **options)
    assert found.overall_own["p_exact"] == pytest.approx(enumerated(values, found.overall.statistic, **options), rel=1e-12)
    assert np.isnan(found.overall_own["p_monte_carlo"])


def test_exact_with_missing_cells_of_eight_replicates():
    # 306 of all 6^6 2^2 orders, counted by a loop over them
    values = np.array(
        [[663, 728, 717], [738, 749, 782], [685, 737, 723], [np.nan, 790, 757], [696, np.nan, 721], [676, 695, 763],
         [691, 718, 716], [679, 749, 747]]
    )  # fmt: skip
    assert compare(values).overall_own["p_exact"] == pytest.approx(306 / 186_624, rel=1e-12)


@settings(max_examples=25)
@given(arrays(np.float64, st.tuples(st.integers(2, 7), st.integers(2, 4)), elements=st.integers(0, 3).map(float)))
def test_exact_of_complete_data_is_friedmans(values):
    expected = friedman.compare(blocks(values, draws=9)).overall_own["p_exact"]
    found = skillings_mack.compare(blocks(values, draws=9))
    assert found.overall_own["p_exact"] == pytest.approx(expected, rel=1e-12)
    if values.shape[1] == 2:
        assert expected == pytest.approx(found.overall.p_value, rel=1e-12)


def test_two_algorithms_with_missing_cells_are_the_sign_test_exactly():
    values = np.array([[1.0, 2], [1, 3], [2, 5], [1, 9], [4, 5], [3, 2], [7, 7], [np.nan, 4]])
    found = compare(values)
    assert found.overall_own["p_exact"] == pytest.approx(14 / 64, rel=1e-12) == found.overall.p_value


def test_published_example_exactly():
    # Skillings & Mack 1981 have chi-square's .0014; the drawn p-value checks the exact one
    exact = compare(ASSEMBLY).overall_own["p_exact"]
    with patch.object(permuted_totals, "MOST_STEPS", 0):
        drawn = compare(ASSEMBLY).overall_own
    assert np.isnan(drawn["p_exact"])
    assert exact == pytest.approx(drawn["p_monte_carlo"], abs=4 * np.sqrt(exact / 9999) + 1e-4)


def test_monte_carlo_is_seeded_and_near_the_exact_p_value():
    values = np.random.default_rng(3).normal(size=(6, 3)) + np.array([0.0, 0.5, 1.0])
    exact = friedman.compare(blocks(values)).overall_own["p_exact"]
    with patch.object(permuted_totals, "MOST_STEPS", 0):
        found = compare(values).overall_own
        assert found["p_monte_carlo"] == pytest.approx(exact, abs=4 * np.sqrt(exact / 9999))
        assert compare(values).overall_own["p_monte_carlo"] == found["p_monte_carlo"]
    assert np.isnan(found["p_exact"])


def test_rows_with_one_value_and_relabelling():
    alone = np.vstack([ASSEMBLY, [[np.nan, 1.0, np.nan, np.nan]]])
    found = compare(alone)
    assert found.overall == compare(ASSEMBLY).overall
    assert found.overall_own["replicates_used"] == 9
    moved = compare(ASSEMBLY[:, [3, 0, 2, 1]]).overall
    assert moved.statistic == pytest.approx(found.overall.statistic, rel=1e-12)


def test_algorithms_that_are_not_connected():
    values = np.array([[1.0, 2, np.nan, np.nan], [np.nan, np.nan, 1, 2]] * 4)
    found = compare(values)
    assert (found.overall.df1, found.overall.statistic) == (2, pytest.approx(8))
    assert [remark.code for remark in found.remarks] == ["not-connected", "not-estimable"]


def test_limits():
    found = compare(np.ones((4, 3)))
    assert (found.overall.statistic, found.overall.df1, found.overall.p_value) == (0, 2, 1)
    assert found.remarks[0].code == "ties"
    assert np.isnan(compare(np.array([[1.0, np.nan], [np.nan, 2.0]])).overall.p_value)
