"""The multivariate t against exact special cases, multcomp and itself."""

import numpy as np
import pytest
from experiments import all_pairs, experiment, reference
from scipy.special import stdtr, stdtrit

from benchkit.methods.adjustment import dunnett, max_t, tukey
from benchkit.methods.comparison import reml
from benchkit.methods.comparison.judgement import contrast_rows
from benchkit.methods.comparison.sums import summarise
from benchkit.methods.records import Floats


def seeded() -> np.random.Generator:
    """Return the generator that all calls here begin with."""
    return np.random.default_rng(1)


def correlation_of_pairs(K: int) -> Floats:
    """Return the correlation of all differences of K independent means of equal variance."""
    rows = contrast_rows(all_pairs(K), K)
    return rows @ rows.T / 2


@pytest.mark.parametrize(("K", "tolerance"), [(3, 1e-7), (7, 2e-4)])
@pytest.mark.parametrize("df", [10.0, 1494.0, np.inf])
def test_all_pairs_of_equal_variances_are_tukey(K: int, tolerance: float, df: float) -> None:
    t = np.linspace(0.2, 6.0, K * (K - 1) // 2)
    found = max_t.sf(t, np.full(len(t), df), correlation_of_pairs(K), seeded())
    exact = tukey.sf(t, K, df)
    np.testing.assert_allclose(found, exact, atol=tolerance)
    np.testing.assert_allclose(found[exact < 1e-3], exact[exact < 1e-3], rtol=0.01)


def test_the_far_tail_of_many_algorithms_stays_near_the_exact_one() -> None:
    t = np.array([4.5, 6.0, 8.0, 12.0])
    some = np.zeros(435)
    some[:4] = t
    found = max_t.sf(some, np.full(435, 1494.0), correlation_of_pairs(30), seeded())[:4]
    np.testing.assert_allclose(found, tukey.sf(t, 30, 1494.0), rtol=0.3)
    assert (found <= 435 * 2 * stdtr(1494.0, -t) * (1 + 1e-12)).all()


def test_many_to_one_of_equal_variances_is_dunnett() -> None:
    t = np.linspace(0.2, 6.0, 6)
    found = max_t.sf(t, np.full(6, 30.0), (np.eye(6) + 1) / 2, seeded())
    np.testing.assert_allclose(found, dunnett.sf(t, 6, 30.0), atol=2e-4)


@pytest.mark.parametrize(("part", "df"), [("tukey_t_glht", 1494.0), ("tukey_normal_glht", np.inf)])
def test_multcomp_on_incomplete_data(part: str, df: float) -> None:
    values, algorithms = experiment("motorcycle_unbalanced")
    fit = reml.fit(summarise(values), constrained=True)
    rows = contrast_rows(all_pairs(7), 7)
    covariance = rows @ fit.covariance @ rows.T
    error = np.sqrt(np.diag(covariance))
    found = reference()["motorcycle_unbalanced"][part]
    published = {frozenset((pair["first"], pair["second"])): pair["p_adjusted"] for pair in found["pairs"]}
    expected = [published[frozenset((algorithms[a], algorithms[b]))] for a, b in all_pairs(7)]
    family = max_t.Maximum(covariance / np.outer(error, error), seeded())
    p = family.sf(np.abs(rows @ fit.relative_means) / error, np.full(21, df))
    np.testing.assert_allclose(p, expected, atol=2e-4)
    np.testing.assert_allclose(family.quantile(0.95, np.full(21, df)), found["calpha"], atol=1e-3)


def test_one_contrast_or_copies_of_one_are_the_t_test() -> None:
    copies = np.array([[1.0, -1.0], [-1.0, 1.0]])
    for correlation in (np.ones((1, 1)), copies):
        m = len(correlation)
        found = max_t.sf(np.full(m, 2.5), np.full(m, 8.0), correlation, seeded())
        np.testing.assert_allclose(found, 2 * stdtr(8.0, -2.5), rtol=1e-10)
        np.testing.assert_allclose(max_t.quantile(0.95, np.full(m, 8.0), correlation, seeded()), -stdtrit(8.0, 0.025), rtol=1e-10)


@pytest.mark.parametrize("spread", [1.0, 1.5, 50.0])
def test_quantile_inverts_sf_for_few_and_for_many_df(spread: float) -> None:
    df = np.linspace(12.0, 12.0 * spread, 45)
    correlation = correlation_of_pairs(10)
    critical = max_t.quantile(0.95, df, correlation, seeded())
    np.testing.assert_allclose(max_t.sf(critical, df, correlation, seeded()), 0.05, rtol=1e-7)
    assert (np.diff(critical) <= 0).all()


def test_equal_generators_give_equal_numbers_and_are_not_moved() -> None:
    generator = seeded()
    before = generator.bit_generator.state
    first = max_t.sf(np.full(6, 2.0), np.full(6, 9.0), correlation_of_pairs(4), generator)
    second = max_t.sf(np.full(6, 2.0), np.full(6, 9.0), correlation_of_pairs(4), generator)
    np.testing.assert_array_equal(first, second)
    assert generator.bit_generator.state == before


def test_condensing_keeps_the_mean_over_all_directions() -> None:
    family = max_t.Maximum(correlation_of_pairs(5), seeded())
    sample, weights = max_t._largest(max_t.factorise(correlation_of_pairs(5)), seeded())
    assert family.weights.sum() == pytest.approx(1.0)
    for power in (1, 2, 3):
        assert family.weights @ family.points**power == pytest.approx(weights @ sample**power, rel=1e-12)
    for t, tolerance in ((1.0, 1e-11), (6.0, 1e-8), (30.0, 1e-3)):
        whole = weights @ np.exp(-((t / sample) ** 2) / 2)
        assert family.weights @ np.exp(-((t / family.points) ** 2) / 2) == pytest.approx(whole, rel=tolerance)


def test_a_contrast_without_variance_is_missing_alone() -> None:
    correlation = correlation_of_pairs(4)
    correlation[2, :] = correlation[:, 2] = np.nan
    t, df = np.full(6, 2.0), np.full(6, 9.0)
    found = max_t.sf(t, df, correlation, seeded())
    assert np.isnan(found).tolist() == [False, False, True, False, False, False]
    assert np.isnan(max_t.quantile(0.95, df, correlation, seeded())).tolist() == np.isnan(found).tolist()
    t[0], df[1] = np.nan, np.nan
    found = max_t.sf(t, df, correlation_of_pairs(4), seeded())
    assert np.isnan(found).tolist() == [True, True, False, False, False, False]
    assert np.isnan(max_t.sf(t, df, np.full((6, 6), np.nan), seeded())).all()


def test_ends() -> None:
    found = max_t.sf(np.array([0.0, np.inf, 1e-3]), np.array([5.0, 5.0, np.inf]), correlation_of_pairs(3), seeded())
    assert found == pytest.approx([1.0, 0.0, 1.0], abs=1e-5)


def test_the_factor_has_the_rank_of_the_correlation() -> None:
    correlation = correlation_of_pairs(8)
    factor = max_t.factorise(correlation)
    assert factor.shape == (28, 7)
    np.testing.assert_allclose(factor @ factor.T, correlation, atol=1e-12)


def test_the_names_of_the_algorithms_do_not_matter() -> None:
    rng = np.random.default_rng(5)
    covariance = np.cov(rng.normal(size=(20, 5)) * [1, 2, 1, 3, 1], rowvar=False)

    def adjusted(order: list[int]) -> list[float]:
        """p of every pair of algorithms, named by their numbers before the reordering."""
        pairs = np.array([(a, b) for a in range(5) for b in range(a + 1, 5)])
        rows = np.zeros((10, 5))
        rows[np.arange(10), pairs[:, 0]], rows[np.arange(10), pairs[:, 1]] = 1.0, -1.0
        joint = rows @ covariance[np.ix_(order, order)] @ rows.T
        error = np.sqrt(np.diag(joint))
        t = np.array([0.3 + 0.25 * (order[a] + order[b]) for a, b in pairs])
        p = max_t.sf(t, np.full(10, 30.0), joint / np.outer(error, error), np.random.default_rng(1))
        named = {tuple(sorted((order[a], order[b]))): value for (a, b), value in zip(pairs, p, strict=True)}
        return [float(named[pair]) for pair in sorted(named)]

    for order in ([4, 3, 2, 1, 0], [2, 0, 4, 1, 3]):
        np.testing.assert_allclose(adjusted(order), adjusted([0, 1, 2, 3, 4]), rtol=1e-8)
