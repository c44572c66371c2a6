"""How lists, paths and options appear in the messages of readers."""

from collections.abc import Iterable

from benchkit.tables import wording
from benchkit.tables.wording import LONGEST, shown, terminal

MOST = 8


def shown_path(path: str) -> str:
    """Return a path in single quotes; of a long one the end, which tells more than its beginning."""
    cut = path if len(path) <= 2 * LONGEST else "…" + path[1 - 2 * LONGEST :]
    return f"'{terminal(cut)}'"


def listed(names: Iterable[str]) -> str:
    """Return the names parted by commas, at most eight of them."""
    every = [terminal(name) for name in names]
    more = f" and {len(every) - MOST} more" if len(every) > MOST else ""
    return ", ".join(every[:MOST]) + more


def option_value(text: str) -> str:
    """Return the text as one would type it after an option in a shell."""
    simple = text and all(letter.isalnum() or letter in "_-./:+@%=,*" for letter in text) and "*" not in text
    return text if simple else "'" + terminal(text).replace("'", "'\\''") + "'"


def nearest(name: str, names: Iterable[str]) -> str:
    """Return "did you mean ...?" with the name that resembles `name` most, "" if none does."""
    near = wording.nearest(name, names)
    return f"did you mean {shown(near)}?" if near else ""
