"""McNemar's test: do two algorithms have equally many of the same items right?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, erfc

from benchkit.errors import BenchkitError
from benchkit.methods.comparison.agreement import Agreement, agreement
from benchkit.methods.comparison.tango import tango_interval
from benchkit.methods.records import Blocks, Floats, Integers, Interval, Means, Remark, Unadjusted

VARIANTS = ("auto", "exact", "midp", "corrected", "uncorrected")
# auto: with more discordant items than this the chi-square without correction and the mid-p agree to all digits shown
MOST_FOR_MIDP = 10_000


@dataclass(frozen=True)
class Discordant:
    """Counts for m pairs, shape (m,): items n with both outcomes, only_a and only_b that one of the two has right.

    mean_a, mean_b: mean oriented values of the two on these n items.
    """

    n: Integers
    only_a: Floats
    only_b: Floats
    mean_a: Floats
    mean_b: Floats


def compare(blocks: Blocks) -> Unadjusted:
    """Compare the contrasts by McNemar's test on the items that both algorithms have; options["variant"] as in `by_counts`.

    Values must be 0 or 1, or -1 and 0 (BenchkitError). There is no overall test: Cochran's Q gives one.
    """
    found = agreement(blocks.values)
    return by_counts("mcnemar", discordant(found, blocks.contrasts), variant_of(blocks), found.means)


def variant_of(blocks: Blocks) -> str:
    """Return options["variant"], auto if absent; BenchkitError for an unknown one."""
    wanted = blocks.options.get("variant", "auto")
    if wanted not in VARIANTS:
        raise BenchkitError(f"'{wanted}' is no variant of McNemar's test", "--variant takes " + ", ".join(VARIANTS))
    return wanted


def discordant(found: Agreement, contrasts: Integers) -> Discordant:
    """Return the counts of the contrasts."""
    a, b = contrasts.T
    n, both = found.shared[a, b], found.both[a, b].astype(np.float64)
    right_a, right_b = found.first[a, b], found.first[b, a]
    items = np.where(n > 0, n, np.nan)
    wrong = found.right_value + 1.0
    return Discordant(n, right_a - both, right_b - both, wrong - right_a / items, wrong - right_b / items)


def by_counts(name: str, counts: Discordant, variant: str, means: Means) -> Unadjusted:
    """Test the pairs by their discordant counts b = only_a and c = only_b.

    exact: 2 P(X <= min(b, c)), X binomial(b + c, 1/2). midp: P(X < min) + P(X <= min), 1 at b = c. corrected and uncorrected:
    chi-squares with 1 degree of freedom. auto: midp for b + c <= 10,000, else uncorrected. The method's name ends with the
    variant that all pairs took (auto if they differ, with the remark mixed-variants).

    statistic: max(0, |b - c| - 1)^2/(b + c) with corrected, else (b - c)^2/(b + c), by which the exact tests, too, order the
    tables with b + c discordant items. It is never negative. df is infinite: std_error, that of the difference without
    a hypothesis (NaN where the differences do not vary), goes with the normal distribution. The interval is Tango's score
    interval. No discordant item: statistic 0, p 1, odds ratio NaN, remark no-discordant; no shared item: NaN, not-estimable.
    Own columns: n10 = b, n01 = c, odds_ratio = b/c (infinite at c = 0), p_exact whatever the variant, and
    smallest_p, that of so many discordant items if all were one algorithm's.
    Source: McNemar 1947; Fagerland, Lydersen & Laake 2013 (mid-p); Edwards 1948 (correction); Tango 1998.
    """
    b, c, n = counts.only_a, counts.only_b, counts.n.astype(np.float64)
    testable, total = n > 0, b + c
    chosen = np.where(total <= MOST_FOR_MIDP, "midp", "uncorrected") if variant == "auto" else np.full(b.shape, variant)
    statistic = np.where(testable, chi_square(b, c, corrected=variant == "corrected"), np.nan)
    exact, midp = exact_p_values(b, c)
    by_chi_square = erfc(np.sqrt(statistic / 2.0))
    p_value = np.select([~testable, chosen == "exact", chosen == "midp"], [np.nan, exact, midp], by_chi_square)
    variance = np.where(testable, total - (b - c) ** 2 / np.where(testable, n, 1.0), np.nan)
    names = sorted(set(chosen[testable].tolist()))
    return Unadjusted(
        method=f"{name}-{names[0] if len(names) == 1 else variant}",
        n=counts.n,
        mean_a=counts.mean_a,
        mean_b=counts.mean_b,
        estimate=np.where(testable, (c - b) / np.where(testable, n, 1.0), np.nan),
        p_value=p_value,
        std_error=np.sqrt(np.where(variance > 0, variance, np.nan)) / np.where(testable, n, np.nan),
        statistic=statistic,
        turned=statistic,
        df=np.where(testable, np.inf, np.nan),
        interval=_interval(b, c, n),
        means=means,
        own={
            "n10": np.where(testable, b, np.nan),
            "n01": np.where(testable, c, np.nan),
            "odds_ratio": np.divide(b, c, out=np.where(b > 0, np.inf, np.nan), where=c > 0),
            "p_exact": np.where(testable, exact, np.nan),
            "smallest_p": np.where(testable, _smallest_p(total, chosen), np.nan),
        },
        remarks=_remarks(testable, total, chosen if len(names) > 1 else None),
    )


def chi_square(b: Floats, c: Floats, corrected: bool) -> Floats:
    """Return (b - c)^2/(b + c), or max(0, |b - c| - 1)^2/(b + c); 0 at b = c = 0."""
    distance = np.maximum(np.abs(b - c) - (1.0 if corrected else 0.0), 0.0)
    return np.asarray(np.divide(distance**2, b + c, out=np.zeros(b.shape), where=b + c > 0))


def exact_p_values(b: Floats, c: Floats) -> tuple[Floats, Floats]:
    """Return the exact two-sided p-values and the mid-p values of b against c."""
    least, total = np.minimum(b, c), b + c
    upto, below = _at_most(least, total), _at_most(least - 1.0, total)
    return np.minimum(1.0, 2.0 * upto), np.where(b == c, 1.0, upto + below)


def _at_most(k: Floats, n: Floats) -> Floats:
    """Return P(X <= k), X binomial(n, 1/2), for -1 <= k <= n."""
    inside = (k >= 0) & (k < n)
    tail = betainc(np.where(inside, n - k, 1.0), np.where(inside, k + 1.0, 1.0), 0.5)
    return np.where(inside, tail, np.where(k < 0, 0.0, 1.0))


def _smallest_p(total: Floats, chosen: NDArray[np.str_]) -> Floats:
    """Return the p-value that the variant gives to all discordant items on one side, 1 without any."""
    exact, midp = exact_p_values(total, np.zeros(total.shape))
    by_chi_square = erfc(np.sqrt(np.maximum(total - (2.0 - 1.0 / np.maximum(total, 1.0)) * (chosen == "corrected"), 0.0) / 2.0))
    return np.select([chosen == "exact", chosen == "midp"], [exact, midp], by_chi_square)


def _interval(b: Floats, c: Floats, n: Floats) -> Interval:
    """Return Tango's interval of a minus b in values of which less is better: c counts for it, b against it."""
    return lambda level: tango_interval(c, b, n, level)


def _remarks(testable: NDArray[np.bool_], total: Floats, chosen: NDArray[np.str_] | None) -> tuple[Remark, ...]:
    found = {
        "not-estimable": ~testable,
        "no-discordant": testable & (total == 0),
        "mixed-variants": np.zeros(total.shape, dtype=bool) if chosen is None else chosen == "uncorrected",
    }
    return tuple(Remark(code, tuple(np.flatnonzero(pairs).tolist())) for code, pairs in found.items() if pairs.any())
