"""Numbers for people: decimals of a column, significant digits, p-values."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchkit.formats import numbers

INF, NAN = math.inf, math.nan


@pytest.mark.parametrize(
    ("values", "digits", "decimals"),
    [
        ([570.04, 611.4, 2213.4], 4, 1),
        ([0.9123, 0.8512], 4, 4),
        ([0.0512, 0.9512], 4, 5),
        ([570.04, 611.4, 2213.4], 2, 0),
        ([1.0, 20.0, None, NAN, INF], 4, 0),
        ([3.0 + 1e-13], 4, 0),
        ([1494.0000001], 4, 0),
        ([1e9 + 570.3, 1e9 + 611.9], 4, 0),
        ([12.5, 12345.5], 4, 0),
        ([1.5, 12345.5], 4, None),
        ([1e-6, 1e6], 4, None),
        ([1.23e-6, 4.56e-6], 4, None),
        ([1.23e-4, 4.56e-4], 4, 7),
        ([], 4, 0),
        ([0.0, None], 4, 0),
        ([9.9996, 20.5], 4, 2),
        ([1e-301, 2e-301], 4, None),
        ([1e-301, 3.0], 4, None),
    ],
)
def test_decimals_of_a_column(values: list[float | None], digits: int, decimals: int | None) -> None:
    assert numbers.decimals_for(values, digits) == decimals


def test_a_difference_close_to_zero_asks_for_no_more_decimals() -> None:
    values = [1e-9, -30.5, 91.7, 1643.4, 451.3]
    assert numbers.decimals_for(values, 4, differences=True) == 1
    assert [numbers.fixed(value, 1) for value in values[:2]] == ["0.0", "-30.5"]


@pytest.mark.parametrize(
    ("std_errors", "values", "decimals"),
    [
        ([3.8, 25.1], [-41.4, -1643.5], 1),
        ([0.96], [12.0], 2),
        ([0.996], [12.0], 1),
        ([120.0, 99.7], [5000.0], 0),
        ([0.0031622], [1e7 + 0.2], 4),
        ([3.8, 4.0, 1e-9], [5.0, -41.4], 1),
        ([1e-17], [1.0], None),
        ([0.0, None, NAN], [1.0], None),
        ([1e-302], [1e-301], None),
        ([1e-3], [None], None),
    ],
)
def test_decimals_of_standard_errors(std_errors: list[float | None], values: list[float | None], decimals: int | None) -> None:
    assert numbers.decimals_for_errors(std_errors, values) == decimals


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [(-0.04, 1, "0.0"), (-0.0, 0, "0"), (-0.06, 1, "-0.1"), (INF, 1, "inf"), (-INF, 0, "-inf"), (NAN, 1, ""), (None, 1, ""),
     (-10.0, 0, "-10")],
)  # fmt: skip
def test_fixed(value: float | None, decimals: int, text: str) -> None:
    assert numbers.fixed(value, decimals) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0123449, "0.01234"), (456.7, "456.7"), (123456.0, "123456"), (1234567.0, "1.235e+06"), (999999.9, "1.000e+06"),
     (1e-4, "0.0001000"), (9.9e-5, "9.900e-05"), (0.0, "0"), (-1e-7, "-1.000e-07"), (None, ""), (INF, "inf")],
)  # fmt: skip
def test_significant_digits(value: float | None, text: str) -> None:
    assert numbers.significant(value, 4) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.0, "1.00"), (0.9999, "1.00"), (0.81449, "0.814"), (0.0421, "0.0421"), (0.0004, "0.000400"), (2.34e-7, "2.3e-07"),
     (0.0, "<1e-300"), (1e-310, "<1e-300"), (NAN, ""), (None, "")],
)  # fmt: skip
def test_p_value(value: float | None, text: str) -> None:
    assert numbers.p_value(value) == text


def test_p_value_with_digits_asked_for() -> None:
    assert [numbers.p_value(p, 5) for p in (0.814492, 2.345678e-7)] == ["0.81449", "2.3457e-07"]


@pytest.mark.parametrize(("values", "decimals"), [([155.0, 0.0], 0), ([43.5, 2.0], 1), ([1 / 3, 2.0], 2), ([None], 0)])
def test_shared_wins_get_the_decimals_that_they_need(values: list[float | None], decimals: int) -> None:
    assert numbers.needed_decimals(values) == decimals


def test_percent() -> None:
    assert [numbers.percent(share) for share in (0.95, 0.999, 0.975, None)] == ["95%", "99.9%", "97.5%", ""]


@given(st.lists(st.floats(1e-3, 1e5), min_size=1, max_size=20), st.integers(1, 9))
def test_no_number_of_a_column_is_lost(values: list[float], digits: int) -> None:
    """Every value is shown with two correct digits at least (one if one is asked for)."""
    decimals = numbers.decimals_for(values, digits)
    for value in values:
        shown = float(numbers.number(value, decimals, digits))
        assert abs(shown - value) <= 0.5000001 * value * 10.0 ** (1 - min(digits, 2))


@given(st.floats(0, 1))
def test_a_p_value_never_reads_as_zero(value: float) -> None:
    text = numbers.p_value(value)
    assert text == "<1e-300" if value < 1e-300 else abs(float(text) - value) <= 0.051 * value
