"""The .632 and .632+ estimates: the apparent performance and that on out-of-bootstrap rows, blended.

Source: Efron 1983; Efron & Tibshirani 1997, Improvements on cross-validation: the .632+ bootstrap method, JASA 92.
"""

from dataclasses import dataclass
from math import isfinite, nan

import numpy as np
from numpy.typing import ArrayLike, NDArray

from benchkit.tables.metrics import Better

# the chance that a row is in a bootstrap sample, 1 - 1/e, to the three digits that gave the estimates their names
OUTSIDE = 0.632
INSIDE = 1.0 - OUTSIDE


def blend(apparent: ArrayLike, out_of_bootstrap: ArrayLike) -> NDArray[np.float64]:
    """Return .368 apparent + .632 out_of_bootstrap, elementwise (equation 24); NaN where either is missing."""
    blended: NDArray[np.float64] = INSIDE * np.asarray(apparent, np.float64) + OUTSIDE * np.asarray(out_of_bootstrap, np.float64)
    return blended


@dataclass(frozen=True)
class Plus:
    """The .632+ estimate and what it comes from, in the metric's own unit and direction.

    overfitting: the relative overfitting rate R, 0 (none) to 1 (predictions outside are as bad as without information).
    weight: that of the out-of-bootstrap performance, .632 (R = 0) to 1 (R = 1).
    """

    performance: float
    overfitting: float
    weight: float
    apparent: float
    out_of_bootstrap: float
    no_information: float


def plus(apparent: float, out_of_bootstrap: float, no_information: float, better: Better) -> Plus:
    """Return the .632+ estimate (equations 29 to 32).

    For an error, with oob' = min(oob, g): R = (oob' - apparent) / (g - apparent) if oob and g both exceed apparent, else 0;
    w = .632 / (1 - .368 R); (1 - w) apparent + w oob'. Where higher is better the same holds with all signs turned, so a
    metric and any linear function of it agree. If any of the three is missing or infinite all that follows is NaN.
    """
    if not (isfinite(apparent) and isfinite(out_of_bootstrap) and isfinite(no_information)):
        return Plus(nan, nan, nan, apparent, out_of_bootstrap, no_information)
    sign = 1.0 if better == "lower" else -1.0
    inside, outside, chance = sign * apparent, sign * out_of_bootstrap, sign * no_information
    counted = min(outside, chance)
    overfitting = (counted - inside) / (chance - inside) if outside > inside and chance > inside else 0.0
    weight = OUTSIDE / (1.0 - INSIDE * overfitting)
    performance = sign * ((1.0 - weight) * inside + weight * counted)
    return Plus(performance, overfitting, weight, apparent, out_of_bootstrap, no_information)
