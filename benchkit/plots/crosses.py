"""Crosses at marked points of a ROC curve: intervals of both rates."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from benchkit.plots.curves import Curve, of_curve
from benchkit.plots.series import Tables, numbers

Interval = tuple[float, float]


@dataclass(frozen=True)
class Cross:
    """A marked point with the interval of the rate asked for and that of the other rate at the same threshold.

    across: of the FPR; up: of the TPR; asked_up: the TPR was asked for, at a given FPR.
    """

    x: float
    y: float
    across: Interval
    up: Interval
    asked_up: bool

    @property
    def at(self) -> float:
        """The rate at which the other was asked for."""
        return self.x if self.asked_up else self.y


def crosses(tables: Tables, curve: Curve) -> list[Cross]:
    """Return those of the marked points of a curve; areas are none."""
    rows = of_curve(tables.get("marks"), curve.key)
    if rows is None:
        return []
    found = []
    for row in rows.filter(pl.col("characteristic") != "partial_auc").drop_nulls("estimate").to_dicts():
        at, estimate = float(row["at"]), float(row["estimate"])
        asked = (estimate if row["ci_low"] is None else row["ci_low"], estimate if row["ci_high"] is None else row["ci_high"])
        if row["characteristic"] == "tpr_at_fpr":
            found.append(Cross(at, estimate, _pointwise(curve, "fpr", at), asked, asked_up=True))
        else:
            found.append(Cross(estimate, at, asked, _pointwise(curve, "tpr", at), asked_up=False))
    return found


def _pointwise(curve: Curve, rate: str, at: float) -> Interval:
    """Return the pointwise interval of a rate where it is `at`, between thresholds in proportion; no width where unknown."""
    rows = curve.rows.drop_nulls([rate, f"{rate}_low", f"{rate}_high"]).sort(rate)
    if rows.is_empty():
        return at, at
    rates = numbers(rows, rate)
    low, high = (at + float(np.interp(at, rates, numbers(rows, f"{rate}_{end}") - rates)) for end in ("low", "high"))
    return max(low, 0.0), min(high, 1.0)
