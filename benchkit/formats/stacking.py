"""Tables of the same kind on top of one another: columns by name, null where a file has none."""

from collections.abc import Sequence

import polars as pl

from benchkit.errors import BenchkitError
from benchkit.formats import cells
from benchkit.tables.shapes import PREDICTIONS, RESULTS, Shape
from benchkit.tables.wording import shown

# what tells blocks apart: half a table with it and half without cannot be paired
BLOCKS = ("replicate", "repeat", "fold", "item")


def completed(shape: Shape, frame: pl.LazyFrame) -> pl.LazyFrame:
    """Return a table of ours with all columns of its shape, those of its own last; people's results as they are."""
    if shape in (RESULTS, PREDICTIONS):
        return frame
    columns = frame.collect_schema().names()
    absent = [pl.lit(None).cast(kind).alias(name) for name, kind in shape.schema.items() if name not in columns]
    return frame.with_columns(absent).select(*shape.columns, *(name for name in columns if name not in shape.columns))


def stack(frames: Sequence[pl.LazyFrame], names: Sequence[str]) -> pl.LazyFrame:
    """Return all rows under the union of the columns; a column whose type differs between files becomes text.

    BenchkitError if some files have a column that tells the replicates apart and others lack it.
    """
    if len(frames) == 1:
        return frames[0]
    schemas = [frame.collect_schema() for frame in frames]
    for column in BLOCKS:
        having = [name for name, schema in zip(names, schemas, strict=True) if column in schema]
        lacking = [name for name, schema in zip(names, schemas, strict=True) if column not in schema]
        if having and lacking:
            message = f"{lacking[0]} has no column {shown(column)}, but {having[0]} has"
            raise BenchkitError(message, "give files with the same columns, or rename them with --rename")
    kinds: dict[str, set[pl.DataType]] = {}
    for schema in schemas:
        for column, kind in schema.items():
            kinds.setdefault(column, set()).add(kind)
    mixed = {column for column, found in kinds.items() if len(found) > 1}
    alike = [
        frame.with_columns(cells.text(column, schema[column]) for column in schema if column in mixed)
        for frame, schema in zip(frames, schemas, strict=True)
    ]
    return pl.concat(alike, how="diagonal")
