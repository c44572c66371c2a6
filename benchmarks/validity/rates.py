"""The file of rates: one line for each setting, which a further run takes up."""

import csv
from dataclasses import asdict
from pathlib import Path

import numpy as np

from benchmarks.validity.simulate import LEVEL, Rates

FILE = Path(__file__).parent / "rates.csv"
KEY = ("method", "design", "kind", "algorithms", "blocks")
COUNTED = ("runs", "error", "covered", "overall", "untested")
COLUMNS = (*KEY, *COUNTED, "exceeds", "reason", "round")
# by so many standard errors must a rate exceed the level to be said to: by chance one of 4000 does
STANDARD_ERRORS = 3.5

Key = tuple[str, str, str, int, int]


def standard_error(runs: int, rate: float = 1 - LEVEL) -> float:
    """Return the Monte Carlo error of a rate."""
    return float(np.sqrt(rate * (1 - rate) / max(runs, 1)))


def exceeds(rates: Rates, name: str) -> bool:
    """Say whether the rate `name` (error, overall, or covered: what is not) is above the level by more than chance."""
    value = getattr(rates, name)
    rate = 1 - value if name == "covered" else value
    return bool(rates.runs and rate > (1 - LEVEL) + STANDARD_ERRORS * standard_error(rates.runs))


def read(path: Path = FILE) -> dict[Key, Rates]:
    """Return what the file holds; nothing without a file."""
    if not path.exists():
        return {}
    found: dict[Key, Rates] = {}
    with path.open(newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            key = (row["method"], row["design"], row["kind"], int(row["algorithms"]), int(row["blocks"]))
            shares = {name: float(row[name]) if row[name] else np.nan for name in COUNTED[1:]}
            found[key] = Rates(int(row["runs"]), **shares, reason=row["reason"], round=int(row["round"]))
    return found


def write(found: dict[Key, Rates], path: Path = FILE) -> None:
    """Write the file anew, moved into place, in the order of the keys."""
    beside = path.with_suffix(".part")
    with beside.open("w", newline="", encoding="utf-8") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(COLUMNS)
        for key in sorted(found):
            fields = asdict(found[key])
            shares = ["" if np.isnan(fields[name]) else f"{fields[name]:.4f}" for name in COUNTED[1:]]
            above = " ".join(name for name in ("error", "covered", "overall") if exceeds(found[key], name))
            writer.writerow([*key, fields["runs"], *shares, above, fields["reason"], fields["round"]])
    beside.replace(path)
