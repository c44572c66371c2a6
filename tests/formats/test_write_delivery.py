"""Where bytes go: streams, files moved into place, folders, pipes."""

import gzip
import io
import os
import stat
import threading
from pathlib import Path

import pytest
from written_samples import pairs, small

from benchkit.errors import BenchkitError
from benchkit.formats import csv
from benchkit.formats import json as document
from benchkit.formats.style import Style
from benchkit.formats.writing import deliver, format_for
from benchkit.tables.result import Result

CSV = csv.write(small(), "algorithms", Style())


def put(target: Path | str | None, table: str | None = None, result: Result | None = None, format_name: str = "csv") -> bytes:
    """Deliver and return what went to standard output."""
    stdout = io.BytesIO()
    writer = document.write if format_name == "json" else csv.write
    deliver(result or small(), writer, format_name, None if target is None else str(target), table, Style(), lambda: stdout)
    return stdout.getvalue()


def failing(result: Result, table: str, style: Style) -> bytes:
    raise RuntimeError(table)


@pytest.mark.parametrize(
    ("path", "name"),
    [("r.csv", "csv"), ("a/b.c.JSON", "json"), ("r.csv.gz", "csv"), ("r.jsonl", "ndjson"), ("r.tex", "latex"),
     ("r.md", "markdown"), ("r.xlsx", None), ("r", None), ("r.gz", None), ("out/", None), ("r.feather", "arrow")],
)  # fmt: skip
def test_the_suffix_names_the_format(path: str, name: str | None) -> None:
    assert format_for(path) == name


@pytest.mark.parametrize("suffix", [".zst", ".bz2", ".xz", ".zip"])
def test_other_compressions_are_refused(suffix: str) -> None:
    with pytest.raises(BenchkitError, match=f"cannot write {suffix} files: r.csv{suffix}"):
        format_for(f"r.csv{suffix}")


def test_standard_output_gets_the_primary_table_or_the_one_asked_for() -> None:
    assert put(None) == CSV
    assert put(None, "notes") == b"metric,dataset,code,severity,message\nmse,,ties,warning,3 replicates are tied\n"
    assert put("/dev/stdout") == CSV


def test_an_unknown_table_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(BenchkitError, match="makes no table 'means'"):
        put(tmp_path / "r.json", "means", format_name="json")
    assert list(tmp_path.iterdir()) == []


def test_a_file_has_the_permissions_of_umask_and_nothing_beside_it(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        assert put(tmp_path / "r.csv") == b""
    finally:
        os.umask(before)
    assert [path.name for path in tmp_path.iterdir()] == ["r.csv"]
    assert (tmp_path / "r.csv").read_bytes() == CSV
    assert stat.S_IMODE((tmp_path / "r.csv").stat().st_mode) == 0o640


def test_gzip_is_written_without_a_clock(tmp_path: Path) -> None:
    put(tmp_path / "r.csv.gz")
    data = (tmp_path / "r.csv.gz").read_bytes()
    assert gzip.decompress(data) == CSV
    assert data[4:8] == bytes(4)


def test_a_writer_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("old")
    with pytest.raises(RuntimeError):
        deliver(small(), failing, "csv", str(tmp_path / "r.csv"), None, Style(), io.BytesIO)
    assert (tmp_path / "r.csv").read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_disk_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "r.csv").write_text("old")

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(BenchkitError, match=r"cannot write .*r\.csv: no space left on device"):
        put(tmp_path / "r.csv")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("r.csv", "old")]


def test_a_missing_folder_is_an_error_that_says_how_to_make_it(tmp_path: Path) -> None:
    for target in (tmp_path / "no" / "r.csv", f"{tmp_path}/no/out/"):
        with pytest.raises(BenchkitError, match=r"cannot write .*no such file or directory") as raised:
            put(target)
        assert raised.value.hint == f"make the folder first: mkdir -p {tmp_path / 'no'}"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to("real.csv")
    put(tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_bytes() == CSV


def test_a_folder_gets_one_file_for_each_table(tmp_path: Path) -> None:
    put(f"{tmp_path}/out/", result=pairs())
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "notes.csv",
        "overall.csv",
        "pairs.csv",
        "provenance.csv",
    ]
    assert (tmp_path / "out" / "pairs.csv").read_bytes() == csv.write(pairs(), "pairs", Style())


def test_a_folder_that_exists_needs_no_slash_and_json_is_one_file(tmp_path: Path) -> None:
    put(tmp_path, format_name="json")
    put(tmp_path, "notes")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.csv", "summarize.json"]
    assert (tmp_path / "summarize.json").read_bytes() == document.write(small(), "", Style())


def test_a_folder_where_a_writer_fails_is_left_as_it_was(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        deliver(small(), failing, "csv", f"{tmp_path}/out/", None, Style(), io.BytesIO)
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "r").write_text("old")
    with pytest.raises(BenchkitError, match="cannot write"):
        put(f"{tmp_path}/r/")
    assert (tmp_path / "r").read_text() == "old"


def test_a_named_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    put(pipe)
    reader.join(5)
    assert got == [CSV]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert put("/dev/null") == b""
