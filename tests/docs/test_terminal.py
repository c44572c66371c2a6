"""The machine that runs the documents: it must see what a person sees, and let nothing pass that differs."""

from pathlib import Path

import pytest
import rewrite
import terminal

DOCUMENT = """\
Words.

```csv
# file: in/numbers.csv
a,b
1,2
```

```console
$ cat in/numbers.csv
a,b
1,2

$ echo made > later; echo warned >&2; exit 3
# exit status 3
warned
```

```console
$ cat later \\
    in/numbers.csv
made
...
```

```sh
not run
```
"""


def run(text: str, folder: Path) -> list[terminal.Run]:
    return [done for _, runs in terminal.run_document(text, folder) for done in runs]


def console(*lines: str) -> str:
    return "\n".join(["```console", *lines, "```", ""])


def test_a_true_document_passes(tmp_path: Path) -> None:
    runs = run(DOCUMENT, tmp_path)
    assert [done.problem for done in runs] == ["", "", ""]
    assert [done.command.line for done in runs] == [10, 14, 20]
    assert [done.status for done in runs] == [0, 3, 0]
    assert runs[2].lines == ("made", "a,b", "1,2")


@pytest.mark.parametrize(
    ("block", "complaint"),
    [
        (("$ echo one", "two"), "--- on the terminal\none"),
        (("$ echo one",), "--- on the terminal\none"),
        (("$ echo one", "one", "two"), "--- in the document\none\ntwo"),
        (("$ false",), "exit status 1, not 0"),
        (("$ true", "# exit status 2"), "exit status 0, not 2"),
        (("$ echo ' one'", "one"), "line 2: $ echo ' one'"),
    ],
)
def test_a_false_document_fails(tmp_path: Path, block: tuple[str, ...], complaint: str) -> None:
    (done,) = run(console(*block), tmp_path)
    assert complaint in done.problem


def test_it_is_a_terminal_of_100_columns(tmp_path: Path) -> None:
    ask = "import os, sys; print(os.get_terminal_size().columns, *(s.isatty() for s in (sys.stdin, sys.stdout, sys.stderr)))"
    (done,) = run(console(f'$ "$BENCHKIT_PYTHON" -c "{ask}"', "100 True True True"), tmp_path)
    assert done.problem == ""


def test_the_inputs_are_copies(tmp_path: Path) -> None:
    (done,) = run(console("$ head -n 1 sample_data/motorcycle.csv && rm sample_data/motorcycle.csv", "metric,..."), tmp_path)
    assert done.problem == ""
    assert (terminal.ROOT / "sample_data/motorcycle.csv").exists()


def test_benchkit_is_on_the_path(tmp_path: Path) -> None:
    (done,) = run(console("$ benchkit --version", "benchkit ..."), tmp_path)
    assert done.problem == ""


@pytest.mark.parametrize(
    ("expected", "lines", "answer"),
    [
        ((), (), True),
        (("...",), (), True),
        (("a", "...", "d"), ("a", "b", "c", "d"), True),
        (("a", "...", "d"), ("a", "d"), True),
        (("a", "...", "d"), ("a", "b", "c"), False),
        (("took ... s",), ("took 0.31 s",), True),
        (("took ... s",), ("took 0.31", " s"), False),
        (("a.c",), ("abc",), False),
        (("a",), ("a", "b"), False),
    ],
)
def test_dots_stand_for_anything(expected: tuple[str, ...], lines: tuple[str, ...], answer: bool) -> None:
    assert terminal.matches(expected, lines) is answer


def test_the_screen_has_no_colours_and_nothing_overwritten() -> None:
    assert terminal.screen("\x1b[1mbold\x1b[0m  \r\n10%\r100%\r\n\r\n") == ("bold", "100%")


def test_a_block_without_command_and_a_file_elsewhere_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="begins with a command"):
        list(terminal.blocks(console("echo one")))
    with pytest.raises(ValueError, match="outside"):
        run("```csv\n# file: ../x.csv\na\n```\n", tmp_path)


def test_rewriting_makes_a_document_true(tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text(DOCUMENT.replace("a,b\n1,2\n\n$", "old\n\n$").replace("warned\n", "other\n"))
    assert rewrite.rewrite(document)
    assert document.read_text() == DOCUMENT
    assert not rewrite.rewrite(document)


def test_rewriting_never_makes_a_failure_the_expectation(tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text(DOCUMENT.replace("# exit status 3\n", ""))
    before = document.read_text()
    with pytest.raises(SystemExit, match="ended with status 3"):
        rewrite.rewrite(document)
    assert document.read_text() == before


@pytest.mark.parametrize(
    ("expected", "lines", "shown"),
    [
        (("a", "took ... s"), ("b", "took 3 s"), ["b", "took ... s"]),
        (("head", "...", "tail"), ("HEAD", "1", "2", "tail"), ["HEAD", "...", "tail"]),
        (("a", "...", "m", "...", "z"), ("A", "1", "m", "2", "Z"), ["A", "...", "m", "...", "Z"]),
        (("a", "...", "gone", "...", "z"), ("A", "1", "2", "z"), ["A", "...", "z"]),
        (("a", "b", "...", "z"), ("y", "z"), ["y", "z"]),
    ],
)
def test_rewriting_keeps_dots_that_still_fit(expected: tuple[str, ...], lines: tuple[str, ...], shown: list[str]) -> None:
    assert rewrite.renewed(expected, lines) == shown
