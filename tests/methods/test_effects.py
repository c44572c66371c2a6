"""Effect sizes: numbers from R on its sleep data, definitions by brute force, properties and limits."""

import time

import numpy as np
import pytest
import scipy.special
import scipy.stats
from experiments import all_pairs, experiment
from hypothesis import given
from hypothesis import strategies as st

from benchkit.methods.effect import dominance
from benchkit.methods.effect.a12 import a12
from benchkit.methods.effect.cliffs_delta import cliffs_delta
from benchkit.methods.effect.d_z import d_z, noncentrality
from benchkit.methods.effect.mean_difference import mean_difference
from benchkit.methods.effect.odds_ratio import odds_ratio
from benchkit.methods.effect.rank_biserial import rank_biserial
from benchkit.methods.effect.ratio import ratio

ONE = np.array([[0, 1]])
SIGNED = {"mean_difference": mean_difference, "d_z": d_z, "cliffs_delta": cliffs_delta, "rank_biserial": rank_biserial}
EVERY = SIGNED | {"a12": a12, "ratio": ratio, "odds_ratio": odds_ratio}

# R's data set sleep: extra hours of sleep of ten patients under two drugs (Student 1908)
SLEEP = np.array(
    [[0.7, 1.9], [-1.6, 0.8], [-0.2, 1.1], [-1.2, 0.1], [-0.1, -0.1], [3.4, 4.4], [3.7, 5.5], [0.8, 1.6], [0.0, 4.6], [2.0, 3.4]]
)


def effect(name, values, contrasts=ONE, level=0.95, seed=1):
    return np.array(EVERY[name](np.asarray(values, dtype=np.float64), contrasts, level, np.random.default_rng(seed)))


def one(name, values, **more):
    return effect(name, values, **more)[:, 0].tolist()


def sample(seed, n=30, K=3):
    generator = np.random.default_rng(seed)
    return generator.normal(10.0, 1.0, (n, K)) + generator.normal(0.0, 1.0, (n, 1)) + 0.3 * np.arange(K)


def test_r_on_the_sleep_data():
    # t.test(paired = TRUE); uniroot on pt(t, 9, ncp); mean(sign(outer(b, a, "-"))); rank(abs(b - a)) with zeros kept
    # (Pratt), since less is better
    assert one("mean_difference", SLEEP) == pytest.approx([-1.58, -2.459885763277, -0.700114236723], rel=1e-11)
    assert one("d_z", SLEEP) == pytest.approx([-1.28455756259, -2.11801651398, -0.41462775638], rel=1e-10)
    assert one("cliffs_delta", SLEEP)[0] == pytest.approx(0.49, rel=1e-14)
    assert one("a12", SLEEP)[0] == pytest.approx(0.745, rel=1e-14)
    assert one("rank_biserial", SLEEP)[0] == pytest.approx(54 / 55, rel=1e-14)
    # t.test of log(a + 3) - log(b + 3)
    assert one("ratio", SLEEP + 3) == pytest.approx([0.673342870063, 0.531004343144, 0.853835993091], rel=1e-11)


@pytest.mark.parametrize(
    ("t", "n", "low", "high"),
    # R: uniroot(function(ncp) pt(t, n - 1, ncp) - p) / sqrt(n)
    [
        (2.5, 20, 0.0802333914679, 1.0251901195932),
        (-1, 5, -1.349595668441, 0.502709953818),
        (14, 30, 1.80465557507, 3.29635620713),
    ],
)
def test_interval_of_d_z(t, n, low, high):
    difference = np.linspace(-1, 1, n)
    difference = (difference - difference.mean()) / difference.std(ddof=1) + t / np.sqrt(n)
    assert one("d_z", np.column_stack([difference, np.zeros(n)])) == pytest.approx([t / np.sqrt(n), low, high], rel=1e-9)


@pytest.mark.parametrize("n", [2, 3, 5, 250, 10_000, 1_000_000])
@pytest.mark.parametrize("d", [0.02, 0.5, 0.8, 3.0, 20.0, 30.0, 90.0, 1e5, 1e9])
def test_interval_of_any_d_z(n, d):
    t, df = np.array([d, -d]) * np.sqrt(n), np.full(2, n - 1.0)
    low, high = noncentrality(t, df, 0.975), noncentrality(t, df, 0.025)
    assert low[::-1] == pytest.approx(-high, rel=1e-8, abs=1e-8)
    assert (low < t).all()
    assert (t < high).all()
    for end, expected in ((low[0], 0.975), (high[0], 0.025)):
        there = scipy.special.nctdtr(n - 1, end, t[0]) if d < 100 else np.nan
        if not np.isnan(there):  # scipy has no value for some
            assert there == pytest.approx(expected, abs=2e-6)
    if d > 1e4 and n > 2:  # the quantiles of the root mean square
        chi = np.sqrt(scipy.stats.chi2.ppf([0.025, 0.975], n - 1) / (n - 1))
        assert [low[0], high[0]] == pytest.approx(t[0] * chi, rel=1e-7)


@given(st.integers(2, 12), st.integers(0, 10**6))
def test_definitions_by_brute_force(n, seed):
    values = np.random.default_rng(seed).integers(-3, 4, (n, 2)).astype(float)  # many ties
    a, b = values.T
    signs = np.sign(a[:, None] - b)
    assert one("cliffs_delta", values)[0] == pytest.approx(-signs.mean(), abs=1e-14)
    assert one("a12", values)[0] == pytest.approx(((signs < 0) + 0.5 * (signs == 0)).mean(), abs=1e-14)
    difference = a - b
    ranks = scipy.stats.rankdata(np.abs(difference))
    expected = -np.sum(np.sign(difference) * ranks) / (n * (n + 1) / 2)
    assert one("rank_biserial", values)[0] == pytest.approx(expected, abs=1e-14)


@given(st.integers(2, 10), st.integers(0, 10**6))
def test_resampled_sums_are_those_of_the_resampled_values(n, seed):
    generator = np.random.default_rng(seed)
    x, y = generator.integers(0, 5, (2, n))
    found = dominance.signs(x, y)
    matrix = np.sign(x[:, None] - y)
    assert found.rows.tolist() == matrix.sum(axis=1).tolist()
    assert found.columns.tolist() == matrix.sum(axis=0).tolist()
    weights = dominance.resamples(n, generator)
    assert weights.shape == (n, dominance.DRAWS)
    assert (weights.sum(axis=0) == n).all()
    expected = np.einsum("id,ij,jd->d", weights, matrix, weights)
    assert dominance.resampled_sums(found, weights).tolist() == expected.tolist()


def test_few_and_many_replicates_agree(monkeypatch):
    values = sample(2, n=500)
    for name in ("cliffs_delta", "rank_biserial"):
        bootstrap = effect(name, values, all_pairs(3))
        monkeypatch.setattr(dominance, "MOST_FOR_RESAMPLING", 100)
        limit = effect(name, values, all_pairs(3))
        monkeypatch.undo()
        assert limit[0].tolist() == bootstrap[0].tolist()
        assert limit[1:] == pytest.approx(bootstrap[1:], abs=0.02)


def test_limit_for_many_has_the_paired_variance():
    # the variance over 400 samples of 600 replicates against the mean of the estimated one
    generator = np.random.default_rng(5)
    found, width = [], []
    for _ in range(400):
        shared = generator.normal(size=(600, 1))
        values = shared + generator.normal(size=(600, 2)) + [0.4, 0.0]
        delta, low, high = one("cliffs_delta", values)
        found.append(np.arctanh(delta))
        width.append((np.arctanh(high) - np.arctanh(low)) / (2 * 1.959963984540054))
    assert np.mean(width) == pytest.approx(np.std(found), rel=0.12)


@pytest.mark.parametrize("name", SIGNED)
def test_swapping_turns_the_sign(name):
    values = sample(3)
    there, back = effect(name, values, all_pairs(3)), effect(name, values, all_pairs(3)[:, ::-1])
    assert back == pytest.approx(-there[[0, 2, 1]], abs=1e-9)
    negated = effect(name, -values, all_pairs(3))
    assert negated == pytest.approx(back, abs=1e-9)


def test_swapping_the_others():
    values = sample(3)
    there, back = effect("ratio", values, all_pairs(3)), effect("ratio", values, all_pairs(3)[:, ::-1])
    assert back == pytest.approx(1 / there[[0, 2, 1]], rel=1e-12)
    assert effect("ratio", -values, all_pairs(3)).tolist() == there.tolist()
    there, back = effect("a12", values, all_pairs(3)), effect("a12", values, all_pairs(3)[:, ::-1])
    assert back == pytest.approx(1 - there[[0, 2, 1]], abs=1e-9)


def test_monotone_and_affine_changes():
    values = sample(4)
    for name in ("cliffs_delta", "a12"):
        assert effect(name, np.exp(values), all_pairs(3)).tolist() == effect(name, values, all_pairs(3)).tolist()
    for name in ("d_z", "rank_biserial"):
        assert effect(name, 1024 * values + 4096, all_pairs(3)) == pytest.approx(effect(name, values, all_pairs(3)), abs=1e-9)
    assert effect("ratio", 3 * values, all_pairs(3)) == pytest.approx(effect("ratio", values, all_pairs(3)), rel=1e-12)


@pytest.mark.parametrize("name", EVERY)
def test_missing_cells_leave_the_pair_only(name):
    values = -(sample(6) > 10.5).astype(float) if name == "odds_ratio" else sample(6)
    holes = values.copy()
    holes[3, 0] = holes[7, 1] = np.nan
    kept = np.delete(values, [3, 7], axis=0)
    assert effect(name, holes) == pytest.approx(effect(name, kept))
    assert effect(name, holes, all_pairs(3))[:, 0] == pytest.approx(effect(name, kept)[:, 0])
    holes[:15, 0], holes[15:, 1] = np.nan, np.nan
    assert np.isnan(effect(name, holes)).all()


@pytest.mark.parametrize("name", EVERY)
def test_interval_holds_the_effect_and_grows_with_the_level(name):
    values = -(sample(8) > 10.5).astype(float) if name == "odds_ratio" else sample(8)
    narrow, wide = effect(name, values, all_pairs(3), level=0.8), effect(name, values, all_pairs(3), level=0.99)
    assert (narrow[1] < narrow[0]).all()
    assert (narrow[0] < narrow[2]).all()
    assert (wide[1] < narrow[1]).all()
    assert (wide[2] > narrow[2]).all()
    assert effect(name, values, all_pairs(3), level=0.8).tolist() == narrow.tolist()


def test_equal_columns():
    values = np.repeat(sample(9)[:, :1], 2, axis=1) + np.array([0.0, 1e-15])
    for name in SIGNED:
        assert one(name, values) == [0.0, 0.0, 0.0]
    assert one("a12", values) == [0.5, 0.5, 0.5]
    assert one("ratio", values) == [1.0, 1.0, 1.0]


def test_constant_difference():
    values = np.arange(8.0)[:, None] + np.array([3.0, 1.0])
    assert one("mean_difference", values) == [2.0, 2.0, 2.0]
    assert one("d_z", values) == [np.inf, np.inf, np.inf]
    z2 = 1.959963984540054**2
    assert one("rank_biserial", values) == pytest.approx([-1.0, -1.0, -(8 - z2) / (8 + z2)])
    doubled = np.array([[1.0, 2.0], [3.0, 6.0], [5.0, 10.0]])
    assert one("ratio", doubled) == pytest.approx([0.5, 0.5, 0.5])


def test_complete_separation_is_not_certainty():
    values = np.column_stack([np.arange(5.0), np.arange(5.0) + 10])
    z2 = 1.959963984540054**2
    assert one("cliffs_delta", values) == pytest.approx([1.0, (5 - z2) / (5 + z2), 1.0])
    assert one("a12", values) == pytest.approx([1.0, 5 / (5 + z2), 1.0])  # Wilson's lower end for 5 of 5


@pytest.mark.parametrize("name", EVERY)
def test_one_replicate_and_infinite_values(name):
    values = [[-1.0, 0.0]] if name == "odds_ratio" else [[1.0, 2.0]]
    found = effect(name, values)
    assert np.isnan(found[0, 0]) == (name == "d_z")
    if name != "odds_ratio":
        assert np.isnan(found[1:]).all()
    found = effect(name, [[1.0, 2.0], [np.inf, 2.0], [3.0, np.inf], [np.inf, np.inf]])
    assert found[0, 0] == pytest.approx({"cliffs_delta": -2 / 16 + 2 / 16, "a12": 0.5}.get(name, np.nan), nan_ok=True)


def test_rounding_noise_ties_but_small_numbers_do_not():
    assert one("cliffs_delta", [[0.1 + 0.2, 0.3], [0.3, 0.1 + 0.2]])[0] == 0.0
    assert one("rank_biserial", [[0.1 + 0.2, 0.3], [1e9, 1e9 + 1e-6]])[0] == 0.0
    assert one("cliffs_delta", [[1e-300, 2e-300], [0.0, 1e-320]])[0] == 0.5


def test_ratio_wants_one_sign():
    for bad in (0.0, -1.0):
        values = sample(1)
        values[2, 1] = bad
        found = effect("ratio", values, all_pairs(3))
        assert np.isnan(found[:, [0, 2]]).all()
        assert np.isfinite(found[:, 1]).all()
    assert one("ratio", [[1e-300, 1e300], [1e-300, 1e299]])[0] == 0.0


@pytest.mark.parametrize(
    ("b", "c", "expected"),
    # R: exact2x2::mcnemar.exact (classifiers.json: lecture_A, lecture_B, small_3_0, small_0_3, equal_5_5, large)
    [
        (11, 1, [11.0, 1.598778497721592, 473.47485828057427]),
        (25, 15, [1.6666666666666667, 0.8450686695243471, 3.4001937012787904]),
        (3, 0, [np.inf, 0.413231355030894, np.inf]),
        (0, 3, [0.0, 0.0, 2.4199518933533923]),
        (5, 5, [1.0, 0.23014246893810797, 4.345134579523997]),
        (60000, 61000, [0.9836065573770493, 0.9725679307292573, 0.9947702132543701]),
        (0, 0, [np.nan, np.nan, np.nan]),
    ],
)
def test_odds_ratio(b, c, expected):
    values = np.repeat([[-1.0, 0.0], [0.0, -1.0], [0.0, 0.0], [-1.0, -1.0]], [b, c, 4, 9], axis=0)
    assert one("odds_ratio", values) == pytest.approx(expected, rel=1e-12, nan_ok=True)
    assert one("odds_ratio", values + 1.0) == pytest.approx(expected, rel=1e-12, nan_ok=True)  # errors: 1 is wrong


def test_odds_ratio_is_for_outcomes_only():
    assert np.isnan(effect("odds_ratio", sample(1))).all()
    assert np.isnan(effect("odds_ratio", [[-1.0, 0.0], [0.0, 1.0]])).all()


def test_same_as_scipy():
    values = experiment("motorcycle")[0]
    found = {name: effect(name, values, all_pairs(7)) for name in ("mean_difference", "cliffs_delta")}
    for i, (a, b) in enumerate(all_pairs(7)):
        theirs = scipy.stats.ttest_rel(values[:, a], values[:, b]).confidence_interval(0.95)
        assert found["mean_difference"][1:, i] == pytest.approx(list(theirs), rel=1e-10)
        u = scipy.stats.mannwhitneyu(values[:, a], values[:, b], method="asymptotic").statistic
        assert found["cliffs_delta"][0, i] == pytest.approx(1 - 2 * u / 250**2, abs=1e-12)


def test_sorting_not_couples():
    values = np.random.default_rng(1).normal(size=(20_000, 4))
    start = time.process_time()
    effect("cliffs_delta", values, all_pairs(4))
    assert time.process_time() - start < 2.0  # all 4e8 couples of each of 6 pairs take longer
