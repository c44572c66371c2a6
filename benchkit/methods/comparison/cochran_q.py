"""Cochran's Q: have K algorithms equally many of the same items right? McNemar's test for the pairs."""

from dataclasses import replace

import numpy as np
from scipy.special import chdtrc

from benchkit.methods.comparison.agreement import Agreement, agreement
from benchkit.methods.comparison.mcnemar import by_counts, discordant, variant_of
from benchkit.methods.comparison.permuted_totals import exact_p_value
from benchkit.methods.records import Blocks, Floats, Overall, Remark, Unadjusted

# with more items that the algorithms differ on the chi-square distribution needs no check
MOST_ITEMS, MOST_ROWS = 200, 100_000


def compare(blocks: Blocks) -> Unadjusted:
    """Test all K algorithms by Cochran's Q on the items that have all outcomes, the contrasts by McNemar's test on theirs.

    Q = (K - 1)(K sum C^2 - (sum C)^2)/(K sum R - sum R^2) from column sums C and row sums R, chi-square with K - 1 degrees of
    freedom; it equals McNemar's uncorrected chi-square for K = 2. No item that the algorithms differ on: Q 0, p 1; no complete
    item: NaN. overall_own holds p_exact, the permutation p-value of Q within items, where that is quick, else NaN.
    Items left out: remark incomplete-replicates. Values and options["variant"] as in mcnemar. Source: Cochran 1950.
    """
    found = agreement(blocks.values)
    complete, remarks = complete_items(blocks.values, found)
    between, within, items = sums(complete)
    K = blocks.values.shape[1]
    statistic = (K - 1.0) * between / within if within else (0.0 if items else np.nan)
    overall = Overall(statistic, K - 1.0, np.nan, float(chdtrc(K - 1.0, statistic)))
    p_exact = _exact(blocks.values, complete) if 0 < items <= MOST_ROWS else np.nan
    pairs = by_counts("cochran-q-mcnemar", discordant(found, blocks.contrasts), variant_of(blocks), found.means)
    return replace(pairs, overall=overall, overall_own={"p_exact": p_exact}, remarks=remarks + pairs.remarks)


def complete_items(values: Floats, found: Agreement) -> tuple[Agreement, tuple[Remark, ...]]:
    """Return the counts of the items with all outcomes, and a remark if some are left out."""
    B, K = values.shape
    if (found.shared == B).all():
        return found, ()
    kept = values[~np.isnan(values).any(axis=1)]
    left_out = {"left_out": float(B - len(kept)), "replicates": float(B)}
    remarks = (Remark("incomplete-replicates", numbers=left_out),)
    if len(kept):
        return agreement(kept), remarks
    nothing = np.zeros((K, K), dtype=np.int64)
    return Agreement(nothing, nothing, nothing, found.right_value), remarks


def sums(complete: Agreement) -> tuple[int, int, int]:
    """Return K sum C^2 - (sum C)^2 over algorithms, K sum R - sum R^2 over items, and the number of items; all exact.

    C counts what an algorithm has right and R the algorithms that have an item right: the sum of R^2 counts the pairs of
    algorithms that have it right together.
    """
    right = [int(count) for count in np.diag(complete.both)]
    total, K = sum(right), len(right)
    between = K * sum(count * count for count in right) - total * total
    return between, K * total - int(complete.both.sum()), int(complete.shared[0, 0])


def _exact(values: Floats, complete: Agreement) -> float:
    """Return the permutation p-value of Q: each item's outcomes in any order; NaN if that takes too long."""
    right = values[~np.isnan(values).any(axis=1)] == complete.right_value
    count = right.sum(axis=1)
    differ = right[(count > 0) & (count < right.shape[1])]
    if not len(differ):
        return 1.0
    return exact_p_value(differ.astype(np.int64)) if len(differ) <= MOST_ITEMS else np.nan
