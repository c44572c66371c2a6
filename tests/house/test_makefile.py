"""The Makefile: complete help, old features only, and a set-up that survives interruption and odd folder names.

A script stands in for Python, so that nothing is installed here.
"""

import os
import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

# From the NEWS of GNU make 3.82 to 4.4; and functions that break in a path with spaces.
TOO_NEW = (
    ".ONESHELL", ".SHELLFLAGS", ".RECIPEPREFIX", ".EXTRA_PREREQS", ".NOTINTERMEDIATE", ".WAIT", "&:", "!=", "::=", "undefine ",
    "private ", "$(file ", "$(guile ", "$(let ", "$(intcmp ",
)  # fmt: skip
BREAKS_WITH_SPACES = ("$(CURDIR)", "$(PWD)", "$(abspath ", "$(realpath ", "$(MAKEFILE_LIST)", "$(dir ", "$(notdir ")

# Answers like Python 3.12, makes the folder that `-m venv` would make, notes what it was asked, and fails at will.
STAND_IN = """#!/bin/sh
echo "$*" >>asked
case "$*" in
*sys.version_info*) exit 0 ;;
*"-m venv"*) rm -rf .venv; mkdir -p .venv/bin; cp "$0" .venv/bin/python; exit 0 ;;
esac
if [ -f fail ]; then case "$*" in *"$(cat fail)"*) exit 1 ;; esac; fi
"""


class Make:
    """A folder with the project's Makefile, and make to run in it."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = environment

    def __call__(self, *arguments: str, python: str = "./python") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["make", f"PYTHON={python}", *arguments],
            cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False,
        )  # fmt: skip

    def asked(self) -> list[str]:
        """Return what Python was asked to do since the last call, but for its version."""
        log = self.folder / "asked"
        lines = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return [line for line in lines if line.startswith("-m") or "importlinter" in line]


@pytest.fixture
def make(checkout: Path, tmp_path: Path, clean_environment: dict[str, str]) -> Make:
    folder = tmp_path / """it's "a" $HOME folder"""
    folder.mkdir()
    for name in ("Makefile", "requirements.lock", "pyproject.toml"):
        shutil.copy(checkout / name, folder)
    python = folder / "python"
    python.write_text(STAND_IN)
    python.chmod(python.stat().st_mode | stat.S_IXUSR)
    return Make(folder, clean_environment)


def text(checkout: Path) -> str:
    return (checkout / "Makefile").read_text()


def test_help_lists_every_target(checkout: Path, make: Make) -> None:
    phony = re.search(r"^\.PHONY: (.*)$", text(checkout), re.MULTILINE)
    assert phony
    done = make()
    assert done.returncode == 0
    listed = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")]
    assert sorted(listed) == sorted(phony[1].split())
    assert {"help", "demo", "test", "fmt", "lint", "types", "docs", "bench", "validity", "lock", "clean"} <= set(listed)
    assert make("help").stdout == done.stdout


def test_nothing_newer_than_make_381(checkout: Path) -> None:
    found = [feature for feature in TOO_NEW + BREAKS_WITH_SPACES if feature in text(checkout)]
    assert not found
    assert not re.search(r"^define \w+ *[?:+]?=", text(checkout), re.MULTILINE)  # 3.81 has plain `define NAME` only


def test_targets_have_no_absolute_path(checkout: Path) -> None:
    assert not re.search(r"^[^\t#]*(^|[ :])/", text(checkout), re.MULTILINE)


def test_a_dry_run_names_every_step_in_order(make: Make) -> None:
    done = make("-n", "test")
    assert done.returncode == 0, done.stderr
    steps = ["-m venv", "--require-hashes -r requirements.lock", "--no-deps --no-build-isolation -e .", "ruff check",
             "ruff format --check", "-m mypy", "importlinter", "-m pytest"]  # fmt: skip
    places = [done.stdout.find(step) for step in steps]
    assert -1 not in places
    assert places == sorted(places)
    assert not (make.folder / ".venv").exists()


def test_the_second_run_sets_nothing_up(make: Make) -> None:
    assert make("test").returncode == 0
    first = make.asked()
    assert [line.split()[1] for line in first[:3]] == ["venv", "pip", "pip"]
    assert make("test").returncode == 0
    assert make.asked() == first[3:]


@pytest.mark.parametrize("step", ["--require-hashes", "--no-build-isolation"])
def test_an_interrupted_set_up_is_done_again(make: Make, step: str) -> None:
    (make.folder / "fail").write_text(step)
    assert make("test").returncode != 0
    assert step in make.asked()[-1]
    assert not (make.folder / ".venv/.installed").exists()
    (make.folder / "fail").unlink()
    done = make("test")
    assert done.returncode == 0, done.stderr
    assert any(step in line for line in make.asked())


def test_a_new_lock_or_project_file_is_installed(make: Make) -> None:
    assert make("test").returncode == 0
    make.asked()
    # days apart, because some file systems and old makes know whole seconds only
    days = {"requirements.lock": 1, ".venv/.locked": 2, ".venv/.installed": 3, "pyproject.toml": 4}
    for name, day in days.items():
        os.utime(make.folder / name, (day * 86400, day * 86400))
    assert make("test").returncode == 0
    assert [line.split()[1] for line in make.asked()].count("pip") == 1  # the project alone: no network
    os.utime(make.folder / ".venv/.locked", (0, 0))
    assert make("test").returncode == 0
    assert [line.split()[1] for line in make.asked()].count("pip") == 2


@pytest.mark.parametrize(
    ("step", "name"),
    [
        ("ruff check", "ruff check"),
        ("ruff format", "ruff format"),
        ("mypy", "mypy"),
        ("importlinter", "import rules"),
        ("pytest", "pytest"),
    ],
)
def test_test_stops_at_the_first_failure_and_names_it(make: Make, step: str, name: str) -> None:
    assert make(".venv/.installed").returncode == 0
    make.asked()
    (make.folder / "fail").write_text(step)
    done = make("test")
    assert done.returncode != 0
    assert f"{name} failed" in done.stderr
    assert step in make.asked()[-1]


@pytest.mark.parametrize(
    ("python", "complaint"),
    [("./old", "./old is Python 3.10"), ("no-such-python", "no-such-python was not found")],
)
def test_an_unfit_python_is_one_clear_line(make: Make, python: str, complaint: str) -> None:
    (make.folder / "old").write_text("#!/bin/sh\nprintf './old is Python 3.10'\n")
    (make.folder / "old").chmod(0o755)
    done = make("test", python=python)
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert f"{complaint}; benchkit needs Python 3.11 or later; choose one with: PYTHON=python3.12 make test" in line


def test_ci_runs_make_test_from_anywhere(checkout: Path, make: Make) -> None:
    (make.folder / ".ci").mkdir()
    shutil.copy(checkout / ".ci/run", make.folder / ".ci")
    command = ["bash", f"{make.folder.name}/.ci/run"]
    environment = make.environment | {"PYTHON": "./python"}
    done = subprocess.run(command, cwd=make.folder.parent, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert make.asked()[-1] == "-m pytest -n 2"
    (make.folder / "fail").write_text("pytest")
    assert subprocess.run(command, cwd=make.folder.parent, env=environment, capture_output=True, check=False).returncode != 0
