"""The variance components against R, against statsmodels and against the likelihood written out with matrices."""

import numpy as np
import pytest
from experiments import experiment, reference
from published import ERGOSTOOL, IMMER, MISSING, NO_REPLICATE_VARIANCE
from statsmodels.regression.mixed_linear_model import MixedLM
from test_sums import with_gaps

from benchkit.methods.comparison import reml
from benchkit.methods.comparison.sums import summarise
from benchkit.methods.records import Floats

FILES = {
    "motorcycle": "motorcycle",
    "motorcycle_span03": "motorcycle_span03",
    "motorcycle_unbalanced": "motorcycle_unbalanced",
    "zero_block_variance": "awkward_zero_variance",
    "huge_offset": "awkward_offset_1e9",
    "two_algorithms": "awkward_two_algorithms",
}


def criterion(values: Floats, gamma: float) -> float:
    """Return -2 log restricted likelihood with s^2 profiled out, from the matrices themselves."""
    row, column = np.nonzero(~np.isnan(values))
    y = values[row, column]
    x = np.eye(values.shape[1])[column]
    v = np.eye(len(y)) + gamma * (row[:, None] == row[None, :])
    inverse = np.linalg.inv(v)
    information = x.T @ inverse @ x
    rest = y - x @ np.linalg.solve(information, x.T @ inverse @ y)
    freedom = len(y) - x.shape[1]
    squares = rest @ inverse @ rest
    logs = np.linalg.slogdet(v).logabsdet + np.linalg.slogdet(information).logabsdet
    return float(freedom * (np.log(2 * np.pi * squares / freedom) + 1) + logs)


@pytest.mark.parametrize("section", FILES)
def test_estimates_of_r(section: str) -> None:
    exact = reference()[section]["reml_exact"]
    values, algorithms = experiment(FILES[section])
    fit = reml.fit(summarise(values), constrained=True)
    assert fit.gamma == pytest.approx(exact["gamma"], rel=1e-9)
    assert fit.variance == pytest.approx(exact["var_e"], rel=1e-9)
    assert fit.replicate_variance == pytest.approx(exact["var_b"], rel=1e-9)
    assert fit.criterion == pytest.approx(exact["reml_criterion"], rel=1e-9)
    assert fit.at_boundary is exact["singular"]
    first, *others = exact["fixef"].values()
    assert fit.means[0] == pytest.approx(first, rel=1e-9)
    np.testing.assert_allclose(fit.relative_means[1:] - fit.relative_means[0], others, rtol=1e-8)
    errors = list(exact["se"].values())
    covariance = fit.covariance
    assert np.sqrt(covariance[0, 0]) == pytest.approx(errors[0], rel=1e-9)
    for k in range(1, len(algorithms)):
        assert np.sqrt(covariance[0, 0] + covariance[k, k] - 2 * covariance[0, k]) == pytest.approx(errors[k], rel=1e-9)


@pytest.mark.parametrize("section", ["motorcycle", "zero_block_variance"])
def test_complete_data_are_the_analysis_of_variance(section: str) -> None:
    table = reference()[section]["two_way_anova"]
    fit = reml.fit(summarise(experiment(FILES[section])[0]), constrained=False)
    assert fit.variance == pytest.approx(table["ms_error"], rel=1e-12)
    assert fit.replicate_variance == pytest.approx(table["var_b_moment"], rel=1e-10)


@pytest.mark.parametrize("constrained", [True, False])
@pytest.mark.parametrize("values", [MISSING, NO_REPLICATE_VARIANCE, with_gaps(1), with_gaps(4, 9, 3, 0.4), IMMER])
def test_no_other_ratio_is_more_likely(values: Floats, constrained: bool) -> None:
    fit = reml.fit(summarise(values), constrained)
    assert fit.criterion == pytest.approx(criterion(values, fit.gamma), rel=1e-10)
    largest = (~np.isnan(values)).sum(axis=1).max()
    lowest = 0.0 if constrained else -0.999 / largest
    for gamma in np.concatenate([np.linspace(lowest, 2.0, 40), np.geomspace(2.0, 1e4, 20)]):
        assert criterion(values, gamma) >= fit.criterion - 1e-9


def test_the_search_finds_what_complete_data_give_in_closed_form() -> None:
    values = experiment("motorcycle")[0]
    padded = np.vstack([values, np.full((1, 7), np.nan)])
    closed, searched = (reml.fit(summarise(each), constrained=False) for each in (values, padded))
    assert searched.gamma == pytest.approx(closed.gamma, rel=1e-12)
    np.testing.assert_allclose(searched.covariance, closed.covariance, rtol=1e-12)
    np.testing.assert_allclose(searched.information, closed.information, rtol=1e-10)


def test_statsmodels_agrees_where_it_converges() -> None:
    groups = np.repeat(np.arange(9), 4)
    model = MixedLM(ERGOSTOOL.ravel(), np.tile(np.eye(4), (9, 1)), groups=groups).fit(reml=True)
    fit = reml.fit(summarise(ERGOSTOOL), constrained=True)
    assert fit.variance == pytest.approx(model.scale, rel=1e-4)
    assert fit.replicate_variance == pytest.approx(float(model.cov_re[0, 0]), rel=1e-4)
    assert -fit.criterion / 2 == pytest.approx(model.llf, rel=1e-8)


def test_a_ratio_of_ten_to_the_eleventh_keeps_the_differences() -> None:
    generator = np.random.default_rng(3)
    noise, far = generator.normal(size=(40, 4)), 1e6 * generator.normal(size=(40, 1))
    gaps = generator.random(noise.shape) < 0.1
    near = reml.fit(summarise(np.where(gaps, np.nan, noise + 1e-3 * far)), constrained=True)
    wide = reml.fit(summarise(np.where(gaps, np.nan, noise + far)), constrained=True)
    assert wide.gamma > 1e11
    assert wide.variance == pytest.approx(near.variance, rel=1e-3)
    np.testing.assert_allclose(np.diff(wide.relative_means), np.diff(near.relative_means), rtol=1e-2, atol=1e-4)


def test_equal_sums_in_every_replicate_stand_at_the_lower_end() -> None:
    generator = np.random.default_rng(3)
    ranks = np.argsort(np.argsort(generator.random((30, 5)), axis=1), axis=1) + 1.0
    fit = reml.fit(summarise(ranks), constrained=False)
    assert fit.gamma == pytest.approx(-1 / 5)
    assert fit.at_boundary
    ranks[0, 0] = np.nan
    fit = reml.fit(summarise(ranks), constrained=False)
    assert fit.gamma == pytest.approx(-1 / 5, rel=1e-3)
    assert fit.at_boundary


@pytest.mark.parametrize("constrained", [True, False])
@pytest.mark.parametrize(
    ("values", "variance", "replicates"),
    [
        (np.full((5, 3), 0.1), 0.0, 0.0),
        (np.array([0.1, 0.2, 0.4]) + np.zeros((6, 1)), 0.0, 0.0),
        (np.array([0.1, 0.2, 0.4]) + np.arange(6.0)[:, None], 0.0, 3.5),
        (np.array([[0.1, 0.2, np.nan], [1.1, np.nan, 1.4], [2.1, 2.2, 2.4]]), 0.0, 1.0),
        (np.array([[1.0, 2.0, 3.0]]), np.nan, np.nan),
        (np.array([[1.0, np.nan], [np.nan, 2.0]]), np.nan, np.nan),
        (np.array([[1.0, np.nan], [np.nan, 2.0], [3.0, np.nan]]), 2.0, 0.0),
    ],
)
def test_degenerate_data_have_limits(values: Floats, variance: float, replicates: float, constrained: bool) -> None:
    fit = reml.fit(summarise(values), constrained)
    assert fit.variance == pytest.approx(variance, nan_ok=True)
    assert fit.replicate_variance == pytest.approx(replicates, nan_ok=True)
    assert np.isfinite(fit.means).all()
    if variance == 0:
        differences = np.nanmean(values - values[:, :1], axis=0)
        np.testing.assert_allclose(fit.relative_means - fit.relative_means[0], differences, atol=1e-12)
