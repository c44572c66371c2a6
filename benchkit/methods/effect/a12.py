"""Vargha and Delaney's A: the probability that any value of a is better than any value of b."""

import numpy as np

from benchkit.methods.effect.cliffs_delta import cliffs_delta
from benchkit.methods.effect.mean_difference import Effect
from benchkit.methods.records import Floats, Integers


def a12(values: Floats, contrasts: Integers, level: float, generator: np.random.Generator) -> Effect:
    """Return P(a is better) + P(tie) / 2 over all couples of a value of a and one of b, with an interval: three arrays (m,).

    values: shape (B, K), less is better, NaN where missing; contrasts: shape (m, 2). In 0..1, above 1/2 if a is better,
    whatever the direction: core takes it as it is. (1 + Cliff's delta) / 2, with whose interval it comes. Source: Vargha &
    Delaney 2000.
    """
    delta, low, high = cliffs_delta(values, contrasts, level, generator)
    return (1.0 + delta) / 2.0, (1.0 + low) / 2.0, (1.0 + high) / 2.0
