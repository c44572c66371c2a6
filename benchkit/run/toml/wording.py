"""How what stands in an experiment file appears in messages of one line: quoted, short, without control characters."""

from collections.abc import Iterable
from difflib import get_close_matches

LONGEST = 40


def plain(text: str) -> str:
    """Return the text with anything unprintable escaped."""
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


def shown(value: object) -> str:
    """Return the value as a message names it: texts in single quotes and cut, lists and tables by their kind."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    cut = plain(text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")
    return f"'{cut}'" if isinstance(value, str) else cut


def listed(names: Iterable[str]) -> str:
    """Return the names as "a, b and c"."""
    every = [plain(name) for name in names]
    return " and ".join(filter(None, (", ".join(every[:-1]), *every[-1:])))


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return which of the names resembles `name` most, None if none does; case does not matter."""
    by_fold = {other.casefold(): other for other in names}
    close = get_close_matches(name.casefold(), by_fold, 1)
    return by_fold[close[0]] if close else None


def instead(name: str, names: Iterable[str], otherwise: str) -> str:
    """Return "did you mean ...?", or where nothing is near `otherwise`, a colon and all the names."""
    every = list(names)
    near = nearest(name, every)
    return f"did you mean {near}?" if near else f"{otherwise}: {', '.join(every)}"
