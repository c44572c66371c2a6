"""The corrected resampled t test: training sets overlap, so the mean difference varies more than replicates show."""

from dataclasses import replace

import numpy as np

from benchkit.methods.comparison.resampled_t import fold_ratio, folds, ratio_column, size_ratio, student
from benchkit.methods.records import Blocks, Remark, Unadjusted


def compare(blocks: Blocks) -> Unadjusted:
    """Return t = mean / sqrt(s2 (1/n + n_test/n_train)) on n - 1 degrees of freedom for each pair.

    n counts the pair's shared replicates; n_test/n_train comes from options["test_share"], else from the mean sizes, else
    from the layout, where k folds make it 1/(k - 1) (remark sizes-from-folds); it stands in the own column
    test_train_ratio. Without any of them all but the estimates is NaN, with the remark sizes-unknown.
    Source: Nadeau & Bengio, Inference for the generalization error, Machine Learning 52, 2003, section 4.
    """
    ratio = size_ratio(blocks)
    said: tuple[Remark, ...] = ()
    if np.isnan(ratio):
        ratio = fold_ratio(blocks)
        said = (
            (Remark("sizes-unknown"),)
            if np.isnan(ratio)
            else (Remark("sizes-from-folds", numbers={"folds": float(folds(blocks))}),)
        )
    return replace(student(blocks, "corrected-t", ratio, said), own=ratio_column(blocks, ratio))
