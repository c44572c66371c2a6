"""Reading: paths on the command line become tables of known columns and types."""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import BinaryIO

import polars as pl

from benchkit.errors import BenchkitError
from benchkit.formats import arrow, cells, csv, json, kinds, ndjson, parquet, tsv, where
from benchkit.formats.border import Plan, cross, plan, rename
from benchkit.formats.content import Content, Document, Raw, intact
from benchkit.formats.detect import detect
from benchkit.formats.missing import missing_column
from benchkit.formats.paths import Input, expand, load
from benchkit.formats.settle import settle
from benchkit.formats.source import Border, Source
from benchkit.formats.stacking import completed, stack
from benchkit.tables.shapes import RESULTS, SHAPES, Shape
from benchkit.tables.synonyms import find

READERS: dict[str, Callable[[Content], Document]] = {
    "csv": csv.read,
    "tsv": tsv.read,
    "json": json.read,
    "ndjson": ndjson.read,
    "parquet": parquet.read,
    "arrow": arrow.read,
}
# an index that pandas wrote along
INDEX = re.compile(r"|Unnamed: \d+|__index_level_\d+__")


def read(paths: Sequence[str], border: Border, accept: Sequence[str], command: str, stdin: BinaryIO | None = None) -> Source:
    """Return the stacked tables of all inputs behind the border.

    paths: files, folders, globs, "-" or name=path; none means standard input. accept: the kinds of tables that
    `command` reads; predictions count as results. stdin: standard input if it may be read. Cells are checked here, in a
    pass over the columns that need it; the frames are lazy. Columns that a file of results lacks stay absent, tables of
    other kinds have all their columns. BenchkitError for anything that cannot be read as it stands.
    """
    inputs = expand(paths, stdin is not None)
    try:
        return _read(inputs, [load(item, stdin) for item in inputs], border, accept, command)
    except pl.exceptions.PolarsError as fault:  # what no check foresaw: damage deep inside a binary file
        names = ", ".join(item.name for item in inputs)
        raise BenchkitError(f"{names} cannot be read: {str(fault).splitlines()[0]}", "the file may be damaged") from fault


def _read(inputs: Sequence[Input], contents: Sequence[Content], border: Border, accept: Sequence[str], command: str) -> Source:
    """Read the opened inputs."""
    documents = [_opened(item, content) for item, content in zip(inputs, contents, strict=True)]
    primaries = [_primary(document, accept, command) for document in documents]
    scheme = plan(primaries, border)
    crossed = [_crossed(raw, scheme, border.where, accept, command) for raw in primaries]
    shape = crossed[0][0]
    for raw, (other, _) in zip(primaries, crossed, strict=True):
        if other is not shape:
            message = f"{primaries[0].name} is {kinds.described(shape)}, but {raw.name} is {kinds.described(other)}"
            raise BenchkitError(message, "give files of one kind")
    names = [item.name for item in inputs]
    everything = stack([frame for _, frame in crossed], names)
    frames = _others(documents, shape.name) | {shape.name: where.select(everything, border.where, names[0])}
    notes = tuple(dict.fromkeys(note for document in documents for note in document.notes))
    return Source(shape.name, frames, names, everything, lambda: _digests(inputs, contents), notes)


def _opened(item: Input, content: Content) -> Document:
    detected = detect(content)
    document = READERS[detected.kind](detected)
    tables = {name: replace(raw, algorithm=item.algorithm, stem=item.stem) for name, raw in document.tables.items()}
    return replace(document, tables={name: _simple(raw) for name, raw in tables.items()})


def _simple(raw: Raw) -> Raw:
    """Return the table without an index that was written along, categories as text."""
    frame = raw.frame.drop(name for name in raw.columns if INDEX.fullmatch(name))
    return raw.with_frame(frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String)))


def _primary(document: Document, accept: Sequence[str], command: str) -> Raw:
    if "" in document.tables:
        raw = document.tables[""]
        what = raw.name
    else:
        table = kinds.primary(document, accept, command)
        raw = document.tables[table]
        what = f"{raw.name}: the table {table}"
    with intact(raw):
        empty = not raw.columns or not raw.frame.head(1).collect().height
    if empty:
        raise BenchkitError(f"{what} has no rows", "the command that wrote it may have failed")
    return raw


def _crossed(
    raw: Raw, scheme: Plan, conditions: Sequence[str], accept: Sequence[str], command: str
) -> tuple[Shape, pl.LazyFrame]:
    """Return the shape of the table and the table behind the border.

    Columns of a wide table whose rows the --where conditions leave out need not be algorithms.
    """
    raw = rename(raw, scheme)
    columns = raw.columns
    outcome = scheme.outcome(columns)
    made = outcome != columns
    if raw.algorithm is None and not _named_by_file(columns, outcome):
        raw = replace(raw, stem=None)
    if (raw.algorithm is not None or raw.stem is not None) and "algorithm" not in outcome:
        outcome.append("algorithm")
    if made and "results" in accept and set(RESULTS.required) <= set(outcome):
        shape: Shape | None = RESULTS
    elif raw.table and set(SHAPES[raw.table].required) <= set(outcome):
        shape = SHAPES[raw.table]
    else:
        shape = None if raw.table else kinds.find(raw.name, outcome, accept, command)
    if shape is None:
        raise missing_column(raw, outcome, [raw.table] if raw.table else kinds.wider(accept))
    numbers = scheme.algorithms(columns) if "prediction" not in outcome else []
    left_out = where.excluded(conditions, map(raw.called, numbers))
    raw = _unchecked(raw, [name for name in numbers if raw.called(name) in left_out])
    raw = settle(raw, shape, {*numbers, *(name for name in scheme.values if name in columns)}, scheme.wide)
    return shape, completed(shape, cross(raw, scheme))


def _unchecked(raw: Raw, columns: Sequence[str]) -> Raw:
    """Return the table with numbers or null in the columns, whatever they held."""
    schema = raw.frame.collect_schema()
    return raw.with_frame(raw.frame.with_columns(cells.number_or_null(name, schema[name], raw.decimal_comma) for name in columns))


def _named_by_file(columns: Sequence[str], outcome: Sequence[str]) -> bool:
    """Say whether the file names the algorithm: results or predictions without an algorithm column, unless one looks like it."""
    measured = "performance" in outcome or "prediction" in outcome
    return measured and "algorithm" not in outcome and find("algorithm", columns) is None


def _others(documents: Sequence[Document], primary: str) -> dict[str, pl.LazyFrame]:
    """Return the further tables of result documents, by name."""
    tables: dict[str, list[Raw]] = {}
    for document in documents:
        for name, raw in document.tables.items():
            if name in SHAPES and name != primary and raw.columns:
                tables.setdefault(name, []).append(raw)
    frames = {}
    for name, raws in tables.items():
        settled = [completed(SHAPES[name], settle(raw, SHAPES[name], ()).frame) for raw in raws]
        frames[name] = stack(settled, [raw.name for raw in raws])
    return frames


def _digests(inputs: Sequence[Input], contents: Sequence[Content]) -> dict[str, str]:
    return {item.path: hashlib.sha256(content.data).hexdigest() for item, content in zip(inputs, contents, strict=True)}
