"""Ensembles as `roc` analyses them: votes counted as they stream by, or plain scores."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchkit.errors import BenchkitError
from benchkit.methods.curve.records import VoteCounts
from benchkit.methods.curve.scores import ranked
from benchkit.methods.curve.tally import Tally
from benchkit.methods.records import Floats, Integers
from benchkit.tables.naming import natural_sort
from benchkit.tables.votes import VoteBlock, VoteSource

# bytes that the votes of each voter by number of votes may take
MOST_BYTES = 4_000_000_000
# codes of notes about items that were left out when they were read
LEFT_OUT = ("missing-votes", "missing-scores")


@dataclass(frozen=True)
class Ensemble:
    """One ensemble, or one classifier that gives scores.

    items, labels, taken: the items' names, labels (0, 1) and numbers of votes, or ranks of scores, in one order; shape (n,).
    scores: the distinct scores, which are the thresholds, None for votes. members: how many have a weight or say a number, of
    which scores are means; None where they vote, or there are none.
    """

    name: str
    counts: VoteCounts
    items: pl.Series
    labels: NDArray[np.int8]
    taken: Integers
    scores: Floats | None = None
    members: int | None = None

    @property
    def has_voters(self) -> bool:
        """Whether it is known how each voter voted, and there are several: what the voters' covariance needs."""
        return self.counts.sums is not None and self.counts.voters > 1


def collect(source: VoteSource, with_sums: bool) -> list[Ensemble]:
    """Return the ensembles in natural order of their names; the votes are read once, a block at a time.

    with_sums: also count the votes of each voter. Raises BenchkitError if a class has no item or ensembles differ in voters
    within themselves.
    """
    found = _of_scores(source.scores) if source.scores is not None else _of_votes(source, with_sums)
    for one in found:
        for c, word in enumerate(("negative", "positive")):
            if not one.counts.items[c]:
                raise one_class(one.name, word, source)
    return found


def one_class(name: str, word: str, source: VoteSource) -> BenchkitError:
    """Return the error for an ensemble without an item of a class; word: negative or positive. The votes have been read."""
    kind = "ensemble" if source.scores is None else "classifier"
    message = f"no item of {kind} '{name}' is {word}: there is no curve of one class"
    left_out = [note.message for note in source.notes if note.code in LEFT_OUT]
    if left_out:
        return BenchkitError(f"{message} ({'; '.join(left_out)})", "give what is missing, or leave out voters that did not vote")
    return BenchkitError(message, "check the labels, and --positive LABEL, which names the positive class")


@dataclass
class _Growing:
    """What was read so far of one ensemble."""

    tally: Tally
    voters: int
    items: list[pl.Series] = field(default_factory=list)
    labels: list[NDArray[np.int8]] = field(default_factory=list)
    taken: list[Integers] = field(default_factory=list)
    counted_only: bool = False

    def add(self, block: VoteBlock) -> None:
        if block.packed is not None:
            taken = self.tally.add(block.labels, block.packed, packed=True)
        elif block.votes is not None:
            taken = self.tally.add(block.labels, block.votes, packed=False, taken=block.taken)
        else:
            assert block.taken is not None
            self.counted_only = True
            taken = block.taken
            self.tally.add_counts(block.labels, taken)
        self.items.append(block.items)
        self.labels.append(block.labels)
        self.taken.append(taken)

    def whole(self, name: str) -> Ensemble:
        counts = self.tally.counts
        if self.counted_only:
            counts = VoteCounts(counts.voters, counts.histogram)
        return Ensemble(name, counts, pl.concat(self.items), np.concatenate(self.labels), np.concatenate(self.taken))


def _of_votes(source: VoteSource, with_sums: bool) -> list[Ensemble]:
    growing: dict[str, _Growing] = {}
    for block in source.blocks():
        if block.ensemble not in growing:
            growing[block.ensemble] = _Growing(_tally(block, with_sums), block.voters)
        one = growing[block.ensemble]
        if block.voters != one.voters:
            message = f"ensemble '{block.ensemble}' has {one.voters} voters in one place and {block.voters} in another"
            raise BenchkitError(message, "name ensembles of different size differently")
        one.add(block)
    if not growing:
        raise BenchkitError("there are no votes", "check the file and --where")
    return [growing[name].whole(name) for name in natural_sort(growing)]


def _tally(block: VoteBlock, with_sums: bool) -> Tally:
    needed = 8 * block.voters * (block.voters + 1)
    with_sums = with_sums and (block.packed is not None or block.votes is not None)
    if with_sums and needed > MOST_BYTES:
        raise BenchkitError(
            f"{block.voters} voters are too many to count each by itself ({needed / 1e9:.0f} GB)",
            "--vary items --target deployed needs the number of votes only",
        )
    return Tally(block.voters, with_sums)


def _of_scores(frame: pl.LazyFrame) -> list[Ensemble]:
    table = frame.select("item", "algorithm", "label", "score").drop_nulls().collect()
    parts = table.partition_by("algorithm", as_dict=True)
    return [_scored(name, parts[name,]) for name in natural_sort(table["algorithm"].unique().to_list())]


def _scored(name: str, part: pl.DataFrame) -> Ensemble:
    labels = part["label"].to_numpy().astype(np.int8)
    counts, rank, distinct = ranked(part["score"].to_numpy().astype(np.float64), labels)
    return Ensemble(name, counts, part["item"].cast(pl.String), labels, rank, distinct)


def same_items(a: Ensemble, b: Ensemble) -> tuple[Integers, Integers] | None:
    """Return the rows of a and of b that are the same items, in one order; None unless both have the same items.

    Raises BenchkitError for an item with two labels.
    """
    if len(a.items) != len(b.items):
        return None
    rows = []
    for one in (a, b):
        table = pl.DataFrame({"item": one.items, "row": np.arange(len(one.items))})
        rows.append(table.sort("item"))
    if not rows[0]["item"].equals(rows[1]["item"]):
        return None
    first, second = (table["row"].to_numpy() for table in rows)
    torn = np.flatnonzero(a.labels[first] != b.labels[second])
    if torn.size:
        item = rows[0]["item"][int(torn[0])]
        raise BenchkitError(f"item '{item}' has one label with '{a.name}' and another with '{b.name}'", "is the item the same?")
    return first, second


def shared_items(ensembles: Sequence[Ensemble]) -> int:
    """Return how many items the two ensembles share."""
    a, b = ensembles
    return int(a.items.is_in(b.items.implode()).sum())
