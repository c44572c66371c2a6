from itertools import permutations, product
from time import perf_counter

import numpy as np
import pytest
from experiments import all_pairs
from outcomes import DRUGS, MLXTEND, PRIMES, VOTES, from_table, oriented, outcome_blocks

from benchkit.methods.comparison import cochran_q, looney_f, mcnemar


def overall(values, method=cochran_q):
    return method.compare(outcome_blocks(values, all_pairs(values.shape[1]))).overall


@pytest.mark.parametrize(
    ("patterns", "statistic", "p", "precision"),
    [
        (VOTES, 31.746987951807228, 5.917056816799267e-07, 1e-12),  # R: shared/reference/classifiers.json
        (MLXTEND, 7.529411764705882, 0.023174427241061245, 1e-12),  # 7.529, .023 in mlxtend's cochrans_q.ipynb
        (DRUGS, 8.470588235294118, 0.014475552056282441, 1e-12),  # 8.4706, .0145 in SAS/STAT
        (PRIMES, 322.11, 0.0, 1e-4),  # shared/cases/README.md, r24
    ],
)
def test_published_q(patterns, statistic, p, precision):
    found = overall(oriented(patterns))
    assert found.statistic == pytest.approx(statistic, rel=precision)
    assert found.p_value == pytest.approx(p, rel=1e-12, abs=1e-60)
    assert found.df1 == len(next(iter(patterns))) - 1
    assert np.isnan(found.df2)


def test_subsets_as_in_r():
    # shared/reference/classifiers.json: cochran_Q_three, cochran_Q_first_two
    values = oriented(VOTES)
    assert overall(values[:, :3]).statistic == pytest.approx(20.50980392156863, rel=1e-12)
    assert overall(values[:, :3]).p_value == pytest.approx(3.518460388110633e-05, rel=1e-12)
    two = cochran_q.compare(outcome_blocks(values[:, :2], all_pairs(2), variant="uncorrected"))
    assert two.overall.statistic == pytest.approx(21.125)
    assert [two.overall.statistic, two.overall.p_value] == pytest.approx([two.statistic[0], two.p_value[0]], rel=1e-12)
    assert two.overall_own["p_exact"] == pytest.approx(two.own["p_exact"][0], rel=1e-12)


def test_looney_of_mlxtend_with_the_right_degrees_of_freedom():
    # F 3.873 in mlxtend's ftest.ipynb, whose p of .02238 has df2 = (L-1) N; shared/cases: .022392543045932134
    found = overall(oriented(MLXTEND), looney_f)
    assert found.statistic == pytest.approx(3.8728606356966546, rel=1e-12)
    assert found.p_value == pytest.approx(0.022392543045932134, rel=1e-10)
    assert (found.df1, found.df2) == (2, 198)


def test_looney_of_two_is_the_square_of_the_paired_t():
    values = from_table(30, 9, 2, 9)
    d = values[:, 0] - values[:, 1]
    t = d.mean() / (d.std(ddof=1) / np.sqrt(50))
    assert overall(values, looney_f).statistic == pytest.approx(t**2, rel=1e-12)


@pytest.mark.parametrize("method", [cochran_q, looney_f])
def test_identical_columns_are_equal(method):
    found = method.compare(outcome_blocks(np.repeat([[-1.0], [0.0], [-1.0]], 3, axis=1), all_pairs(3)))
    assert (found.overall.statistic, found.overall.p_value) == (0, 1)
    assert found.p_value.tolist() == [1, 1, 1]
    assert [remark.code for remark in found.remarks] == ["no-discordant"]


def test_the_same_difference_on_every_item():
    values = np.tile([-1.0, 0.0, 0.0], (12, 1))
    assert overall(values).statistic == pytest.approx(24)
    found = overall(values, looney_f)
    assert (found.statistic, found.p_value) == (np.inf, 0)
    assert np.isnan(overall(values[:1], looney_f).p_value)


@pytest.mark.parametrize("method", [cochran_q, looney_f])
def test_incomplete_items_are_left_out_of_the_overall_test_only(method):
    values = oriented(VOTES)
    holes = np.vstack([values, [[-1.0, np.nan, 0.0, 0.0], [np.nan, np.nan, -1.0, 0.0]]])
    found, plain = (method.compare(outcome_blocks(v, all_pairs(4))) for v in (holes, values))
    assert found.overall.statistic == plain.overall.statistic
    assert found.remarks[0].code == "incomplete-replicates"
    assert found.remarks[0].numbers == {"left_out": 2.0, "replicates": 202.0}
    assert found.n.tolist() == [200, 201, 201, 200, 200, 202]
    pairs = mcnemar.compare(outcome_blocks(holes, all_pairs(4)))
    assert found.p_value.tolist() == pairs.p_value.tolist()
    assert found.method == f"{method.__name__.rpartition('.')[2].replace('_', '-')}-mcnemar-midp"


@pytest.mark.parametrize("method", [cochran_q, looney_f])
def test_no_complete_item_gives_no_overall_test(method):
    found = method.compare(outcome_blocks(np.array([[-1.0, 0.0, np.nan], [np.nan, 0.0, -1.0]]), all_pairs(3)))
    assert np.isnan([found.overall.statistic, found.overall.p_value]).all()
    assert found.n.tolist() == [1, 0, 1]


def test_exact_p_by_enumeration():
    values = oriented({"110": 2, "100": 3, "011": 1, "111": 2, "000": 1})
    found = cochran_q.compare(outcome_blocks(values, all_pairs(3)))
    observed = (values.sum(axis=0) ** 2).sum()
    orders = [sorted(set(permutations(row))) for row in values.tolist()]
    sums = [(np.sum(choice, axis=0) ** 2).sum() >= observed for choice in product(*orders)]
    assert found.overall_own["p_exact"] == pytest.approx(np.mean(sums), rel=1e-12)


def test_relabelling_and_shuffling_change_nothing():
    values = oriented(VOTES)
    generator = np.random.default_rng(3)
    other = generator.permutation(values)[:, [2, 0, 3, 1]]
    for method in (cochran_q, looney_f):
        assert overall(other, method).statistic == pytest.approx(overall(values, method).statistic, rel=1e-14)


def test_a_million_items_take_a_moment():
    values = -(np.random.default_rng(1).random((1_000_000, 10)) < 0.7).astype(np.float64)
    start = perf_counter()
    found = cochran_q.compare(outcome_blocks(values, all_pairs(10)))
    assert perf_counter() - start < 2.0  # 0.03 s on a quiet machine; the reference implementation takes 24 s
    assert found.method == "cochran-q-mcnemar-uncorrected"
    assert found.own["n10"][0] == np.count_nonzero(values[:, 0] < values[:, 1])
