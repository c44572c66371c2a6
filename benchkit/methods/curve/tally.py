"""Counting votes block by block: the sufficient statistics of any number of items in bounded memory."""

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.curve.records import VoteCounts
from benchkit.methods.records import Integers

Bytes = NDArray[np.uint8]
# rows whose unpacked votes are held, in the cache, and added at a time: as many ones fit into one byte
CHUNK = 255
# rows that are kept until their votes are added, and bytes: the more, the fewer additions to the large table of sums;
# between these numbers of rows they take as much memory as that table
LEAST_KEPT, MOST_KEPT, MOST_KEPT_BYTES = 1 << 14, 1 << 18, 1 << 27


class Tally:
    """The votes of M voters on the items added so far; `add` as many blocks as there are, then take `counts`."""

    def __init__(self, voters: int, with_sums: bool = True) -> None:
        """Begin with nothing. with_sums: also count for each voter, which the voters' covariance needs."""
        self._voters = voters
        self._padded = -(-voters // 8) * 8
        self._histogram = np.zeros((2, voters + 1), dtype=np.int64)
        self._sums = np.zeros((2, voters + 1, self._padded), dtype=np.uint32) if with_sums else None
        self._groups: Integers | None = None
        self._rows: Bytes = np.empty((0, 0), np.uint8)
        self._kept = 0

    def add(self, labels: NDArray[np.int8], votes: Bytes, packed: bool, taken: Integers | None = None) -> Integers:
        """Count a block: labels (n,) of 0 and 1, votes (n, M) of 0 and 1, or packed bits (n, bytes), big end first.

        taken: the number of votes of each item, shape (n,), if it is known. Returns it. Bits beyond the last voter must be 0.
        """
        if taken is None:
            taken = _bits(votes) if packed else _ones(votes)
        for c in range(2):
            self._histogram[c] += np.bincount(taken[labels == c], minlength=self._voters + 1)
        if self._sums is not None:
            self._keep(labels.astype(np.int64) * (self._voters + 1) + taken, votes, packed)
        return taken

    def add_counts(self, labels: NDArray[np.int8], taken: Integers) -> None:
        """Count items of which only the number of votes is known."""
        for c in range(2):
            self._histogram[c] += np.bincount(taken[labels == c], minlength=self._voters + 1)

    def _keep(self, groups: Integers, votes: Bytes, packed: bool) -> None:
        """Keep rows as packed bits until there are enough of them for `_add_sums`."""
        if self._groups is None:
            assert self._sums is not None
            width = self._padded // 8
            most = min(MOST_KEPT, max(LEAST_KEPT, min(MOST_KEPT_BYTES, self._sums.nbytes) // width))
            self._groups, self._rows = np.empty(most, np.int64), np.empty((most, width), np.uint8)
        start = 0
        while start < len(groups):
            some = slice(start, start + len(self._groups) - self._kept)
            taken = votes[some] if packed else _packed(votes[some])
            place = slice(self._kept, self._kept + len(taken))
            self._groups[place], self._rows[place] = groups[some], taken
            start, self._kept = start + len(taken), place.stop
            if self._kept == len(self._groups):
                self._add_sums()

    def _add_sums(self) -> None:
        """Add the votes of equal class and number of votes, eight voters in one addition: byte lanes of 64-bit words."""
        if self._sums is None or self._groups is None:
            return
        groups = self._groups[: self._kept]
        order = np.argsort(groups, kind="stable")
        flat = self._sums.reshape(-1, self._padded)
        total = np.empty(self._padded // 8, dtype=np.uint64)
        ones = total.view(np.uint8)
        for start in range(0, len(order), CHUNK):
            rows = order[start : start + CHUNK]
            lanes = np.unpackbits(self._rows[rows].ravel()).view(np.uint64).reshape(len(rows), -1)
            ids = groups[rows]
            first = np.flatnonzero(np.diff(ids, prepend=-1))
            for group, low, high in zip(ids[first].tolist(), first.tolist(), [*first[1:].tolist(), len(ids)], strict=True):
                np.add.reduce(lanes[low:high], axis=0, out=total)
                np.add(flat[group], ones, out=flat[group])
        self._kept = 0

    @property
    def counts(self) -> VoteCounts:
        """What was counted so far."""
        self._add_sums()
        self._groups, self._rows = None, np.empty((0, 0), np.uint8)
        sums = None if self._sums is None else self._sums[:, :, : self._voters]
        return VoteCounts(self._voters, self._histogram, sums)


def _packed(votes: Bytes) -> Bytes:
    """Return rows of 0 and 1 as packed bits, big end first; whole bytes in one go, which is faster than row by row."""
    if votes.shape[1] % 8:
        return np.packbits(votes, axis=1)
    return np.packbits(votes).reshape(len(votes), -1)


def _bits(packed: Bytes) -> Integers:
    """Return the number of ones in each row of packed bits."""
    if packed.shape[1] % 8 == 0 and packed.flags.c_contiguous:
        return np.asarray(np.bitwise_count(packed.view(np.uint64)).sum(axis=1, dtype=np.uint16), dtype=np.int64)
    return np.asarray(np.bitwise_count(packed).sum(axis=1, dtype=np.uint32), dtype=np.int64)


def _ones(votes: Bytes) -> Integers:
    """Return the number of ones in each row; 16-bit sums are several times as fast where they cannot overflow."""
    width = np.uint16 if votes.shape[1] < 1 << 16 else np.uint32
    return np.asarray(votes.sum(axis=1, dtype=width), dtype=np.int64)
