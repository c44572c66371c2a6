"""How often one algorithm beats another on the same replicate, with Wilson's interval."""

import numpy as np
from scipy.special import ndtri

from benchkit.errors import BenchkitError
from benchkit.methods.comparison.agreement import agreement
from benchkit.methods.records import Floats, Integers

# Values that agree to 12 digits differ by rounding alone: a tie.
TIE = 1e-12


def prob_better(values: Floats, contrasts: Integers, level: float = 0.95) -> tuple[Floats, Floats, Floats]:
    """Share of the shared replicates on which a is better than b, ties counting one half, with a score interval.

    values: shape (B, K), less is better, NaN where missing; contrasts: shape (m, 2). Gives (share, low, high), each of
    shape (m,) and in 0..1; NaN where the two share no replicate. Values closer than 1e-12 of the larger one tie.
    Source: Wilson 1927; the interval is pointwise and takes the replicates for independent.
    """
    wins, n = _of_outcomes(values, contrasts) or _of_numbers(values, contrasts)
    return share_of(wins, n, level)


def _of_outcomes(values: Floats, contrasts: Integers) -> tuple[Floats, Floats] | None:
    """Return wins and n of each contrast, shapes (m,), where all values are right or wrong, by counting; else None."""
    try:
        found = agreement(values)
    except BenchkitError:
        return None
    a, b = contrasts.T
    n = found.shared[a, b].astype(np.float64)
    return (n + found.first[a, b] - found.first[b, a]) / 2.0, n


def _of_numbers(values: Floats, contrasts: Integers) -> tuple[Floats, Floats]:
    """Return wins and n of each contrast, shapes (m,)."""
    columns = np.ascontiguousarray(values.T)
    slack = TIE * np.max(np.abs(columns), axis=1, initial=0.0)
    counted = [_wins(columns[a], columns[b], float(max(slack[a], slack[b]))) for a, b in contrasts]
    wins, n = np.array(counted, dtype=np.float64).reshape(-1, 2).T
    return wins, n


def share_of(wins: Floats, n: Floats, level: float) -> tuple[Floats, Floats, Floats]:
    """Return wins / n with Wilson's interval, elementwise; NaN for n = 0."""
    n = np.where(n > 0, n, np.nan)
    share = wins / n
    z2 = float(ndtri(0.5 + level / 2.0)) ** 2
    centre = (share + z2 / (2.0 * n)) / (1.0 + z2 / n)
    half = np.sqrt(z2 / n * (share * (1.0 - share) + z2 / (4.0 * n))) / (1.0 + z2 / n)
    # At a share of 0 or 1 the limit is exact; rounding must not put it beyond the share.
    return share, np.minimum(np.maximum(centre - half, 0.0), share), np.maximum(np.minimum(centre + half, 1.0), share)


def _wins(a: Floats, b: Floats, widest: float) -> tuple[float, int]:
    """Return how often a is less, a tie counting one half, and how many replicates have both.

    widest: what two values of these algorithms may differ by and still tie, at most.
    """
    with np.errstate(invalid="ignore"):
        ahead = b - a
        if np.min(np.abs(ahead), initial=np.inf) > widest:  # no tie, and none missing or infinite: false if anything is NaN
            return float(np.count_nonzero(ahead > 0)), a.size
        slack = TIE * np.maximum(np.abs(a), np.abs(b))
    # two equal infinite values differ by NaN, which is neither more nor less: a tie
    unequal = np.isinf(ahead)
    slack[unequal] = 0.0
    shared = a.size - int(np.count_nonzero(np.isnan(a) | np.isnan(b)))
    clear, lost = int(np.count_nonzero(ahead > slack)), int(np.count_nonzero(ahead < -slack))
    return clear + 0.5 * (shared - clear - lost), shared
