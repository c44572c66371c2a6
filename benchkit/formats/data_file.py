"""A table of data, not of results: any columns, each with the type that all of its cells have."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchkit.errors import BenchkitError
from benchkit.formats import cells
from benchkit.formats.content import Raw, intact
from benchkit.formats.detect import detect
from benchkit.formats.paths import Input, load, no_file
from benchkit.formats.reading import READERS


@dataclass(frozen=True)
class DataFile:
    """The columns of a file: floats (NaN where missing), whole numbers, truth values, or texts (None where missing).

    spelled(name): the cells of a column of delimited text as they are written, None where missing; else those of `columns`.
    place(i) says where row i (from 0) stands. digest: SHA-256 of the file's bytes.
    """

    name: str
    columns: Mapping[str, NDArray[Any]]
    spelled: Callable[[str], NDArray[Any]]
    place: Callable[[int], str]
    digest: str


def read_data(path: Path) -> DataFile:
    """Return the table of a CSV, TSV, JSON, NDJSON, Parquet or Arrow file, plain or packed.

    In delimited text a column is of numbers or truth values if all its cells are, missing ones aside (empty, NA, NaN ...).
    Dates and times become seconds since 1970. BenchkitError for what cannot be read, or a column of lists or bytes.
    """
    if not path.exists():
        raise no_file(str(path))
    content = load(Input(str(path)), None)
    detected = detect(content)
    tables = READERS[detected.kind](detected).tables
    if len(tables) != 1:
        raise BenchkitError(f"{path} is a document of several tables", "give a file that holds one table")
    raw = next(iter(tables.values()))
    with intact(raw):
        frame = raw.frame.collect()
    if not frame.height:
        raise BenchkitError(f"{path} has no rows", "a data set needs rows")
    columns = _Columns(raw, frame)
    return DataFile(raw.name, columns, columns.spelled, raw.place, hashlib.sha256(content.data).hexdigest())


class _Columns(Mapping[str, NDArray[Any]]):
    """The columns of a table, converted when they are asked for: one that nobody uses may hold what it likes."""

    def __init__(self, raw: Raw, frame: pl.DataFrame) -> None:
        self._raw, self._frame = raw, frame

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._frame.columns:
            raise KeyError(name)
        return _values(self._raw, self._frame[name])

    def __contains__(self, name: object) -> bool:
        return name in self._frame.columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._frame.columns)

    def __len__(self) -> int:
        return self._frame.width

    def spelled(self, name: str) -> NDArray[Any]:
        """Return the cells of a column as they are written, where they are text."""
        if not (self._raw.delimited and self._frame[name].dtype == pl.String):
            return self[name]
        return np.array(_stripped(self._frame[name]).to_list(), dtype=object)


def _stripped(column: pl.Series) -> pl.Series:
    """Return the cells of a delimited file without outer blanks, null where one is missing."""
    cell = cells.stripped(column.name)
    missing = cell.str.to_lowercase().is_in(cells.MISSING)
    return column.to_frame().select(pl.when(~missing).then(cell).alias(column.name)).to_series()


def _values(raw: Raw, column: pl.Series) -> NDArray[Any]:
    kind = column.dtype
    if kind.is_nested() or kind in (pl.Binary, pl.Object):
        hint = "unnest them first, or name the columns to use: columns = [...]"
        raise BenchkitError(f"{raw.name}, column {column.name}: its cells are lists or bytes", hint)
    if kind == pl.String and raw.delimited:
        column = _typed(raw, column)
        kind = column.dtype
    if kind.is_temporal():
        timed = column if isinstance(kind, pl.Duration | pl.Time) else column.cast(pl.Datetime("us"))
        micro = timed.dt.total_microseconds() if isinstance(kind, pl.Duration) else timed.to_physical()
        return micro.cast(pl.Float64).to_numpy() / (1e9 if isinstance(kind, pl.Time) else 1e6)
    if kind.is_integer() or kind == pl.Boolean:
        return column.to_numpy() if not column.null_count() else column.cast(pl.Float64).to_numpy()
    if kind.is_numeric() or kind == pl.Null:
        return column.cast(pl.Float64).to_numpy()
    return np.array(column.cast(pl.String).to_list(), dtype=object)


def _typed(raw: Raw, column: pl.Series) -> pl.Series:
    """Return a column of a delimited file as whole numbers, floats, truth values or texts, null where a cell is missing."""
    name, filled = column.name, _stripped(column)
    frame = filled.to_frame()
    if filled.null_count() == len(filled):
        return filled.cast(pl.Float64)
    if not frame.select(cells.no_number(name, raw.decimal_comma).any()).item():
        _refuse_mixed(raw, filled)
        whole = filled.cast(pl.Int64, strict=False)
        return frame.select(cells.number(name, raw.decimal_comma)).to_series() if whole.null_count() else whole
    if not frame.select(cells.no_truth(name).any()).item():
        return frame.select(cells.truth(name).alias(name)).to_series()
    return filled


def _refuse_mixed(raw: Raw, column: pl.Series) -> None:
    """Raise BenchkitError for numbers with a decimal comma in one cell and a point, perhaps of thousands, in another."""
    comma, point = (column.str.contains(mark, literal=True).fill_null(False) for mark in ",.")
    if raw.decimal_comma and comma.any() and point.any():
        place = raw.place(int(point.arg_max() or 0))
        raise BenchkitError(
            f"{raw.name} {place}, column {column.name}: there is a decimal point where other cells have a decimal comma",
            "write all numbers of a column alike, without thousands separators",
        )
