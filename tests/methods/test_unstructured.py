import numpy as np
import pytest
import scipy.stats
from experiments import all_pairs, blocks, codes, experiment, interval, reference
from statsmodels.stats.multitest import multipletests

from benchkit.methods.adjustment.max_t_bootstrap import statistics
from benchkit.methods.comparison.hotelling import hotelling
from benchkit.methods.comparison.unstructured import compare


def holed(B=120, K=5, seed=21):
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(B, K)) * (1 + np.arange(K)) + 2 * generator.normal(size=(B, 1))
    values[generator.random((B, K)) < 0.15] = np.nan
    return values[(~np.isnan(values)).any(axis=1)]


BRANCHES = {
    "single": lambda: experiment("motorcycle")[0][:, :2],
    "holm": lambda: experiment("motorcycle")[0][:20],
    "bootstrap": lambda: experiment("motorcycle")[0][:60],
    "many": lambda: np.random.default_rng(20).normal(size=(2100, 4)) * [1, 2, 3, 4] + [0, 0.1, 0.2, 0.3],
    "incomplete": holed,
    "incomplete few": lambda: holed(25),
}


@pytest.fixture(params=BRANCHES)
def values(request):
    return BRANCHES[request.param]()


def test_two_algorithms_are_the_paired_t_test():
    values = experiment("awkward_two_algorithms")[0]
    answer = compare(blocks(values))
    theirs = scipy.stats.ttest_rel(values[:, 0], values[:, 1])
    low, high = theirs.confidence_interval(0.95)
    assert (answer.method, answer.adjust, answer.ci_kind, answer.step_wise) == (
        "mixed-unstructured",
        "none",
        "simultaneous",
        False,
    )
    assert answer.pairs.statistic[0] == pytest.approx(theirs.statistic, rel=1e-12)
    assert answer.pairs.df[0] == theirs.df
    assert answer.pairs.p_value[0] == pytest.approx(theirs.pvalue, rel=1e-12)
    assert answer.pairs.p_adjusted[0] == answer.pairs.p_value[0]
    assert interval(answer)[:, 0] == pytest.approx([low, high], rel=1e-12)
    assert answer.overall.p_value == pytest.approx(theirs.pvalue, rel=1e-10)
    assert answer.remarks == ()


@pytest.mark.parametrize("name", ["motorcycle", "motorcycle_span03", "zero_block_variance"])
def test_r_on_complete_data(name):
    values, algorithms = experiment({"zero_block_variance": "awkward_zero_variance"}.get(name, name))
    answer = compare(blocks(values))
    place = {(algorithms[b], algorithms[a]): i for i, (a, b) in enumerate(all_pairs(len(algorithms)))}
    order = [place[pair["first"], pair["second"]] for pair in reference()[name]["paired"]]
    r = {key: np.array([pair[key] for pair in reference()[name]["paired"]]) for key in ("mean_diff", "sd_diff", "t", "df", "p_t")}
    assert answer.adjust == "max-t-bootstrap"
    assert -answer.pairs.estimate[order] == pytest.approx(r["mean_diff"], rel=1e-9)
    assert answer.pairs.std_error[order] == pytest.approx(r["sd_diff"] / np.sqrt(len(values)), rel=1e-9)
    assert -answer.pairs.statistic[order] == pytest.approx(r["t"], rel=1e-9)
    assert answer.pairs.df[order] == pytest.approx(r["df"])
    assert answer.pairs.p_value[order] == pytest.approx(r["p_t"], rel=1e-9, abs=0.0)
    summary = reference()[name]["summary"]
    assert answer.means.estimate == pytest.approx([one["mean"] for one in summary], rel=1e-12)
    assert answer.means.std_error == pytest.approx([one["se_mean"] for one in summary], rel=1e-9)
    assert set(answer.means.df) == {len(values) - 1}
    assert answer.components is None
    assert answer.overall == hotelling(values)[0]


def test_all_pairs_of_the_motorcycle_data_differ():
    answer = compare(blocks(experiment("motorcycle")[0]))
    low, high = interval(answer)
    assert ((low > 0) | (high < 0)).all()
    assert answer.pairs.critical == pytest.approx(np.full(21, 3.12), abs=0.08)


def test_few_replicates_holm_beside_bonferroni():
    values = experiment("motorcycle")[0][:20]
    answer = compare(blocks(values))
    a, b = all_pairs(7).T
    p = scipy.stats.ttest_rel(values[:, a], values[:, b]).pvalue
    assert (answer.adjust, answer.ci_kind, answer.step_wise) == ("holm", "bonferroni", True)
    assert answer.pairs.p_adjusted == pytest.approx(multipletests(p, method="holm")[1], rel=1e-10)
    assert answer.pairs.critical == pytest.approx(np.full(21, scipy.stats.t.isf(0.025 / 21, 19)), rel=1e-12)
    assert answer.tail(np.abs(answer.pairs.statistic)) == pytest.approx(np.minimum(1, 21 * p), rel=1e-10)
    assert codes(answer) == ["small-n"]
    assert answer.remarks[0].numbers == {"replicates": 20}


def test_bootstrap_p_values_count_the_resamples():
    values = experiment("motorcycle")[0][:40, :4]
    a, b = all_pairs(4).T
    answer = compare(blocks(values, draws=999, seed=31))
    resampled = statistics(values[:, a] - values[:, b], 999, np.random.default_rng(31))
    t = np.abs(answer.pairs.statistic)
    reached = (resampled[:, None] >= t).sum(axis=0)
    assert answer.pairs.critical == pytest.approx(np.full(6, resampled[949]))
    assert answer.pairs.p_adjusted[reached > 0] == pytest.approx((1 + reached[reached > 0]) / 1000)
    assert (reached == 0).any()
    assert (answer.pairs.p_adjusted[reached == 0] <= 1 / 1000).all()
    assert (answer.pairs.p_adjusted[reached == 0] >= answer.pairs.p_value[reached == 0]).all()


def test_many_replicates_use_the_correlation_of_the_differences():
    # equal variances and no correlation between algorithms: Tukey's critical value for infinite df
    values = np.random.default_rng(22).normal(size=(20_000, 4))
    answer = compare(blocks(values))
    assert (answer.adjust, answer.ci_kind) == ("max-t", "simultaneous")
    assert answer.pairs.critical == pytest.approx(
        np.full(6, scipy.stats.studentized_range.ppf(0.95, 4, 19_999) / 2**0.5), abs=2e-3
    )
    assert answer.pairs.df == pytest.approx(np.full(6, 19_999))


def test_unbalanced_motorcycle_data():
    values, algorithms = experiment("motorcycle_unbalanced")
    answer = compare(blocks(values))
    place = {(algorithms[b], algorithms[a]): i for i, (a, b) in enumerate(all_pairs(7))}
    r = reference()["motorcycle_unbalanced"]["robust"]["lmer_clubSandwich_CR2"]
    order = [place[pair["first"], pair["second"]] for pair in r["pairs"]]
    pairs = answer.pairs
    assert answer.adjust == "max-t"
    assert -pairs.estimate[order] == pytest.approx([pair["estimate"] for pair in r["pairs"]], rel=1e-8)
    assert pairs.std_error[order] == pytest.approx([pair["se"] for pair in r["pairs"]], rel=1e-6)
    assert -pairs.statistic[order] == pytest.approx([pair["stat"] for pair in r["pairs"]], rel=1e-6)
    first = place["gamboost", "gam"]
    assert (pairs.std_error[first], pairs.df[first]) == (pytest.approx(4.9234990, abs=5e-7), pytest.approx(235.39777, abs=5e-6))
    assert answer.overall.statistic == pytest.approx(1317.89213, abs=5e-6)
    assert pairs.critical == pytest.approx(np.full(21, r["calpha"]), abs=0.03)  # R: normal, here t with about 235 df
    assert (pairs.critical > r["calpha"]).all()
    assert pairs.n[first] == (~np.isnan(values[:, :2])).all(axis=1).sum()
    assert answer.remarks == ()


def test_few_incomplete_replicates_holm_with_their_own_df():
    answer = compare(blocks(holed(25)))
    assert (answer.adjust, answer.ci_kind, answer.step_wise) == ("holm", "bonferroni", True)
    assert answer.pairs.critical == pytest.approx(scipy.stats.t.isf(0.025 / 10, answer.pairs.df), rel=1e-10)
    assert len(set(answer.pairs.df)) > 1
    assert answer.pairs.p_value == pytest.approx(2 * scipy.stats.t.sf(np.abs(answer.pairs.statistic), answer.pairs.df), rel=1e-9)


def test_the_tail_at_the_critical_value_is_alpha(values):
    answer = compare(blocks(values))
    slack = 1.01e-4 if answer.adjust == "max-t-bootstrap" else 1e-6
    assert answer.tail(answer.pairs.critical) == pytest.approx(np.full(len(answer.pairs.n), 0.05), abs=slack)
    assert (answer.tail(np.zeros(len(answer.pairs.n))) >= 1 - 1e-6).all()
    assert (answer.tail(np.full(len(answer.pairs.n), np.inf)) <= 1e-4).all()


def test_same_seed_same_answer(values):
    one, two = compare(blocks(values, seed=5)), compare(blocks(values, seed=5))
    for name in ("estimate", "std_error", "p_adjusted", "critical"):
        assert (getattr(one.pairs, name) == getattr(two.pairs, name)).all()


@pytest.mark.parametrize(("scale", "offset"), [(1e6, 0.0), (1e-6, 0.0), (1.0, 1e9)])
def test_unit_and_offset_do_not_matter(values, scale, offset):
    here, there = compare(blocks(values)), compare(blocks(scale * values + offset))
    assert there.adjust == here.adjust
    # values of order 1 beside an offset of 1e9 keep 7 digits
    digits = 1e-8 if np.nanstd(values) > 50 or offset == 0 else 1e-5
    assert there.pairs.statistic == pytest.approx(here.pairs.statistic, rel=digits, abs=digits)
    assert there.pairs.critical == pytest.approx(here.pairs.critical, rel=max(digits, 1e-8))
    assert there.pairs.std_error == pytest.approx(scale * here.pairs.std_error, rel=digits)
    assert there.pairs.p_adjusted == pytest.approx(here.pairs.p_adjusted, abs=max(digits, 1e-8))
    assert there.overall.statistic == pytest.approx(here.overall.statistic, rel=digits)


def test_swapped_contrasts_and_relabelled_algorithms(values):
    K = values.shape[1]
    here = compare(blocks(values))
    swapped = compare(blocks(values, contrasts=all_pairs(K)[:, ::-1]))
    reversed_labels = compare(blocks(values[:, ::-1], contrasts=K - 1 - all_pairs(K)))
    slack = 2e-4 if here.adjust == "max-t" else 1e-9  # the directions of max-t depend on the order
    for other, sign in ((swapped, -1), (reversed_labels, 1)):
        assert other.pairs.estimate == pytest.approx(sign * here.pairs.estimate, rel=1e-9, abs=1e-12)
        assert other.pairs.statistic == pytest.approx(sign * here.pairs.statistic, rel=1e-8)
        assert other.pairs.p_adjusted == pytest.approx(here.pairs.p_adjusted, abs=slack)
        assert other.pairs.critical == pytest.approx(here.pairs.critical, abs=10 * slack)
        assert other.overall.statistic == pytest.approx(here.overall.statistic, rel=1e-8)


def test_order_of_the_replicates_matters_only_through_the_resamples(values):
    here, there = compare(blocks(values)), compare(blocks(values[::-1]))
    assert there.pairs.statistic == pytest.approx(here.pairs.statistic, rel=1e-9)
    assert there.overall.statistic == pytest.approx(here.overall.statistic, rel=1e-9)
    assert there.pairs.critical == pytest.approx(here.pairs.critical, abs=0.15 if here.adjust == "max-t-bootstrap" else 1e-6)


def test_a_baseline_is_a_smaller_family(values):
    K = values.shape[1]
    against = np.array([(j, 0) for j in range(1, K)])
    few, all_of_them = compare(blocks(values, contrasts=against, many_to_one=True)), compare(blocks(values))
    first = all_pairs(K)[:, 0] == 0
    assert few.pairs.estimate == pytest.approx(-all_of_them.pairs.estimate[first], rel=1e-9)
    assert few.pairs.std_error == pytest.approx(all_of_them.pairs.std_error[first], rel=1e-9)
    assert (few.pairs.critical <= all_of_them.pairs.critical[first] + 1e-3).all()
    assert few.overall.statistic == pytest.approx(all_of_them.overall.statistic, rel=1e-9)
