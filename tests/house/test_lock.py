"""requirements.lock: covers all that pyproject.toml asks for, pinned, with hashes, and names no index."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PINNED = re.compile(
    r"^(?P<name>[a-z0-9-]+)==(?P<version>[^ ]+)( ; (?P<marker>[^\\]+))?(?P<hashes>( \\\n    --hash=sha256:[0-9a-f]{64})+)\n"
)


def lock_text(checkout: Path) -> str:
    return (checkout / "requirements.lock").read_text()


def pins(text: str) -> dict[str, list[str]]:
    """Return the locked versions (several where markers choose) by name."""
    found: dict[str, list[str]] = {}
    for line in re.findall(r"^\S.*$", text, re.MULTILINE):
        name, version = re.match(r"([^=]+)==(\S+)", line).groups()  # type: ignore[union-attr]
        found.setdefault(name, []).append(version)
    return found


def wanted(checkout: Path) -> list[Requirement]:
    project = tomllib.loads((checkout / "pyproject.toml").read_text())
    extras = project["project"].get("optional-dependencies", {}).values()
    groups = [project["build-system"]["requires"], project["project"]["dependencies"], *extras]
    return [Requirement(line) for group in groups for line in group]


def test_every_requirement_is_locked_in_a_version_that_it_allows(checkout: Path) -> None:
    locked = pins(lock_text(checkout))
    for requirement in wanted(checkout):
        if canonicalize_name(requirement.name) == "benchkit":  # an extra that names another extra
            continue
        versions = locked.get(canonicalize_name(requirement.name), [])
        assert versions, f"{requirement.name} is not in requirements.lock: make lock"
        assert all(requirement.specifier.contains(version, prereleases=True) for version in versions), requirement


def test_set_up_needs_no_build_backend_from_elsewhere(checkout: Path) -> None:
    assert {"hatchling", "editables"} <= set(pins(lock_text(checkout)))


def test_every_entry_is_pinned_with_hashes(checkout: Path) -> None:
    rest = lock_text(checkout)
    while rest:
        entry = PINNED.match(rest)
        assert entry, f"not a pinned entry with hashes: {rest.splitlines()[0]}"
        rest = rest[entry.end() :]


@pytest.mark.parametrize("word", ["://", "--index-url", "--extra-index-url", "--find-links", " @ ", "-e "])
def test_no_address_stands_in_the_lock(checkout: Path, word: str) -> None:
    assert word not in lock_text(checkout)
