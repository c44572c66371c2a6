"""Draws the figures of README and guide from the sample data into docs/figures/. Called by `make docs`."""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
DATA = "sample_data/motorcycle.csv"

FIGURES: dict[str, tuple[str, ...]] = {
    "podium": (),
    "lines": ("--kind", "lines"),
    "dot": ("--kind", "dot"),
    "box": ("--kind", "box"),
    "violin": ("--kind", "violin"),
    "intervals": ("--kind", "intervals", "--method", "mixed"),
    "pvalues": ("--kind", "pvalues", "--method", "mixed"),
    "effects": ("--kind", "effects", "--effect", "ratio", "--scale", "log"),
    "posterior": ("--kind", "posterior", "--method", "bayes-correlated-t", "--margin", "30"),
    "simplex": (
        "--kind",
        "simplex",
        "--method",
        "bayes-signed-rank",
        "--margin",
        "50",
        "--where",
        "algorithm=gam,gamboost,loess",
    ),
}

# figures of the forests of sample_data/forests.toml, with the options of roc
CURVES: dict[str, tuple[str, ...]] = {
    "roc": ("--where", "ensemble=trees-256,no-bootstrap", "--at", "fpr=0.05"),
    "shares": ("--where", "ensemble=trees-128,trees-512"),
    "enough": ("--where", "ensemble=trees-512", "--voters-used", "8,16,32,64,128,256,512", "--at", "fpr=0.05"),
}


def draw() -> None:
    """Draw every figure; stop at the first that fails."""
    folder = ROOT / "docs" / "figures"
    folder.mkdir(exist_ok=True)
    for name, options in FIGURES.items():
        benchkit("benchplot", DATA, *options, "-o", f"docs/figures/{name}.png")
    with tempfile.TemporaryDirectory() as place:
        benchkit("run", "sample_data/forests.toml", "-o", f"{place}/results.parquet", "--votes", f"{place}/votes.parquet")
        for name, options in CURVES.items():
            benchkit("roc", f"{place}/votes.parquet", *options, "-o", f"{place}/{name}.json")
            benchkit("benchplot", f"{place}/{name}.json", "--kind", name, "-o", f"docs/figures/{name}.png")


def benchkit(*arguments: str) -> None:
    """Run a command quietly in the checkout; end if it fails."""
    command = [sys.executable, "-m", "benchkit", *arguments, "--quiet"]
    subprocess.run(command, cwd=ROOT, check=True, stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    draw()
