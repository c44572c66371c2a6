"""The formats for programs: every column, every digit, back through polars and json."""

import io
import json
import math
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from written_samples import ODD_NAMES, odd_summary, one_table, pairs, small

import benchkit
from benchkit.errors import BenchkitError
from benchkit.formats import FORMATS, arrow, csv, ndjson, parquet, tsv
from benchkit.formats import json as document
from benchkit.formats.style import Style
from benchkit.tables import shapes
from benchkit.tables.result import Note, Result

STYLE = Style(digits=2, width=10)
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.none() | st.text(max_size=8),
            "number": st.none() | st.floats(),
            "count": st.none() | st.integers(-(2**63), 2**63 - 1),
            "truth": st.none() | st.booleans(),
        }
    ),
    max_size=6,
)
SCHEMA = {"text": pl.String, "number": pl.Float64, "count": pl.Int64, "truth": pl.Boolean}


def frame_of(rows: list[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=SCHEMA)


@given(ROWS)
def test_csv_and_tsv_come_back(rows: list[dict[str, Any]]) -> None:
    frame = frame_of(rows)
    for writer, separator in ((csv.write, ","), (tsv.write, "\t")):
        data = writer(one_table(frame), "algorithms", STYLE)
        back = pl.read_csv(data, separator=separator, schema=SCHEMA)
        assert_frame_equal(back, frame.with_columns(pl.col("number").fill_nan(None)), check_exact=True)


@given(ROWS)
def test_json_and_ndjson_come_back(rows: list[dict[str, Any]]) -> None:
    frame = frame_of(rows)
    finite = [{**row, "number": x if (x := row["number"]) is not None and math.isfinite(x) else None} for row in frame.to_dicts()]
    lines = ndjson.write(one_table(frame), "algorithms", STYLE).decode().split("\n")
    assert [json.loads(line) for line in lines if line] == finite
    assert json.loads(document.write(one_table(frame), "anything", STYLE))["tables"] == {"algorithms": finite}


@given(ROWS)
def test_parquet_and_arrow_come_back(rows: list[dict[str, Any]]) -> None:
    frame = frame_of(rows)
    result = one_table(frame)
    assert_frame_equal(pl.read_parquet(io.BytesIO(parquet.write(result, "algorithms", STYLE))), frame, check_exact=True)
    assert_frame_equal(pl.read_ipc(io.BytesIO(arrow.write(result, "algorithms", STYLE))), frame, check_exact=True)


def test_csv_to_the_byte() -> None:
    frame = pl.DataFrame(
        {
            "name, full": ["=1+1", 'say "hi"', "two\nlines", "", None, " -x"],
            "x": [0.1, 1e-300, math.inf, -math.inf, math.nan, 1 / 3],
            "n": [1, None, 3, 4, 5, 6],
            "ok": [True, False, None, None, None, None],
        }
    )
    assert csv.write(one_table(frame), "algorithms", STYLE).decode() == (
        '"name, full",x,n,ok\n=1+1,0.1,1,true\n"say ""hi""",1e-300,,false\n"two\nlines",inf,3,\n"",-inf,4,\n,,5,\n'
        " -x,0.3333333333333333,6,\n"
    )


def test_tsv_to_the_byte() -> None:
    frame = pl.DataFrame({"name": ["a,b", "c\td"], "x": [1.0, 2.5]})
    assert tsv.write(one_table(frame), "algorithms", STYLE) == b'name\tx\na,b\t1.0\n"c\td"\t2.5\n'


def test_the_json_document_to_the_byte() -> None:
    frame = pl.DataFrame({"name": ['"é"\n', None], "x": [0.1, math.nan]})
    result = Result(
        "rank",
        {"ranks": frame, "orders": frame.head(0)},
        [Note("ties", "3 tied", "warning", "mse")],
        ["not here"],
        {"seed": 1, "options": {"level": 0.95, "limits": (math.inf, 2.0)}, "file": "\udcff"},
    )
    text = document.write(result, "ranks", STYLE).decode()
    assert text == (
        '{\n"command": "rank",\n"version": "VERSION",\n"tables": {\n"ranks": [\n{"name":"\\"é\\"\\n","x":0.1},\n'
        '{"name":null,"x":null}\n],\n"orders": []\n},\n"notes": [\n'
        '{"metric":"mse","dataset":null,"code":"ties","severity":"warning","message":"3 tied"}\n],\n'
        '"provenance": {"seed": 1, "options": {"level": 0.95, "limits": [null, 2.0]}, "file": "\\udcff"}\n}\n'
    ).replace("VERSION", benchkit.__version__)
    assert list(json.loads(text)) == ["command", "version", "tables", "notes", "provenance"]


def test_a_result_without_anything_is_a_document() -> None:
    result = Result("list", {"entries": shapes.empty(shapes.ENTRIES)})
    assert json.loads(document.write(result, "entries", STYLE))["tables"] == {"entries": []}


def test_odd_names_are_left_alone() -> None:
    back = pl.read_csv(csv.write(odd_summary(), "algorithms", STYLE))
    assert tuple(back["algorithm"]) == ODD_NAMES


def test_all_columns_of_the_table_are_written() -> None:
    heading = csv.write(pairs(), "pairs", STYLE).decode().partition("\n")[0]
    assert tuple(heading.split(",")) == shapes.PAIRS.columns


@pytest.mark.parametrize("name", [entry.name for entry in FORMATS])
def test_every_format_writes_the_same_bytes_twice_and_knows_its_tables(name: str) -> None:
    write = next(entry for entry in FORMATS if entry.name == name).load()
    assert write(small(), "algorithms", STYLE) == write(small(), "algorithms", STYLE)
    assert write(small(), "notes", STYLE)
    assert write(small(), "provenance", STYLE)
    if name != "json":
        with pytest.raises(BenchkitError, match="no table 'nothing'"):
            write(small(), "nothing", STYLE)
