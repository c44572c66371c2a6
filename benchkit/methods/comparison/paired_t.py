"""The paired t test: replicates taken as independent, each pair with the variance of its own differences."""

from dataclasses import replace

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.methods.comparison import unstructured
from benchkit.methods.comparison.hotelling import UNKNOWN, hotelling
from benchkit.methods.comparison.resampled_t import student
from benchkit.methods.comparison.shared import complete_replicates, shared
from benchkit.methods.records import Answer, Blocks, Floats, Overall, Remark, Unadjusted


def compare(blocks: Blocks) -> Unadjusted | Answer:
    """Return t = mean / (sd / sqrt n) on n - 1 degrees of freedom for each pair, n its shared replicates.

    overall is Hotelling's T2 on complete replicates, which pools nothing either; with two algorithms it is t squared.
    options["adjust"] = max-t: single step by the multivariate t with the correlation of the differences, which needs
    complete replicates (BenchkitError). Source: Student 1908; Hotelling 1931; Hothorn, Bretz & Westfall 2008.
    """
    if blocks.options.get("adjust") == "max-t":
        if np.isnan(blocks.values).any():
            raise BenchkitError(
                "max-t of paired t tests needs complete replicates, and some cells are missing",
                "use --method mixed --covariance unstructured --adjust max-t, or --adjust holm",
            )
        return replace(unstructured.compare(blocks), method="paired-t")
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
