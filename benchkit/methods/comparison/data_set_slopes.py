"""How the restricted likelihood of the mixed model over data sets changes with its four variances.

The derivatives of V are I, ZZ' of the replicates, XX' of data set x algorithm and 11' of the data set. The first two are numbers
on a replicate's mean and on the deviations from it, as V0 is; the other two are X E X' with E diagonal in rotated
coefficients. With V^-1 = V0^-1 - V0^-1 X L X'V0^-1 all forms come down to K x K matrices.
"""

from dataclasses import dataclass

import numpy as np

from benchkit.methods.comparison.data_set_reml import Point, Shrunken, left_over, weighted
from benchkit.methods.comparison.data_set_sums import DataSets
from benchkit.methods.records import Floats

_ON_REST = (1.0, 0.0)
"""What I and ZZ' are on the deviations from a replicate's mean; on the mean itself they are 1 and n."""


@dataclass(frozen=True)
class Slopes:
    """Derivatives in theta = (s^2, and the three variances), s^2 = 1, with P the projection and V_i the derivative of V.

    traces (4,): tr PV_i. expected (4, 4): tr PV_iPV_j. linear (4,): y'PV_iPy. quadratic (4, 4): y'PV_iPV_jPy. first, second:
    for each part X'V^-1 V_i V^-1 X (4, k, k) and X'V^-1 V_i V^-1 V_j V^-1 X (4, 4, k, k), summed over the data sets.
    """

    traces: Floats
    expected: Floats
    linear: Floats
    quadratic: Floats
    first: tuple[Floats, ...]
    second: tuple[Floats, ...]


def slopes(sums: DataSets, point: Point) -> Slopes:
    """Return the derivatives at the point."""
    n = sums.sizes.astype(np.float64)
    scale = 1.0 + n * point.gamma[0]
    powers, others = np.stack([np.ones_like(n), n]), float((n - 1.0) @ sums.replicates)
    traces, expected, linear, quadratic = np.zeros(4), np.zeros((4, 4)), np.zeros(4), np.zeros((4, 4))
    for i in range(2):
        traces[i] = powers[i] / scale @ sums.replicates + _ON_REST[i] * others
        linear[i] = left_over(sums, powers[i] / scale**2, _ON_REST[i])
        for j in range(2):
            both, on_rest = powers[i] * powers[j], _ON_REST[i] * _ON_REST[j]
            expected[i, j] = both / scale**2 @ sums.replicates + on_rest * others
            quadratic[i, j] = left_over(sums, both / scale**3, on_rest)
    for one in (found := [_of_part(one, n, scale) for one in point.parts]):
        traces, expected = traces + one.traces, expected + one.expected
        linear, quadratic = linear + one.linear, quadratic + one.quadratic
    first, second = ([getattr(one, name)[0] for one in found] for name in ("first", "second"))
    return Slopes(traces, expected, linear, quadratic, tuple(first), tuple(second))


def _of_part(one: Shrunken, n: Floats, scale: Floats) -> Slopes:
    """Return what one part adds to the derivatives, beyond what the replicates add by themselves."""
    part, copies, phi = one.part, one.part.copies, one.covariance
    powers = (np.ones_like(n), n)
    effects = [np.ones((len(part.common), 1)), part.common[:, None]]
    # X'V0^-1 V_i V0^-1 of X and of what is left, i one of the first two
    inner = [weighted(part, n, powers[i] / scale**2, _ON_REST[i]) for i in range(2)]
    seen = [totals + matrix @ one.left for matrix, totals in inner]
    back, moved = one.inverse.transpose(0, 2, 1), [effect * one.score for effect in effects]
    # X'V^-1 V_i V^-1 of X and of the residuals in each data set
    first = [one.inverse @ matrix @ back for matrix, _ in inner]
    first += [one.information @ (effect * one.information) for effect in effects]
    scores = [one.inverse @ each for each in seen] + [one.information @ each for each in moved]
    traces = [-np.vdot(one.pulled.transpose(0, 2, 1), matrix) for matrix, _ in inner]
    traces += [np.einsum("dkk,k->", one.information, effect[:, 0]) for effect in effects]
    linear = [np.vdot(one.left, totals + each) for (_, totals), each in zip(inner, seen, strict=True)]
    linear += [np.vdot(one.score, each) for each in moved]
    expected, quadratic = np.zeros((4, 4)), np.zeros((4, 4))
    second = np.zeros((4, 4, len(phi), len(phi)))
    for i, j in zip(*np.triu_indices(4), strict=True):
        if j > 1:
            middle = first[i] * effects[j - 2][:, 0]
            forms = np.einsum("dkk->", middle), np.vdot(scores[i], moved[j - 2])
            second[i, j] = (middle @ one.information).sum(axis=0)
        else:
            matrix, totals = weighted(part, n, powers[i] * powers[j] / scale**3, _ON_REST[i] * _ON_REST[j])
            crossed = inner[i][0] @ one.pulled @ inner[j][0]
            trace = np.vdot(one.pulled.transpose(0, 2, 1), crossed - 2.0 * matrix)
            forms = trace, np.vdot(one.left, 2.0 * totals + matrix @ one.left) - np.vdot(seen[i], one.pulled @ seen[j])
            second[i, j] = (one.inverse @ (matrix - crossed) @ back).sum(axis=0)
        expected[i, j], quadratic[i, j] = expected[j, i], quadratic[j, i] = forms
        second[j, i] = second[i, j].T
    summed, means = (np.stack([each.sum(axis=0) for each in all_sets]) for all_sets in (first, scores))
    # from V^-1 to P: less what the means take
    scaled = phi @ summed
    expected += -2.0 * np.einsum("kl,ijlk->ij", phi, second) + np.einsum("ikl,jlk->ij", scaled, scaled)
    quadratic -= np.einsum("ikc,jkc->ij", means, phi @ means)
    less = np.einsum("ikk->i", scaled)
    return Slopes(copies * (np.array(traces) - less), copies * expected, np.array(linear), quadratic, (summed,), (second,))
