"""Ensembles whose members weigh differently or say numbers: their blocks put together, since draws need all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchkit.core.names import counted
from benchkit.core.roc.voting import one_class
from benchkit.errors import BenchkitError
from benchkit.methods.curve.members import Members
from benchkit.methods.records import Floats
from benchkit.tables.naming import natural_sort
from benchkit.tables.votes import VoteBlock, VoteSource

# bytes that what the members of all ensembles say may take: 8 for each number, 1 for each vote
MOST_BYTES = 4_000_000_000


@dataclass(frozen=True)
class Gathered:
    """One ensemble; items in the order of their names, so that ensembles with the same items have them in one order.

    labels: (n,) of 0 and 1; targets: (n,), the numbers to be predicted, None unless it is a regression.
    """

    name: str
    members: Members
    items: pl.Series
    labels: NDArray[np.int8]
    targets: Floats | None = None


@dataclass
class _Growing:
    voters: int
    names: Sequence[str]
    said: list[NDArray[np.uint8] | Floats] = field(default_factory=list)
    items: list[pl.Series] = field(default_factory=list)
    labels: list[NDArray[np.int8]] = field(default_factory=list)
    targets: list[Floats] = field(default_factory=list)

    def whole(self, name: str, weights: Mapping[str, float] | None) -> Gathered:
        items = pl.concat(self.items)
        order = items.arg_sort().to_numpy()
        said = np.concatenate(self.said)[order]
        weighing = _weights(name, self.names, self.voters, weights)
        counting = weighing > 0
        members = Members(said if counting.all() else np.ascontiguousarray(said[:, counting]), weighing[counting])
        targets = np.concatenate(self.targets)[order] if self.targets else None
        return Gathered(name, members, items[order], np.concatenate(self.labels)[order], targets)


def gather(source: VoteSource) -> list[Gathered]:
    """Return the ensembles in natural order of their names. Voters that weigh nothing are left out.

    Raises BenchkitError for counts without the votes of each voter, missing or infinite numbers, a voter without a weight, a
    class without items (unless it is a regression), and more than MOST_BYTES.
    """
    growing: dict[str, _Growing] = {}
    total = 0
    for block in source.blocks():
        one = growing.setdefault(block.ensemble, _Growing(block.voters, block.names))
        if block.voters != one.voters:
            message = f"ensemble '{block.ensemble}' has {one.voters} voters in one place and {block.voters} in another"
            raise BenchkitError(message, "name ensembles of different size differently")
        said = _said(block)
        total += said.nbytes
        if total > MOST_BYTES:
            message = f"what the members say takes more than {MOST_BYTES / 1e9:.0f} GB, and draws need all of it"
            raise BenchkitError(message, "take fewer items, members or ensembles at a time (--where)")
        one.said.append(said)
        one.items.append(block.items)
        one.labels.append(block.labels)
        if block.targets is not None:
            one.targets.append(block.targets)
    if not growing:
        raise BenchkitError("there are no votes", "check the file and --where")
    found = [growing[name].whole(name, source.weights) for name in natural_sort(growing)]
    for ensemble in found:
        _check_classes(ensemble, source)
    return found


def _said(block: VoteBlock) -> NDArray[np.uint8] | Floats:
    """Return what the members say, shape (n, M)."""
    if block.values is not None:
        bad = np.argwhere(~np.isfinite(block.values))
        if len(bad):
            row, voter = bad[0].tolist()
            who = block.names[voter] if block.names else str(voter + 1)
            message = f"voter '{who}' of ensemble '{block.ensemble}' says no number of item '{block.items[row]}'"
            raise BenchkitError(message, "every member has to say a number of every item")
        return block.values
    if block.packed is not None:
        return np.unpackbits(block.packed, axis=1, count=block.voters)
    if block.votes is None:
        message = f"of ensemble '{block.ensemble}' only the number of votes is known, not who voted: nothing can be weighted"
        raise BenchkitError(message, "weights need a column for each voter")
    return block.votes


def _weights(name: str, voters: Sequence[str], count: int, weights: Mapping[str, float] | None) -> Floats:
    """Return the weights of an ensemble's voters in the order of their columns, all 1 without weights."""
    if weights is None:
        return np.ones(count)
    if not voters:
        if len(weights) != count:
            message = f"there are {counted(len(weights), 'weight')}, and ensemble '{name}' has {counted(count, 'voter')}"
            raise BenchkitError(message, "voters without names are weighted in the order of the file of weights")
        return np.array(list(weights.values()), dtype=np.float64)
    without = [voter for voter in voters if voter not in weights]
    if without:
        raise BenchkitError(f"voter '{without[0]}' of ensemble '{name}' has no weight", "the file of weights names each voter")
    found = np.array([weights[voter] for voter in voters], dtype=np.float64)
    if not (np.isfinite(found) & (found >= 0)).all() or not found.any():
        raise BenchkitError(f"the weights of ensemble '{name}' are not all 0 or more, with one above 0", "see --weights")
    return found


def _check_classes(ensemble: Gathered, source: VoteSource) -> None:
    if ensemble.targets is None:
        for c, word in enumerate(("negative", "positive")):
            if not (ensemble.labels == c).any():
                raise one_class(ensemble.name, word, source)
