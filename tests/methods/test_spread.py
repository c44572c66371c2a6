"""Variances and kurtosis of the differences, complete and incomplete."""

import numpy as np
import pytest
from experiments import all_pairs
from scipy.stats import kurtosis as scipy_kurtosis
from test_sums import with_gaps

from benchkit.methods.comparison.spread import Spread, kurtosis, spread, unequal
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


def test_kurtosis() -> None:
    values = np.random.default_rng(1).gamma(2.0, size=200)
    assert kurtosis(values) == pytest.approx(scipy_kurtosis(values, fisher=False), rel=1e-12)
    assert np.isnan(kurtosis(np.ones(5)))


def test_the_rule_needs_both_size_and_certainty() -> None:
    # +1 and -1 in turn have kurtosis 1, so that any deviation is certain; the heavy tail of the last has a large one
    flat = np.tile([1.0, -1.0], 50)
    heavy = np.zeros(100)
    heavy[:2] = 10.0, -10.0
    values = np.column_stack([np.zeros(100), flat, heavy])
    contrasts = np.array([[1, 0]] * 5 + [[2, 0]])
    variance = np.array([2.0, 1.2, 3.2, 2.8, 0.0, 3.4])
    # v = 1, .6, 1.6, 1.4, 0 and 1.7: the first and the fourth are near 1, the last is uncertain
    assert unequal(Spread(np.full(6, 100), variance), values, contrasts, 1.0) == (1, 2, 4)


def test_too_few_values_are_missing_not_wrong() -> None:
    values = np.array([[1.0, 2.0, 3.0], [2.0, np.nan, 5.0], [4.0, np.nan, 1.0]])
    found = spread(values, summarise(values), all_pairs(3))
    assert found.n.tolist() == [1, 3, 1]
    assert np.isnan(found.variance).tolist() == [True, False, True]
