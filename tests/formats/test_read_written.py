"""What our own writers write comes back as it was, through every format that is read."""

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from read_samples import source, write

from benchkit.formats import FORMATS
from benchkit.formats.style import Style
from benchkit.tables import shapes
from benchkit.tables.result import Result

NAMES = [
    "a, b",
    'say "hi"',
    "two\nlines",
    "two\r\nlines",
    "cr\rx",
    "tab\tx",
    "001",
    "1.0",
    "NA",
    "-",
    "null",
    "true",
    "α β",
    "=1+1",
    "'x",
]
READ = [entry for entry in FORMATS if entry.needs.startswith("reads")]


@pytest.mark.parametrize("entry", READ, ids=lambda entry: entry.name)
def test_pairs_survive(tmp_path: Path, entry: object) -> None:
    rows = [
        {
            "a": name,
            "b": "z",
            "n": index,
            "estimate": 0.1 + index / 3,
            "p_value": 1e-300,
            "noninferior": index % 2 == 0,
            "verdict": "better",
        }
        for index, name in enumerate(NAMES)
    ]
    table = shapes.build(shapes.PAIRS, rows)
    read = source(write(tmp_path, entry.load()(Result("test", {"pairs": table}), "pairs", Style()), "file"))
    assert read.kind == "pairs"
    assert_frame_equal(read.frame.collect(), table)


@pytest.mark.parametrize("entry", READ, ids=lambda entry: entry.name)
def test_results_survive(tmp_path: Path, entry: object) -> None:
    infinite = None if entry.name in ("json", "ndjson") else float("-inf")
    table = pl.DataFrame(
        {
            "dataset": ["iris"] * 3,
            "replicate": ["1", "2", "3"],
            "algorithm": ["rf"] * 3,
            "performance": [4.9e-324, None, infinite],
            "status": ["ok", "failed", "ok"],
        }
    )
    read = source(write(tmp_path, entry.load()(Result("run", {"results": table}), "results", Style()), "file"))
    assert_frame_equal(read.frame.collect(), table)
