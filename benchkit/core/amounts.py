"""Numbers in sentences: as many digits as their interval tells."""

from math import floor, isfinite, log10

Amount = float | None
# beyond these a number is written with a power of ten
LARGEST, SMALLEST = 1e7, 1e-6
SMALLEST_P = 1e-300


def written(value: float, spread: float) -> str:
    """Return a number with three significant digits of `spread`, the width of its interval; four of its own without one."""
    if not isfinite(value):
        return "infinity" if value > 0 else "minus infinity"
    if not (isfinite(spread) and spread > 0):
        return f"{value:.4g}"
    if abs(value) >= LARGEST or spread < SMALLEST:
        return f"{value:.4g}"
    text = f"{value:.{max(0, 2 - floor(log10(spread)))}f}"
    return text.removeprefix("-") if not text.strip("-0.") else text


def interval(value: float, low: Amount, high: Amount) -> tuple[str, str, str]:
    """Return an estimate and the ends of its interval as texts with the same decimals; ends that are missing are empty."""
    if low is None or high is None:
        return written(value, 0.0), "", ""
    spread = high - low
    return written(value, spread), written(low, spread), written(high, spread)


def share(value: float) -> str:
    """Return a share as a percentage of three digits; "under 0.1%" and "over 99.9%" near the ends, which are exact."""
    if 0.0 < value < 0.001:
        return "under 0.1%"
    if 0.999 < value < 1.0:
        return "over 99.9%"
    return f"{100 * value:.3g}%"


def posterior(value: float) -> str:
    """Return a posterior probability as a percentage; drawn or rounded ones are never 0% and 100%."""
    return share(min(max(value, 1e-9), 1 - 1e-9))


def probability(value: float) -> str:
    """Return a p-value in words of mathematics: "= 0.012", "= 2.3e-07", "< 1e-300"."""
    if value < SMALLEST_P:
        return "< 1e-300"
    return f"= {value:.2g}" if value < 1e-4 else f"= {value:.3g}"
