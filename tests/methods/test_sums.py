"""The sums against what they stand for, written out with matrices."""

import numpy as np
import pytest
from published import ERGOSTOOL, MISSING

from benchkit.errors import BenchkitError
from benchkit.methods.comparison import reml
from benchkit.methods.comparison.sums import orthonormal_contrasts, rotate, rotation, summarise
from benchkit.methods.records import Floats


def with_gaps(seed: int, rows: int = 12, columns: int = 4, share: float = 0.25) -> Floats:
    """Return random numbers with replicate effects and missing cells."""
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(rows, columns)) + 3 * generator.normal(size=(rows, 1)) + np.arange(columns)
    return np.where(generator.random(values.shape) < share, np.nan, values)


@pytest.mark.parametrize("values", [ERGOSTOOL, MISSING, with_gaps(1), with_gaps(2, 30, 5)])
def test_the_sums_are_what_they_say(values: Floats) -> None:
    sums = summarise(values)
    present = ~np.isnan(values)
    centred = np.where(present, values - sums.centre, 0.0)
    number, total = present.sum(1), centred.sum(1)
    assert sums.counts.tolist() == present.sum(0).tolist()
    assert sums.n_values == present.sum()
    assert sums.n_replicates == (number > 0).sum()
    assert sums.scale == np.nanmax(np.abs(values))
    np.testing.assert_allclose(sums.sums, centred.sum(0), atol=1e-12 * sums.scale)
    for index, size in enumerate(sums.sizes):
        chosen = number == size
        x = present[chosen].astype(float)
        assert sums.replicates[index] == chosen.sum()
        np.testing.assert_array_equal(sums.together[index], x.T @ x)
        np.testing.assert_allclose(sums.totals[index], total[chosen] @ x, atol=1e-12 * sums.scale)
        np.testing.assert_allclose(sums.squares[index], total[chosen] @ total[chosen], rtol=1e-12)
    within = np.zeros((len(sums.counts), len(sums.counts)))
    deviations = 0.0
    for row, value in zip(present.astype(float), centred, strict=True):
        if row.sum():
            within += np.diag(row) - np.outer(row, row) / row.sum()
            deviations += float(np.sum((value[row == 1] - value.sum() / row.sum()) ** 2))
    np.testing.assert_allclose(sums.within_together, within, atol=1e-12)
    assert sums.within_squares == pytest.approx(deviations, rel=1e-12)


def test_a_complete_matrix_takes_the_short_way_to_the_same_sums() -> None:
    padded = np.vstack([ERGOSTOOL, np.full((1, 4), np.nan)])
    short, long = summarise(ERGOSTOOL), summarise(padded)
    assert short.balanced
    assert not long.balanced
    for name in ("counts", "sizes", "replicates", "together", "within_together"):
        np.testing.assert_allclose(getattr(short, name), getattr(long, name), atol=1e-12)
    assert reml.fit(short, True).variance == pytest.approx(reml.fit(long, True).variance, rel=1e-12)


def test_constant_differences_leave_nothing_within_replicates_though_cells_are_missing() -> None:
    generator = np.random.default_rng(5)
    values = 1000.0 + 100.0 * generator.normal(size=(30, 1)) + np.array([0.0, 0.5, 2.0])
    values = np.where(generator.random(values.shape) < 0.3, np.nan, values)
    values = values[~np.isnan(values).all(axis=1)]
    assert reml.residual_within(summarise(values))[0] < 1e-20 * 1000.0**2


def test_an_algorithm_without_values_is_refused() -> None:
    with pytest.raises(BenchkitError, match="no value at all"):
        summarise(np.array([[1.0, np.nan], [2.0, np.nan]]))


def test_rotation_is_orthogonal_and_ends_in_the_common_level() -> None:
    turn = rotation(5)
    np.testing.assert_allclose(turn.T @ turn, np.eye(5), atol=1e-15)
    np.testing.assert_allclose(turn[:, -1], 5**-0.5)
    np.testing.assert_allclose(orthonormal_contrasts(5).sum(axis=1), 0.0, atol=1e-15)
    turned = rotate(summarise(with_gaps(3)))
    assert (turned.within_together[-1] == 0).all()
    assert turned.within_totals[-1] == 0
