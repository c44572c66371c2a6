"""Independent samples: each algorithm has values of its own, which no replicate pairs with those of another."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.comparison.paired import FLOAT_NOISE, moments, studentise
from benchkit.methods.records import Floats, Integers, Means, Remark

# tests by ranks whose reference distribution holds in large samples reject too often with fewer values than this: in
# simulations (docs/validity.md) of one pair, and of several, which ask for its far tails
FEW, FEW_OF_SEVERAL = 10, 20


@dataclass(frozen=True)
class Samples:
    """n, mean and sd (n - 1 in the denominator) of each algorithm, shape (K,); noise: what rounding may make of its values.

    A standard deviation of at most 1e-12 of the largest absolute value is 0; it is NaN for one value, the mean for none.
    """

    n: Integers
    mean: Floats
    sd: Floats
    noise: Floats

    @property
    def error_of_mean(self) -> Floats:
        """Return sd / sqrt(n), (K,); its square might vanish where another algorithm has values of quite another size."""
        return np.asarray(self.sd / np.sqrt(np.maximum(self.n, 1)))

    @property
    def means(self) -> Means:
        """Return each algorithm's mean with its standard error and n - 1 degrees of freedom."""
        return Means(self.n, self.mean, self.error_of_mean, np.where(self.n > 1, self.n - 1.0, np.nan))


@dataclass(frozen=True)
class Differences:
    """The difference of means of each contrast, (m,), with Welch's standard error, statistic and Satterthwaite's df.

    Where neither sample varies the standard error is 0, df NaN and the statistic 0 or infinite; NaN with a sample of one.
    """

    estimate: Floats
    std_error: Floats
    df: Floats
    statistic: Floats


def columns_of(values: Floats) -> list[Floats]:
    """Return the values that each algorithm has, K arrays; values: (B, K), NaN where missing."""
    return [column[~np.isnan(column)] for column in values.T]


def samples_of(values: Floats) -> Samples:
    """Describe the samples in the columns of values, (B, K), NaN where missing."""
    columns = columns_of(values)
    n = np.array([column.size for column in columns], dtype=np.int64)
    mean, sd = np.full(n.size, np.nan), np.full(n.size, np.nan)
    for k, column in enumerate(columns):
        if column.size:
            found = moments(column[:, None])
            mean[k], sd[k] = found.mean[0], found.sd[0]
    noise = FLOAT_NOISE * np.array([np.max(np.abs(column), initial=0.0) for column in columns])
    with np.errstate(invalid="ignore"):
        sd = np.where(sd <= noise, 0.0, sd)
    return Samples(n, mean, sd, noise)


def differences(samples: Samples, contrasts: Integers) -> Differences:
    """Compare the means of the contrasts without pooling variances (Welch 1947): se^2 = s_a^2/n_a + s_b^2/n_b.

    df = se^4 / (sum of (s^2/n)^2/(n - 1)). A difference of two constant samples within float noise is exactly 0.
    """
    a, b = contrasts.T
    error = samples.error_of_mean
    std_error = np.hypot(error[a], error[b])
    # shares of the variance, so that their squares neither overflow nor vanish
    varies = std_error > 0
    share_a, share_b = (np.divide(error[i], std_error, out=np.full(a.shape, np.nan), where=varies) ** 2 for i in (a, b))
    freedom = np.maximum(samples.n - 1.0, 1.0)
    estimate = samples.mean[a] - samples.mean[b]
    same = (std_error == 0) & (np.abs(estimate) <= np.maximum(samples.noise[a], samples.noise[b]))
    estimate = np.where(same, 0.0, estimate)
    df = 1.0 / (share_a**2 / freedom[a] + share_b**2 / freedom[b])
    return Differences(estimate, std_error, df, studentise(estimate, std_error))


def sizes(samples: Samples, contrasts: Integers) -> Mapping[str, Floats]:
    """Return the own columns n_a and n_b."""
    a, b = contrasts.T
    return {"n_a": samples.n[a].astype(np.float64), "n_b": samples.n[b].astype(np.float64)}


def remarks(samples: Samples, contrasts: Integers, untested: NDArray[np.bool_] | None = None) -> tuple[Remark, ...]:
    """Return small-n for contrasts with a sample of fewer than two values, and zero-variance where neither sample varies.

    untested: (m,), contrasts that are too small otherwise: small-n, too.
    """
    a, b = contrasts.T
    least = np.minimum(samples.n[a], samples.n[b])
    few = least < 2 if untested is None else (least < 2) | untested
    found: list[Remark] = []
    if few.any():
        found.append(Remark("small-n", tuple(np.flatnonzero(few).tolist()), numbers={"replicates": float(least[few].min())}))
    constant = np.flatnonzero((samples.sd[a] == 0) & (samples.sd[b] == 0))
    if constant.size:
        found.append(Remark("zero-variance", tuple(constant.tolist())))
    return tuple(found)


def liberal(samples: Samples, contrasts: Integers, spared: tuple[int, ...]) -> tuple[Remark, ...]:
    """Return liberal-at-small-n for contrasts of which a sample has few values, for tests that then reject too often.

    spared: contrasts of which the p-value comes from the sizes alone.
    """
    a, b = contrasts.T
    limit = FEW if len(contrasts) == 1 else FEW_OF_SEVERAL
    least = np.minimum(samples.n[a], samples.n[b])
    few = (least > 1) & (least < limit) & ~np.isin(np.arange(len(contrasts)), spared)
    if not few.any():
        return ()
    numbers = {"least": float(least[few].min()), "limit": float(limit)}
    return (Remark("liberal-at-small-n", tuple(np.flatnonzero(few).tolist()), numbers),)
