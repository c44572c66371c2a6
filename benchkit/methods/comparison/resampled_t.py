"""Student's t of paired differences whose variance allows for the overlap of the training sets.

The t tests of resampled performances differ only in the factor c of the squared standard error c s2, s2 the variance of the
n differences: 1/n if replicates were independent, 1/n + n_test/n_train by Nadeau & Bengio 2003.
"""

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.methods.comparison.paired import studentise, two_sided
from benchkit.methods.comparison.shared import algorithm_means, remarks, shared
from benchkit.methods.records import Blocks, Floats, Overall, Remark, Unadjusted


def student(
    blocks: Blocks, method: str, ratio: float, said: tuple[Remark, ...] = (), overall: Overall | None = None
) -> Unadjusted:
    """Return t = mean / (sd sqrt(1/n + ratio)) on n - 1 degrees of freedom for each pair, n its shared replicates.

    ratio: n_test / n_train; 0 for independent replicates; NaN, if unknown, leaves nothing but estimates. Differences that
    do not vary give statistic 0 and p 1, or an infinite one and p 0. said: remarks to add to those of the pairs.
    """
    found = shared(blocks.values, blocks.contrasts)
    std_error = found.sd * np.sqrt(1.0 / np.maximum(found.n, 1) + ratio)
    statistic = studentise(found.estimate, std_error)
    df = np.where(np.isnan(statistic), np.nan, found.n - 1.0)
    return Unadjusted(
        method=method,
        n=found.n,
        mean_a=found.mean_a,
        mean_b=found.mean_b,
        estimate=found.estimate,
        p_value=two_sided(statistic, df),
        std_error=std_error,
        statistic=statistic,
        df=df,
        overall=overall,
        means=algorithm_means(blocks.values),
        remarks=said + remarks(found, len(blocks.values)),
    )


def ratio_column(blocks: Blocks, ratio: float) -> dict[str, Floats]:
    """Return the column that shows n_test / n_train beside each pair."""
    return {"test_train_ratio": np.full(len(blocks.contrasts), ratio)}


def size_ratio(blocks: Blocks) -> float:
    """Return n_test / n_train: from the option test_share, which wins, or the sizes; NaN when neither tells it.

    test_share is text, a share of all rows between 0 and 1 or a percentage; BenchkitError if it is anything else, and for
    sizes of 0, which no training and no test set has.
    """
    text = blocks.options.get("test_share")
    if text is not None:
        share = _share(text)
        return share / (1.0 - share)
    if blocks.sizes is None:
        return np.nan
    train, test = blocks.sizes
    for name, size in (("n_train", train), ("n_test", test)):
        if size <= 0:
            message = f"{name} is {size:g}, and the variance of this test rests on n_test / n_train"
            raise BenchkitError(message, f"correct the column {name}, or say it with --test-share")
    return test / train


def folds(blocks: Blocks) -> int:
    """Return the number of folds k in the layout; 0 without a layout."""
    return 0 if blocks.layout is None else int(np.unique(blocks.layout[:, 1]).size)


def fold_ratio(blocks: Blocks) -> float:
    """Return n_test / n_train = 1 / (k - 1) of k folds of one size; NaN where the layout does not tell several folds."""
    k = folds(blocks)
    return 1.0 / (k - 1.0) if k > 1 else np.nan


def _share(text: str) -> float:
    try:
        share = float(text[:-1]) / 100.0 if text.endswith("%") else float(text)
    except ValueError:
        share = np.nan
    if not 0.0 < share < 1.0:
        raise BenchkitError(
            f"--test-share '{text}' is no share of the rows", "give a number between 0 and 1, or a percentage: 0.1, 10%"
        )
    return share
