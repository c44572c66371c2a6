import numpy as np
import pytest
import scipy.stats
from independent_samples import PLANTS, samples

from benchkit.methods.comparison import games_howell, welch_t
from benchkit.methods.comparison.samples import samples_of

METHODS = (welch_t.compare, games_howell.compare)


def pairs_of(answer):
    return getattr(answer, "pairs", answer)


def test_r_on_the_plants():
    # R 4: t.test and oneway.test(weight ~ group, PlantGrowth)
    found = welch_t.compare(samples(*PLANTS))
    assert found.statistic == pytest.approx([1.191260381848704, -2.13402045312406141, -3.01009854212436156], rel=1e-12)
    assert found.df == pytest.approx([16.523585056859300, 16.78576448260571752, 14.10356912276034080], rel=1e-12)
    assert found.p_value == pytest.approx([0.250382508587548, 0.04789925560196932, 0.00929840471726983], rel=1e-12)
    assert found.std_error == pytest.approx([0.311434851400203, 0.23148794065062367, 0.28736600742297658], rel=1e-12)
    overall = found.overall
    assert (overall.statistic, overall.df1, overall.df2, overall.p_value) == pytest.approx(
        (5.18097240811319, 2, 17.12841861664413, 0.01739282149017), rel=1e-11
    )
    assert found.n.tolist() == [20, 20, 20]
    assert found.own["n_a"].tolist() == [10, 10, 10]
    assert found.interval is None


def test_games_howell_by_r_on_the_plants():
    # R 4: ptukey(|t| sqrt(2), 3, df, lower = FALSE) and qtukey(.95, 3, df)/sqrt(2), good to about 8 digits
    answer = games_howell.compare(samples(*PLANTS))
    assert answer.pairs.p_adjusted == pytest.approx([0.47455492219398, 0.112889176854219, 0.0237034547392034], abs=1e-7)
    assert answer.pairs.critical == pytest.approx([2.57224744725931, 2.56840348426832, 2.61508663958533], abs=1e-6)
    assert answer.pairs.p_value == pytest.approx([0.250382508587548, 0.04789925560196932, 0.00929840471726983], rel=1e-12)
    assert (answer.method, answer.adjust, answer.ci_kind, answer.step_wise) == ("games-howell", "tukey", "simultaneous", False)
    assert answer.tail(answer.pairs.critical) == pytest.approx([0.05] * 3, rel=1e-8)


def test_unequal_sizes_agree_with_scipy():
    generator = np.random.default_rng(3)
    columns = [generator.normal(k, 1 + k, size=5 + 4 * k) for k in range(4)]
    found, answer = welch_t.compare(samples(*columns)), games_howell.compare(samples(*columns))
    theirs = scipy.stats.tukey_hsd(*columns, equal_var=False)
    for i, (a, b) in enumerate(samples(*columns).contrasts):
        one = scipy.stats.ttest_ind(columns[a], columns[b], equal_var=False)
        assert (found.statistic[i], found.df[i], found.p_value[i]) == pytest.approx(
            (one.statistic, one.df, one.pvalue), rel=1e-12
        )
        assert answer.pairs.p_adjusted[i] == pytest.approx(theirs.pvalue[a, b], rel=1e-6)
    assert found.means.n.tolist() == [5, 9, 13, 17]


def test_two_samples_are_one_welch_test():
    found, answer = (compare(samples(*PLANTS[:2])) for compare in METHODS)
    assert answer.pairs.p_adjusted == pytest.approx(found.p_value, rel=1e-10)
    assert answer.adjust == "none"
    assert answer.pairs.critical[0] == pytest.approx(scipy.stats.t.ppf(0.975, found.df[0]), rel=1e-9)
    assert found.overall.statistic == pytest.approx(found.statistic[0] ** 2, rel=1e-12)
    assert found.overall.p_value == pytest.approx(found.p_value[0], rel=1e-10)


def test_order_unit_and_offset_do_not_matter():
    generator = np.random.default_rng(4)
    shuffled = welch_t.compare(samples(*(generator.permutation(column) for column in PLANTS)))
    plain = welch_t.compare(samples(*PLANTS))
    moved = welch_t.compare(samples(*(column * 1e-6 + 3 for column in PLANTS)))
    swapped = welch_t.compare(samples(*PLANTS[::-1]))
    assert shuffled.p_value == pytest.approx(plain.p_value, rel=1e-12)
    assert moved.statistic == pytest.approx(plain.statistic, rel=1e-6)
    assert swapped.statistic == pytest.approx(-plain.statistic[::-1], rel=1e-12)
    assert swapped.overall.statistic == pytest.approx(plain.overall.statistic, rel=1e-12)


@pytest.mark.parametrize("compare", METHODS)
def test_limits(compare):
    nothing, all_same, apart = np.array([3.0]), np.full(4, 5.0), np.full(6, 5.25)
    answer = compare(samples(all_same, all_same + 1e-15, apart, PLANTS[0], nothing))
    pairs = pairs_of(answer)
    at = {(int(a), int(b)): i for i, (a, b) in enumerate(samples(*PLANTS, *PLANTS[:2]).contrasts)}
    equal, differ, one_constant = at[0, 1], at[0, 2], at[0, 3]
    assert (pairs.estimate[equal], pairs.statistic[equal], pairs.p_value[equal]) == (0, 0, 1)
    assert (pairs.estimate[differ], pairs.statistic[differ], pairs.p_value[differ]) == (-0.25, -np.inf, 0)
    assert pairs.std_error[[equal, differ]].tolist() == [0, 0]
    assert pairs.df[one_constant] == 9
    assert np.isnan(pairs.p_value[at[0, 4]])
    assert {remark.code: remark.pairs for remark in answer.remarks} == {
        "small-n": (at[0, 4], at[1, 4], at[2, 4], at[3, 4]),
        "zero-variance": (equal, differ, at[1, 2]),
    }
    assert np.isnan(answer.overall.p_value)


def test_overall_limits():
    def overall(*columns):
        return welch_t.welch_anova(samples_of(samples(*columns).values))

    constant = np.full(5, 2.0)
    assert (overall(constant, constant).statistic, overall(constant, constant).p_value) == (0, 1)
    assert (overall(constant, constant + 1, PLANTS[0]).statistic, overall(constant, constant + 1, PLANTS[0]).p_value) == (
        np.inf,
        0,
    )
    assert np.isnan(overall(constant, constant, PLANTS[0]).statistic)
    nearly = overall(constant + 1e-6 * np.arange(5), *PLANTS)
    exactly = overall(constant + 2e-6, *PLANTS)
    assert exactly.statistic == pytest.approx(nearly.statistic, rel=1e-6)
    assert exactly.df2 == pytest.approx(nearly.df2, rel=1e-6)


def test_games_howell_without_variation():
    answer = games_howell.compare(samples(np.full(3, 1.0), np.full(3, 1.0), np.full(3, 2.0)))
    assert answer.pairs.p_adjusted.tolist() == [1, 0, 0]
    assert answer.pairs.critical.tolist() == [0, 0, 0]
    assert answer.tail(np.array([0.0, 1.0, np.nan]))[:2].tolist() == [1, 0]
