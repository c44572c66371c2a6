"""Upper quantiles of t: against R, in the far tail, at the limits."""

import numpy as np
import pytest

from benchkit.methods.t_quantile import upper_t


@pytest.mark.parametrize(
    ("df", "tail", "expected"),
    [  # R: print(qt(TAIL, DF, lower.tail = FALSE), digits = 15)
        (3.7, 0.025, 2.86752070719119),
        (11.0, 0.025 / 3, 2.8200336),
        (200.0, 1e-20, 10.3657318717561),
        (np.inf, 0.025, 1.95996398454005),
        (5.0, 0.5, 0.0),
    ],
)
def test_quantiles_are_those_of_r(df: float, tail: float, expected: float) -> None:
    assert float(upper_t(df, tail)) == pytest.approx(expected, rel=1e-7, abs=1e-15)


def test_no_tail_is_so_small_that_the_quantile_turns_round() -> None:
    for tail in (0.0, 1e-320, 1e-300, 1e-200):
        found = upper_t(np.array([1.0, 3.7, 5.0, 30.0, np.inf]), tail)
        assert (found > 30).all()  # 30.2056 is that of the normal distribution at 1e-200
    assert np.isposinf(upper_t(np.array([3.7, np.inf]), 0.0)).all()


def test_without_degrees_of_freedom_there_is_none() -> None:
    assert np.isnan(upper_t(np.array([np.nan, -1.0]), 0.025)).all()
