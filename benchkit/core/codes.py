"""Names as numbers: the position of each among all, in natural order."""

import numpy as np
import polars as pl

from benchkit.methods.records import Integers
from benchkit.tables.naming import natural_sort


def natural_codes(names: pl.Series) -> tuple[tuple[str, ...], Integers]:
    """Return the names in natural order, each once, and for each row the position of its name among them."""
    order = tuple(natural_sort(names.unique().to_list()))
    codes = names.cast(pl.Enum(order)).to_physical().to_numpy()
    return order, codes.astype(np.int64)
