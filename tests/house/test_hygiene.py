"""What no tracked file may hold, and the measures of clarity."""

import re
from pathlib import Path

# Taken apart, so that this file does not hold them itself.
MACHINE_PATH = re.compile(r"(?<![\w.$}~-])/(" + "|".join(["home", "root", "tmp", "work", "Users", "private"]) + r")/")
VAGUE = {"utils", "util", "helpers", "helper", "common", "base", "manager", "misc"}
LONGEST = 300


def read(path: Path) -> str | None:
    """Return the text of a file, or None if it is binary."""
    content = path.read_bytes()
    return None if b"\0" in content else content.decode("utf-8", errors="replace")


def test_no_tracked_file_holds_a_path_of_one_machine(tracked: list[Path], checkout: Path) -> None:
    found = []
    for path in tracked:
        for number, line in enumerate((read(path) or "").splitlines(), start=1):
            if MACHINE_PATH.search(line):
                found.append(f"{path.relative_to(checkout)}:{number}: {line.strip()[:100]}")
    assert not found, "\n".join(found)


def test_nothing_that_was_made_is_tracked(tracked: list[Path], checkout: Path) -> None:
    made = re.compile(r"(^|/)(demo|dist|__pycache__|\.venv|\.hypothesis|[^/]*_cache)/|\.pyc$|\.egg-info/")
    assert not [path for path in tracked if made.search(str(path.relative_to(checkout)))]


def test_modules_are_short_and_say_what_they_do(checkout: Path) -> None:
    modules = [path for path in (checkout / "benchkit").rglob("*.py") if "__pycache__" not in path.parts]
    assert modules
    too_long = {
        str(path.relative_to(checkout)): count for path in modules if (count := len(path.read_text().splitlines())) > LONGEST
    }
    assert not too_long
    assert not [path for path in modules if VAGUE.intersection(path.relative_to(checkout).with_suffix("").parts)]


def test_no_module_is_left_unfinished(checkout: Path) -> None:
    unfinished = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X"]) + r")\b")
    assert not [path for path in (checkout / "benchkit").rglob("*.py") if unfinished.search(path.read_text())]
