"""Cohen's d of the paired differences, with its exact interval for normal differences."""

from functools import partial

import numpy as np
from scipy.special import chdtrc, gammaln, nctdtr, ndtri

from benchkit.methods.comparison.paired import studentise
from benchkit.methods.effect.mean_difference import Effect, differences_of
from benchkit.methods.records import Floats, Integers
from benchkit.methods.roots import find_roots

# Beyond this t scipy's noncentral distribution fails in places, and the trapezoidal rule over the numerator serves well.
FAR = 30.0
NODES = np.linspace(-8.5, 8.5, 171)
WEIGHTS = 0.1 * np.exp(-(NODES**2) / 2.0) / np.sqrt(2.0 * np.pi)


def d_z(values: Floats, contrasts: Integers, level: float, _generator: np.random.Generator) -> Effect:
    """Return mean / sd of a - b over the n shared replicates, and the d whose noncentral t fits: three arrays (m,).

    The ends are those d at which t(n - 1, d sqrt n) exceeds, or stays below, the observed t with probability (1 - level) / 2.
    values: shape (B, K), less is better, NaN where missing; contrasts: shape (m, 2). Signed, a minus b: where higher is
    better core multiplies by -1 and swaps the ends. All differences 0: 0; constant ones: infinite, zero width; NaN for
    fewer than two replicates. Not corrected for small n. Source: Cohen 1988, section 2.3.5; Steiger & Fouladi 1997.
    """
    n, mean, sd = differences_of(values, contrasts)
    effect = studentise(mean, sd)
    low, high = effect.copy(), effect.copy()
    ordinary = np.isfinite(effect) & (sd > 0)
    size = n[ordinary].astype(np.float64)
    t = effect[ordinary] * np.sqrt(size)
    tail = (1.0 - level) / 2.0
    low[ordinary] = noncentrality(t, size - 1.0, 1.0 - tail) / np.sqrt(size)
    high[ordinary] = noncentrality(t, size - 1.0, tail) / np.sqrt(size)
    return effect, low, high


def noncentrality(t: Floats, df: Floats, probability: float) -> Floats:
    """Return the noncentrality at which a noncentral t stays below t with the given probability, elementwise."""
    size = np.abs(t)
    share = np.where(t < 0, 1.0 - probability, probability)  # by symmetry
    # mean and sd of the root mean square of df normal variables, which Johnson & Welch 1940 take for normal
    mean = np.exp(gammaln((df + 1.0) / 2.0) - gammaln(df / 2.0)) * np.sqrt(2.0 / df)
    sd = np.sqrt(np.maximum(1.0 - mean**2, 0.0))
    z = ndtri(share)
    reach = (np.abs(z) + 4.0) * np.sqrt(1.0 + (size * sd) ** 2)
    # noncentral t stays below 0, so below t, with probability Phi(-noncentrality): that bounds it from below
    low, high = np.maximum(size * mean - reach, -z - 1e-6), size * mean + reach
    found = np.empty(t.shape)
    far = (size > FAR) & (size * sd > 0.5)
    for chosen, function in ((far, _below_far), (~far, _below)):
        compare = partial(function, size[chosen], df[chosen], share[chosen])
        found[chosen] = find_roots(compare, low[chosen], high[chosen])
    return np.where(t < 0, -found, found)


def _below(t: Floats, df: Floats, share: Floats, noncentral: Floats) -> Floats:
    """Return P(noncentral t < t) - share, for t >= 0."""
    return np.asarray(nctdtr(df, noncentral, t) - share, dtype=np.float64)


def _below_far(t: Floats, df: Floats, share: Floats, noncentral: Floats) -> Floats:
    """Return the same for large t: the mean over the normal numerator Z of P(chi / sqrt(df) > (Z + noncentral) / t)."""
    quotient = np.maximum((NODES + noncentral[:, None]) / t[:, None], 0.0)
    return np.asarray(chdtrc(df[:, None], df[:, None] * quotient**2) @ WEIGHTS - share, dtype=np.float64)
