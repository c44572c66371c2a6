"""Variances and kurtosis of the differences, complete and incomplete."""

import numpy as np
import pytest
from experiments import all_pairs
from scipy.stats import kurtosis
from test_sums import with_gaps

from benchkit.methods.comparison.spread import Spread, spread, unequal
from benchkit.methods.comparison.sums import summarise
from benchkit.methods.records import Floats


@pytest.mark.parametrize("values", [with_gaps(1, share=0.0), with_gaps(2, 20), 1e9 + with_gaps(3, 20)])
def test_moments_of_the_replicates_that_have_both(values: Floats) -> None:
    found = spread(values, summarise(values), all_pairs(4))
    for index, (a, b) in enumerate(all_pairs(4)):
        both = ~np.isnan(values[:, a] - values[:, b])
        difference = (values[:, a] - values[:, b])[both]
        assert found.n[index] == both.sum()
        assert found.variance[index] == pytest.approx(difference.var(ddof=1), rel=1e-6)
        assert found.kurtosis[index] == pytest.approx(kurtosis(difference, fisher=False), rel=1e-6)
    np.testing.assert_allclose(found.sd, np.nanstd(values, axis=0, ddof=1), rtol=1e-6)


def test_the_rule_needs_both_size_and_certainty() -> None:
    variance = np.array([2.0, 1.2, 3.2, 2.8, 3.4, 0.0, np.nan])
    n = np.array([100, 100, 100, 100, 10, 10, 1])
    found = Spread(n, variance, np.array([3.0, 3.0, 3.0, 3.0, 3.0, np.nan, np.nan]), np.ones(3))
    # v = 1, .6, 1.6, 1.4, 1.7, 0: the first and the fourth are near 1, the fifth is uncertain, the last has no variance
    assert unequal(found, 1.0) == (1, 2, 5)


def test_too_few_values_are_missing_not_wrong() -> None:
    values = np.array([[1.0, 2.0, 3.0], [2.0, np.nan, 5.0], [4.0, np.nan, 1.0]])
    found = spread(values, summarise(values), all_pairs(3))
    assert found.n.tolist() == [1, 3, 1]
    assert np.isnan(found.variance).tolist() == [True, False, True]
    assert np.isnan(found.sd).tolist() == [False, True, False]
