"""Compact letters: two algorithms share a letter exactly if they are not separated (Piepho 2004)."""

from string import ascii_lowercase, ascii_uppercase

import numpy as np

from benchkit.methods.order.relation import Truths


def compact_letters(tied: Truths) -> list[str]:
    """Return one string of letters for each algorithm, in the order of the matrix (best first).

    tied: symmetric K x K booleans; the diagonal does not matter. Each letter stands for a largest possible set of
    algorithms that all tie; together the sets cover every tie. When ties come from one constant threshold these are
    all such sets, and each is a run of neighbours in the order of the means. At most one letter is made for each tie.
    """
    size = len(tied)
    letters = [""] * size
    for position, group in enumerate(_groups(tied)):
        for member in group:
            letters[member] += letter(position)
    return letters


def letter(position: int) -> str:
    """Return a ... z, A ... Z, then [53], [54] ..."""
    alphabet = ascii_lowercase + ascii_uppercase
    return alphabet[position] if position < len(alphabet) else f"[{position + 1}]"


def _groups(tied: Truths) -> list[tuple[int, ...]]:
    """Cover all ties by maximal sets of mutually tied algorithms, ordered by their members."""
    size = len(tied)
    linked = tied | np.eye(size, dtype=bool)
    covered = np.zeros((size, size), dtype=bool)
    groups: set[tuple[int, ...]] = set()
    for first in range(size):
        # the farthest partner first: it leaves the fewest sets to be found
        for second in range(size - 1, first - 1, -1):
            if not linked[first, second] or covered[first, second]:
                continue
            members = _extended([first, second], linked, covered)
            groups.add(tuple(sorted(members)))
            covered[np.ix_(members, members)] = True
    return sorted(groups)


def _extended(members: list[int], linked: Truths, covered: Truths) -> list[int]:
    """Add algorithms that tie with all members until none is left, first those with the most ties not covered yet."""
    members = sorted(set(members))
    candidates: Truths = np.array(linked[members].all(axis=0))
    candidates[members] = False
    while candidates.any():
        gain = np.where(candidates, (~covered[members]).sum(axis=0), -1)
        chosen = int(np.argmax(gain))
        members.append(chosen)
        candidates &= linked[chosen]
        candidates[chosen] = False
    return members
