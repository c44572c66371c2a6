"""The bracket: its verdicts, where both ends agree, are those of the whole comparison."""

import numpy as np
import pytest
from experiments import all_pairs

from benchkit.methods.comparison import unstructured
from benchkit.methods.comparison.bracket import bracket
from benchkit.methods.records import Blocks


def blocks(values: np.ndarray) -> Blocks:
    return Blocks(values, all_pairs(values.shape[1]), 0.95, np.random.default_rng(1))


@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_the_critical_value_lies_between(offset: float) -> None:
    rng = np.random.default_rng(3)
    values = offset + rng.normal(size=(2500, 1)) + rng.normal(size=(2500, 5)) * [1, 2, 3, 1, 1] + [0, 0.1, 0.2, 0.3, 0.3]
    low, high = bracket(blocks(values)) or pytest.fail("no bracket")
    whole = unstructured.compare(blocks(values))
    assert (low.pairs.critical < whole.pairs.critical).all()
    assert (whole.pairs.critical < high.pairs.critical).all()
    np.testing.assert_allclose(low.pairs.estimate, whole.pairs.estimate, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(low.pairs.std_error, whole.pairs.std_error, rtol=1e-6)


def test_there_is_none_where_it_would_not_hold() -> None:
    values = np.random.default_rng(3).normal(size=(2001, 3))
    assert bracket(blocks(values)) is not None
    assert bracket(blocks(values[:2000])) is None
    assert bracket(blocks(np.where(values > 3, np.nan, values))) is None
    assert bracket(blocks(values[:, [0, 0, 1]])) is None
