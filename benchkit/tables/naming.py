"""The order of names: digits count as numbers, so that fold2 comes before fold10."""

import re
from collections.abc import Iterable

Key = tuple[tuple[int, int, str], ...]

# Python refuses to read longer numbers
LONGEST = 4000

_PARTS = re.compile(r"(\d+)")


def natural_key(name: str) -> tuple[Key, str]:
    """Return a sort key that compares runs of digits as numbers, then the text itself (001 after 1)."""
    parts = _PARTS.split(name)
    key = tuple(_part(part) for part in parts if part)
    return key, name


def _part(part: str) -> tuple[int, int, str]:
    """Return the key of a run of digits or of other characters."""
    return (0, int(part), "") if part.isdecimal() and len(part) < LONGEST else (1, 0, part.casefold())


def natural_sort(names: Iterable[str]) -> list[str]:
    """Return the names in natural order."""
    listed = list(names)
    if all(map(str.isdecimal, listed)) and max(map(len, listed), default=0) < LONGEST:
        # the usual names of replicates; as numbers they sort ten times as fast
        return sorted(sorted(listed), key=int)
    return sorted(listed, key=natural_key)
