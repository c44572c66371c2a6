"""The paired t test: replicates taken as independent, each pair with the variance of its own differences."""

import numpy as np

from benchkit.methods.comparison.hotelling import UNKNOWN, hotelling
from benchkit.methods.comparison.resampled_t import student
from benchkit.methods.comparison.shared import complete_replicates, shared
from benchkit.methods.records import Blocks, Floats, Overall, Remark, Unadjusted


def compare(blocks: Blocks) -> Unadjusted:
    """Return t = mean / (sd / sqrt n) on n - 1 degrees of freedom for each pair, n its shared replicates.

    overall is Hotelling's T2 on complete replicates, which pools nothing either; with two algorithms it is t squared.
    Source: Student 1908; Hotelling 1931.
    """
    values, left_out = complete_replicates(blocks.values)
    overall, reason = _overall(values)
    if reason and len(blocks.values) > 1:  # of a single replicate the pairs say so
        B, K = values.shape
        left_out += (Remark(reason, numbers={"replicates": float(B), "algorithms": float(K)}),)
    return student(blocks, "paired-t", 0.0, left_out, overall)


def _overall(values: Floats) -> tuple[Overall, str]:
    """Return Hotelling's test, the limit where no difference varies, and why there is none (a remark's code or nothing)."""
    B, K = values.shape
    if B < 2 or B < K:
        return UNKNOWN, "small-n"
    found = shared(values, np.column_stack([np.arange(1, K), np.zeros(K - 1, dtype=np.int64)]))
    if (found.sd == 0).all():
        equal = bool((found.estimate == 0).all())
        return Overall(0.0 if equal else np.inf, K - 1.0, B - K + 1.0, 1.0 if equal else 0.0), ""
    return hotelling(values)
