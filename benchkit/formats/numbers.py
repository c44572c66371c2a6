"""Numbers as people read them: enough digits to compare, no more; the point of a column in one place."""

import math
from collections.abc import Iterable, Sequence

DIGITS = 4
SHORT_DIGITS = 3
SMALLEST_P = 1e-300

Number = float | None


def digits_of(digits: int | None, usual: int = DIGITS) -> int:
    """Return the significant digits asked for, at least one, or the usual number of them."""
    return usual if digits is None else max(1, digits)


def known(values: Iterable[Number]) -> list[float]:
    """Return the values without the missing ones (null, NaN)."""
    return [value for value in values if value is not None and not math.isnan(value)]


def _finite(values: Iterable[Number]) -> list[float]:
    return [value for value in known(values) if not math.isinf(value)]


def are_whole(values: Iterable[Number]) -> bool:
    """Return whether all finite values are whole numbers, but for float noise, of at most 15 digits.

    A value close to zero that is not zero (1e-301) is no whole number: it would read as 0.
    """
    return all(abs(value) < 1e15 and abs(value - round(value)) <= 1e-9 * abs(value) for value in _finite(values))


def _exponent(value: float, digits: int) -> int:
    """Return the decimal exponent of a non-zero value after rounding to `digits` significant digits."""
    return int(f"{abs(value):.{digits - 1}e}".partition("e")[2])


def decimals_for(values: Sequence[Number], digits: int, differences: bool = False) -> int | None:
    """Return how many decimals a column of `values` needs, or None if no number of decimals does for all of them.

    The smallest magnitude keeps `digits` significant digits unless the largest would then have more than digits + 1;
    whole numbers have no decimals. Differences may be close to zero by chance, so their median magnitude counts
    instead, and one that rounds to 0.0 is shown so. None: the smallest would keep fewer than two digits, or all are
    below 1e-4, or the largest has more than 15 digits before the point.
    """
    if are_whole(values):
        return 0
    magnitudes = sorted(abs(value) for value in _finite(values) if value)
    typical = _exponent(magnitudes[(len(magnitudes) - 1) // 2 if differences else 0], digits)
    largest = _exponent(magnitudes[-1], digits)
    decimals = max(0, min(digits - 1 - typical, digits - largest))
    kept = decimals + 1 + typical
    return None if kept < min(digits, 2) or not -5 < largest < 15 else decimals


def decimals_for_errors(std_errors: Iterable[Number], values: Iterable[Number]) -> int | None:
    """Return the decimals at which the smallest standard error has two significant digits, or None if none tells.

    values: what the errors belong to and is shown with these decimals. Errors that are float noise do not count (below
    1e-10 of the largest value or 1e-3 of the median error). None: no error is left, or the largest value is below 1e-4
    or has more than 15 digits before the point.
    """
    largest = max((abs(value) for value in _finite(values)), default=0.0)
    errors = sorted(error for error in _finite(std_errors) if error > 1e-10 * largest)
    if not errors or not 1e-4 <= largest < 1e15:
        return None
    smallest = next(error for error in errors if error >= 1e-3 * errors[len(errors) // 2])
    return max(0, 1 - _exponent(smallest, 2))


def needed_decimals(values: Sequence[Number], most: int = 2) -> int:
    """Return the fewest decimals, `most` at most, that show all the values exactly (0.5 of a win needs one)."""
    exact = (d for d in range(most) if are_whole([value * 10**d for value in _finite(values)]))
    return next(exact, most)


def fixed(value: Number, decimals: int) -> str:
    """Return `value` with so many decimals; never a negative zero; infinities as inf, missing as blank."""
    if value is None or math.isnan(value):
        return ""
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if not text.strip("-0.") else text


def significant(value: Number, digits: int) -> str:
    """Return `value` with so many significant digits: 0.01234, 456.7, and 1.234e-06 below 1e-4 or from 1e6 on."""
    if not value or not math.isfinite(value):
        return fixed(value, 0)
    exponent = _exponent(value, digits)
    if -5 < exponent < 6:
        return fixed(value, max(0, digits - 1 - exponent))
    return f"{value:.{digits - 1}e}"


def number(value: Number, decimals: int | None, digits: int) -> str:
    """Return `value` with the decimals of its column or, where it has none, with its own significant digits."""
    return significant(value, digits) if decimals is None else fixed(value, decimals)


def p_value(value: Number, digits: int | None = None) -> str:
    """Return a p-value: 0.814, 0.0421, 2.3e-07 below 1e-4, <1e-300 where it is lost to floats; never 0.000."""
    if value is None or math.isnan(value):
        return ""
    if value < SMALLEST_P:
        return "<1e-300"
    wanted = digits_of(digits, SHORT_DIGITS)
    if value < 1e-4:
        return f"{value:.{digits_of(digits, 2) - 1}e}"
    return fixed(value, wanted - 1 - _exponent(value, wanted))


def percent(value: Number) -> str:
    """Return a share as a percentage: 0.95 as 95%, 0.999 as 99.9%."""
    return "" if value is None or math.isnan(value) else f"{100 * value:.10g}%"
