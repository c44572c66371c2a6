"""Kenward-Roger and Satterthwaite against pbkrtest, lmerTest and emmeans."""

from types import ModuleType

import numpy as np
import pytest
from experiments import all_pairs, experiment, reference
from published import MISSING
from test_sums import with_gaps

from benchkit.methods.comparison import judgement, kenward_roger, reml, satterthwaite
from benchkit.methods.comparison.derivatives import derivatives
from benchkit.methods.comparison.judgement import Judgement
from benchkit.methods.comparison.sums import rotate, summarise
from benchkit.methods.records import Floats


def judged(method: ModuleType, values: Floats) -> Judgement:
    """Return the judgement of all pairs at the unconstrained optimum."""
    sums = summarise(values)
    K = values.shape[1]
    answer: Judgement = method.judge(sums, reml.fit(sums, constrained=False), judgement.contrast_rows(all_pairs(K), K))
    return answer


@pytest.mark.parametrize(("mode", "method"), [("kenward-roger", kenward_roger), ("satterthwaite", satterthwaite)])
def test_emmeans_on_incomplete_data(mode: str, method: ModuleType) -> None:
    published = reference()["motorcycle_unbalanced"]["tukey_emmeans"][mode]
    found = judged(method, experiment("motorcycle_unbalanced")[0])
    np.testing.assert_allclose(found.std_error, [pair["se"] for pair in published["pairs"]], rtol=1e-9)
    np.testing.assert_allclose(found.df, [pair["df"] for pair in published["pairs"]], rtol=1e-6)
    np.testing.assert_allclose(found.mean_error, [mean["se"] for mean in published["means"]], rtol=1e-9)
    np.testing.assert_allclose(found.mean_df, [mean["df"] for mean in published["means"]], rtol=1e-6)


def test_overall_tests_on_incomplete_data() -> None:
    published = reference()["motorcycle_unbalanced"]["global"]
    adjusted = judged(kenward_roger, experiment("motorcycle_unbalanced")[0]).overall
    assert adjusted.statistic == pytest.approx(published["kenward_roger_pbkrtest"]["F"], rel=1e-9)
    assert adjusted.df2 == pytest.approx(published["kenward_roger_pbkrtest"]["ddf"], rel=1e-6)
    plain = judged(satterthwaite, experiment("motorcycle_unbalanced")[0]).overall
    assert plain.statistic == pytest.approx(published["satterthwaite"]["F"], rel=1e-9)
    # lmerTest's df depends on the contrast basis, 1347.005 to 1347.017
    assert plain.df2 == pytest.approx(published["satterthwaite"]["df2"], rel=2e-5)


@pytest.mark.parametrize("method", [kenward_roger, satterthwaite])
@pytest.mark.parametrize("name", ["motorcycle", "awkward_zero_variance", "awkward_two_algorithms"])
def test_complete_data_need_no_adjustment(name: str, method: ModuleType) -> None:
    values = experiment(name)[0]
    sums = summarise(values)
    K = values.shape[1]
    exact = judgement.balanced(sums, reml.fit(sums, constrained=False), judgement.contrast_rows(all_pairs(K), K))
    found = judged(method, values)
    for part in ("std_error", "df", "mean_error", "mean_df"):
        np.testing.assert_allclose(getattr(found, part), getattr(exact, part), rtol=1e-9)
    assert found.overall.statistic == pytest.approx(exact.overall.statistic, rel=1e-9)
    assert found.overall.df2 == pytest.approx(exact.overall.df2, rel=1e-9)


@pytest.mark.parametrize("method", [kenward_roger, satterthwaite])
@pytest.mark.parametrize("values", [MISSING, with_gaps(1)])
def test_one_difference_is_its_own_f_test(values: Floats, method: ModuleType) -> None:
    pair = values[:, :2][~np.isnan(values[:, :2]).all(axis=1)]
    sums = summarise(pair)
    fit = reml.fit(sums, constrained=False)
    found = judged(method, pair)
    t = (fit.relative_means[0] - fit.relative_means[1]) / found.std_error[0]
    assert found.overall.statistic == pytest.approx(t**2, rel=1e-9)
    assert found.overall.df2 == pytest.approx(found.df[0], rel=1e-6)


def test_expected_information_is_that_of_the_matrices() -> None:
    values = with_gaps(6, 8, 3)
    gamma = 0.7
    row, column = np.nonzero(~np.isnan(values))
    x, same = np.eye(3)[column], (row[:, None] == row[None, :]).astype(float)
    inverse = np.linalg.inv(np.eye(len(row)) + gamma * same)
    projection = inverse - inverse @ x @ np.linalg.solve(x.T @ inverse @ x, x.T @ inverse)
    changes = (same, np.eye(len(row)))
    expected = [[np.trace(projection @ a @ projection @ b) for b in changes] for a in changes]
    np.testing.assert_allclose(derivatives(rotate(summarise(values)), gamma).expected, expected, rtol=1e-10)


@pytest.mark.parametrize("method", [kenward_roger, satterthwaite])
def test_ranks_with_a_missing_cell_have_the_residual_degrees_of_freedom(method: ModuleType) -> None:
    generator = np.random.default_rng(3)
    ranks = np.argsort(np.argsort(generator.random((30, 5)), axis=1), axis=1) + 1.0
    ranks[0, 0] = np.nan
    found = judged(method, ranks)
    # 29 complete replicates give 4 each, one with 4 values gives 4 once its own level is free; 4 are spent
    np.testing.assert_allclose(found.df, 116.0, rtol=1e-3)
    assert found.overall.df2 == pytest.approx(116.0, rel=1e-3)
