"""A strict relation between algorithms: its cycles, its transitivity, and what can be read from it.

Everywhere `beats` is a K x K matrix of booleans: beats[i, j] says that i is better than j. It is asymmetric.
`known` says which pairs were compared; what is known and not beaten either way is tied.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchkit.methods.records import Integers

Truths = NDArray[np.bool_]


def reachable(beats: Truths) -> Truths:
    """Return the transitive closure: [i, j] is true if a chain of better algorithms leads from i to j (Warshall 1962)."""
    closure = beats.copy()
    for middle in range(len(beats)):
        closure |= closure[:, [middle]] & closure[[middle], :]
    return closure


def cycles(beats: Truths) -> list[list[int]]:
    """Return the groups of two or more algorithms each of which is, through a chain, better than itself."""
    closure = reachable(beats)
    mutual = closure & closure.T
    groups = {tuple(np.flatnonzero(mutual[i]).tolist()) for i in range(len(beats)) if mutual[i, i]}
    return [list(group) for group in sorted(groups)]


def without_cycles(beats: Truths) -> Truths:
    """Return the relation of the condensation: members of a cycle tie, and stand together against all others."""
    closed = beats.copy()
    for group in cycles(beats):
        inside = np.isin(np.arange(len(beats)), group)
        closed[np.outer(inside, inside)] = False
        above, below = closed[:, inside].any(axis=1), closed[inside].any(axis=0)
        closed |= np.outer(above, inside) | np.outer(inside, below)
    return closed


def in_degrees(beats: Truths) -> Integers:
    """Return for each algorithm the number of better ones: the sort key of the paper's topological sort. Shape (K,).

    Eugster & Leisch 2008, section 4 (package benchmark, tsort.R).
    """
    counts: Integers = without_cycles(beats).sum(axis=0).astype(np.int64)
    return counts


def ranks(degrees: Integers) -> Integers:
    """Return 1 + the number of algorithms with a smaller in-degree: the minimum rank within a tie. Shape (K,)."""
    return np.array([1 + int((degrees < degree).sum()) for degree in degrees], dtype=np.int64)


def rank_bounds(beats: Truths) -> tuple[Integers, Integers]:
    """Return 1 + the number of better algorithms and K - the number of worse ones. Shapes (K,).

    When all verdicts of the relation hold together with probability 0.95, so do these intervals for the true ranks
    (Al Mohamad, Goeman & van Zwet 2021). Members of a cycle share theirs, which then holds the whole cycle.
    """
    beats = without_cycles(beats)
    return 1 + beats.sum(axis=0).astype(np.int64), len(beats) - beats.sum(axis=1).astype(np.int64)


def tiers(beats: Truths) -> Integers:
    """Return 1 + the longest chain of better algorithms above each; members of a cycle share a tier. Shape (K,)."""
    acyclic = without_cycles(beats)
    level = np.ones(len(beats), dtype=np.int64)
    for _ in range(len(beats)):
        above = np.where(acyclic, level[:, None], 0).max(axis=0, initial=0)
        level = np.maximum(level, above + 1)
    return level


@dataclass(frozen=True)
class Fault:
    """Why a relation is no weak order: `kind` is cycle, unknown, strict or tie; `members` are the algorithms."""

    kind: str
    members: tuple[int, ...]


def faults(beats: Truths, known: Truths) -> list[Fault]:
    """Return what keeps the relation from being a strict weak order, worst first; empty if it is one.

    cycle: members beat one another in a ring. unknown (i, j): the pair was not compared. strict (i, j, k): i beats j
    and j beats k, yet i does not beat k. tie (i, j, k): i ties j and j ties k, yet i beats k. At most one fault of
    each kind but unknown is needed to say so; all are returned.
    """
    size = len(beats)
    found = [Fault("cycle", tuple(group)) for group in cycles(beats)]
    missing = ~known & ~np.eye(size, dtype=bool)
    found += [Fault("unknown", (i, j)) for i, j in np.argwhere(np.triu(missing)).tolist()]
    tied = known & ~beats & ~beats.T & ~np.eye(size, dtype=bool)
    for middle in range(size):
        chain = np.outer(beats[:, middle], beats[middle]) & ~beats & known & ~np.eye(size, dtype=bool)
        found += [Fault("strict", (i, middle, k)) for i, k in np.argwhere(chain).tolist()]
        pair = np.outer(tied[:, middle], tied[middle]) & beats
        found += [Fault("tie", (i, middle, k)) for i, k in np.argwhere(pair).tolist()]
    worth = ["cycle", "unknown", "strict", "tie"]
    return sorted(found, key=lambda fault: worth.index(fault.kind))
