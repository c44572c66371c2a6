"""The labels of items: which of them is the positive class, and labels from a file of their own."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchkit.errors import BenchkitError
from benchkit.formats.wording import listed, option_value
from benchkit.tables.naming import natural_sort
from benchkit.tables.wording import shown

ONES, ZEROS = ("1", "true", "1.0"), ("0", "false", "0.0")
YES = (*ONES, "+1", "yes", "y", "t", "+")


class Labels:
    """Turns labels into 1 (positive) and 0, and remembers which ones there were."""

    def __init__(self, positive: str | None, file: str | None = None) -> None:
        """Begin; positive: the label of the positive class, None for 1 or true; file: the labels' own, None if in a column."""
        self._positive, self._file = positive, file
        self._seen: set[str] = set()

    def classes(self, texts: pl.Series, name: str, place: Callable[[int], str]) -> NDArray[np.int8]:
        """Return 1 for the positive label, 0 for the other; BenchkitError for a missing one, or if it is unclear which is which.

        place(i) says where label i stands.
        """
        refuse_missing(texts, name, place)
        distinct = texts.unique().to_list()
        self._seen.update(distinct)
        if self._positive is None:
            if not all(text.lower() in ONES + ZEROS for text in distinct):
                raise self._unclear(name)
            ones = [text for text in distinct if text.lower() in ONES]
            return (texts == ones[0] if len(ones) == 1 else texts.is_in(ones)).to_numpy().astype(np.int8)
        if len(self._seen) > 2:
            raise self._several(name)
        return (texts == self._positive).to_numpy().astype(np.int8)

    def finish(self, name: str) -> None:
        """Raise BenchkitError if the positive label never occurred."""
        if self._positive is not None and self._positive not in self._seen:
            message = f"--positive: {shown(self._positive)} is no label of {name} (it has: {self._all})"
            raise BenchkitError(message, f"--positive {option_value(likely_positive(self._seen))}")

    @property
    def _all(self) -> str:
        return listed(natural_sort(self._seen))

    def _unclear(self, name: str) -> BenchkitError:
        if len(self._seen) > 2:
            return self._several(name)
        message = f"{name}, column label: it is not clear which is the positive class (labels: {self._all})"
        return BenchkitError(message, f"--positive {option_value(likely_positive(self._seen))}")

    def _several(self, name: str) -> BenchkitError:
        if self._file is not None:
            message = f"{self._file} has more than two classes (labels: {self._all})"
            return BenchkitError(message, f"leave the items of other classes out of it and of {name}")
        positive = self._positive if self._positive in self._seen else None
        two = sorted(natural_sort(self._seen), key=lambda label: label != positive)[:2]
        hint = f"keep two of them, such as --where {option_value('label=' + ','.join(natural_sort(two)))}"
        if self._positive is None:
            if not all(label.lower() in ONES + ZEROS for label in two):
                hint += f" --positive {option_value(likely_positive(two))}"
            hint += ", or use --regression if labels are numbers"
        return BenchkitError(f"{name}, column label: there are more than two classes (labels: {self._all})", hint)


def likely_positive(labels: Iterable[str]) -> str:
    """Return the label that as a rule names the positive class: 1, true, yes, positive; else the largest number, or last name."""
    ordered = natural_sort(labels)
    named = [label for label in ordered if label.lower() in YES or label.lower().startswith("pos")]
    if named:
        return named[0]
    numbers = pl.Series(ordered).str.strip_chars().cast(pl.Float64, strict=False).fill_nan(None)
    return ordered[-1] if numbers.null_count() else ordered[int(numbers.arg_max() or 0)]


def refuse_missing(texts: pl.Series, name: str, place: Callable[[int], str]) -> None:
    """Raise BenchkitError for an item without a label."""
    if texts.null_count():
        row = int(texts.is_null().arg_true()[0])
        raise BenchkitError(f"{name} {place(row)}, column label: it is empty", "every item needs its true label")


def targets(texts: pl.Series, name: str, place: Callable[[int], str]) -> NDArray[np.float64]:
    """Return the labels as numbers; BenchkitError for one that is missing or no number."""
    refuse_missing(texts, name, place)
    numbers = texts.cast(pl.Float64, strict=False)
    wrong = (numbers.is_null() | ~numbers.is_finite()).fill_null(True)
    if wrong.any():
        row = int(wrong.arg_max() or 0)
        raise BenchkitError(
            f"{name} {place(row)}, column label: {shown(str(texts[row]))} is not a number",
            "with --regression, labels are numbers",
        )
    return numbers.to_numpy()


@dataclass(frozen=True)
class LabelFile:
    """Labels of a file of their own: text, in the order of the items or, where `items` is there, by their names."""

    name: str
    labels: pl.Series
    items: pl.Series | None

    def by_name(self, items: pl.Series) -> pl.Series:
        """Return the labels of these items; BenchkitError for an item that the file lacks."""
        assert self.items is not None
        table = pl.DataFrame({"item": self.items, "label": self.labels})
        found = items.to_frame("item").join(table, on="item", how="left", maintain_order="left")["label"]
        if found.null_count():
            lost = str(items.filter(found.is_null())[0])
            raise BenchkitError(f"{self.name} has no label for the item {shown(lost)}", "give the label of every item")
        return found

    def by_order(self, start: int, count: int, name: str) -> pl.Series:
        """Return the labels of items start .. start + count - 1; BenchkitError if there are not so many."""
        if start + count > len(self.labels):
            message = f"{self.name} has {len(self.labels)} labels, but {name} has more rows"
            raise BenchkitError(message, "give one label for each row, in the same order")
        return self.labels.slice(start, count)
