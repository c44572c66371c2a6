"""The generated pages are those that the code generates now."""

import runpy
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def pages(checkout: Path) -> dict[str, str]:
    made: dict[str, str] = runpy.run_path(str(checkout / "docs/generate.py"))["pages"]()
    return made


@pytest.mark.parametrize("name", ["commands.md", "columns.md", "methods.md"])
def test_the_committed_page_is_up_to_date(name: str, pages: dict[str, str], checkout: Path) -> None:
    committed = checkout / "docs" / name
    assert committed.exists(), f"docs/{name} is missing: make docs"
    assert committed.read_text(encoding="utf-8") == pages[name], f"docs/{name} is stale: make docs"


def test_the_pages_name_every_command_table_and_method(pages: dict[str, str]) -> None:
    for command in ("summarize", "benchplot", "test", "rank", "list"):
        assert f"## benchkit {command}\n" in pages["commands.md"]
    for table in ("results", "algorithms", "pairs", "overall", "ranks", "relations", "notes"):
        assert f"\n## {table}\n" in pages["columns.md"]
    for name in ("mixed", "tukey", "holm", "podium", "csv", "mse", "bootstrap"):
        assert f"| `{name}` |" in pages["methods.md"]
    assert "benchkit.methods." not in pages["methods.md"]
