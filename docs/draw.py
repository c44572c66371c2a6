"""Draws the figures of README and guide from the sample data into docs/figures/. Called by `make docs`."""

import subprocess
import sys
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
}


def draw() -> None:
    """Draw every figure; stop at the first that fails."""
    folder = ROOT / "docs" / "figures"
    folder.mkdir(exist_ok=True)
    for name, options in FIGURES.items():
        command = [sys.executable, "-m", "benchkit", "benchplot", DATA, *options, "--quiet", "-o", f"docs/figures/{name}.png"]
        subprocess.run(command, cwd=ROOT, check=True, stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    draw()
