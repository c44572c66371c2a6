"""What adjustments ask for that use the logic of pairs: if a = b and b = c, then a = c."""

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.methods.records import Floats, Integers


def require(name: str, p: Floats, contrasts: Integers) -> Integers:
    """Return the contrasts as pairs of 0..K-1, shape (m, 2), when they are all pairs of K algorithms, once each.

    name: of the adjustment, for the message. BenchkitError for other families, and when a p-value is NaN.
    """
    algorithms, places = np.unique(contrasts, return_inverse=True)
    pairs = np.sort(places.reshape(-1, 2), axis=1)
    K = algorithms.size
    distinct = np.unique(pairs[:, 0] * K + pairs[:, 1])
    if p.size * 2 != K * (K - 1) or distinct.size != p.size or np.any(pairs[:, 0] == pairs[:, 1]):
        raise BenchkitError(
            f"the adjustment '{name}' is for all pairs of the algorithms, and these are not",
            "use --adjust holm, which takes any family, or leave out --baseline",
        )
    unknown = int(np.isnan(p).sum())
    if unknown:
        raise BenchkitError(
            f"the adjustment '{name}' needs a p-value for every pair; {unknown} of {p.size} have none",
            "use --adjust holm, which leaves such pairs out, or --where to leave out an algorithm",
        )
    return pairs
