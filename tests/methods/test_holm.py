import numpy as np
import pytest
import scipy.stats
from experiments import reference
from statsmodels.stats.multitest import multipletests

from benchkit.methods.adjustment import holm


def test_published_example():
    # Holm's procedure by hand: 4 x .01, 3 x .02 -> .06, 2 x .03 -> .06, .2
    assert holm.step_down_p_values(np.array([0.03, 0.2, 0.01, 0.02])) == pytest.approx([0.06, 0.2, 0.04, 0.06])


def test_r_on_the_paired_t_tests_of_the_motorcycle_data():
    pairs = reference()["motorcycle"]["paired"]
    adjusted = holm.step_down_p_values(np.array([pair["p_t"] for pair in pairs]))
    assert adjusted == pytest.approx([pair["p_t_holm"] for pair in pairs], rel=1e-12, abs=0.0)


@pytest.mark.parametrize("m", [1, 2, 3, 10, 45])
def test_same_as_statsmodels(m):
    p = np.round(np.random.default_rng(m).beta(0.3, 1.0, size=m), 2)  # zeros, small ones and ties
    assert holm.step_down_p_values(np.array(p)) == pytest.approx(multipletests(p, method="holm")[1], abs=1e-15)


def test_missing_p_values_leave_the_family():
    assert holm.step_down_p_values(np.array([np.nan, 0.03, np.nan, 0.01])) == pytest.approx(
        [np.nan, 0.03, np.nan, 0.02], nan_ok=True
    )
    assert np.isnan(holm.step_down_p_values(np.array([np.nan]))).all()
    assert holm.step_down_p_values(np.array([])).size == 0


def test_bonferroni_interval_and_its_tail_agree():
    df = np.array([2.0, 9.0, 249.0])
    critical = holm.bonferroni_quantile(0.95, df, 21)
    assert critical == pytest.approx(scipy.stats.t.isf(0.025 / 21, df), rel=1e-12)
    assert holm.bonferroni_sf(critical, df, 21) == pytest.approx(0.05, rel=1e-10)
    assert holm.bonferroni_sf(np.array([0.0, np.inf, np.nan]), df, 21) == pytest.approx([1.0, 0.0, np.nan], nan_ok=True)
