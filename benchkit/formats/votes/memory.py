"""The memory of polars' columns through the Arrow C stream interface, without an object for each cell.

Source: https://arrow.apache.org/docs/format/CStreamInterface.html and CDataInterface.html. What is read is copied before
the stream is asked for more, so nothing outlives it.
"""

import ctypes
import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchkit.formats.votes import bits

Bytes = NDArray[np.uint8]


class _Array(ctypes.Structure):
    """ArrowArray."""

    _fields_: ClassVar = [
        *((name, ctypes.c_int64) for name in ("length", "null_count", "offset", "n_buffers", "n_children")),
        *((name, ctypes.c_void_p) for name in ("buffers", "children", "dictionary", "release", "private_data")),
    ]


class _Stream(ctypes.Structure):
    """ArrowArrayStream."""

    _fields_: ClassVar = [(name, ctypes.c_void_p) for name in ("get_schema", "get_next", "get_last_error", "release", "data")]


_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
_NEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def _arrays(frame: pl.DataFrame) -> Iterator[_Array]:
    """Yield the chunks of the frame, one array of all columns each; each is valid until the next is asked for."""
    capsule = frame.__arrow_c_stream__()
    address = _pointer(capsule, b"arrow_array_stream")
    get_next = _NEXT(_Stream.from_address(address).get_next)
    while True:
        array = _Array()
        if get_next(address, ctypes.addressof(array)):
            raise MemoryError("polars could not hand out its columns")
        if not array.release:
            return
        try:
            yield array
        finally:
            _RELEASE(array.release)(ctypes.addressof(array))


def boolean_rows(frame: pl.DataFrame) -> tuple[Bytes, Bytes | None]:
    """Return the rows of boolean columns as packed bits, shape (rows, bytes), and where cells are null; None if none is."""
    parts = [_rows_of(array, frame.width) for array in _arrays(frame)]
    packed = parts[0][0] if len(parts) == 1 else np.concatenate([part for part, _ in parts])
    if all(gaps is None for _, gaps in parts):
        return packed, None
    return packed, np.concatenate([np.zeros_like(part) if gaps is None else gaps for part, gaps in parts])


def _rows_of(array: _Array, width: int) -> tuple[Bytes, Bytes | None]:
    rows, shape = array.length, (bits.padded(width, bits.WORD), bits.padded(array.length, bits.WORD) // 8)
    values, null = np.zeros(shape, np.uint8), None
    children = (ctypes.c_void_p * width).from_address(array.children or 0)
    for index, address in enumerate(children):
        child = _Array.from_address(address or 0)
        validity, content = (ctypes.c_void_p * 2).from_address(child.buffers)
        line, offset = bits.position(index), child.offset + array.offset
        _copy_bits(values, line, content or 0, offset, rows)
        if validity and child.null_count:
            null = np.zeros(shape, np.uint8) if null is None else null
            _copy_bits(null, line, validity, offset, rows)
            np.bitwise_not(null[line], out=null[line])
    if null is None:
        return bits.packed_rows(values, rows, width), None
    return bits.packed_rows(values & ~null, rows, width), bits.packed_rows(null, rows, width)


def _copy_bits(matrix: Bytes, line: int, address: int, offset: int, count: int) -> None:
    """Copy `count` bits, the first in the lowest bit, from a bit offset in memory to the beginning of a line of the matrix."""
    length = -(-count // 8)
    if offset % 8 == 0:
        ctypes.memmove(matrix.ctypes.data + line * matrix.strides[0], address + offset // 8, length)
        return
    held = np.frombuffer(ctypes.string_at(address + offset // 8, -(-(offset % 8 + count) // 8)), np.uint8)
    part = np.unpackbits(held, bitorder="little")[offset % 8 : offset % 8 + count]
    matrix[line, :length] = np.packbits(part, bitorder="little")


def binary_rows(column: pl.Series, width: int) -> Bytes:
    """Return the cells of a binary column, each `width` bytes long and none null, as shape (rows, width)."""
    if width <= 12 or sys.byteorder != "little":  # short cells lie within their views
        return np.frombuffer(b"".join(column.to_list()), np.uint8).reshape(len(column), width)
    return np.concatenate([_viewed(array, width) for array in _arrays(column.to_frame())])


def _viewed(array: _Array, width: int) -> Bytes:
    """Gather cells from the buffers to which an array of binary views points."""
    child = _Array.from_address((ctypes.c_void_p * 1).from_address(array.children)[0] or 0)
    buffers = (ctypes.c_void_p * child.n_buffers).from_address(child.buffers)
    start = child.offset + array.offset
    views = np.frombuffer((ctypes.c_uint8 * (16 * array.length)).from_address(buffers[1] + 16 * start), np.int32)
    views = views.reshape(-1, 4)
    out = np.empty((array.length, width), np.uint8)
    # cells that follow each other evenly in one buffer, as those of a page of a file do, are copied in one go
    steps = np.diff(views[:, 3].astype(np.int64))
    broken = (np.diff(views[:, 2]) != 0) | (np.append(steps[1:], steps[-1:]) != steps) | (steps < 0)
    edges = [0, *(np.flatnonzero(broken) + 1).tolist(), array.length]
    for low, high in pairwise(edges):
        step = int(steps[low]) if high - low > 1 else width
        place = buffers[2 + int(views[low, 2])] + int(views[low, 3])
        length = step * (high - low - 1) + width
        held = np.frombuffer((ctypes.c_uint8 * length).from_address(place), np.uint8)
        out[low:high] = np.lib.stride_tricks.as_strided(held, (high - low, width), (step, 1))
    return out
