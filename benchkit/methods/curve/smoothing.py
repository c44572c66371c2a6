"""A smooth curve through the steps of scores, whose slope means something: local lines in logit coordinates."""

import numpy as np
from scipy.special import expit

from benchkit.methods.records import Floats

# standard deviation of the weights, in logits of the false positive rate, and the points of the smooth curve
BANDWIDTH, POINTS = 0.8, 64


def smooth(rates: Floats, items: Floats) -> Floats:
    """Return rates (2, POINTS), from high to low, of lines fitted around each point to logit TPR against logit FPR.

    rates: (2, T) of a step curve; items: of each class. A step counts by the false positive items that it adds (a Gaussian
    kernel of their logits) and rates have half an item added at either end, so that they have logits. In these coordinates a
    curve of two normal distributions is nearly straight. The steps themselves where they are too few for a line.
    """
    shown = (rates * items[:, None] + 0.5) / (items[:, None] + 1)
    u, v = np.log(shown) - np.log1p(-shown)
    weights = np.abs(np.gradient(rates[0])) + 1e-9
    if len(np.unique(u)) < 3:
        return rates
    grid = np.linspace(u.max(), u.min(), POINTS)
    kernel = weights * np.exp(-0.5 * ((u - grid[:, None]) / BANDWIDTH) ** 2)
    total = kernel.sum(axis=1)
    centre_u, centre_v = (kernel @ u) / total, (kernel @ v) / total
    spread = kernel @ u**2 / total - centre_u**2
    shared = kernel @ (u * v) / total - centre_u * centre_v
    slope = np.where(spread > 1e-9, shared / np.maximum(spread, 1e-9), 0.0)
    return np.stack([expit(grid), expit(np.minimum.accumulate(centre_v + slope * (grid - centre_u)))])
