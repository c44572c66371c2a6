"""What a stream of votes has passed: its keys must be unique, and what is missing is counted."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchkit.errors import BenchkitError
from benchkit.formats.wording import listed, option_value
from benchkit.tables.naming import natural_sort
from benchkit.tables.result import Note
from benchkit.tables.wording import shown


class Seen:
    """The keys and the missing votes so far; 8 bytes for each item."""

    def __init__(self) -> None:
        self._groups: dict[str, set[str]] = {"dataset": set(), "replicate": set()}
        self._counts: dict[str, int] = {}
        self._hashes: dict[str, list[NDArray[np.uint64]]] = {}
        self._lost: dict[str, tuple[int, int]] = {}

    def group(self, keys: pl.DataFrame, name: str) -> None:
        """Raise BenchkitError if there are several data sets or replicates by now; name: the input."""
        for column, values in self._groups.items():
            if column in keys.columns:
                values.update(value for value in keys[column].unique().to_list() if value is not None)
            if len(values) > 1:
                ordered = natural_sort(values)
                what = {"dataset": "data sets", "replicate": "replicates"}[column]
                raise BenchkitError(
                    f"{name} holds several {what} ({listed(ordered)}), and one curve is about one of them",
                    f"choose one, such as --where {option_value(f'{column}={ordered[0]}')}",
                )

    def count(self, ensemble: str) -> int:
        """Return how many items of the ensemble have passed."""
        return self._counts.get(ensemble, 0)

    def items(self, ensemble: str, items: pl.Series, gaps: NDArray[np.int64] | None, named: bool) -> None:
        """Add items with the numbers of their missing votes; named: the items have names, which must be unique."""
        self._counts[ensemble] = self.count(ensemble) + len(items)
        if named:
            self._hashes.setdefault(ensemble, []).append(items.hash().to_numpy())
        if gaps is not None:
            lost, votes = self._lost.get(ensemble, (0, 0))
            self._lost[ensemble] = lost + int((gaps > 0).sum()), votes + int(gaps.sum())

    def finish(self, names: Sequence[str], again: Callable[[str], Iterator[tuple[pl.Series, str]]]) -> None:
        """Raise BenchkitError for an item that came twice, or an ensemble without items.

        names: of the inputs; again: yields the items of an ensemble once more.
        """
        if not self._counts:
            have = "has no rows" if len(names) == 1 else "have no rows"
            raise BenchkitError(f"{listed(names)} {have}", "the command that wrote it may have failed")
        for ensemble, hashes in self._hashes.items():
            every = np.sort(np.concatenate(hashes))
            twice = np.unique(every[1:][every[1:] == every[:-1]])
            if len(twice):
                _refuse_twice(ensemble, pl.Series(twice), again)
        for ensemble, (lost, votes) in self._lost.items():
            if lost == self._counts[ensemble]:
                raise BenchkitError(
                    f"every item of the ensemble {ensemble} has missing votes ({votes} in all)",
                    "leave out the voters that did not vote, such as with --voters PATTERN",
                )

    def exhausted(self, labels: int, name: str) -> None:
        """Raise BenchkitError if a file of labels has more labels than an ensemble has rows."""
        for ensemble, count in self._counts.items():
            if count != labels:
                message = f"{name} has {labels} labels, but the ensemble {ensemble} has {count} rows"
                raise BenchkitError(message, "give one label for each row, in the same order")

    def notes(self) -> list[Note]:
        """Return what is to be said of missing votes: one note for all ensembles that have some."""
        some = natural_sort(name for name, (lost, _) in self._lost.items() if lost)
        if not some:
            return []
        lost, votes = (sum(self._lost[name][i] for name in some) for i in range(2))
        items = sum(self._counts[name] for name in some)
        who = some[0] if len(some) == 1 else f"{len(some)} of {len(self._counts)} ensembles ({listed(some)})"
        text = f"{who}: {lost} of {items} items have missing votes ({votes} in all) and are left out"
        return [Note("missing-votes", text, "warning")]


def _refuse_twice(ensemble: str, hashes: pl.Series, again: Callable[[str], Iterator[tuple[pl.Series, str]]]) -> None:
    suspects = [(items.filter(items.hash().is_in(hashes.implode())), name) for items, name in again(ensemble)]
    names = pl.concat([items for items, _ in suspects])
    twice = names.filter(names.is_duplicated())
    if len(twice):
        item = str(twice[0])
        files = dict.fromkeys(name for items, name in suspects if item in items)
        raise BenchkitError(
            f"the ensemble {ensemble} has the item {shown(item)} {(names == item).sum()} times (in {listed(files)})",
            "each item of an ensemble has one row; name several ensembles apart with NAME=FILE or a column 'ensemble'",
        )
