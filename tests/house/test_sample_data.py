"""The motorcycle data: the right grain, and digits that nobody touched."""

import csv
import runpy
import statistics
from pathlib import Path

import pytest


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as lines:
        return list(csv.DictReader(lines))


def test_motorcycle_is_complete_and_true_to_r(checkout: Path) -> None:
    table = rows(checkout / "sample_data/motorcycle.csv")
    assert list(table[0]) == ["metric", "dataset", "resampling", "replicate", "algorithm", "performance", "n_train", "n_test"]
    assert len({(row["replicate"], row["algorithm"]) for row in table}) == len(table) == 250 * 7
    assert {(row["metric"], row["dataset"], row["resampling"], row["n_train"]) for row in table} == {
        ("mse", "mcycle", "bootstrap", "133")
    }
    gam = [float(row["performance"]) for row in table if row["algorithm"] == "gam"]
    assert statistics.fmean(gam) == pytest.approx(569.9569087601709, rel=1e-14)  # R, reference.json
    assert table[0]["performance"] == "662.9361881505521"
    # a bootstrap sample leaves out 133 (1 - 1/133)^133 = 48.7 rows in expectation
    assert 47 < statistics.fmean(int(row["n_test"]) for row in table) < 50


def test_building_counts_the_rows_left_out_and_keeps_the_digits(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "motorcycle.csv").write_text("replicate,algorithm,performance\n1,lm,2.50\n1,gam,\n2,lm,1e-3\n")
    (tmp_path / "samples.csv").write_text(f"replicate,indices\n1,1 1 2\n2,{' '.join(map(str, range(1, 134)))}\n")
    script = runpy.run_path(str(checkout / "sample_data/make_motorcycle.py"))
    script["build"](tmp_path, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text().splitlines()[1:] == [
        "mse,mcycle,bootstrap,1,lm,2.50,133,131",
        "mse,mcycle,bootstrap,1,gam,,133,131",
        "mse,mcycle,bootstrap,2,lm,1e-3,133,0",
    ]
