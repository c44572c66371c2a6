"""NumPy's .npy files: 0/1 votes, packed bits or numbers, one row for each item; labels come from a file of their own."""

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchkit.errors import BenchkitError
from benchkit.formats.content import Content, row_place
from benchkit.formats.votes.batch import MOST_ROWS, MOST_VALUES, Batch, Bytes, Part, no_vote

MAGIC = b"\x93NUMPY"
# rows of votes that are looked at to tell what they are, and that are checked and counted at a time, while they are in the cache
HEAD, CHECKED = 64, 128


def array(content: Content) -> NDArray[Any]:
    """Return the array of a .npy file, mapped from the disk where possible; BenchkitError for pickled objects or damage."""
    try:
        if content.path is not None:
            return np.asarray(np.load(content.path, mmap_mode="r", allow_pickle=False))
        return np.asarray(np.load(io.BytesIO(content.data), allow_pickle=False))
    except (ValueError, OSError, EOFError) as problem:
        hint = "save plain numbers with numpy.save; it may be cut off, and pickled objects are never read"
        raise BenchkitError(f"{content.name} is not a readable .npy file", hint) from problem


def part(content: Content, ensemble: str, packed_voters: int | None, regression: bool) -> Part:
    """Return a .npy file as one ensemble; with packed_voters it holds packed bits."""
    votes = array(content)
    name = content.name
    if votes.ndim != 2 or not votes.size or votes.dtype.kind not in "buif":
        raise BenchkitError(
            f"{name} holds {votes.dtype} of shape {votes.shape}, not votes", "votes are items x voters of 0 and 1, or packed bits"
        )
    if packed_voters is not None:
        if votes.dtype != np.uint8 or votes.shape[1] != -(-packed_voters // 8):
            message = f"{name} holds {votes.shape[1]} columns of {votes.dtype}, but {packed_voters} voters are packed into "
            message += f"{-(-packed_voters // 8)} of uint8"
            raise BenchkitError(message, "leave out --packed-voters if the file holds 0 and 1")
        return Part(name, row_place, lambda: _packed(name, votes, packed_voters), _names(packed_voters), ensemble=ensemble)
    names = _names(votes.shape[1])
    head = np.asarray(votes[:HEAD])
    if regression or (votes.dtype.kind == "f" and not np.isin(head[np.isfinite(head)], (0, 1)).all()):
        return Part(name, row_place, lambda: _values(votes), names, "values", ensemble)
    if votes.dtype.kind == "f":
        return Part(name, row_place, lambda: _floats(name, votes), names, ensemble=ensemble)
    return Part(name, row_place, lambda: _votes(name, votes), names, ensemble=ensemble)


def _names(voters: int) -> tuple[str, ...]:
    return tuple(f"voter{number}" for number in range(1, voters + 1))


def _slices(votes: NDArray[Any], most: int) -> Iterator[tuple[NDArray[Any], NDArray[np.int64], pl.DataFrame]]:
    step = max(1, min(MOST_ROWS, most // votes.shape[1]))
    for start in range(0, len(votes), step):
        some = votes[start : start + step]
        yield some, np.arange(start, start + len(some)), pl.DataFrame(height=len(some))


def _votes(name: str, votes: NDArray[Any]) -> Iterator[Batch]:
    for some, rows, keys in _slices(votes, MOST_ROWS * votes.shape[1]):
        if some.dtype in (np.uint8, np.bool_, np.int8) and some.flags.c_contiguous:
            whole = some.view(np.uint8)
            taken = _counted(name, whole, some, rows)
        else:
            taken = _counted(name, some, some, rows)
            whole = np.ascontiguousarray(some.astype(np.uint8))
        yield Batch(keys, rows, votes=whole, taken=taken)


def _counted(name: str, votes: NDArray[Any], shown: NDArray[Any], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of ones in each row; BenchkitError for the first number but 0 and 1."""
    taken = np.empty(len(votes), np.int64)
    # 16-bit sums are several times as fast where they cannot overflow
    width = np.uint16 if votes.shape[1] < 1 << 16 else np.uint32
    sums = np.empty(CHECKED, width)
    signed = votes.dtype.kind == "i"
    for start in range(0, len(votes), CHECKED):
        some = votes[start : start + CHECKED]
        if np.maximum.reduce(some, axis=None) > 1 or (signed and some.min() < 0):
            row, column = map(int, np.argwhere((some != 0) & (some != 1))[0])
            cell = shown[start + row, column]
            if votes.dtype == np.uint8 and cell > 1:
                raise BenchkitError(
                    f"{name} {row_place(int(rows[start + row]))}, column {column + 1}: {cell} is not a vote",
                    "if the file holds packed bits, say how many voters with --packed-voters N",
                )
            raise no_vote(name, row_place(int(rows[start + row])), str(column + 1), cell)
        np.add.reduce(some, axis=1, dtype=width, out=sums[: len(some)])
        taken[start : start + CHECKED] = sums[: len(some)]
    return taken


def _floats(name: str, votes: NDArray[Any]) -> Iterator[Batch]:
    """Yield votes that are written as floats, NaN where missing."""
    for some, rows, keys in _slices(votes, MOST_VALUES):
        gaps = np.isnan(some)
        wrong = ~gaps & (some != 0) & (some != 1)
        if wrong.any():
            row, column = map(int, np.argwhere(wrong)[0])
            raise no_vote(name, row_place(int(rows[row])), str(column + 1), some[row, column])
        absent: Bytes | None = np.packbits(gaps, axis=1) if gaps.any() else None
        yield Batch(keys, rows, packed=np.packbits(some == 1, axis=1), absent=absent)


def _packed(name: str, votes: NDArray[Any], voters: int) -> Iterator[Batch]:
    spare = -voters % 8
    for some, rows, keys in _slices(votes, MOST_ROWS * votes.shape[1]):
        if spare and (some[:, -1] & ((1 << spare) - 1)).any():
            row = int(np.flatnonzero(some[:, -1] & ((1 << spare) - 1))[0])
            message = f"{name} {row_place(int(rows[row]))}: a bit beyond the last of {voters} voters is set"
            raise BenchkitError(message, "pack the votes on each item with numpy.packbits")
        yield Batch(keys, rows, packed=np.ascontiguousarray(some))


def _values(votes: NDArray[Any]) -> Iterator[Batch]:
    for some, rows, keys in _slices(votes, MOST_VALUES):
        yield Batch(keys, rows, values=np.asarray(some, dtype=np.float64))
