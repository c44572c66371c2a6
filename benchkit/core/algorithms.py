"""All algorithms that a table names."""

import polars as pl

from benchkit.tables.naming import natural_sort


def algorithm_names(table: pl.LazyFrame) -> list[str]:
    """Return the names in the columns algorithm, or a and b, in natural order."""
    columns = [name for name in ("algorithm", "a", "b") if name in table.collect_schema().names()]
    names = {name for column in columns for name in table.select(pl.col(column).unique()).collect()[column].to_list()}
    return natural_sort(name for name in names if name is not None)
