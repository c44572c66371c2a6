import warnings
from dataclasses import replace

import numpy as np
import pytest
from experiments import all_pairs, blocks, codes
from published import ERGOSTOOL, IMMER
from scipy import integrate, stats

from benchkit.errors import BenchkitError
from benchkit.methods.comparison import bayes_correlated_t, corrected_t, paired_t, repeated_kfold
from benchkit.methods.comparison.hotelling import hotelling
from benchkit.methods.records import Blocks

# scikit-learn, "Statistical comparison of models using grid search" (BSD-3), SVC kernels on make_moons(100), 10 x 10 repeated
# cross-validation, ROC AUC: the published corrected t, probability of the first being better and within +/- 0.01 (rounded),
# with mean and variance of the 100 differences, corrected t, two-sided p and the three probabilities as re-run.
MOONS = {
    "rbf, linear": (0.01, 0.0014666666666666662, 0.750, 0.7503126954482318, 0.454845942026733),
    "rbf, 3_poly": (0.0356, 0.003810747474747473, 1.657, 1.6571160300573133, 0.10066190891651428),
    "rbf, 2_poly": (0.2548, 0.025718141414141422, 4.565, 4.565492560256312, 1.4349981837677912e-05),
    "linear, 3_poly": (0.0256, 0.004380444444444443, 1.111, 1.1114473192967913, 0.2690677794801271),
    "linear, 2_poly": (0.2448, 0.027063595959595958, 4.276, 4.275891422554204, 4.3910172981819344e-05),
    "3_poly, 2_poly": (0.2192, 0.02674682828282828, 3.851, 3.851344882407239, 0.00020851999759067378),
}
MOONS_POSTERIOR = {
    "rbf, linear": (0.5, 0.4316824582427, 0.06831754175730043),
    "rbf, 3_poly": (0.8818731750515061, 0.09998579233734073, 0.018141032611153185),
    "rbf, 2_poly": (0.9999855936829045, 1.0889220263710087e-05, 3.5170968317732587e-06),
    "3_poly, 2_poly": (0.9998072819477222, 0.00013732642028541076, 5.539163199241859e-05),
}
TEN_BY_TEN = np.array([(repeat, fold) for repeat in range(10) for fold in range(10)])
METHODS = [paired_t.compare, corrected_t.compare, repeated_kfold.compare, repeated_kfold.plain, bayes_correlated_t.compare]


def moons(pair, **more):
    """A hundred replicates of two algorithms, less is better, whose differences have the mean and variance of the example."""
    mean, variance = MOONS[pair][:2]
    differences = -mean + np.sqrt(variance * 99 / 100) * np.tile([1.0, -1.0], 50)
    values = np.column_stack([differences - 0.9, np.full(100, -0.9)])
    return replace(blocks(values), **more)


def resampled(values, **more):
    return replace(blocks(np.asarray(values, dtype=np.float64)), sizes=(90.0, 10.0), **more)


@pytest.mark.parametrize("pair", MOONS)
def test_corrected_t_of_the_scikit_learn_example(pair):
    published, t, p = MOONS[pair][2:]
    found = corrected_t.compare(moons(pair, sizes=(90.0, 10.0)))
    assert -found.statistic[0] == pytest.approx(published, abs=6e-4)
    assert -found.statistic[0] == pytest.approx(t, rel=1e-12)
    assert found.p_value[0] == pytest.approx(p, rel=1e-11)
    assert (found.df[0], found.n[0]) == (99, 100)
    for other in (
        corrected_t.compare(moons(pair, options={"test_share": "0.1"})),
        corrected_t.compare(moons(pair, options={"test_share": "10%"}, sizes=(50.0, 50.0))),  # what is typed wins
        repeated_kfold.compare(moons(pair, layout=TEN_BY_TEN)),
    ):
        assert other.p_value[0] == pytest.approx(p, rel=1e-11)
        assert other.own["test_train_ratio"][0] == pytest.approx(1 / 9, rel=1e-15)


def test_the_plain_test_overstates_as_published():
    # uncorrected t 2.611, one-sided p .005 in the example; 2.6111648393354643, .01042602630078647 as re-run
    for compare in (paired_t.compare, repeated_kfold.plain):
        found = compare(moons("rbf, linear"))
        assert found.statistic[0] == pytest.approx(-2.6111648393354643, rel=1e-12)
        assert found.p_value[0] == pytest.approx(0.01042602630078647, rel=1e-11)
    assert codes(repeated_kfold.plain(moons("rbf, linear"))) == ["negative-control"]


@pytest.mark.parametrize("pair", MOONS_POSTERIOR)
def test_posterior_of_the_scikit_learn_example(pair):
    # published: the first better with .773, within 1% with .432 (first pair); better without a margin: 1 - p/2
    known = np.array(MOONS_POSTERIOR[pair])
    found = bayes_correlated_t.compare(moons(pair, sizes=(90.0, 10.0), margins=np.array([0.01])))
    assert found.posterior[0] == pytest.approx(known, rel=1e-9)
    by_folds = bayes_correlated_t.compare(moons(pair, layout=TEN_BY_TEN, margins=np.array([0.01])))
    assert by_folds.posterior == pytest.approx(found.posterior, rel=1e-12)
    assert by_folds.own["correlation"] == pytest.approx([0.1], rel=1e-15)
    without = bayes_correlated_t.compare(moons(pair, sizes=(90.0, 10.0)))
    assert without.posterior[0] == pytest.approx([1 - MOONS[pair][4] / 2, 0.0, MOONS[pair][4] / 2], rel=1e-9, abs=1e-15)
    assert np.isnan(found.p_value).all()


def test_posterior_is_the_integral_of_its_density():
    values = np.random.default_rng(3).normal(size=(12, 3)) + np.array([0.0, 0.3, 1.5])
    margins = np.array([0.2, 0.5, 0.1])
    found = bayes_correlated_t.compare(resampled(values, margins=margins))
    for i, (a, b) in enumerate(all_pairs(3)):
        difference = values[:, a] - values[:, b]
        scale = np.sqrt((1 / 12 + 0.1 / 0.9) * difference.var(ddof=1))
        density = stats.t(11, difference.mean(), scale).pdf
        edges = [-np.inf, -margins[i], margins[i], np.inf]
        areas = [integrate.quad(density, *edges[j : j + 2], epsabs=1e-13)[0] for j in range(3)]
        assert found.posterior[i] == pytest.approx(areas, abs=1e-9)
        assert found.std_error[i] == pytest.approx(scale, rel=1e-12)


def test_paired_t_of_r():
    # R 4: t.test(ergostool[, 1], ergostool[, 2], paired = TRUE)
    found = paired_t.compare(blocks(ERGOSTOOL))
    assert found.statistic[0] == pytest.approx(-8.55186110494136, rel=1e-12)
    assert found.p_value[0] == pytest.approx(2.693337244483081e-05, rel=1e-12)
    assert found.df[0] == 8
    low, high = found.estimate[0] + np.array([-1, 1]) * stats.t.ppf(0.975, 8) * found.std_error[0]
    assert (low, high) == pytest.approx((-4.9375254077801527, -2.8402523699976245), rel=1e-12)
    for i, (a, b) in enumerate(all_pairs(5)):
        assert paired_t.compare(blocks(IMMER)).p_value[i] == pytest.approx(
            stats.ttest_rel(IMMER[:, a], IMMER[:, b]).pvalue, rel=1e-11
        )


def test_overall_of_paired_t_is_hotelling_and_t_squared_for_two():
    assert paired_t.compare(blocks(ERGOSTOOL)).overall == hotelling(ERGOSTOOL)[0]
    two = paired_t.compare(blocks(ERGOSTOOL[:, :2]))
    assert two.overall.statistic == pytest.approx(two.statistic[0] ** 2, rel=1e-12)
    assert two.overall.p_value == pytest.approx(two.p_value[0], rel=1e-10)


@pytest.mark.parametrize("compare", METHODS)
def test_missing_cells_leave_each_pair_its_shared_replicates(compare):
    values = np.random.default_rng(4).normal(size=(9, 3))
    holes = values.copy()
    holes[[0, 3], 2] = np.nan
    found, whole = compare(resampled(holes)), compare(resampled(values))
    assert found.n.tolist() == [9, 7, 7]
    rest = compare(resampled(np.delete(values, [0, 3], axis=0)))
    for name in ("estimate", "std_error", "df", "mean_a"):
        if compare is repeated_kfold.compare and name == "std_error":
            continue  # without a layout k is the number of replicates
        assert getattr(found, name)[0] == pytest.approx(getattr(whole, name)[0], rel=1e-12)
        assert getattr(found, name)[1:] == pytest.approx(getattr(rest, name)[1:], rel=1e-12)
    assert found.means.n.tolist() == [9, 9, 7]
    assert found.means.estimate[2] == pytest.approx(np.nanmean(holes[:, 2]))
    assert ("incomplete-replicates" in codes(found)) == (compare is paired_t.compare)


@pytest.mark.parametrize("compare", METHODS)
def test_degenerate_data_have_limits_and_no_warnings(compare):
    base = np.array([0.1, 0.2, 0.3, 0.7])
    # the same; a constant difference; the same but for rounding; nothing shared
    values = np.column_stack([base, base, base + 0.1, base * (1 + 1e-15), np.full(4, np.nan)])
    values[0, 4] = 1.0
    contrasts = np.array([[0, 1], [0, 2], [0, 3], [0, 4]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = compare(replace(resampled(values), contrasts=contrasts))
    assert found.estimate[:3] == pytest.approx([0.0, -0.1, 0.0], abs=1e-16)
    assert found.std_error[:3].tolist() == [0.0, 0.0, 0.0]
    assert np.isnan(found.std_error[3])
    said = {remark.code: remark.pairs for remark in found.remarks}
    assert said["zero-variance"] == (0, 1, 2)
    assert said["not-estimable"] == (3,)
    if found.posterior is not None:
        assert found.posterior[:3].tolist() == [[0.5, 0.0, 0.5], [1.0, 0.0, 0.0], [0.5, 0.0, 0.5]]
        assert np.isnan(found.posterior[3]).all()
    else:
        assert found.statistic[:3].tolist() == [0.0, -np.inf, 0.0]
        assert found.p_value[:3].tolist() == [1.0, 0.0, 1.0]
        assert np.isnan([found.p_value[3], found.df[3]]).all()


def test_a_margin_takes_the_mass_of_what_does_not_vary():
    values = np.column_stack([np.full(4, 1.0), np.full(4, 1.0), np.full(4, 2.0)])
    found = bayes_correlated_t.compare(resampled(values, margins=np.array([0.5, 0.5, 0.5])))
    assert found.posterior.tolist() == [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]


@pytest.mark.parametrize("compare", METHODS)
def test_one_replicate_gives_estimates_and_small_n(compare):
    found = compare(resampled([[1.0, 2.0, 4.0]]))
    assert found.estimate.tolist() == [-1.0, -3.0, -2.0]
    assert np.isnan([found.p_value, found.std_error, found.df, found.statistic]).all()
    assert codes(found).count("small-n") == 1


@pytest.mark.parametrize("compare", [corrected_t.compare, bayes_correlated_t.compare])
def test_unknown_sizes_leave_only_estimates(compare):
    for sizes in (None, (np.nan, np.nan)):
        found = compare(replace(resampled(ERGOSTOOL), sizes=sizes))
        assert codes(found) == ["sizes-unknown"]
        assert found.estimate[0] == pytest.approx(-35 / 9)
        assert np.isnan([found.p_value, found.std_error, found.df]).all()


def test_folds_tell_their_sizes_where_no_column_does():
    layout = np.array([(0, fold) for fold in range(9)])
    found = corrected_t.compare(replace(blocks(ERGOSTOOL), layout=layout))
    assert codes(found) == ["sizes-from-folds"]
    assert found.remarks[0].numbers == {"folds": 9.0}
    assert found.own["test_train_ratio"] == pytest.approx(1 / 8)
    assert found.p_value == pytest.approx(repeated_kfold.compare(replace(blocks(ERGOSTOOL), layout=layout)).p_value, rel=1e-12)
    for compare in (corrected_t.compare, repeated_kfold.compare):  # what is typed wins
        typed = compare(replace(blocks(ERGOSTOOL), layout=layout, options={"test_share": "0.2"}))
        assert typed.own["test_train_ratio"] == pytest.approx(0.25)
        assert codes(typed) == []


@pytest.mark.parametrize("text", ["0", "1", "ten", "", "%", "110%", "-0.1", "nan"])
def test_a_share_that_is_none_is_refused(text):
    with pytest.raises(BenchkitError, match="no share of the rows"):
        corrected_t.compare(replace(blocks(ERGOSTOOL), options={"test_share": text}))


def test_repeated_kfold_without_a_layout_takes_replicates_for_folds():
    found = repeated_kfold.compare(blocks(ERGOSTOOL))
    assert found.own["test_train_ratio"] == pytest.approx(1 / 8)
    assert codes(found) == ["layout-unknown"]
    assert found.remarks[0].numbers == {"folds": 9.0}
    assert repeated_kfold.compare(resampled(ERGOSTOOL)).own["test_train_ratio"] == pytest.approx(1 / 9)


@pytest.mark.parametrize("compare", METHODS)
def test_swapping_shifting_and_scaling(compare):
    values = np.random.default_rng(5).normal(size=(8, 3))
    margins = np.full(3, 0.3)
    there = compare(resampled(values, margins=margins))
    back = compare(replace(resampled(values, margins=margins), contrasts=all_pairs(3)[:, ::-1]))
    moved = compare(resampled(4.0 * values + 100.0 * np.arange(8)[:, None], margins=4.0 * margins))
    against = compare(replace(resampled(values, margins=margins[:2]), contrasts=np.array([[1, 0], [2, 0]]), many_to_one=True))
    assert back.estimate == pytest.approx(-there.estimate, rel=1e-12)
    assert moved.estimate == pytest.approx(4.0 * there.estimate, rel=1e-9)
    assert against.std_error == pytest.approx(there.std_error[:2], rel=1e-12)
    if there.posterior is not None:
        assert back.posterior == pytest.approx(there.posterior[:, ::-1], rel=1e-12)
        assert moved.posterior == pytest.approx(there.posterior, rel=1e-9)
        assert there.posterior.sum(axis=1) == pytest.approx(1.0, abs=1e-15)
    else:
        assert back.p_value == pytest.approx(there.p_value, rel=1e-12)
        assert moved.p_value == pytest.approx(there.p_value, rel=1e-9)
        assert against.statistic == pytest.approx(-there.statistic[:2], rel=1e-12)


@pytest.mark.parametrize(("sizes", "name"), [((0.0, 10.0), "n_train"), ((90.0, 0.0), "n_test")])
def test_sizes_of_nothing_are_refused(sizes, name):
    values = np.random.default_rng(1).normal(size=(5, 2))
    blocks = Blocks(values, np.array([[0, 1]]), 0.95, np.random.default_rng(1), sizes=sizes)
    with pytest.raises(BenchkitError, match=f"{name} is 0"):
        corrected_t.compare(blocks)
    corrected_t.compare(replace(blocks, options={"test_share": "0.1"}))
