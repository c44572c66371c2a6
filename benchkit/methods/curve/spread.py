"""The variance of a number that sums a curve up, in its parts (roc.md, section 2.8), from vote counts."""

import numpy as np

from benchkit.methods.curve.records import Spread, VoteCounts
from benchkit.methods.curve.tables import blocks, density
from benchkit.methods.records import Floats


def spread(
    counts: VoteCounts, m: int, gradient: Floats, realised: bool, influence: Floats | None = None
) -> tuple[Spread, Floats]:
    """Return the parts of the variance and each voter's influence psi, shape (M,); no (m + 1) x (m + 1) matrices.

    gradient: shape (2, m + 1), from the curve that is meant. H_c(s) = sum of gradient[c, 1..s] is what an item with s votes
    of m adds. same_item: D; first_order: FO = m/(M - 1) sum psi^2; own: G1; items: MIX, the variance of H over items and votes
    divided by n_c, with realised its sample variance (n - 1), for the area DeLong's. FO, G1 and psi are NaN for a single voter
    and without counts.sums. NaN for a class without items, and where realised for one with a single item. influence: Phi at
    all thresholds, if it is known: psi = sum_c gradient_c Phi_c, without a look at counts.sums.
    """
    M, n = counts.voters, counts.items
    score = np.cumsum(gradient, axis=1) - gradient[:, :1]
    present = np.flatnonzero(counts.histogram.any(axis=0))
    several = m * M / (M - 1) if M > 1 else np.nan
    psi = np.full(M, np.nan) if counts.sums is None else np.zeros(M)
    if influence is not None:
        psi = np.einsum("ct,cti->i", gradient, influence, optimize=True)
    own, same, first, second = 0.0, 0.0, np.zeros(2), np.zeros(2)
    for rows in blocks(M, m, present, with_replacement=True):
        share = rows.k / M
        slope = density(rows.probability, share)
        for c in range(2):
            h = counts.histogram[c, rows.k].astype(np.float64)
            mean, square = rows.probability @ score[c], rows.probability @ score[c] ** 2
            each = slope @ gradient[c]
            own += several * float((h * share * (1 - share)) @ each**2) / n[c] ** 2
            same += float(h @ np.maximum(square - mean**2, 0.0)) / n[c] ** 2
            first[c] += h @ mean
            second[c] += h @ square
            if counts.sums is not None and influence is None:
                psi += (each @ counts.sums[c, rows.k] - float(each @ (h * share))) / n[c]
    mixture = float(np.sum((second / n - (first / n) ** 2) / n))
    items = sample_variance(counts, gradient) if realised else mixture
    first_order = several / M * float(psi @ psi)
    return Spread(same, first_order, own, items, float(np.sum(second / n**2))), psi


def sample_variance(counts: VoteCounts, gradient: Floats) -> float:
    """Return the sum over classes of the sample variance over items of H at their votes, divided by their number.

    For the area of the realised curve DeLong's variance (DeLong, DeLong & Clarke-Pearson 1988). NaN for a single item.
    """
    n = counts.items
    score = np.cumsum(gradient, axis=1) - gradient[:, :1]
    means = (counts.histogram * score).sum(axis=1) / n
    squares = (counts.histogram * (score - means[:, None]) ** 2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.sum(np.where(n > 1, squares / ((n - 1) * n), np.nan)))
