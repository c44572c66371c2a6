"""The one rule (who may import whom), and that help and version load nothing heavy."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

LINT = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_logo=True, no_cache=True))"
HEAVY = {"polars", "numpy", "scipy", "matplotlib", "statsmodels", "pandas", "sklearn", "rich"}

# Runs the help of each command in turn; what one of them loads is charged to it.
HELP = """
import contextlib, io, json, sys
import typer.main
from benchkit.cli.app import application, main
commands = typer.main.get_command(application()).commands
loaded = {}
for line in (["--help"], ["-h"], ["--version"], *([name, "--help"] for name in commands), *([name, "-h"] for name in commands)):
    before = set(sys.modules)
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
        main(line)
    loaded[" ".join(line)] = {"new": sorted(set(sys.modules) - before), "output": out.getvalue()}
print(json.dumps({"loaded": loaded, "modules": sorted(sys.modules)}))
"""


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", LINT], cwd=folder, capture_output=True, text=True, check=False)


def test_the_import_rules_hold(checkout: Path) -> None:
    done = lint(checkout)
    assert done.returncode == 0, done.stdout


def test_the_import_rules_bite(checkout: Path, tmp_path: Path) -> None:
    shutil.copytree(checkout / "benchkit", tmp_path / "benchkit", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(checkout / "pyproject.toml", tmp_path)
    (tmp_path / "benchkit/plots/astray.py").write_text("import benchkit.core\n")
    (tmp_path / "benchkit/methods/astray.py").write_text("import polars\n")
    done = lint(tmp_path)
    assert done.returncode == 1
    assert "benchkit.plots.astray -> benchkit.core" in done.stdout
    assert "benchkit.methods.astray -> polars" in done.stdout


@pytest.fixture(scope="module")
def help_run(checkout: Path) -> dict[str, dict[str, dict[str, list[str]]]]:
    done = subprocess.run([sys.executable, "-c", HELP], cwd=checkout, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer: dict[str, dict[str, dict[str, list[str]]]] = json.loads(done.stdout)
    return answer


def test_help_and_version_load_nothing_heavy(help_run: dict[str, dict[str, dict[str, list[str]]]]) -> None:
    assert not HEAVY.intersection(help_run["modules"])
    for line, report in help_run["loaded"].items():
        assert not HEAVY.intersection(report["new"]), f"benchkit {line}"


def test_every_command_has_help(help_run: dict[str, dict[str, dict[str, list[str]]]]) -> None:
    loaded = help_run["loaded"]
    assert len(loaded) > 3
    for line, report in loaded.items():
        assert ("Usage" in report["output"]) != (line == "--version"), f"benchkit {line}"
        assert line.endswith("--version") or report["output"] == loaded[line.replace("--help", "-h")]["output"]
