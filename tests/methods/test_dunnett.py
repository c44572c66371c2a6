"""Dunnett's distribution: tables, far tails and special cases."""

import numpy as np
import pytest
from scipy.special import stdtr
from scipy.stats import dunnett as simulated

from benchkit.methods.adjustment import dunnett


@pytest.mark.parametrize(
    ("df", "row"),
    # Dunnett 1964, Biometrics 20, table II (two-sided, 5%), 1 to 9 comparisons
    [
        (20.0, (2.09, 2.38, 2.54, 2.65, 2.73, 2.80, 2.86, 2.90, 2.95)),
        (60.0, (2.00, 2.27, 2.41, 2.51, 2.58, 2.64, 2.69, 2.73, 2.77)),
    ],
)
def test_published_table(df: float, row: tuple[float, ...]) -> None:
    assert [dunnett.quantile(0.95, m, df) for m in range(1, 10)] == pytest.approx(row, abs=0.0051)


@pytest.mark.parametrize(
    ("m", "t", "p"),
    # the integral over the baseline, evaluated by mpmath 1.3 with 30 digits
    [
        (6, 2.0, 0.1910634940985062),
        (6, 9.0, 1.35430557347527357e-18),
        (40, 4.0, 0.00211332071797090119),
        (2, 0.2, 0.971110966551949379),
    ],
)
def test_known_variance_against_30_digits(m: int, t: float, p: float) -> None:
    assert dunnett.sf(np.array([t]), m, np.inf)[0] == pytest.approx(p, rel=1e-12)


def test_scipy_agrees_to_its_own_precision() -> None:
    generator = np.random.default_rng(8)
    samples = [generator.normal(size=6) + shift for shift in (0.0, 0.4, 1.2, 0.8)]
    result = simulated(*samples[1:], control=samples[0], rng=np.random.default_rng(1))
    found = dunnett.sf(np.abs(result.statistic), 3, 20.0)
    np.testing.assert_allclose(found, result.pvalue, atol=1e-3)


@pytest.mark.parametrize("df", [1.0, 3.0, 60.0, 1e6])
def test_one_comparison_is_the_t_test_into_the_far_tail(df: float) -> None:
    t = np.array([0.0, 0.01, 1.0, 5.0, 30.0])
    np.testing.assert_allclose(dunnett.sf(t, 1, df), 2 * stdtr(df, -t), rtol=1e-11)


@pytest.mark.parametrize(("m", "df"), [(2, 1.0), (7, 4.0), (30, 30.0), (99, 200.0), (99, np.inf)])
def test_quantile_inverts_sf(m: int, df: float) -> None:
    levels = (0.5, 0.95, 0.9999999)
    critical = np.array([dunnett.quantile(level, m, df) for level in levels])
    assert (np.diff(critical) > 0).all()
    np.testing.assert_allclose(dunnett.sf(critical, m, df), 1 - np.array(levels), rtol=1e-10)


def test_ends_and_missing_values() -> None:
    for df in (3.0, np.inf):
        found = dunnett.sf(np.array([np.nan, 0.0, np.inf]), 5, df)
        assert np.isnan(found[0])
        assert found[1] == pytest.approx(1.0, abs=1e-13)
        assert found[2] == 0.0
