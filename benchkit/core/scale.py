"""A power of two that brings extreme numbers to ordinary size, so that their squares neither overflow nor vanish."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from benchkit.methods.records import Answer, Floats, Integers

ORDINARY = (1e-60, 1e60)


def unit_of(values: Floats) -> float:
    """Return 1 for ordinary numbers, else the power of two next below the largest finite absolute value.

    Dividing by it and multiplying with it again loses nothing, whatever the method.
    """
    largest = max(float(np.max(values, initial=0.0)), -float(np.min(values, initial=0.0)))
    if not np.isfinite(largest):
        largest = float(np.max(np.abs(values), initial=0.0, where=np.isfinite(values)))
    if largest == 0 or ORDINARY[0] < largest < ORDINARY[1]:
        return 1.0
    return float(2.0 ** np.floor(np.log2(largest)))


def mean_of(values: Floats) -> float:
    """Return the mean of the values that are not missing, NaN without any; no size is too large or too small for it."""
    known = values[~np.isnan(values)]
    largest = float(np.max(np.abs(known), initial=0.0))
    if not known.size or not 0 < largest < np.inf:
        return float(known.sum()) if known.size else float("nan")
    return float(np.mean(known / largest)) * largest


def with_lost_means(answer: Answer, values: Floats, contrasts: Integers) -> Answer:
    """Return the answer with means of the oriented values where dividing by the unit had made them 0.

    So it is with an algorithm whose values are some 1e300 times smaller than the largest of another.
    """

    def restored(means: Floats, columns: Integers) -> Floats:
        true = {int(j): mean_of(values[:, j]) for j in set(columns[means == 0].tolist())}
        return np.array([true.get(int(j), mean) if mean == 0 else mean for j, mean in zip(columns, means, strict=True)])

    pairs, means = answer.pairs, answer.means
    a, b = contrasts.T
    pairs = replace(pairs, mean_a=restored(pairs.mean_a, a), mean_b=restored(pairs.mean_b, b))
    means = means and replace(means, estimate=restored(means.estimate, np.arange(len(means.estimate))))
    return replace(answer, pairs=pairs, means=means)


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
