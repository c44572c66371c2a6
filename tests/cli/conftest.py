"""The command line, run in this process."""

from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from command_line import Ran, Run

from benchkit.cli.app import main

ROOT = Path(__file__).parents[2]


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs `benchkit ARGUMENTS`, with bytes on standard input if they are given."""

    def go(*arguments: object, stdin: bytes | None = None) -> Ran:
        monkeypatch.setattr("sys.stdin", None if stdin is None else TextIOWrapper(BytesIO(stdin)))
        capfdbinary.readouterr()
        status = main([str(argument) for argument in arguments])
        out, err = capfdbinary.readouterr()
        return Ran(status, out.decode("utf-8", "replace"), err.decode(), out)

    return go


@pytest.fixture
def motorcycle() -> Path:
    """Return the sample data."""
    return ROOT / "sample_data" / "motorcycle.csv"
