"""People's delimited files: separators, line ends, encodings, quotes, index columns and missing cells."""

import csv
import io
from pathlib import Path
from unittest import mock

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from read_samples import rows, source, write

from benchkit.formats import structure
from benchkit.formats.content import Content
from benchkit.formats.delimited import scan
from benchkit.formats.records import records

PLAIN = "replicate,algorithm,performance\n1,rf,0.5\n1,lm,1.25\n2,rf,-3e-2\n"
EXPECTED = [("1", "rf", 0.5), ("1", "lm", 1.25), ("2", "rf", -0.03)]
KEY = "replicate algorithm performance"
BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    "content",
    [
        PLAIN.encode(),
        PLAIN.rstrip("\n").encode(),
        PLAIN.replace("\n", "\r\n").encode(),
        PLAIN.replace("\n", "\r").encode(),
        BOM + PLAIN.encode(),
        BOM + PLAIN.replace("\n", "\r\n").encode(),
        PLAIN.encode("utf-16"),
        b"\xfe\xff" + PLAIN.encode("utf-16-be"),
        PLAIN.replace("\n", "\r\n").encode("utf-16"),
        PLAIN.replace(",", ";").encode(),
        PLAIN.replace(",", ";").replace(".", ",").encode(),
        PLAIN.replace(",", "\t").replace(".", ",").encode(),
        PLAIN.replace(",", "|").encode(),
        b"sep=;\r\n" + PLAIN.replace(",", ";").replace("\n", "\r\n").encode(),
        ("\n" + PLAIN.replace("\n", "\n\n") + "  \n").encode(),
        PLAIN.replace(",", " , ").encode(),
        b'"replicate","algorithm","performance"\n"1","rf","0.5"\n"1","lm","1.25"\n"2","rf","-3e-2"\n',
        b",replicate,algorithm,performance\n0,1,rf,0.5\n1,1,lm,1.25\n2,2,rf,-3e-2\n",
        b'"",replicate,algorithm,performance\n"a",1,rf,0.5\n"b",1,lm,1.25\n"c",2,rf,-3e-2\n',
        b"Unnamed: 0,,replicate,algorithm,performance\n0,0,1,rf,0.5\n1,1,1,lm,1.25\n2,2,2,rf,-3e-2\n",
    ],
)
@pytest.mark.parametrize("name", ["r.csv", "r.tsv", "r.txt"])
def test_every_dialect_gives_the_same_table(tmp_path: Path, content: bytes, name: str) -> None:
    read = source(write(tmp_path, content, name))
    assert read.kind == "results"
    assert read.frame.collect_schema() == {"replicate": pl.String, "algorithm": pl.String, "performance": pl.Float64}
    assert read.frame.collect().rows() == EXPECTED
    assert read.everything.collect().rows() == EXPECTED


@pytest.mark.parametrize("token", ["", "NA", "na", "NaN", "nan", "n/a", "N/A", "-", "null", "NULL", " NA ", '"NA"', '""'])
def test_a_missing_performance_is_null(tmp_path: Path, token: str) -> None:
    path = write(tmp_path, f"replicate,algorithm,performance\n1,rf,{token}\n2,rf,1\n")
    assert rows(path, KEY) == [("1", "rf", None), ("2", "rf", 1.0)]


def test_truths_all_the_way_down_are_one_and_zero(tmp_path: Path) -> None:
    content = "replicate,algorithm,correct,note\n1,rf,True,true\n2,rf, FALSE ,x\n3,rf,NA,\n4,rf,,\n"
    read = rows(write(tmp_path, content), "performance note", value=["correct"])
    assert read == [(1.0, "true"), (0.0, "x"), (None, None), (None, None)]
    assert rows(write(tmp_path, content.replace("correct", "performance")), "performance") == [row[:1] for row in read]
    assert rows(write(tmp_path, "item;a;b\n1;true;0,5\n2;false;1\n"), "performance", wide=True) == [
        (1.0,),
        (0.0,),
        (0.5,),
        (1.0,),
    ]


def test_keys_are_text_and_missing_tokens_are_names_there(tmp_path: Path) -> None:
    content = "replicate,algorithm,performance,note\n001,NA,1,x\n1, - ,2,NA\n1.0,null,inf,\n"
    read = rows(write(tmp_path, content), KEY + " note")
    assert read == [("001", "NA", 1.0, "x"), ("1", "-", 2.0, "NA"), ("1.0", "null", float("inf"), None)]


def test_quotes_protect_commas_quotes_line_ends_and_unicode(tmp_path: Path) -> None:
    content = 'replicate,algorithm,performance\r\n1,"a, b",1\r\n1,"say ""hi""",2\r\n1,"two\nlines",3\r\n1,α β,4\r\n'
    assert [name for (name,) in rows(write(tmp_path, content), "algorithm")] == ["a, b", 'say "hi"', "two\nlines", "α β"]


def test_an_inch_mark_inside_a_plain_name_is_just_a_letter(tmp_path: Path) -> None:
    content = 'replicate,algorithm,performance\n1,5" disk,1\n1, "x, y",2\n'
    assert rows(write(tmp_path, content), "algorithm performance") == [('5" disk', 1.0), ("x, y", 2.0)]


def test_a_separator_is_found_by_how_evenly_it_parts_the_lines(tmp_path: Path) -> None:
    content = "algorithm;score (mean, of, many);performance\nrf;1,5;0,5\nlm;2;0,25\n"
    assert rows(write(tmp_path, content), "algorithm performance") == [("rf", 0.5), ("lm", 0.25)]


def test_numbers_are_read_to_the_last_digit(tmp_path: Path) -> None:
    # NIST StRD NumAcc4 has values such as these; the nearest double is what Python's own parser gives
    texts = ["10000000.2", "10000000.1", "0.1234567890123456789", "4.9e-324", "1.7976931348623157e308"]
    content = "algorithm,performance\n" + "".join(f"a,{text}\n" for text in texts)
    assert [number for (number,) in rows(write(tmp_path, content), "performance")] == [float(text) for text in texts]


def test_only_the_columns_that_are_asked_for_are_scanned(tmp_path: Path) -> None:
    content = "replicate,algorithm,performance,remark\n1,rf,0.5,x\n"
    plan = source(write(tmp_path, content)).frame.select("algorithm", "performance").explain()
    assert "PROJECT 2/4 COLUMNS" in plan


NAMES = st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from(list(",;\"\n\t'|=-")), min_size=1).filter(
    lambda text: text.strip() == text
)


@given(st.lists(st.tuples(NAMES, NAMES, st.floats(allow_nan=False)), min_size=1, max_size=8), st.sampled_from(",;\t|"))
def test_any_name_that_csv_can_write_comes_back(tmp_path_factory: pytest.TempPathFactory, table: list, separator: str) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(["replicate", "algorithm", "performance"])
    writer.writerows(table)
    path = write(tmp_path_factory.getbasetemp(), text.getvalue(), "names.csv")
    assert rows(path, KEY) == [(replicate, algorithm, number) for replicate, algorithm, number in table]


CELLS = st.one_of(
    st.text(st.sampled_from("ab é."), max_size=3),
    st.text(st.sampled_from("ab \"'"), max_size=3),
    st.lists(st.sampled_from(["a", '""', ",", "\n", "\r\n", "é"]), max_size=3).map(lambda parts: '"' + "".join(parts) + '"'),
)


@given(
    st.lists(st.lists(CELLS, min_size=2, max_size=3), min_size=1, max_size=4),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n", "\n\n"]),
    st.integers(1, 9),
)
@settings(max_examples=120)
def test_what_is_proved_regular_reads_alike_in_both_ways(table: list[list[str]], line_end: str, tail: str, chunk: int) -> None:
    content = Content("r.csv", ("x,y" + line_end + line_end.join(",".join(row) for row in table) + tail).encode())
    with mock.patch.object(structure, "CHUNK", chunk):
        regular = structure.is_regular(content.data, 0, 2, ",")
    assert regular == structure.is_regular(content.data, 0, 2, ",")
    if regular:
        scanned = scan(content, ",").tables[""].frame.collect().rows()
        read = [tuple(fields) for _, fields in records("r.csv", content.text(), ",")][1:]
        assert [tuple((cell or "").strip() for cell in row) for row in scanned] == [tuple(c.strip() for c in row) for row in read]


@pytest.mark.parametrize(
    ("content", "regular"),
    [
        ('x,y\n1,2\n"a,\n""b""",\n', True),
        ("x,y\r\n1,2", True),
        ("x,y\n1,2\n3\n", False),
        ("x,y\n1,2,3\n4\n", False),
        ("x,y\n\n1,2\n", False),
        ("x,y\r1,2\r", False),
        ('x,y\n1,a"b"\n', False),
        ('x,y\n1,"a"b\n', False),
        ('x,y\n1,"a\n', False),
    ],
)
def test_only_regular_text_goes_to_polars(content: str, regular: bool) -> None:
    assert structure.is_regular(content.encode(), 0, 2, ",") == regular
