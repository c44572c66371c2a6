"""Parquet, Arrow, packed files, and what is never read."""

import datetime
import gzip
import io
import pickle
from pathlib import Path

import polars as pl
import pytest
from read_samples import fault, rows, source, write

TABLE = pl.DataFrame({"replicate": [1, 2], "algorithm": ["rf", "rf"], "performance": [0.5, float("nan")]})
EXPECTED = [("1", "rf", 0.5), ("2", "rf", None)]
KEY = "replicate algorithm performance"


def packed(method: str) -> bytes:
    """Return TABLE in a binary format."""
    stream = io.BytesIO()
    getattr(TABLE, method)(stream)
    return stream.getvalue()


@pytest.mark.parametrize("method", ["write_parquet", "write_ipc", "write_ipc_stream"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("name", ["r.parquet", "r.csv", "r"])
def test_binary_tables_are_known_by_their_content(tmp_path: Path, method: str, pack: object, name: str) -> None:
    content = packed(method)
    path = write(tmp_path, gzip.compress(content) if pack is gzip.compress else content, name)
    assert rows(path, KEY) == EXPECTED
    assert rows([], KEY, stdin=content) == EXPECTED


def test_parquet_is_scanned_for_the_columns_in_use(tmp_path: Path) -> None:
    path = write(tmp_path, packed("write_parquet"), "r.parquet")
    assert "PROJECT 1/3 COLUMNS" in source(path).frame.select("performance").explain()


def test_a_path_that_looks_like_a_glob_is_a_file(tmp_path: Path) -> None:
    assert rows(write(tmp_path, packed("write_parquet"), "a[1]*.parquet"), KEY) == EXPECTED


def test_every_type_becomes_text_in_a_key_and_number_in_a_measure(tmp_path: Path) -> None:
    day = datetime.date(2020, 1, 2)
    columns = {
        "whole": pl.Series([3], dtype=pl.UInt8),
        "float": [0.1],
        "truth": [True],
        "day": [day],
        "category": pl.Series(["x"], dtype=pl.Categorical),
        "time": [datetime.timedelta(hours=1)],
    }
    for name, cells in columns.items():
        pl.DataFrame({"algorithm": ["rf"], "replicate": cells, "performance": [1]}).write_parquet(tmp_path / f"{name}.parquet")
    read = {name: rows(str(tmp_path / f"{name}.parquet"), "replicate performance")[0] for name in columns}
    texts = {"whole": "3", "float": "0.1", "truth": "true", "day": "2020-01-02", "category": "x", "time": "PT1H"}
    assert read == {name: (text, 1.0) for name, text in texts.items()}


def test_text_and_gaps_in_parquet_are_named_by_row(tmp_path: Path) -> None:
    path = str(tmp_path / "r.parquet")
    pl.DataFrame({"algorithm": ["a", "b"], "performance": ["1", "x"]}).write_parquet(path)
    assert fault(path)[0] == "r.parquet row 2, column performance: 'x' is not a number"
    pl.DataFrame({"algorithm": ["a", None], "performance": [1, 2]}).write_parquet(path)
    assert fault(path)[0] == "r.parquet row 2, column algorithm: it is empty"
    pl.DataFrame({"algorithm": ["a"], "performance": [[1]]}).write_parquet(path)
    assert fault(path)[0] == "r.parquet, column performance: its cells are lists or bytes, not single values"
    pl.DataFrame({"algorithm": ["a"], "performance": [datetime.timedelta(1)]}).write_parquet(path)
    assert fault(path)[0] == "r.parquet, column performance: its cells are times, not numbers"
    TABLE.clear().write_parquet(path)
    assert fault(path)[0] == "r.parquet has no rows"


def test_damaged_cells_are_an_error_of_the_file(tmp_path: Path) -> None:
    content = bytearray(packed("write_parquet"))
    content[4:200] = bytes(196)
    assert fault(write(tmp_path, bytes(content)))[0] == "r.csv is damaged, its cells cannot be read"


def test_categories_may_spell_numbers(tmp_path: Path) -> None:
    path = str(tmp_path / "r.parquet")
    pl.DataFrame({"algorithm": ["a"], "performance": pl.Series(["1.5"], dtype=pl.Categorical)}).write_parquet(path)
    assert rows(path, "performance") == [(1.5,)]


def test_an_index_that_pandas_kept_is_left_out(tmp_path: Path) -> None:
    path = str(tmp_path / "r.parquet")
    TABLE.with_columns(pl.Series("__index_level_0__", [7, 8])).write_parquet(path)
    assert source(path).frame.collect_schema().names() == KEY.split()


@pytest.mark.parametrize("sink", ["sink_csv", "sink_ndjson"])
def test_text_inside_zstd(tmp_path: Path, sink: str) -> None:
    path = tmp_path / "r.zst"
    getattr(TABLE.lazy().with_columns(pl.col("performance").fill_nan(None)), sink)(
        path, compression="zstd", check_extension=False
    )
    assert path.read_bytes()[:4] == b"\x28\xb5\x2f\xfd"
    assert rows(str(path), KEY) == EXPECTED


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (pickle.dumps({"algorithm": "rf"}), "r.csv is a pickle, which is never read"),
        (pickle.dumps([1], protocol=2), "r.csv is a pickle, which is never read"),
        (gzip.compress(pickle.dumps([1]), mtime=0), "r.csv is a pickle, which is never read"),
        (b"PK\x03\x04....", "r.csv is a zip archive or an Excel workbook"),
        (gzip.compress(b"X\n\x00\x00\x00\x03", mtime=0), "r.csv is an R data file"),
        (bytes(range(256)), "r.csv is neither text nor a binary format that is read"),
        (packed("write_parquet")[:-20], "r.csv is not a readable Parquet file"),
        (packed("write_ipc")[:-20], "r.csv is not a readable Arrow file"),
        (packed("write_ipc_stream")[:60], "r.csv is not a readable Arrow file"),
        (gzip.compress(b"algorithm,performance\nrf,1\n", mtime=0)[:-9], "r.csv is a broken gzip file"),
        (b"\x1f\x8b not gzip", "r.csv is a broken gzip file"),
        (b"\x28\xb5\x2f\xfd not zstd", "r.csv is a zstd file that is broken or does not hold UTF-8 text"),
        (b"\xff\xfea\x00b", "r.csv begins like UTF-16 text, but is broken at byte 4"),
        (gzip.compress(b"", mtime=0), "r.csv is empty"),
    ],
)
def test_what_cannot_be_read_is_said_to_be_what_it_is(tmp_path: Path, content: bytes, message: str) -> None:
    assert fault(write(tmp_path, content))[0] == message
