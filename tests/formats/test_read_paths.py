"""Which inputs are meant: files, folders, globs, standard input, and names for algorithms."""

import hashlib
from pathlib import Path

import pytest
from read_samples import fault, rows, source, write

from benchkit.errors import BenchkitError
from benchkit.formats.paths import expand

BARE = "replicate,performance\n1,0.5\n"
LONG = "replicate,algorithm,performance\n1,rf,0.5\n"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def meant(*paths: str) -> list[tuple[str, str | None]]:
    return [(item.path, item.algorithm) for item in expand(paths, stdin=True)]


def test_folders_and_globs_are_sorted_naturally(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    for name in ("f10.csv", "f2.csv.gz", "F1.parquet", "notes.md", ".hidden.csv", "table.txt"):
        write(tmp_path / "d", "x", name)
    assert meant("d") == [("d/F1.parquet", None), ("d/f2.csv.gz", None), ("d/f10.csv", None)]
    assert meant("d/f*") == [("d/f2.csv.gz", None), ("d/f10.csv", None)]
    assert meant("x=d/f*.csv", "-") == [("d/f10.csv", "x"), ("-", None)]
    assert meant("d", "d/f10.csv") == meant("d")
    assert meant() == [("-", None)]


def test_a_path_that_exists_is_taken_literally(tmp_path: Path) -> None:
    write(tmp_path, LONG, "a=b*.csv")
    write(tmp_path, LONG, "b*.csv")
    assert meant("a=b*.csv") == [("a=b*.csv", None)]
    assert meant("new=a=b*.csv") == [("a=b*.csv", "new")]
    assert meant("c=b*.csv") == [("b*.csv", "c")]
    assert rows("a=b*.csv", "algorithm") == [("rf",)]


def test_the_file_names_the_algorithm(tmp_path: Path) -> None:
    for name in ("main.csv", "pr.v2.csv"):
        write(tmp_path, BARE, name)
    write(tmp_path, LONG, "long.csv")
    assert rows(["main.csv", "pr.v2.csv"], "algorithm") == [("main",), ("pr.v2",)]
    assert rows(["new=main.csv", "new=long.csv"], "algorithm") == [("new",), ("new/rf",)]
    assert rows(["a=main.csv", "b=main.csv"], "algorithm performance") == [("a", 0.5), ("b", 0.5)]
    assert rows("x=-", "algorithm", stdin=BARE.encode()) == [("x",)]
    write(tmp_path, "replicate,accuracy\n1,1\n", "svm.csv")
    assert rows("svm.csv", "algorithm metric", value=["accuracy"]) == [("svm", "accuracy")]
    write(tmp_path, "replicate,rf\n1,1\n", "wide.csv")
    assert rows("wide.csv", "algorithm", wide=True) == [("rf",)]
    assert rows("new=wide.csv", "algorithm", wide=True) == [("new/rf",)]


def test_a_column_that_looks_like_the_algorithm_is_not_passed_over(tmp_path: Path) -> None:
    write(tmp_path, "model,replicate,performance\nrf,1,2\n", "r.csv")
    assert fault("r.csv") == (
        "r.csv has no column 'algorithm' (it has: model, replicate, performance)",
        "--rename model=algorithm",
    )
    assert rows("rf=r.csv", "algorithm model") == [("rf", "rf")]


def test_standard_input_has_no_name_for_an_algorithm() -> None:
    message, _ = fault("-", stdin=BARE.encode())
    assert message == "standard input has no column 'algorithm' (it has: replicate, performance)"


def test_files_are_stacked_by_column_names(tmp_path: Path) -> None:
    write(tmp_path, "replicate,algorithm,performance,note\n1,rf,0.5,x\n", "a.csv")
    write(tmp_path, '[{"performance": 2, "replicate": 1, "algorithm": "lm", "seed": 7, "note": 3}]', "b.json")
    read = rows(["a.csv", "b.json"], "algorithm performance note seed")
    assert read == [("rf", 0.5, "x", None), ("lm", 2.0, "3", "7")]


def test_files_that_cannot_be_stacked(tmp_path: Path) -> None:
    write(tmp_path, LONG, "a.csv")
    write(tmp_path, "algorithm,performance\nlm,1\n", "b.csv")
    assert fault(["a.csv", "b.csv"])[0] == "b.csv has no column 'replicate', but a.csv has"
    write(tmp_path, "a,b,relation\nlm,rf,tied\n", "c.csv")
    assert fault(["a.csv", "c.csv"])[0] == "a.csv is a run table (results), but c.csv is a rank table (relations)"


def test_standard_input(tmp_path: Path) -> None:
    assert rows([], "algorithm performance", stdin=LONG.encode()) == [("rf", 0.5)]
    assert source("-", stdin=LONG.encode()).names == ["standard input"]
    assert fault([], stdin=b" \n") == ("standard input is empty", "the command before the pipe may have failed")
    assert fault([]) == ("no input", "name a file, or pipe one in")
    assert fault("-")[0] == "standard input is not there to be read"


def test_what_is_not_there_is_said_with_what_is(tmp_path: Path) -> None:
    write(tmp_path, LONG, "results.csv")
    (tmp_path / "empty").mkdir()
    assert fault("reslts.csv") == ("there is no file 'reslts.csv'", "did you mean results.csv?")
    assert fault("new=reslts.csv") == ("there is no file 'reslts.csv'", "did you mean results.csv?")
    assert fault("zzz") == ("there is no file 'zzz'", "the data files here: results.csv")
    assert fault("*.parquet") == ("no file matches '*.parquet'", "the data files here: results.csv")
    assert fault("nowhere/r.csv")[1] == "there is no folder 'nowhere' either"
    with pytest.raises(BenchkitError, match="the folder 'empty' holds no data files"):
        source("empty")


def test_digests_are_those_of_the_bytes_as_they_came(tmp_path: Path) -> None:
    content = b"\xef\xbb\xbf" + LONG.encode()
    write(tmp_path, content, "r.csv")
    digest = hashlib.sha256(content).hexdigest()
    assert source(["r.csv", "x=-"], stdin=content).digests() == {"r.csv": digest, "-": digest}
