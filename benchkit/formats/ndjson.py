"""NDJSON: one JSON object for each line."""

import io
import json

import polars as pl

from benchkit.errors import BenchkitError
from benchkit.formats.content import Content, Document, plain
from benchkit.formats.rows import from_rows, unique_names
from benchkit.formats.selection import select_table
from benchkit.formats.style import Style
from benchkit.tables.result import Result

LINES_HINT = 'each line is one row: {"algorithm": "rf", "replicate": 1, "performance": 0.9}'


def read(content: Content) -> Document:
    """Return the table whose rows are the lines; blank lines are skipped, keys that a line lacks are null."""
    lines = content.text().split("\n")
    numbers = [number for number, line in enumerate(lines, 1) if line.strip()]
    hook = unique_names(content.name)

    def place(index: int) -> str:
        return f"line {numbers[index]}"

    try:
        # one call for the whole text: many times faster than one for each line
        rows = json.loads("[" + ",".join(lines[number - 1] for number in numbers) + "]", object_pairs_hook=hook)
    except (ValueError, RecursionError):
        rows = []
    if len(rows) != len(numbers):
        rows = [_row(content.name, number, lines[number - 1]) for number in numbers]
    return plain(content.name, from_rows(content.name, rows, place, LINES_HINT).lazy(), place)


def _row(name: str, number: int, line: str) -> object:
    try:
        return json.loads(line, object_pairs_hook=unique_names(name))
    except (ValueError, RecursionError) as problem:
        raise BenchkitError(f"{name} line {number} is not a JSON object", LINES_HINT) from problem


def write(result: Result, table: str, _style: Style) -> bytes:
    """Return a table of the result, all columns on each line; BenchkitError if it has no such table."""
    return row_lines(select_table(result, table))


def row_lines(frame: pl.DataFrame) -> bytes:
    """Return one JSON object for each row; missing values, NaN and infinities are null."""
    stream = io.BytesIO()
    frame.write_ndjson(stream)
    return stream.getvalue()
