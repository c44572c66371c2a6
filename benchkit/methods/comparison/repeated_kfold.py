"""t tests of cross-validation folds: the corrected repeated k-fold test, and the plain one as a negative control."""

from dataclasses import replace

import numpy as np

from benchkit.methods.comparison.resampled_t import fold_ratio, ratio_column, size_ratio, student
from benchkit.methods.records import Blocks, Remark, Unadjusted


def compare(blocks: Blocks) -> Unadjusted:
    """Return t = mean / sqrt(s2 (1/(k r) + 1/(k - 1))) on k r - 1 degrees of freedom for each pair.

    k folds and r repeats come from the layout (k r is the pair's shared replicates where some are missing); with k folds
    n_test/n_train is 1/(k - 1), unless options["test_share"] tells another. Without a layout the ratio is that of the sizes;
    without these, too, all replicates are taken for the folds of one repeat, with the remark layout-unknown.
    Source: Bouckaert & Frank, Evaluating the replicability of significance tests for comparing learning algorithms,
    PAKDD 2004, section 3.4.
    """
    said: tuple[Remark, ...] = ()
    ratio = np.nan if "test_share" in blocks.options else fold_ratio(blocks)
    ratio = size_ratio(blocks) if np.isnan(ratio) else ratio
    if np.isnan(ratio):
        k = len(blocks.values)
        ratio = 1.0 / (k - 1.0) if k > 1 else np.nan
        said = (Remark("layout-unknown", numbers={"folds": float(k)}),)
    return replace(student(blocks, "repeated-kfold-t", ratio, said), own=ratio_column(blocks, ratio))


def plain(blocks: Blocks) -> Unadjusted:
    """Return the k-fold cross-validated paired t test, which takes folds for independent: too many false alarms.

    A negative control, and says so (remark negative-control). Source: Dietterich 1998, section 3.3.
    """
    return student(blocks, "kfold-t", 0.0, (Remark("negative-control"),))
