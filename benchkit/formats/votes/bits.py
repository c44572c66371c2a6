"""Bits of many columns become bits of rows: transposed 64 by 64 inside 64-bit words (Hacker's Delight, section 7-3)."""

import numpy as np
from numpy.typing import NDArray

WORD = 64
# swaps of ever smaller squares: how far apart, and which bits of a word stay
SWAPS = tuple(
    (distance, np.uint64(distance), np.uint64(mask))
    for distance, mask in (
        (32, 0x00000000FFFFFFFF),
        (16, 0x0000FFFF0000FFFF),
        (8, 0x00FF00FF00FF00FF),
        (4, 0x0F0F0F0F0F0F0F0F),
        (2, 0x3333333333333333),
        (1, 0x5555555555555555),
    )
)
# half a megabyte at a time stays in the cache
COLUMNS, BYTES = 512, 1024

Bytes = NDArray[np.uint8]


def padded(number: int, unit: int) -> int:
    """Return the next multiple of the unit."""
    return -(-number // unit) * unit


def position(column: int) -> int:
    """Return the row of `packed_rows`' argument for the bits of a column: within eight, the last comes first."""
    return column ^ 7


def packed_rows(columns: Bytes, rows: int, width: int) -> Bytes:
    """Return shape (rows, ceil(width / 8)), the bits of each row, first column in the highest bit.

    columns: shape (a multiple of 64, a multiple of 8), in each line the bits of one column, first row in the lowest bit,
    columns in the order of `position`, zeros beyond `width`.
    """
    count, length = columns.shape
    out = np.empty((length // 8, WORD, count // WORD), np.uint64)
    spare = np.empty(COLUMNS * BYTES // 16, np.uint64)
    for start in range(0, length, BYTES):
        for first in range(0, count, COLUMNS):
            part = columns[first : first + COLUMNS, start : start + BYTES].copy().view(np.uint64)
            part = part.reshape(-1, WORD, part.shape[1])
            _transpose(part, spare)
            words = slice(first // WORD, first // WORD + len(part))
            out[start // 8 : start // 8 + part.shape[2], :, words] = part.transpose(2, 1, 0)
    flat = out.view(np.uint8).reshape(length * 8, count // 8)
    return flat[:rows, : -(-width // 8)]


def _transpose(words: NDArray[np.uint64], spare: NDArray[np.uint64]) -> None:
    """Transpose the squares of 64 bits, words[group, 0..63, word], in place."""
    groups, _, length = words.shape
    for distance, shift, mask in SWAPS:
        halves = words.reshape(groups, WORD // (2 * distance), 2, distance, length)
        upper, lower = halves[:, :, 0], halves[:, :, 1]
        swap = spare[: upper.size].reshape(upper.shape)
        np.right_shift(upper, shift, out=swap)
        np.bitwise_xor(swap, lower, out=swap)
        np.bitwise_and(swap, mask, out=swap)
        np.bitwise_xor(lower, swap, out=lower)
        np.left_shift(swap, shift, out=swap)
        np.bitwise_xor(upper, swap, out=upper)
