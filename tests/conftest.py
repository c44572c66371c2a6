"""What every test may use: the checkout, its tracked files, and one profile for all property tests."""

import os
import subprocess
from pathlib import Path

import hypothesis
import pytest

ROOT = Path(__file__).parent.parent
MADE = {".venv", "demo", "dist", ".git"}

# The same examples on every machine, and no deadline: machines that test are often busy.
hypothesis.settings.register_profile("house", derandomize=True, deadline=None, max_examples=50)
hypothesis.settings.load_profile("house")


@pytest.fixture(scope="session")
def checkout() -> Path:
    """Return the folder that holds pyproject.toml."""
    return ROOT


@pytest.fixture(scope="session")
def clean_environment() -> dict[str, str]:
    """Return the environment without what make or a terminal width would hand on to a child process."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "COLUMNS", "LINES"))}


@pytest.fixture(scope="session")
def tracked(checkout: Path) -> list[Path]:
    """Return the files that git tracks or would take in; without git, all files that were not made here."""
    try:
        listing = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=checkout, capture_output=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        found = [path for path in checkout.rglob("*") if path.is_file()]
        return [path for path in found if not any(part in MADE or "cache" in part for part in path.relative_to(checkout).parts)]
    names = [name for name in listing.stdout.decode().split("\0") if name]
    return [checkout / name for name in names if (checkout / name).is_file()]
