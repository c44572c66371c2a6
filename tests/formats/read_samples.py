"""How the tests of reading write a small input, read it back, or look at the error that it gives."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchkit.errors import BenchkitError
from benchkit.formats.reading import read
from benchkit.formats.source import Border, Source

RANKED = ("results", "pairs", "relations")


def write(folder: Path, content: str | bytes, name: str = "r.csv") -> str:
    """Write the content as it is (no line end is changed) and return the path."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def source(paths: str | Sequence[str], accept: Sequence[str] = RANKED, stdin: bytes | None = None, **border: Any) -> Source:
    """Read the paths behind the border, as rank would."""
    pipe = None if stdin is None else io.BytesIO(stdin)
    return read([paths] if isinstance(paths, str) else paths, Border(**border), accept, "rank", pipe)


def rows(paths: str | Sequence[str], columns: str, **options: Any) -> list[tuple[Any, ...]]:
    """Return the rows of the primary table in the named columns."""
    return source(paths, **options).frame.select(columns.split()).collect().rows()


def fault(paths: str | Sequence[str], **options: Any) -> tuple[str, str]:
    """Return message and hint of the error that reading gives, file names without their folder."""
    with pytest.raises(BenchkitError) as caught:
        source(paths, **options)
    texts = [caught.value.message, caught.value.hint]
    for path in [paths] if isinstance(paths, str) else paths:
        texts = [text.replace(str(Path(path.partition("=")[2] or path).parent) + "/", "") for text in texts]
    return texts[0], texts[1]
