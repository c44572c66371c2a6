"""Five repeats of twofold cross-validation: the layout, and the differences and variances that both its tests use."""

from dataclasses import dataclass

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.methods.comparison.resampled_t import folds
from benchkit.methods.comparison.shared import difference_matrix, noise
from benchkit.methods.records import Blocks, Floats, Integers, Remark

REPEATS, FOLDS = 5, 2
DF = 5.0


@dataclass(frozen=True)
class FiveByTwo:
    """differences: shape (5, 2, m), a - b by repeat and fold, NaN throughout for a contrast with a missing cell.

    scale: shape (m,), the root of the mean over repeats of s2 = (d1 - d2)^2 / 2, the error of one difference; exactly 0
    where the folds of every repeat differ by rounding alone.
    """

    differences: Floats
    scale: Floats


def is_five_by_two(layout: Integers | None) -> bool:
    """Say whether the codes of repeat and fold, (B, 2), are those of 5 repeats x 2 folds; not if they are unknown."""
    wanted = [[repeat, fold] for repeat in range(REPEATS) for fold in range(FOLDS)]
    return layout is not None and len(layout) == len(wanted) and sorted(layout.tolist()) == wanted


def five_by_two(blocks: Blocks) -> FiveByTwo:
    """Return the ten differences of every contrast; BenchkitError unless replicates are 5 repeats x 2 folds."""
    layout = blocks.layout
    if layout is None or not is_five_by_two(layout):
        B = len(blocks.values)
        found = "not told apart" if layout is None else f"{len(np.unique(layout[:, 0]))} and {folds(blocks)}"
        raise BenchkitError(
            f"a 5x2cv test needs 5 repeats of 2 folds; the repeats and folds of these {B} replicates are {found}",
            "name them in the columns repeat and fold, or use --method corrected-t",
        )
    in_order = np.lexsort((layout[:, 1], layout[:, 0]))
    differences = difference_matrix(blocks.values, blocks.contrasts)[in_order].reshape(REPEATS, FOLDS, -1)
    differences[:, :, np.isnan(differences).any(axis=(0, 1))] = np.nan
    apart = np.abs(differences[:, 0] - differences[:, 1])
    apart[apart <= noise(blocks.values, blocks.contrasts)] = 0.0
    largest = apart.max(axis=0)
    unit = np.where(largest > 0, largest, 1.0)  # so that squares of tiny differences do not vanish
    return FiveByTwo(differences, largest * np.sqrt(((apart / unit) ** 2).mean(axis=0) / 2.0))


def remarks(found: FiveByTwo) -> tuple[Remark, ...]:
    """Say which pairs lack one of the ten (not-estimable) and in which the folds of no repeat differ (zero-variance)."""
    said: list[Remark] = []
    unknown = np.flatnonzero(np.isnan(found.scale))
    if unknown.size:
        said.append(Remark("not-estimable", tuple(unknown.tolist())))
    constant = np.flatnonzero(found.scale == 0)
    if constant.size:
        said.append(Remark("zero-variance", tuple(constant.tolist()), {"repeats": float(REPEATS)}))
    return tuple(said)
