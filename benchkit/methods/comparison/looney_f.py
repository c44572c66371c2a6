"""Looney's F-test on correctness: a two-way analysis of variance of right and wrong, McNemar's test for the pairs."""

from dataclasses import replace

import numpy as np
from scipy.special import fdtrc

from benchkit.methods.comparison.agreement import agreement
from benchkit.methods.comparison.cochran_q import complete_items, sums
from benchkit.methods.comparison.mcnemar import by_counts, discordant, variant_of
from benchkit.methods.records import Blocks, Overall, Unadjusted


def compare(blocks: Blocks) -> Unadjusted:
    """Test all L algorithms by F = MS(algorithms)/MS(algorithms x items) on L - 1 and (L - 1)(N - 1) degrees of freedom.

    N items have all outcomes; the others are left out with the remark incomplete-replicates. For L = 2 F is the square of the
    paired t. No item that the algorithms differ on: F 0, p 1; each item's differences the same: F infinite, p 0; N < 2: NaN.
    Contrasts, values and options["variant"] as in mcnemar. Source: Looney 1988, with df2 as its mean square has it.
    """
    found = agreement(blocks.values)
    complete, remarks = complete_items(blocks.values, found)
    between, within, items = sums(complete)
    L = blocks.values.shape[1]
    # with L N times the sums of squares: algorithms `between`, algorithms and interaction together N `within`
    interaction = items * within - between
    if items < 2:
        statistic = np.nan
    elif interaction:
        statistic = (items - 1.0) * between / interaction
    else:
        statistic = np.inf if between else 0.0
    df1, df2 = L - 1.0, (L - 1.0) * (items - 1.0)
    p_value = 0.0 if np.isinf(statistic) else float(fdtrc(df1, df2, statistic)) if items > 1 else np.nan
    overall = Overall(statistic, df1, df2 if items > 1 else np.nan, p_value)
    pairs = by_counts("looney-f-mcnemar", discordant(found, blocks.contrasts), variant_of(blocks), found.means)
    return replace(pairs, overall=overall, remarks=remarks + pairs.remarks)
