"""Names of algorithms in sentences and order strings."""

from collections.abc import Sequence

SPECIAL = (" ", "<", "\u2248", "~", '"')


def quoted(name: str) -> str:
    """Return the name, in double quotes if it holds a character that an order string uses; a quote is doubled."""
    special = not name or any(mark in name for mark in SPECIAL)
    return '"' + name.replace('"', '""') + '"' if special else name


def listed(items: Sequence[str], most: int = 4) -> str:
    """Return the items separated by commas; beyond `most`, the first of them and how many more there are."""
    if len(items) <= most + 1:
        return ", ".join(items)
    return ", ".join(items[:most]) + f" and {len(items) - most} more"


def counted(number: int, noun: str) -> str:
    """Return "1 pair" or "3 pairs"."""
    return f"{number} {plural(number, noun)}"


def plural(number: int, noun: str) -> str:
    """Return the noun as it stands behind the number."""
    return noun if number == 1 else f"{noun}s"
