"""What is wrong with a delimited file, and where: file, line as an editor shows it, and column."""

from pathlib import Path

import pytest
from read_samples import fault, rows, source, write

HEAD = "replicate,algorithm,performance\n"
MISSING = "missing values are written as an empty cell, NA or NaN"


@pytest.mark.parametrize(
    ("content", "message", "hint"),
    [
        (HEAD + "1,rf,1\n2,rf,fast\n", "r.csv line 3, column performance: 'fast' is not a number", MISSING),
        ("On 250 resamples of mcycle, gam is better in mse than lm, by 41.4.\n", "r.csv is prose, not a table", "--report"),
        (HEAD + '1,"a\nb",1\n\n2,rf,x\n', "r.csv line 5, column performance: 'x' is not a number", MISSING),
        (HEAD + '1,"a\nb",1\n2,rf,x\n', "r.csv line 4, column performance: 'x' is not a number", MISSING),
        (HEAD.replace("\n", "\r") + "1,rf,1\r2,rf,x\r", "r.csv line 3, column performance: 'x' is not a number", MISSING),
        (HEAD + "1,rf,53%\n", "r.csv line 2, column performance: '53%' is not a number", "percent sign"),
        (HEAD + '1,rf,"0,5"\n', "r.csv line 2, column performance: '0,5' is not a number", "decimal points"),
        (HEAD + '1,rf,"1,234.5"\n', "r.csv line 2, column performance: '1,234.5' is not a number", "thousands"),
        (HEAD + "1,rf,12 ms\n", "r.csv line 2, column performance: '12 ms' is not a number", "unit"),
        (HEAD + "1,rf,\u22125\n", "r.csv line 2, column performance: '\u22125' is not a number", "hyphen"),
        (HEAD + "1,rf,TRUE\n2,rf,0.5\n", "r.csv line 2, column performance: 'TRUE' is not a number", "1 for true"),
        (HEAD + "1,rf,0.5 ± 0.1\n", "r.csv line 2, column performance: '0.5 ± 0.1' is not a number", "each replicate"),
        (HEAD + "1,rf,1_000\n", "r.csv line 2, column performance: '1_000' is not a number", MISSING),
        (HEAD + "1,rf,1\n2,rf\n", "r.csv line 3 has 2 fields, but the header has 3", "separator"),
        (HEAD + "1,rf,1\n\n\n2\n", "r.csv line 5 has 1 field, but the header has 3", "separator"),
        (HEAD + "1,rf,1\n2,rf,0,5\n", "r.csv line 3 has 4 fields, but the header has 3", "contains a comma"),
        (HEAD + "1,1,rf,1\n2,2,rf,1\n", "r.csv line 2 has 4 fields, but the header has 3", "row.names"),
        (HEAD + "1,rf,1,\n2,rf\n", "r.csv line 2 has 4 fields, but the header has 3", "row.names"),
        (HEAD, "r.csv has a header but no rows", "may have failed"),
        (HEAD.rstrip(), "r.csv has a header but no rows", "may have failed"),
        ("", "r.csv is empty", "may have failed"),
        (" \n\n", "r.csv is empty", "may have failed"),
        ("algorithm,performance, algorithm \nrf,1,x\n", "r.csv line 1 has the column 'algorithm' twice", "own name"),
        (HEAD + '1,"rf,1\n2,lm,1\n', "r.csv line 2: a double quote is opened and never closed", "twice"),
        (HEAD + '1,"rf"x,1\n', "r.csv line 2: there is text after a closing double quote", "twice"),
        (HEAD + "1,rf,1\n2, ,1\n", "r.csv line 3, column algorithm: it is empty", "what it is about"),
        (HEAD + "1,rf,1\n,rf,1\n", "r.csv line 3, column replicate: it is empty", "what it is about"),
        (b"algorithm,performance,caf\xe9\nrf,1,2\n", "r.csv line 1: the byte 0xe9 is not UTF-8 text", "UTF-8"),
        (HEAD.encode() + b"1,caf\xe9,1\n", "r.csv line 2, column algorithm: the byte 0xe9 is not UTF-8 text", "UTF-8"),
    ],
)
def test_the_first_fault_is_named_with_its_place(tmp_path: Path, content: str | bytes, message: str, hint: str) -> None:
    found = fault(write(tmp_path, content))
    assert found[0] == message
    assert hint in found[1]


def test_points_and_commas_in_one_column_are_not_guessed_at(tmp_path: Path) -> None:
    path = write(tmp_path, "algorithm;performance\nrf;1,5\nlm;1.234\n")
    assert (
        fault(path)[0] == "r.csv line 3, column performance: '1.234' has a decimal point where other cells have a decimal comma"
    )


def test_a_cell_cannot_command_the_terminal_or_flood_it(tmp_path: Path) -> None:
    message, _ = fault(write(tmp_path, HEAD + "1,rf,\x1b[31m" + "x" * 1000 + "\n"))
    assert "\x1b" not in message
    assert len(message) < 120


def test_a_replicate_column_that_is_empty_throughout_is_none(tmp_path: Path) -> None:
    frame = source(write(tmp_path, "dataset,replicate,algorithm,performance\niris,,rf,1\nwine,,rf,2\n")).frame
    assert "replicate" not in frame.collect_schema()


@pytest.mark.parametrize("column", ["fit_seconds", "n_train"])
def test_every_number_column_of_the_glossary_is_checked(tmp_path: Path, column: str) -> None:
    path = write(tmp_path, f"algorithm,performance,{column}\nrf,1,2\nlm,1,soon\n")
    assert fault(path)[0] == f"r.csv line 3, column {column}: 'soon' is not a number"


def test_columns_of_other_tables_are_context_in_results(tmp_path: Path) -> None:
    content = "algorithm,performance,rank,estimate,place\nrf,1,first,rough,here\n"
    assert rows(write(tmp_path, content), "rank estimate place") == [("first", "rough", "here")]
