"""Batches of inputs become blocks of ensembles: labels looked up, items with missing votes left out, keys checked."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchkit.formats.votes.batch import Batch, Bytes, Part
from benchkit.formats.votes.labels import LabelFile, Labels, targets
from benchkit.formats.votes.members import Voters, agree, chosen, ensembles, members, text_items
from benchkit.formats.votes.seen import Seen
from benchkit.tables.naming import natural_sort
from benchkit.tables.result import Note
from benchkit.tables.votes import VoteBlock


class Stream:
    """The blocks of all inputs, anew with every call; notes are complete when a stream has run through."""

    def __init__(
        self, parts: Sequence[Part], positive: str | None, regression: bool, labels: LabelFile | None, notes: Sequence[Note] = ()
    ) -> None:
        """Begin with the inputs; labels: a file of labels, else the inputs have a column of them; notes: the first ones."""
        self._parts, self._positive, self._regression, self._labels = parts, positive, regression, labels
        self._voters: Voters | None = None
        self._first = tuple(notes)
        self.notes: list[Note] = [*notes]

    def __call__(self) -> Iterator[VoteBlock]:
        """Yield the blocks; BenchkitError for keys that are not unique, labels that are unclear, cells that are no votes."""
        if self._voters is None:
            self._voters = members(self._parts)
        voters = dict(self._voters)
        names: dict[str, str] = {}
        labels = Labels(self._positive, None if self._labels is None else self._labels.name)
        seen = Seen()
        for part in self._parts:
            for batch in part.batches():
                seen.group(batch.keys, part.name)
                for ensemble, rows in ensembles(batch, part):
                    first = names.setdefault(ensemble, part.name)
                    if ensemble not in voters:
                        voters[ensemble] = tuple(natural_sort(part.voters))
                    agree(part, ensemble, voters[ensemble], first)
                    block = self._block(part, _some(batch, rows), ensemble, voters[ensemble], labels, seen)
                    if len(block.items):
                        yield block
        seen.finish(list(dict.fromkeys(part.name for part in self._parts)), self._again)
        labels.finish(self._parts[0].name)
        if self._labels is not None and self._labels.items is None:
            seen.exhausted(len(self._labels.labels), self._labels.name)
        self.notes[:] = [*self._first, *seen.notes()]

    def _again(self, ensemble: str) -> Iterator[tuple[pl.Series, str]]:
        """Yield the items of an ensemble once more, with the names of their inputs: only a fault asks for it."""
        for part in self._parts:
            for batch in part.batches():
                for name, rows in ensembles(batch, part):
                    if name == ensemble and "item" in batch.keys.columns:
                        yield _some(batch, rows).keys["item"], part.name

    def _block(self, part: Part, batch: Batch, ensemble: str, voters: tuple[str, ...], labels: Labels, seen: Seen) -> VoteBlock:
        start, count = seen.count(ensemble), len(batch.rows)
        items = self._items(part, batch, start)
        texts = self._texts(part, batch, items, start)

        def place(index: int) -> str:
            return part.place(int(batch.rows[index]))

        numbers = targets(texts, part.name, place) if self._regression else None
        classes = np.zeros(count, np.int8) if self._regression else labels.classes(texts, part.name, place)
        batch = _of_voters(batch, chosen(part, voters), len(voters))
        gaps = _gaps(batch, len(voters))
        seen.items(ensemble, items, gaps, named="item" in batch.keys.columns)
        block = VoteBlock(
            ensemble, len(voters), items, classes, batch.votes, batch.packed, batch.taken, batch.values, numbers, voters
        )
        return block if gaps is None or not gaps.any() else _kept(block, gaps == 0)

    def _items(self, part: Part, batch: Batch, start: int) -> pl.Series:
        """Return the items' names, else those of the file of labels, else their numbers from 1 within the ensemble."""
        if "item" in batch.keys.columns:
            return text_items(batch.keys["item"], part, batch.rows)
        if self._labels is not None and self._labels.items is not None:
            return self._labels.items.slice(start, len(batch.rows))
        return pl.int_range(start + 1, start + len(batch.rows) + 1, eager=True).cast(pl.String).alias("item")

    def _texts(self, part: Part, batch: Batch, items: pl.Series, start: int) -> pl.Series:
        if self._labels is None:
            return batch.keys["label"]
        if self._labels.items is not None and "item" in batch.keys.columns:
            return self._labels.by_name(items)
        return self._labels.by_order(start, len(batch.rows), part.name)


def _some(batch: Batch, rows: NDArray[np.int64] | None) -> Batch:
    """Return some rows of a batch; None for all of them."""
    if rows is None:
        return batch
    arrays = {name: getattr(batch, name) for name in ("packed", "votes", "taken", "values", "absent")}
    taken = {name: array if array is None else array[rows] for name, array in arrays.items()}
    return replace(batch, keys=batch.keys[rows], rows=batch.rows[rows], **taken)


def _of_voters(batch: Batch, columns: NDArray[np.int64] | None, width: int) -> Batch:
    """Return the batch with these voters only; None for all of them."""
    if columns is None:
        return batch
    if batch.values is not None:
        return replace(batch, values=batch.values[:, columns])
    if batch.votes is not None:
        return replace(batch, votes=batch.votes[:, columns], taken=None)
    if batch.packed is None:
        return batch
    return replace(
        batch,
        packed=_columns(batch.packed, columns, width),
        absent=None if batch.absent is None else _columns(batch.absent, columns, width),
    )


def _columns(packed: Bytes, columns: NDArray[np.int64], width: int) -> Bytes:
    if np.array_equal(columns, np.arange(width)):  # the first ones: cut off the others
        cut = packed[:, : -(-width // 8)].copy()
        cut[:, -1] &= 0xFF << (-width % 8) & 0xFF
        return cut
    return np.packbits(np.unpackbits(packed, axis=1)[:, columns], axis=1)


def _gaps(batch: Batch, voters: int) -> NDArray[np.int64] | None:
    """Return how many votes on each item are missing; None where none is."""
    if batch.values is not None:
        return np.asarray(np.isnan(batch.values).sum(axis=1), dtype=np.int64)
    if batch.taken is not None and batch.votes is None:
        return np.where(batch.taken < 0, voters, 0).astype(np.int64)
    if batch.absent is None:
        return None
    return np.asarray(np.bitwise_count(batch.absent).sum(axis=1, dtype=np.int64))


def _kept(block: VoteBlock, rows: NDArray[np.bool_]) -> VoteBlock:
    names = ("labels", "votes", "packed", "taken", "values", "targets")
    arrays = {name: getattr(block, name) for name in names}
    some: dict[str, Any] = {name: array if array is None else array[rows] for name, array in arrays.items()}
    return replace(block, items=block.items.filter(pl.Series(rows)), **some)
