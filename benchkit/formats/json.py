"""JSON: an array of rows, or a result document of ours with tables, notes and provenance."""

import json
from typing import Any

import polars as pl

from benchkit import __version__
from benchkit.errors import BenchkitError
from benchkit.formats.content import Content, Document, Raw, plain, row_place
from benchkit.formats.ndjson import row_lines
from benchkit.formats.rows import from_rows, unique_names
from benchkit.formats.selection import json_text
from benchkit.formats.style import Style
from benchkit.tables.result import Note, Result, note_table

ROWS_HINT = 'give an array of rows: [{"algorithm": "rf", "replicate": 1, "performance": 0.9}, ...]'


def read(content: Content) -> Document:
    """Return the rows of an array, or the tables and notes of a result document."""
    value = parse(content)
    if isinstance(value, dict) and isinstance(value.get("tables"), dict):
        return _document(content.name, value)
    if isinstance(value, dict) and not any(isinstance(part, list | dict) for part in value.values()):
        value = [value]
    if not isinstance(value, list):
        raise BenchkitError(f"{content.name} holds neither an array of rows nor a result document", ROWS_HINT)
    return plain(content.name, from_rows(content.name, value, row_place, ROWS_HINT).lazy())


def parse(content: Content) -> Any:
    """Return the JSON value of the whole text; BenchkitError names the line of a fault."""
    try:
        return json.loads(content.text(), object_pairs_hook=unique_names(content.name))
    except json.JSONDecodeError as problem:
        message = f"{content.name} line {problem.lineno} is not valid JSON: {problem.msg.lower()}"
        raise BenchkitError(message, f"look at character {problem.colno} of that line; the file may be cut off") from problem
    except RecursionError as problem:
        raise BenchkitError(f"{content.name} is not readable JSON: it is nested too deeply", ROWS_HINT) from problem
    except ValueError as problem:
        raise BenchkitError(f"{content.name} is not readable JSON: {problem}", ROWS_HINT) from problem


def _document(name: str, value: dict[str, Any]) -> Document:
    tables = {}
    for table, rows in value["tables"].items():
        if not isinstance(rows, list):
            raise BenchkitError(f"{name}: the table '{table}' is not an array of rows", ROWS_HINT)
        tables[table] = Raw(name, from_rows(f"{name}, table {table}", rows, row_place, ROWS_HINT).lazy(), row_place, table=table)
    given = value.get("notes")
    listed = given if isinstance(given, list) else []
    notes = tuple(_note(note) for note in listed if isinstance(note, dict))
    return Document(name, tables, notes, str(value.get("command", "")))


def _note(note: dict[str, Any]) -> Note:
    metric, dataset = (None if note.get(key) is None else str(note[key]) for key in ("metric", "dataset"))
    return Note(
        str(note.get("code", "")),
        str(note.get("message", "")),
        "warning" if note.get("severity") == "warning" else "info",
        metric,
        dataset,
    )


def write(result: Result, _table: str, _style: Style) -> bytes:
    """Return all tables, notes and provenance as one document with a line for each row; NaN and infinities are null."""
    tables = ",\n".join(f"{json_text(name)}: {_rows(frame)}" for name, frame in result.tables.items())
    parts = {
        "command": json_text(result.command),
        "version": json_text(__version__),
        "tables": f"{{\n{tables}\n}}",
        "notes": _rows(note_table(result.notes)),
        "provenance": json_text(dict(result.provenance)),
    }
    document = "{\n" + ",\n".join(f'"{name}": {part}' for name, part in parts.items()) + "\n}\n"
    # a file name that is no UTF-8 is a lone surrogate here, whose escape is JSON
    return document.encode(errors="backslashreplace")


def _rows(frame: pl.DataFrame) -> str:
    """Return an array with a line for each row."""
    lines = row_lines(frame).decode().rstrip("\n")
    return "[\n" + lines.replace("\n", ",\n") + "\n]" if lines else "[]"
