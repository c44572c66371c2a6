"""A power of two that brings extreme numbers to ordinary size, so that their squares neither overflow nor vanish."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from benchkit.methods.records import Answer, Floats

ORDINARY = (1e-60, 1e60)


def unit_of(values: Floats) -> float:
    """Return 1 for ordinary numbers, else the power of two next below the largest finite absolute value.

    Dividing by it and multiplying with it again loses nothing, whatever the method.
    """
    finite = np.isfinite(values)
    largest = float(np.max(np.abs(values), initial=0.0, where=finite))
    if largest == 0 or ORDINARY[0] < largest < ORDINARY[1]:
        return 1.0
    return float(2.0 ** np.floor(np.log2(largest)))


def _rescaled(p_equivalence: Callable[[Floats], Floats] | None, unit: float) -> Callable[[Floats], Floats] | None:
    """Return the function of margins in the unit of the values."""
    return None if p_equivalence is None else lambda margins: p_equivalence(margins / unit)


def scaled_back(answer: Answer, unit: float) -> Answer:
    """Return the answer to values / unit as the answer to values. Variances may overflow: they are infinite then."""
    if unit == 1:
        return answer
    pairs = answer.pairs
    means = answer.means
    with np.errstate(over="ignore", under="ignore"):
        return replace(
            answer,
            pairs=replace(
                pairs,
                mean_a=pairs.mean_a * unit,
                mean_b=pairs.mean_b * unit,
                estimate=pairs.estimate * unit,
                std_error=pairs.std_error * unit,
            ),
            low=None if answer.low is None else answer.low * unit,
            high=None if answer.high is None else answer.high * unit,
            p_equivalence=_rescaled(answer.p_equivalence, unit),
            means=means and replace(means, estimate=means.estimate * unit, std_error=means.std_error * unit),
            components=answer.components and {name: value * unit * unit for name, value in answer.components.items()},
        )
