"""Builds motorcycle.csv, a results table, from what run_motorcycle.R writes.

Usage: python sample_data/make_motorcycle.py FOLDER, where FOLDER holds the motorcycle.csv and samples.csv of the R
script. The performances are copied digit by digit, never parsed. n_test is the number of rows of mcycle that a
replicate did not draw.
"""

import csv
import sys
from pathlib import Path

N_TRAIN = 133
COLUMNS = ("metric", "dataset", "resampling", "replicate", "algorithm", "performance", "n_train", "n_test")


def rows_left_out(samples: Path) -> dict[str, int]:
    """Return for each replicate the number of rows that were never drawn."""
    with samples.open(newline="") as lines:
        return {row["replicate"]: N_TRAIN - len(set(row["indices"].split())) for row in csv.DictReader(lines)}


def build(folder: Path, target: Path) -> None:
    """Write the results table to `target` from the two files in `folder`."""
    n_test = rows_left_out(folder / "samples.csv")
    with (folder / "motorcycle.csv").open(newline="") as lines, target.open("w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in csv.DictReader(lines):
            replicate, algorithm, performance = row["replicate"], row["algorithm"], row["performance"]
            writer.writerow(("mse", "mcycle", "bootstrap", replicate, algorithm, performance, N_TRAIN, n_test[replicate]))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python sample_data/make_motorcycle.py FOLDER   (that holds motorcycle.csv and samples.csv)")
    build(Path(sys.argv[1]), Path(__file__).with_name("motorcycle.csv"))
