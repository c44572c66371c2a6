"""McNemar's test of a 2 x 2 table that is known by its four counts alone."""

from collections.abc import Sequence

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.methods.comparison.agreement import Agreement
from benchkit.methods.comparison.mcnemar import VARIANTS, by_counts, discordant
from benchkit.methods.records import Unadjusted


def compare_counts(counts: Sequence[int], variant: str = "auto") -> Unadjusted:
    """Compare algorithms 1 and 2 by how many items both, only 1, only 2 and neither has right: one pair, 1 minus 2.

    The same as McNemar's test of the items: values are oriented (right -1, wrong 0), so that higher was better. The means are
    those of the two algorithms. BenchkitError unless there are four counts, none negative and not all 0.
    """
    if len(counts) != 4 or min(counts) < 0 or sum(counts) == 0:
        raise BenchkitError(
            "a 2 x 2 table has four counts, none negative and not all 0",
            "give them as both right, only 1 right, only 2 right, both wrong: --table-counts 9959,11,1,29",
        )
    if variant not in VARIANTS:
        raise BenchkitError(f"'{variant}' is no variant of McNemar's test", "--variant takes " + ", ".join(VARIANTS))
    both_right, only_first, only_second, _ = counts
    first, second = both_right + only_first, both_right + only_second
    table = Agreement(
        shared=np.full((2, 2), sum(counts), dtype=np.int64),
        both=np.array([[first, both_right], [both_right, second]], dtype=np.int64),
        first=np.array([[first, first], [second, second]], dtype=np.int64),
        right_value=-1.0,
    )
    return by_counts("mcnemar", discordant(table, np.array([[0, 1]], dtype=np.int64)), variant, table.means)
