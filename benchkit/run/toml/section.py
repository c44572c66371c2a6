"""One table of an experiment file, read once: it hands out its keys by type and refuses those that nobody asked for."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from benchkit.errors import BenchkitError
from benchkit.run.toml.wording import instead, listed, shown
from benchkit.tables.wording import terminal

Choice = TypeVar("Choice", bound=str)

# the range of TOML's whole numbers
LARGEST = 2**63 - 1


class Section:
    """A table with its place in the file, such as "experiment.toml, [[algorithm]] 2 (knn)".

    Every getter gives None for an absent key and raises BenchkitError, with the place, for a value of another kind. Ask
    for all keys, then call `finish`: so no key has to be declared a second time, and a misspelt key is named as such
    before something is called missing.
    """

    def __init__(self, where: str, table: Mapping[str, Any], prefix: str = "") -> None:
        """Take the table; prefix is what stands before its keys in messages, as "tune." for an inner table."""
        self.where = where
        self._table = table
        self._prefix = prefix
        self._asked: list[str] = []

    def fault(self, key: str, problem: str, hint: str) -> BenchkitError:
        """Return the error for a key, or with "" for the table as a whole."""
        path = (self._prefix + terminal(key)).rstrip(".")
        return BenchkitError(f"{self.where}{', key ' if path else ''}{path}: {problem}", hint)

    def finish(self) -> None:
        """Refuse the first key that nobody asked for, with the nearest that is known."""
        for key in self._table:
            if key not in self._asked:
                known = [self._prefix + name for name in self._asked]
                message = f"{self.where}: unknown key {shown(self._prefix + key)}"
                raise BenchkitError(message, instead(self._prefix + key, known, "known keys"))

    def names(self) -> tuple[str, ...]:
        """Return the keys that are there: for tables whose keys are free."""
        return tuple(self._table)

    def value(self, key: str) -> Any:
        """Return what stands there, of whatever kind."""
        self._asked.append(key)
        return self._table.get(key)

    def text(self, key: str) -> str | None:
        """Return a text that is not empty."""
        found = self.value(key)
        return None if found is None else self._text(key, found, "")

    def texts(self, key: str, alone: bool = False) -> tuple[str, ...] | None:
        """Return a list of different texts, at least one; alone: a single text will do for a list."""
        found = self.value(key)
        if found is None:
            return None
        if alone and isinstance(found, str):
            found = [found]
        if not isinstance(found, list):
            raise self._no_list(key, found)
        if not found:
            raise self.fault(key, "the list is empty", "write at least one text, or leave the key out")
        texts = tuple(self._text(key, text, f"entry {number}: ") for number, text in enumerate(found, start=1))
        twice = next((text for text in texts if texts.count(text) > 1), None)
        if twice is not None:
            raise self.fault(key, f"{shown(twice)} stands there twice", "name each once")
        return texts

    def _text(self, key: str, found: object, entry: str) -> str:
        if not isinstance(found, str):
            scalar = isinstance(found, int | float) and not isinstance(found, bool)
            raise self.fault(key, f"{entry}{shown(found)} is no text", f'write "{found}"' if scalar else 'write a text: "..."')
        if not found:
            raise self.fault(key, f"{entry}the text is empty", "write what it should name, or leave it out")
        if "\0" in found:
            raise self.fault(key, f"{entry}{shown(found)} holds a NUL character", "remove it")
        return found

    def flag(self, key: str) -> bool | None:
        """Return true or false."""
        found = self.value(key)
        if found is not None and not isinstance(found, bool):
            raise self.fault(key, f"{shown(found)} is neither true nor false", "write true or false, without quotes")
        return found

    def whole(self, key: str, low: int, high: int = LARGEST) -> int | None:
        """Return a whole number from `low` to `high`; true and false are none."""
        found = self.value(key)
        if found is None:
            return None
        if not isinstance(found, int) or isinstance(found, bool):
            raise self.fault(key, f"{shown(found)} is no whole number", f"write a whole number of {low} or more, without quotes")
        if not low <= found <= high:
            problem = f"less than {low}" if found < low else "too large"
            raise self.fault(key, f"{shown(found)} is {problem}", f"write a whole number of {low} or more")
        return found

    def choice(self, key: str, allowed: Sequence[Choice]) -> Choice | None:
        """Return one of the texts that are allowed."""
        found = self.text(key)
        if found is None:
            return None
        for each in allowed:
            if found == each:
                return each
        raise self.fault(key, f"there is no {shown(found)}", instead(found, allowed, "choose one of"))

    def inner(self, key: str) -> "Section | None":
        """Return an inner table, whose keys are named with that of the outer one before them."""
        found = self.value(key)
        if found is None:
            return None
        if not isinstance(found, dict):
            raise self.fault(key, f"{shown(found)} is no table", f"write a table: {key} = {{...}}")
        return Section(self.where, found, f"{self._prefix}{key}.")

    def free(self, key: str) -> dict[str, Any]:
        """Return a table whose keys and values are not ours, {} if it is absent."""
        part = self.inner(key)
        if part is None:
            return {}
        return {name: part.storable(name) for name in part.names()}

    def storable(self, key: str) -> Any:
        """Return a value made of texts, numbers, truth values, lists and tables.

        Dates and times are refused, and nan as well: it differs from itself, so whether a file has changed could not be told.
        """
        found = self.value(key)
        self._check_storable(key, found)
        return found

    def _check_storable(self, key: str, found: object) -> None:
        if isinstance(found, dict | list):
            for part in found.values() if isinstance(found, dict) else found:
                self._check_storable(key, part)
        elif not isinstance(found, str | int | float):
            raise self.fault(key, f"{shown(found)} is a date or time", f'write it as a text: "{found}"')
        elif found != found:
            raise self.fault(key, "nan is no number", "leave it out, or write a number")

    def entries(self, key: str) -> list[Any]:
        """Return a list of at least one entry of whatever kind; [] if it is absent."""
        found = self.value(key)
        if found is None:
            return []
        if not isinstance(found, list):
            raise self._no_list(key, found)
        if not found:
            raise self.fault(key, "the list is empty", "write at least one entry, or leave the key out")
        return found

    def _no_list(self, key: str, found: object) -> BenchkitError:
        sample = f'"{terminal(found)}"' if isinstance(found, str) else "..."
        return self.fault(key, f"{shown(found)} is no list", f"write a list: {key} = [{sample}]")


def known_only(section: Section, given: Mapping[str, object], allowed: Sequence[str], what: str) -> None:
    """Refuse the first of the given keys that `what`, such as a way of resampling, does not know."""
    for key, value in given.items():
        if value is not None and key not in allowed:
            hint = f"{what} takes {listed(allowed)}" if allowed else f"{what} takes no options"
            raise section.fault(key, f"{what} does not know it", hint)
