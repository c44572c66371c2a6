"""Named things that load when first used, so that listing them stays cheap."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class Entry:
    """One method, format, figure ...: what it is, where its idea comes from and where its code lives.

    `target` is "package.module:attribute"; `needs` says in words what data it asks for; `options` are the
    command-line options (without dashes) that it knows. `assumes` says what it takes for granted; `instead` names entries of
    the same list that answer alike, each with the case for which it is the better one.
    """

    name: str
    summary: str
    source: str = ""
    target: str = ""
    needs: str = ""
    options: tuple[str, ...] = ()
    assumes: str = ""
    instead: tuple[tuple[str, str], ...] = ()

    def load(self) -> Any:
        """Import the target and return it."""
        module, _, attribute = self.target.partition(":")
        return getattr(import_module(module), attribute)
