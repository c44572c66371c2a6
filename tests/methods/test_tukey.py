"""The studentized range: critical values, far tails and special cases."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtr, stdtr
from scipy.stats import chi, studentized_range

from benchkit.methods.adjustment import tukey


@pytest.mark.parametrize(
    ("K", "df", "critical"),
    # computed to 12 digits with 30-digit arithmetic
    [(7, np.inf, 2.94832001753), (7, 1494.0, 2.95235382177), (4, np.inf, 2.56903177255), (4, 87.0, 2.61938879871)],
)
def test_critical_values(K: int, df: float, critical: float) -> None:
    assert tukey.quantile(0.95, K, df) == pytest.approx(critical, abs=1e-10)


@pytest.mark.parametrize(
    ("K", "t", "p"),
    # the integral over the largest of the K, evaluated by mpmath 1.3 with 30 digits
    [
        (7, 2.0, 0.414541127103834816),
        (7, 3.5, 0.00844875995544028952),
        (7, 9.0, 4.74006770932078441e-18),
        (40, 4.0, 0.0333921990576600937),
        (3, 0.2, 0.978190059936101737),
        (100, 2.5, 0.99864139771403168),
    ],
)
def test_known_variance_against_30_digits(K: int, t: float, p: float) -> None:
    assert tukey.sf(np.array([t]), K, np.inf)[0] == pytest.approx(p, rel=1e-12)


@pytest.mark.parametrize(("K", "df"), [(3, 2.0), (5, 12.0), (7, 300.0), (20, 40.0)])
def test_scipy_agrees(K: int, df: float) -> None:
    t = np.array([0.3, 1.0, 2.0, 3.0, 4.5])
    np.testing.assert_allclose(tukey.sf(t, K, df), studentized_range.sf(t * np.sqrt(2), K, df), atol=1e-9)


@pytest.mark.parametrize(("K", "t", "df"), [(4, 12.0, 87.0), (100, 3.0, 12.0), (10, 30.0, 5.0)])
def test_the_mean_over_the_scale_by_another_rule(K: int, t: float, df: float) -> None:
    def integrand(s: float) -> float:
        return float(chi.pdf(s * np.sqrt(df), df) * np.sqrt(df) * tukey.sf(np.array([t * s]), K, np.inf)[0])

    peak = np.sqrt(df / (df + t * t))
    pieces = [0.0, peak / 2, peak, (1 + peak) / 2, 1.0, 1.3, 2.0, 4.0]
    total = sum(quad(integrand, a, b, epsrel=1e-11, epsabs=0.0)[0] for a, b in pairwise(pieces))
    assert tukey.sf(np.array([t]), K, df)[0] == pytest.approx(total, rel=1e-8)


@pytest.mark.parametrize("df", [1.0, 3.0, 60.0, 1e6])
def test_two_means_are_the_t_test_into_the_far_tail(df: float) -> None:
    t = np.array([0.0, 0.01, 1.0, 5.0, 30.0])
    np.testing.assert_allclose(tukey.sf(t, 2, df), 2 * stdtr(df, -t), rtol=1e-11)


def test_two_means_with_known_variance_are_the_normal_test() -> None:
    t = np.array([0.0, 1.0, 5.0, 37.0])
    np.testing.assert_allclose(tukey.sf(t, 2, np.inf), 2 * ndtr(-t), rtol=1e-12)


def test_the_far_tail_approaches_bonferroni_from_below() -> None:
    p, bonferroni = tukey.sf(np.array([20.0]), 7, 1494.0)[0], 21 * 2 * stdtr(1494.0, -20.0)
    assert 0.9999 * bonferroni < p <= bonferroni * (1 + 1e-12)


@pytest.mark.parametrize(("K", "df"), [(2, 1.0), (3, 1.0), (7, 4.0), (30, 30.0), (100, 200.0), (100, np.inf)])
def test_quantile_inverts_sf_and_levels_are_monotone(K: int, df: float) -> None:
    levels = (0.5, 0.9, 0.95, 0.9999999)
    critical = np.array([tukey.quantile(level, K, df) for level in levels])
    assert (np.diff(critical) > 0).all()
    np.testing.assert_allclose(tukey.sf(critical, K, df), 1 - np.array(levels), rtol=1e-10)


@pytest.mark.parametrize("df", [3.0, np.inf])
def test_ends_and_missing_values(df: float) -> None:
    found = tukey.sf(np.array([[np.nan, 0.0], [np.inf, 1e-9]]), 5, df)
    assert found.shape == (2, 2)
    assert np.isnan(found[0, 0])
    assert found[0, 1] == pytest.approx(1.0, abs=1e-13)
    assert found[1, 0] == 0.0
    assert found[1, 1] == pytest.approx(1.0, abs=1e-13)
    assert tukey.sf(np.empty(0), 5, df).shape == (0,)
