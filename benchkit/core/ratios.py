"""Rows of the pairs table whose numbers are ratios a / b (--transform log), and the same of b against a."""

from collections.abc import Mapping


def is_ratio(row: Mapping[str, object]) -> bool:
    """Tell whether estimate, interval and margin of the row are ratios, not differences."""
    return row.get("transform") == "log"


def turned(row: Mapping[str, object], estimate: float, low: float, high: float) -> tuple[float, float, float]:
    """Return estimate and interval of b against a: with the other sign, or the inverse of a ratio."""
    if is_ratio(row):
        return 1 / estimate, 1 / high, 1 / low
    return -estimate, -high, -low
