"""How what stands in an experiment file appears in messages of one line."""

from collections.abc import Iterable

from benchkit.tables.wording import cut, nearest, terminal


def shown(value: object) -> str:
    """Return the value as a message names it: texts in single quotes and cut, lists and tables by their kind."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"'{cut(value)}'" if isinstance(value, str) else cut(str(value))


def listed(names: Iterable[str]) -> str:
    """Return the names as "a, b and c"."""
    every = [terminal(name) for name in names]
    return " and ".join(filter(None, (", ".join(every[:-1]), *every[-1:])))


def instead(name: str, names: Iterable[str], otherwise: str) -> str:
    """Return "did you mean ...?", or where nothing is near `otherwise`, a colon and all the names."""
    every = list(names)
    near = nearest(name, every)
    return f"did you mean {near}?" if near else f"{otherwise}: {', '.join(every)}"
