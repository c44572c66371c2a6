"""How the tests of reading votes write the same votes in every form, and read them back as one table."""

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from benchkit.errors import BenchkitError
from benchkit.formats.votes.options import VoteOptions
from benchkit.formats.votes.reading import read_votes
from benchkit.tables.votes import VoteBlock, VoteSource

Table = dict[str, dict[str, tuple[int, list[int]]]]


def source(*paths: str | Path, stdin: bytes | None = None, **options: Any) -> VoteSource:
    return read_votes([str(path) for path in paths], VoteOptions(**options), None if stdin is None else io.BytesIO(stdin))


def unpacked(block: VoteBlock) -> list[list[int]]:
    """Return the votes of a block, whichever form they have."""
    if block.packed is not None:
        assert block.packed.shape[1] == -(-block.voters // 8)
        assert not np.unpackbits(block.packed, axis=1)[:, block.voters :].any()
        return np.unpackbits(block.packed, axis=1)[:, : block.voters].tolist()
    assert block.votes is not None
    return block.votes.tolist()


def table(read: VoteSource) -> Table:
    """Return item -> (label, votes) of each ensemble, and check that the stream can be had again."""
    found: Table = {}
    for block in read.blocks():
        assert len(block.names) == block.voters
        rows = zip(block.items, block.labels.tolist(), unpacked(block), strict=True)
        found.setdefault(block.ensemble, {}).update({item: (label, votes) for item, label, votes in rows})
    assert sum(len(block.items) for block in read.blocks()) == sum(map(len, found.values()))
    return found


def fault(*paths: str | Path, **options: Any) -> tuple[str, str]:
    """Return message and hint of the error that reading to the end gives, files without their folder."""
    with pytest.raises(BenchkitError) as caught:
        list(source(*paths, **options).blocks())
    texts = [caught.value.message, caught.value.hint]
    for path in paths:
        texts = [text.replace(str(Path(str(path).partition("=")[2] or path).parent) + "/", "") for text in texts]
    assert all(text and "\n" not in text for text in texts)
    return texts[0], texts[1]


def sample(items: int, voters: int, seed: int = 1) -> tuple[list[str], NDArray[np.int8], NDArray[np.uint8]]:
    random = np.random.default_rng(seed)
    names = [f"item {number}" for number in range(items)]
    return names, random.integers(0, 2, items).astype(np.int8), random.integers(0, 2, (items, voters)).astype(np.uint8)


def expected(items: list[str], labels: NDArray[np.int8], votes: NDArray[np.uint8]) -> dict[str, tuple[int, list[int]]]:
    return dict(zip(items, zip(labels.tolist(), votes.tolist(), strict=True), strict=True))


def wide(items: list[str], labels: NDArray[np.int8], votes: NDArray[np.uint8], kind: Any = pl.UInt8) -> pl.DataFrame:
    columns = {f"tree_{number}": pl.Series(column).cast(kind) for number, column in enumerate(votes.T)}
    return pl.DataFrame({"item": items, "label": labels, **columns})


def packed(items: list[str], labels: NDArray[np.int8], votes: NDArray[np.uint8]) -> pl.DataFrame:
    cells = [row.tobytes() for row in np.packbits(votes, axis=1)]
    return pl.DataFrame({"item": items, "label": labels, "packed": pl.Series(cells, dtype=pl.Binary), "voters": votes.shape[1]})


def long(items: list[str], labels: NDArray[np.int8], votes: NDArray[np.uint8]) -> pl.DataFrame:
    frame = wide(items, labels, votes).unpivot(index=["item", "label"], variable_name="voter", value_name="vote")
    return frame.sample(fraction=1, shuffle=True, seed=1)


def csv(frame: pl.DataFrame, separator: str = ",") -> bytes:
    return frame.write_csv(separator=separator).encode()


def truths(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col("^tree.*$") == 1)


def binary(frame: pl.DataFrame, method: str, **options: Any) -> bytes:
    stream = io.BytesIO()
    getattr(frame, method)(stream, **options)
    return stream.getvalue()


Sample = tuple[list[str], NDArray[np.int8], NDArray[np.uint8]]
# name of the file -> its content
FORMS: dict[str, Callable[[Sample], bytes]] = {
    "wide.csv": lambda votes: csv(wide(*votes)),
    "wide.csv.gz": lambda votes: gzip.compress(csv(wide(*votes))),
    "wide.tsv": lambda votes: csv(wide(*votes), "\t"),
    "semicolon.csv": lambda votes: csv(wide(*votes), ";"),
    "truth.csv": lambda votes: csv(truths(wide(*votes))),
    "float.csv": lambda votes: csv(wide(*votes, pl.Float64)),
    "crlf.csv": lambda votes: csv(wide(*votes)).replace(b"\n", b"\r\n"),
    "quoted.csv": lambda votes: wide(*votes).write_csv(quote_style="non_numeric").encode(),
    "no_end.csv": lambda votes: csv(wide(*votes))[:-1],
    "wide.ndjson": lambda votes: binary(wide(*votes), "write_ndjson"),
    "wide.json": lambda votes: json.dumps(wide(*votes).to_dicts()).encode(),
    "wide.parquet": lambda votes: binary(wide(*votes), "write_parquet"),
    "truth.parquet": lambda votes: binary(truths(wide(*votes)), "write_parquet", row_group_size=7),
    "float.parquet": lambda votes: binary(wide(*votes, pl.Float32), "write_parquet"),
    "text.parquet": lambda votes: binary(wide(*votes).cast(pl.String), "write_parquet"),
    "truth.arrow": lambda votes: binary(truths(wide(*votes)), "write_ipc"),
    "packed.arrow": lambda votes: binary(packed(*votes), "write_ipc"),
    "packed.parquet": lambda votes: binary(packed(*votes), "write_parquet", row_group_size=5),
    "long.csv": lambda votes: csv(long(*votes)),
    "long.parquet": lambda votes: binary(long(*votes), "write_parquet"),
}
