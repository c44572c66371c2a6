"""What the caption says of the bands, bars and marks of a figure of ROC curves."""

from collections.abc import Sequence

import polars as pl

from benchkit.plots.cross_places import Place
from benchkit.plots.curve_lines import MOST_BANDS, banded
from benchkit.plots.curves import Curve
from benchkit.plots.text import visible

# a band needs so many items of each kind (methods/curve/bands.py)
KINDS = "10 true and 10 false positives and negatives are expected"


def of_bands(drawn: Sequence[Curve], points: pl.DataFrame) -> tuple[str, ...]:
    """Say which bands are to be seen, of what level, and why they end where they do or are not there."""
    largest = [curve for curve in drawn if curve.largest]
    have = [curve for curve in largest if len(curve.band[0])]
    if not have:
        return (f"no band: there is no threshold where at least {KINDS}",)
    shown = [curve for curve in banded(list(drawn)) if curve in have]
    if not shown:
        return (f"bands are drawn of up to {MOST_BANDS} curves: --highlight",)
    levels = points["ci_level"].drop_nulls().unique().to_list()
    level = f"{100 * levels[0]:.10g}% " if len(levels) == 1 else ""
    whose = _whose(largest, several=len(drawn) > len(largest))
    lacking = [visible(curve.label) for curve in banded(list(drawn)) if curve not in have]
    none = f"; too few for {_named(lacking)}" if lacking else ""
    return (f"{level}simultaneous band{'' if len(shown) == 1 else 's'}{whose}, only where at least {KINDS}{none}",)


def _whose(largest: Sequence[Curve], several: bool) -> str:
    """Return of which curves bands are drawn, where these are not all."""
    if len(largest) > MOST_BANDS:
        return " of those highlighted"
    return " of the largest size" if several else ""


def _named(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def of_marks(
    places: Sequence[Place], drawn: Sequence[Curve], left: float | None, with_areas: bool, asked: bool
) -> tuple[str, ...]:
    """Return what the marks mean. asked: there are marked points, whether their bars are drawn or not."""
    found = ["beside the names: AUC and its interval"] if with_areas else []
    if places:
        of_largest = " of the largest size" if any(not curve.largest for curve in drawn) else ""
        found.append(f"thick bar{of_largest}: interval of the rate asked for")
    if any(place.shift for place in places):
        found.append("overlapping bars at one rate stand side by side")
    if any(place.thin for place in places):
        room = "" if all(place.thin for place in places) else ", where there is room"
        found.append(f"thin bar: of the other rate at that threshold{room}")
    if asked and not places:
        found.append(f"bars at marked points are drawn of up to {MOST_BANDS} curves")
    if left:
        found.append("triangle: the curve goes on to FPR 0")
    return (*found, "dashed: chance")
