"""Files that are none, are no text, or are no TOML; and values of a wrong kind wherever one may stand."""

import os
import re
from pathlib import Path

import pytest

from benchkit.errors import BenchkitError
from benchkit.run.experiment_file import read

INIT = "benchkit run --init writes one to start from"
SYNTAX = "every key stands on a line of its own; texts stand in double quotes, lists in [ ]"

EVERY_KEY = """
[experiment]
name = "e"
seed = 1
train_performance = true
metrics = ["mse", {name = "cost", function = "m:f", better = "lower"}]
[[dataset]]
name = "a"
path = "a.csv"
target = "y"
task = "classification"
columns = ["x"]
group = "g"
time = "t"
weight = "w"
item = "i"
positive = "yes"
[[dataset]]
loader = "m:f"
params = {n = 1}
[resampling]
method = "holdout"
test = 0.2
validation = 0.2
stratify = true
[[algorithm]]
name = "pipeline"
estimator = [{name = "scale", estimator = "a:B", params = {k = 1}}, "a:C"]
params = {c__k = 1}
timeout = "1 min"
memory = "1 GB"
preprocess = "auto"
tune = {random = {c__l = {low = 1, high = 2, log = true}}, draws = 2, folds = 2, inner = "folds", metric = "mse"}
[[algorithm]]
name = "function"
function = "m:f"
tune = {grid = {k = [1]}}
[[algorithm]]
name = "command"
command = ["p", "{test}", "{predictions}"]
"""


def complaint(path: Path) -> tuple[str, str]:
    """Return the message and the hint for a file."""
    with pytest.raises(BenchkitError) as caught:
        read(path)
    assert "\n" not in caught.value.message + caught.value.hint
    return caught.value.message, caught.value.hint


def test_a_missing_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert complaint(Path("no.toml")) == ("there is no file 'no.toml'", INIT)


def test_a_folder_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path.parent)
    assert complaint(Path(tmp_path.name)) == (f"{tmp_path.name} is a folder", "name the experiment file in it")
    assert complaint(Path(".")) == (". is a folder", "name the experiment file in it")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a user whom permissions bind")
def test_a_file_that_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "e.toml").touch(mode=0)
    monkeypatch.chdir(tmp_path)
    assert complaint(Path("e.toml")) == ("e.toml cannot be read: permission denied", "check the path and its permissions")


def test_a_file_in_a_file_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("a")
    monkeypatch.chdir(tmp_path)
    assert complaint(Path("file/e.toml")) == ("file/e.toml cannot be read: not a directory", "check the path and its permissions")


@pytest.mark.parametrize(
    ("content", "message", "hint"),
    [
        (b"", "e.toml is empty", INIT),
        (b"\xef\xbb\xbf \n\n", "e.toml is empty", INIT),
        (b"# nothing\n", "e.toml: there is no [experiment]", 'add [experiment] and below it metrics = ["mse"]'),
        (b"a = 1\nb = '\xe4'\n", "e.toml line 2: the byte 0xe4 is not UTF-8 text", "save the file as UTF-8"),
        ("a = 1\n".encode("utf-16"), "e.toml line 1: the byte 0xff is not UTF-8 text", "save the file as UTF-8"),
        (b"a = 1\nb = \n", "e.toml line 2, column 5: invalid value", SYNTAX),
        (b"a = 1\nb = ", "e.toml line 2, column 5: invalid value", SYNTAX),
        (b"[[dataset]\n", "e.toml line 1, column 10: expected ']]' at the end of an array declaration", SYNTAX),
        (b"a = 1\na = 2", "e.toml line 2, column 6: cannot overwrite a value", "give every table and every key once"),
        (
            b"[algorithm]\n[algorithm]\n",
            "e.toml line 2, column 11: [algorithm] stands there again",
            "write [[algorithm]] for each of several",
        ),
        (
            b"[[dataset]]\n[dataset]\n",
            "e.toml line 2, column 9: [dataset] stands there again",
            "write [[dataset]] for each of several",
        ),
        (
            b"[experiment]\n[experiment]\n",
            "e.toml line 2, column 12: cannot declare ('experiment',) twice",
            "give every table and every key once",
        ),
        (
            b'path = "data\\motor.csv"\n',
            "e.toml line 1, column 15: unescaped '\\' in a string",
            "write \\\\ for a backslash, or the text in single quotes",
        ),
        (b"a = " + b"[" * 5000, "e.toml is nested too deeply", "lists and tables in lists need only a few levels"),
        (b"a = " + b"1" * 5000, "e.toml holds a number that is too long", "write a shorter one, or a text in quotes"),
    ],
)
def test_what_is_no_toml_is_named_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, message: str, hint: str
) -> None:
    (tmp_path / "e.toml").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    assert complaint(Path("e.toml")) == (message, hint)


def test_control_characters_of_a_path_do_not_reach_the_message(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[31m\nb.toml"
    path.write_text("a = 1")
    message, _ = complaint(path)
    assert message.endswith("a\\x1b[31m\\nb.toml: the key 'a' stands in no table")


def test_no_value_of_any_kind_is_a_bug(tmp_path: Path) -> None:
    path = tmp_path / "e.toml"
    path.write_text(EVERY_KEY)
    read(path)
    values = (
        'true -1 0 1 0.5 1e400 nan "" "x" "a:b" [] [1] [true] ["a"] [[]] [{}] {} {a=1} {a=[]} {a={}} 2024-01-01 07:00:00'.split()
    )
    messages = []
    for match in re.finditer(r"(?<== )(?:\[.*?\](?=\n)|\{.*\}(?=\n)|[^\[{,}\n]+)", EVERY_KEY):
        for value in values:
            path.write_text(EVERY_KEY[: match.start()] + value + EVERY_KEY[match.end() :])
            try:
                read(path)
            except BenchkitError as fault:
                messages.append(fault.message + fault.hint)
    assert len(messages) > 600
    assert not [message for message in messages if "\n" in message]
