"""JSON arrays, result documents of ours, and NDJSON."""

import json
from pathlib import Path

import polars as pl
import pytest
from read_samples import fault, rows, source, write

from benchkit.tables.result import Note

ROWS = '[{"replicate": 1, "algorithm": "rf", "performance": 0.5},\n {"replicate": 2, "algorithm": "rf", "performance": 1}]'
LINES = '{"replicate": 1, "algorithm": "rf", "performance": 0.5}\n\n{"replicate": 2, "algorithm": "rf", "performance": 1}\n'
KEY = "replicate algorithm performance"


@pytest.mark.parametrize("content", [ROWS, "\n " + ROWS, LINES, LINES.rstrip(), LINES.replace("\n", "\r\n"), "\ufeff" + ROWS])
@pytest.mark.parametrize("name", ["r.json", "r.ndjson", "r.dat"])
def test_rows_are_found_by_content(tmp_path: Path, content: str, name: str) -> None:
    assert rows(write(tmp_path, content, name), KEY) == [("1", "rf", 0.5), ("2", "rf", 1.0)]


def test_one_object_is_one_row(tmp_path: Path) -> None:
    row = '{"replicate": 1, "algorithm": "rf", "performance": 0.5}'
    assert rows(write(tmp_path, row), KEY) == [("1", "rf", 0.5)]
    assert rows(write(tmp_path, json.dumps(json.loads(row), indent=1), "r.json"), KEY) == [("1", "rf", 0.5)]


def test_cells_keep_their_meaning_as_text_and_number(tmp_path: Path) -> None:
    table = [
        {"replicate": "001", "algorithm": True, "performance": "0.5", "more": [1, {"a": None}]},
        {"replicate": 1, "algorithm": 1.5, "performance": float("nan"), "extra": 3},
        {"replicate": 10**30, "algorithm": " x", "performance": "NA"},
        {"replicate": 1.0, "algorithm": "ü", "performance": float("-inf")},
        {"replicate": "a", "algorithm": "b"},
    ]
    read = rows(write(tmp_path, json.dumps(table), "r.json"), KEY + " more extra")
    assert read == [
        ("001", "true", 0.5, '[1, {"a": null}]', None),
        ("1", "1.5", None, None, 3),
        ("1" + "0" * 30, "x", None, None, None),  # outer blanks go, as they do in CSV
        ("1.0", "ü", float("-inf"), None, None),
        ("a", "b", None, None, None),
    ]


def test_truth_values_are_ones_and_zeros(tmp_path: Path) -> None:
    table = [{"algorithm": "rf", "performance": True}, {"algorithm": "lm", "performance": False}]
    assert rows(write(tmp_path, json.dumps(table), "r.json"), "performance") == [(1.0,), (0.0,)]


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (ROWS.replace("0.5", '"fast"'), "r.json", "r.json row 1, column performance: 'fast' is not a number"),
        (LINES.replace("1}", '"fast"}'), "r.ndjson", "r.ndjson line 3, column performance: 'fast' is not a number"),
        (ROWS[:-1], "r.json", "r.json line 2 is not valid JSON: expecting ',' delimiter"),
        (ROWS[:-3], "r.json", "r.json line 2 is not valid JSON: expecting value"),
        (LINES + '{"replicate": 3,\n', "r.ndjson", "r.ndjson line 4 is not a JSON object"),
        (LINES + "[1]\n", "r.ndjson", "r.ndjson line 4 is not a JSON object"),
        (LINES + '{"a": 1}, {"a": 2}\n', "r.ndjson", "r.ndjson line 4 is not a JSON object"),
        ("[[1, 2], [3, 4]]", "r.json", "r.json row 1 is not a JSON object"),
        ("[]", "r.json", "r.json has no rows"),
        ("[{}]", "r.json", "r.json has no rows"),
        ('{"a": [1, 2]}\n', "r.json", "r.json has no column 'algorithm' (it has: a)"),
        ('{"a":\n [1, 2]}\n', "r.json", "r.json holds neither an array of rows nor a result document"),
        ('[{"a": 1, "b": 2, "a": 3}]', "r.json", "r.json has the column 'a' twice in one row"),
        ('{"a": 1, "a": 3}\n', "r.ndjson", "r.ndjson has the column 'a' twice in one row"),
        ('[{"algorithm": "\\ud83d", "performance": 1}]', "r.json", "r.json holds half a character: '\\ud83d'"),
        ("[" * 100_000, "r.json", "r.json is not readable JSON: it is nested too deeply"),
    ],
)
def test_faults_are_named_with_their_place(tmp_path: Path, content: str, name: str, message: str) -> None:
    assert fault(write(tmp_path, content, name))[0] == message


PAIR = {"metric": None, "dataset": None, "method": "mixed", "a": "lm", "b": "rf", "estimate": 1.5, "verdict": "worse"}
DOCUMENT = {
    "command": "test",
    "version": "0.1.0",
    "tables": {"pairs": [PAIR], "overall": [{"statistic": 4, "df1": 1, "df2": 9.5, "p_value": None}], "means": []},
    "notes": [{"code": "ties", "severity": "warning", "message": "3 ties", "metric": "mse", "dataset": None}],
    "provenance": {"seed": 1},
}


@pytest.mark.parametrize("indent", [None, 2])
def test_a_result_document_hands_on_its_tables_and_notes(tmp_path: Path, indent: int | None) -> None:
    read = source(write(tmp_path, json.dumps(DOCUMENT, indent=indent), "t.json"))
    assert read.kind == "pairs"
    assert set(read.frames) == {"pairs", "overall"}
    pairs = read.frame.collect()
    assert pairs.schema["noninferior"] == pl.Boolean
    assert pairs.schema["n"] == pl.Int64
    assert pairs.select("metric", "a", "b", "estimate", "verdict", "margin").rows() == [(None, "lm", "rf", 1.5, "worse", None)]
    assert read.frames["overall"].collect().select("statistic", "df2", "p_value").rows() == [(4.0, 9.5, None)]
    assert read.notes == (Note("ties", "3 ties", "warning", "mse", None),)


def test_a_document_of_another_kind_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, json.dumps(DOCUMENT), "t.json")
    assert fault(path, accept=("results",))[0] == "t.json is a test document (pairs, overall, means); rank reads results"
    empty = write(tmp_path, json.dumps(DOCUMENT | {"tables": {"pairs": []}}), "t.json")
    assert fault(empty)[0] == "t.json: the table pairs has no rows"
    cut = write(tmp_path, json.dumps(DOCUMENT | {"tables": {"pairs": [{"a": "lm", "b": "rf", "estimate": 1}]}}), "t.json")
    assert fault(cut)[0] == "t.json has no column 'verdict' (it has: a, b, estimate)"
