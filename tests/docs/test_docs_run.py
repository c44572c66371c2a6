"""README and guide say what really happens: every console block is run, every picture is there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from terminal import run_document

DOCUMENTS = ("README.md", "docs/guide.md")
PICTURE = re.compile(r"!\[[^\]]*\]\(\s*<?([^)>\s]+)|<img[^>]*\bsrc=[\"']([^\"']+)|<source[^>]*\bsrcset=[\"']([^\"' ]+)")


@pytest.fixture(scope="session", autouse=True)
def _fonts() -> None:
    """Let matplotlib make its list of fonts first: on a new machine it tells so, on the terminal, when it does."""
    subprocess.run([sys.executable, "-c", "import matplotlib.font_manager"], capture_output=True, check=True)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_console_blocks_print_what_they_show(name: str, checkout: Path, tmp_path: Path) -> None:
    text = (checkout / name).read_text(encoding="utf-8")
    runs = [run for _, done in run_document(text, tmp_path) for run in done]
    assert runs, f"{name} has no console block"
    problems = [run.problem for run in runs if run.problem]
    assert not problems, f"{name} (make docs writes it anew), " + "\n\n".join(problems)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_pictures_exist_and_are_tracked(name: str, checkout: Path, tracked: list[Path]) -> None:
    document = checkout / name
    found = ["".join(groups) for groups in PICTURE.findall(document.read_text(encoding="utf-8"))]
    local = [(document.parent / picture).resolve() for picture in found if "://" not in picture]
    assert not [picture for picture in local if picture not in {path.resolve() for path in tracked}]
