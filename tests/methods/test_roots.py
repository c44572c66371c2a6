"""Bracketed roots, many at once."""

import numpy as np

from benchkit.methods.roots import find_roots


def test_roots_to_the_last_digits() -> None:
    powers = np.array([2.0, 3.0, 9.0, 51.0])
    found = find_roots(lambda x: x**powers - 2.0, np.zeros(4), np.full(4, 3.0))
    np.testing.assert_allclose(found, 2.0 ** (1 / powers), rtol=1e-15)


def test_flat_steep_and_distant_functions() -> None:
    found = find_roots(lambda x: np.tanh(1e3 * (x - 0.1)) + np.sign(x - 0.1) * 1e-9, np.array([-1e6]), np.array([1e6]))
    np.testing.assert_allclose(found, 0.1, rtol=1e-14)
    np.testing.assert_allclose(find_roots(lambda x: np.exp(-x) - 1e-200, np.array([0.0]), np.array([1e3])), 200 * np.log(10))


def test_a_root_at_an_end_and_no_change_of_sign() -> None:
    found = find_roots(lambda x: x - 1.0, np.array([1.0, 0.0, 3.0]), np.array([2.0, 1.0, 5.0]))
    assert found.tolist() == [1.0, 1.0, 3.0]
    assert np.isnan(find_roots(lambda x: x * np.nan, np.zeros(1), np.ones(1))).all()
