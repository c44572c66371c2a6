"""Data sets for the tests of resampling, as resampling sees them, and the splits that an entry makes of them."""

from typing import Any

import numpy as np
from hypothesis import strategies as st

from benchkit.run.plan import ResamplingPlan
from benchkit.run.resampling import RESAMPLERS
from benchkit.run.resampling.splits import Rows, Split, Splits

WHERE = "dataset 'x'"
SEEDS = st.integers(0, 2**31 - 1)


def rows_of(n: int, **facts: Any) -> Rows:
    arrays = {name: np.array(fact, dtype=np.int64) for name, fact in facts.items() if name in ("classes", "groups", "times")}
    return Rows(WHERE, n, **(facts | arrays))


def made(method: str, rows: Rows, seed: int = 1, **options: Any) -> Splits:
    entry = next(entry for entry in RESAMPLERS if entry.name == method)
    splits: Splits = entry.load()(rows, ResamplingPlan(method, **options), seed)
    return splits


def drawn(splits: Splits) -> list[Split]:
    return [splits.draw(i) for i in range(len(splits.names))]


def lists(split: Split) -> tuple[list[int], ...]:
    parts = [split.train, split.test] + ([] if split.validation is None else [split.validation])
    return tuple(part.tolist() for part in parts)


@st.composite
def classified(draw: st.DrawFn, least: int = 1, most_classes: int = 4) -> Rows:
    """Rows of one to four classes in any order, with at least so many rows each, and two in all."""
    sizes = draw(st.lists(st.integers(least, 12), min_size=1, max_size=most_classes).filter(lambda sizes: sum(sizes) > 1))
    classes = draw(st.permutations(np.repeat(np.arange(len(sizes)), sizes).tolist()))
    return rows_of(len(classes), classes=classes)
