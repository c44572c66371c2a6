"""The columns of one table get the glossary's types, and every cell that does not fit is found and named."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from shlex import quote

import polars as pl

from benchkit.errors import BenchkitError
from benchkit.formats import cells
from benchkit.formats.content import Raw, intact
from benchkit.formats.where import without
from benchkit.tables.columns import COLUMNS
from benchkit.tables.shapes import Shape
from benchkit.tables.synonyms import suggest
from benchkit.tables.wording import shown

NAMED = ("algorithm", "replicate", "item", "a", "b")
OPTIONAL = ("replicate", "item")


@dataclass(frozen=True, eq=False)
class _Check:
    """Something that must hold for no row: `fault` is true where it does; explain(cell) gives message and hint."""

    column: str
    fault: pl.Expr
    explain: Callable[[str], tuple[str, str]]


def settle(raw: Raw, shape: Shape, numbers: Collection[str], wide: bool = False) -> Raw:
    """Return the table with typed columns and the same rows.

    `numbers` must be numeric besides the number columns of `shape`; with `wide` they are the algorithms. In delimited text a
    performance may be true or false all the way down, and is 1 or 0 then. Text columns of the glossary become text,
    with null for an empty cell. A column that should name something and does so in no row at all is left out. BenchkitError
    names file, row and column of the first cell that is no number, or of a row without its name.
    """
    schema = raw.frame.collect_schema()
    types = {name: _wanted(name, shape, numbers) for name in schema.names()}
    _refuse_types(raw, types)
    checks = [check for name, kind in schema.items() for check in _checks(name, kind, types[name], raw.decimal_comma)]
    absences = [
        _Check(name, _is_empty(name, schema[name], raw.delimited), lambda _: ("it is empty", "every row names what it is about"))
        for name in NAMED
        if name in schema and name in shape.key
    ]
    rows, faults = _count(raw, [*checks, *absences])
    unused = [check.column for check in absences if faults[check] == rows and check.column in OPTIONAL]
    faulty = list(dict.fromkeys(check.column for check in checks if faults[check]))
    truths = _truths(raw, [name for name in faulty if name in numbers or name == "performance"])
    for check in (*checks, *absences):
        if faults[check] and check.column not in (*unused, *truths):
            suspects = [name for name in faulty if wide and name in numbers and name not in truths]
            texts = _no_algorithms(raw, suspects)
            raise _located(raw, check, _about_texts(raw, texts, numbers) if check.column in texts else None)
    types |= dict.fromkeys(truths, "truth")
    kept = {name: kind for name, kind in schema.items() if name not in unused}
    converted = raw.frame.drop(unused).with_columns(_converted(name, kind, types[name], raw) for name, kind in kept.items())
    converted = converted.with_columns(pl.col(truths).cast(pl.Float64))
    # a step of its own: polars would convert every cell again for each mention within one expression
    return raw.with_frame(converted.with_columns(_cleared(name, kind) for name, kind in converted.collect_schema().items()))


def _refuse_types(raw: Raw, types: Mapping[str, str]) -> None:
    """Raise BenchkitError for a column of ours whose type can hold neither texts nor numbers."""
    for name, kind in raw.frame.collect_schema().items():
        place = f"{raw.name}, column {name}"
        if types[name] and (kind.is_nested() or kind == pl.Binary):
            raise BenchkitError(f"{place}: its cells are lists or bytes, not single values", "unnest them first")
        if types[name] in ("number", "count") and kind.is_temporal():
            raise BenchkitError(f"{place}: its cells are times, not numbers", "write durations in seconds")


def _count(raw: Raw, checks: Sequence[_Check]) -> tuple[int, dict[_Check, int]]:
    """Return the number of rows, and in how many of them each check finds a fault, from one pass over the table."""
    faults = (check.fault.sum().alias(str(index)) for index, check in enumerate(checks))
    with intact(raw):
        rows, *counts = raw.frame.select(pl.len().alias("rows"), *faults).collect(engine="streaming").row(0)
    return rows, dict(zip(checks, counts, strict=True))


def _wanted(name: str, shape: Shape, numbers: Collection[str]) -> str:
    """Return the type that a column must have, "" for context that is taken as it comes."""
    if name in numbers:
        return "number"
    if name not in COLUMNS or (COLUMNS[name].type != "text" and name not in shape.columns):
        return ""
    return COLUMNS[name].type


def _is_empty(name: str, kind: pl.DataType, delimited: bool) -> pl.Expr:
    if kind == pl.String:
        return (cells.stripped(name) if delimited else pl.col(name)).fill_null("") == ""
    return cells.text(name, kind).is_null() if kind.is_float() else pl.col(name).is_null()


def _checks(name: str, kind: pl.DataType, wanted: str, decimal_comma: bool) -> Iterable[_Check]:
    if kind != pl.String or wanted not in ("number", "count", "truth"):
        return
    if wanted == "truth":
        yield _Check(
            name, cells.no_truth(name), lambda cell: (f"{shown(cell.strip())} is neither true nor false", cells.MISSING_HINT)
        )
        return
    yield _Check(name, cells.no_number(name, decimal_comma), lambda cell: (cells.not_a_number(cell), cells.number_hint(cell)))
    if decimal_comma:
        comma, point = (cells.stripped(name).str.contains(mark, literal=True) for mark in ",.")
        yield _Check(
            name,
            point & comma.any() & ~cells.stripped(name).str.contains("[a-zA-Z]"),
            lambda cell: (
                f"{shown(cell.strip())} has a decimal point where other cells have a decimal comma",
                "write all numbers of a column alike, without thousands separators",
            ),
        )


def _truths(raw: Raw, columns: Sequence[str]) -> list[str]:
    """Return those of the columns (with cells that are no numbers) that hold nothing but true, false and missing cells."""
    if not raw.delimited or not columns:
        return []
    others = raw.frame.select(cells.no_truth(name).any().alias(name) for name in columns).collect().row(0)
    return [name for name, other in zip(columns, others, strict=True) if not other]


def _no_algorithms(raw: Raw, columns: Sequence[str]) -> list[str]:
    """Return those of the columns (with cells that are no numbers) of a wide table that hold no number at all."""
    numbers = (cells.number(name, raw.decimal_comma).is_not_nan().any().alias(name) for name in columns)
    found = raw.frame.select(numbers).collect().row(0) if columns else ()
    return [name for name, number in zip(columns, found, strict=True) if not number]


def _about_texts(raw: Raw, texts: Sequence[str], algorithms: Collection[str]) -> str:
    """Say what becomes of the columns of a wide table without a number: keys by other names, what is no algorithm, or answers."""
    keys = {pair.rpartition("=")[0]: pair for pair in suggest(raw.columns) if not pair.endswith("=algorithm")}
    if not set(algorithms) - set(texts) - set(keys):
        renames = "".join(f"; add --rename {quote(pair)}" for name, pair in keys.items() if name in algorithms)
        return f"write 1 for right and 0 for wrong; texts are predictions, which need a column 'label' of the true ones{renames}"
    parts = [f"--rename {quote(keys[name])}" for name in texts if name in keys]
    others = [raw.called(name) for name in texts if name not in keys]
    parts += [f"leave it out with {without(others)}"] if others else []
    return f"--wide takes every column that is no key as an algorithm; {' and '.join(parts)}"


def _located(raw: Raw, check: _Check, hint_of_texts: str | None) -> BenchkitError:
    rows = raw.frame.select(check.fault.alias("fault"), pl.col(check.column).cast(pl.String).alias("cell"))
    index, _, cell = rows.with_row_index().filter("fault").head(1).collect().row(0)
    message, hint = check.explain(cell or "")
    return BenchkitError(f"{raw.name} {raw.place(index)}, column {check.column}: {message}", hint_of_texts or hint)


def _converted(name: str, kind: pl.DataType, wanted: str, raw: Raw) -> pl.Expr:
    cell = pl.col(name)
    if wanted == "text" and kind != pl.String:
        return cells.text(name, kind).alias(name)
    if wanted in ("number", "count"):
        number = cells.number(name, raw.decimal_comma) if kind == pl.String else cell.cast(pl.Float64)
        return (number.round().cast(pl.Int64, strict=False) if wanted == "count" else number).alias(name)
    if wanted == "truth" and kind == pl.String:
        return cells.truth(name).alias(name)
    # in every format alike, since a name with outer blanks would not survive being written as CSV and read again
    return cells.stripped(name) if kind == pl.String else cell


def _cleared(name: str, kind: pl.DataType) -> pl.Expr:
    """Return the column with null for an empty text and for NaN."""
    if kind == pl.String:
        return pl.when(pl.col(name) != "").then(pl.col(name)).alias(name)
    return pl.col(name).fill_nan(None) if kind.is_float() else pl.col(name)
