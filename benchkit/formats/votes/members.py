"""Which voters each ensemble has, over all of its inputs."""

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchkit.errors import BenchkitError
from benchkit.formats.votes.batch import Batch, Part
from benchkit.tables.naming import natural_sort

Voters = dict[str, tuple[str, ...]]


def ensembles(batch: Batch, part: Part) -> Iterator[tuple[str, NDArray[np.int64] | None]]:
    """Yield the ensembles of a batch with the indices of their rows; None for all rows."""
    if "ensemble" not in batch.keys.columns:
        yield part.ensemble, None
        return
    column = batch.keys["ensemble"]
    if column.null_count():
        row = int(batch.rows[int(column.is_null().arg_true()[0])])
        raise BenchkitError(f"{part.name} {part.place(row)}, column ensemble: it is empty", "every row names its ensemble")
    names = column.unique(maintain_order=True).to_list()
    for name in names:
        full = f"{part.ensemble}/{name}" if part.given else name
        yield full, None if len(names) == 1 else (column == name).arg_true().to_numpy().astype(np.int64)


def members(parts: Sequence[Part]) -> Voters:
    """Return the voters of each ensemble in natural order, whatever the order of columns; empty for those without a choice.

    A voter without a single vote in an ensemble is none of its: tables of several ensembles have the columns of the largest.
    BenchkitError if two inputs of an ensemble have other voters.
    """
    found: dict[str, dict[str, None]] = {}
    for part in parts:
        for name, voters in _present(part):
            found.setdefault(name, {}).update(dict.fromkeys(voters))
    for name, present in found.items():
        if not present:
            raise BenchkitError(
                f"the ensemble {name} has no votes at all", "leave it out with --where, or look at how it was written"
            )
    return {name: tuple(natural_sort(present)) for name, present in found.items()}


def _present(part: Part) -> Iterator[tuple[str, Sequence[str]]]:
    if not part.uneven:
        return
    seen: dict[str, NDArray[np.bool_]] = {}
    for batch in part.batches():
        for name, rows in ensembles(batch, part):
            here = seen.setdefault(name, np.zeros(len(part.voters), np.bool_))
            if not here.all():
                here |= _voted(batch, rows, len(part.voters))
    for name, present in seen.items():
        yield name, [part.voters[index] for index in np.flatnonzero(present)]


def _voted(batch: Batch, rows: NDArray[np.int64] | None, size: int) -> NDArray[np.bool_]:
    """Say for each voter whether it has a vote in the rows."""
    chosen = slice(None) if rows is None else rows
    if batch.values is not None:
        return np.asarray(~np.isnan(batch.values[chosen]).all(axis=0), dtype=np.bool_)
    if batch.absent is None:
        return np.ones(size, np.bool_)
    always = np.bitwise_and.reduce(batch.absent[chosen], axis=0)
    return ~np.unpackbits(always, count=size).astype(np.bool_)


def chosen(part: Part, voters: Sequence[str]) -> NDArray[np.int64] | None:
    """Return where the voters stand among those of the input; None if they are all of them in order."""
    if tuple(voters) == part.voters:
        return None
    where = {name: index for index, name in enumerate(part.voters)}
    return np.array([where[name] for name in voters], dtype=np.int64)


def agree(part: Part, ensemble: str, voters: Sequence[str], first: str) -> None:
    """Raise BenchkitError if the input lacks voters of an ensemble, or has others; first: the input that had it first."""
    if tuple(voters) == part.voters:
        return
    here, wanted = set(part.voters), set(voters)
    lacking = [name for name in voters if name not in here]
    further = [] if part.uneven else [name for name in part.voters if name not in wanted]
    if lacking or further:
        which = f"{part.name} lacks {lacking[0]}" if lacking else f"{first} lacks {further[0]}"
        message = f"{first} and {part.name} have other voters, and both belong to the ensemble {ensemble}: {which}"
        raise BenchkitError(message, "give each ensemble a name of its own: NAME=FILE")


def text_items(items: pl.Series, part: Part, rows: NDArray[np.int64]) -> pl.Series:
    """Return the items; BenchkitError for a row without one."""
    if items.null_count():
        row = int(rows[int(items.is_null().arg_true()[0])])
        raise BenchkitError(f"{part.name} {part.place(row)}, column item: it is empty", "every row names its item")
    return items
