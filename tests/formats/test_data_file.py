"""Tables of data: every column gets the type that all of its cells have."""

import gzip
import hashlib
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from benchkit.errors import BenchkitError
from benchkit.formats.data_file import DataFile, read_data

NAN = float("nan")


@pytest.fixture
def written(tmp_path):
    """Write bytes or text and read them as data."""

    def written(content: str | bytes, name: str = "d.csv") -> DataFile:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_data(path)

    return written


def same(found: np.ndarray, expected: list) -> bool:
    kind = {float: "f", int: "i", bool: "b"}.get(type(expected[0]), "O")
    assert found.dtype.kind == kind
    return str(found.tolist()) == str(expected)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1", "-2", "+3"], [1, -2, 3]),
        (["1", "2", "007"], [1, 2, 7]),
        (["1", "", "3"], [1.0, NAN, 3.0]),
        (["1", "2.5", "3e2"], [1.0, 2.5, 300.0]),
        (["1", "inf", "-inf"], [1.0, float("inf"), float("-inf")]),
        (["NA", "1.5", "NaN"], [NAN, 1.5, NAN]),
        (["99999999999999999999", "1", "2"], [1e20, 1.0, 2.0]),
        (["true", "False", "TRUE"], [True, False, True]),
        (["true", "", "false"], [1.0, NAN, 0.0]),
        (["true", "1", "false"], ["true", "1", "false"]),
        (["a", "", " b "], ["a", None, "b"]),
        (["1", "2", "x"], ["1", "2", "x"]),
        (["", "NA", "-"], [NAN, NAN, NAN]),
        (['"a\nb"', '"c, ""d"""', "ü"], ["a\nb", 'c, "d"', "ü"]),
        (["2020-01-02", "2020-01-01", "1999-12-31"], ["2020-01-02", "2020-01-01", "1999-12-31"]),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_column_of_comma_separated_text(cells, expected, end, written) -> None:
    lines = [f"{cell},z" for cell in cells]
    file = written(end.join(["x,other", *lines]) + end)
    assert list(file.columns) == ["x", "other"]
    assert len(file.columns) == 2
    assert same(file.columns["x"], expected)


def test_decimal_commas_after_semicolons(written) -> None:
    file = written("a;b\n1,5;2\n-0,25;3\n;4\n")
    assert same(file.columns["a"], [1.5, -0.25, NAN])
    assert same(file.columns["b"], [2, 3, 4])


def test_decimal_points_after_semicolons(written) -> None:
    assert same(written("a;b\n1.5;2\n2.5;3\n").columns["a"], [1.5, 2.5])


def test_a_point_of_thousands_among_decimal_commas_is_refused(written) -> None:
    file = written("a;b\n1,5;2\n1.234;3\n")
    with pytest.raises(BenchkitError, match=r"d.csv line 3, column a: there is a decimal point where other cells have a decimal"):
        file.columns["a"]


def test_cells_as_they_are_written(written) -> None:
    file = written("id,x\n007, 1.50 \n7,\n08,3\n")
    assert file.columns["id"].tolist() == [7, 7, 8]
    assert file.spelled("id").tolist() == ["007", "7", "08"]
    assert file.spelled("x").tolist() == ["1.50", None, "3"]


def test_a_byte_order_mark_and_packed_files(written) -> None:
    content = "\ufeffa,b\n1,x\n".encode()
    assert list(written(content).columns) == ["a", "b"]
    packed = gzip.compress(content)
    file = written(packed, "d.csv.gz")
    assert file.columns["a"].tolist() == [1]
    assert file.digest == hashlib.sha256(packed).hexdigest()


def test_a_single_column_and_columns_without_a_name(written) -> None:
    assert same(written("x\n1\n2\n").columns["x"], [1, 2])
    assert list(written(",x,\n1,2,3\n").columns) == ["x"]


def test_columns_of_one_name_are_refused(written) -> None:
    with pytest.raises(BenchkitError, match="has the column 'x' twice"):
        written("x,x\n1,2\n")


@pytest.mark.parametrize(
    ("content", "said"), [("x,y\n", "has a header but no rows"), ("", "is empty"), ("x,y\n1\n", "has 1 field")]
)
def test_what_is_no_table(content, said, written) -> None:
    with pytest.raises(BenchkitError, match=said):
        written(content)


def test_a_row_is_placed_by_its_line(written) -> None:
    file = written('x,y\n"a\nb",1\nc,2\n')
    assert [file.place(0), file.place(1)] == ["line 2", "line 4"]


def test_there_is_no_column_of_another_name(written) -> None:
    columns = written("x,y\n1,2\n").columns
    assert "z" not in columns
    with pytest.raises(KeyError):
        columns["z"]


def parquet(path: Path, **columns) -> DataFile:
    pl.DataFrame(columns).write_parquet(path / "d.parquet")
    return read_data(path / "d.parquet")


def test_the_types_of_parquet(tmp_path) -> None:
    day = datetime(1970, 1, 2)
    columns = {
        "day": [date(1970, 1, 2), None],
        "moment": [day, None],
        "zoned": pl.Series([day, None]).dt.replace_time_zone("Etc/GMT-1"),
        "span": [timedelta(seconds=1.5), None],
        "clock": [time(0, 1), None],
        "category": pl.Series(["u", None], dtype=pl.Categorical),
        "enum": pl.Series(["v", "w"], dtype=pl.Enum(["w", "v"])),
        "decimal": [Decimal("1.25"), None],
        "nothing": pl.Series([None, None]),
        "whole": [1, None],
        "full": [1, 2],
        "tiny": pl.Series([1, 2], dtype=pl.UInt8),
        "flag": [True, None],
        "truth": [True, False],
        "text": ["1", " a "],
        "single": pl.Series([0.5, None], dtype=pl.Float32),
        "nested": [[1, 2], [3]],
        "struct": [{"a": 1}, {"a": 2}],
        "bytes": [b"1", b"2"],
    }
    file = parquet(tmp_path, **columns)
    expected = {
        "day": [86400.0, NAN],
        "moment": [86400.0, NAN],
        "zoned": [82800.0, NAN],
        "span": [1.5, NAN],
        "clock": [60.0, NAN],
        "category": ["u", None],
        "enum": ["v", "w"],
        "decimal": [1.25, NAN],
        "nothing": [NAN, NAN],
        "whole": [1.0, NAN],
        "full": [1, 2],
        "flag": [1.0, NAN],
        "truth": [True, False],
        "text": ["1", " a "],
        "single": [0.5, NAN],
    }
    for name, cells in expected.items():
        assert same(file.columns[name], cells), name
        assert str(file.spelled(name).tolist()) == str(cells)
    assert file.columns["tiny"].tolist() == [1, 2]
    for name in ("nested", "struct", "bytes"):
        with pytest.raises(BenchkitError, match=f"column {name}: its cells are lists or bytes"):
            file.columns[name]
    assert file.place(1) == "row 2"


def test_a_parquet_file_without_rows(tmp_path) -> None:
    with pytest.raises(BenchkitError, match="has no rows"):
        parquet(tmp_path, x=pl.Series([], dtype=pl.Int64))


def test_json_lines_and_a_document_of_several_tables(written) -> None:
    file = written('{"x": 1, "y": "1"}\n{"x": null, "y": "b"}\n', "d.ndjson")
    assert same(file.columns["x"], [1.0, NAN])
    assert same(file.columns["y"], ["1", "b"])
    document = '{"command": "rank", "tables": {"a": [{"x": 1}], "b": [{"x": 2}]}, "notes": [], "provenance": {}}'
    with pytest.raises(BenchkitError, match="is a document of several tables"):
        written(document, "d.json")


def test_a_file_that_is_not_there(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "somewhere.csv").touch()
    with pytest.raises(BenchkitError) as raised:
        read_data(Path("nowhere.csv"))
    assert (raised.value.message, raised.value.hint) == ("there is no file 'nowhere.csv'", "did you mean somewhere.csv?")
