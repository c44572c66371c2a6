"""The record of one column: what it holds and how people see it."""

from dataclasses import dataclass
from typing import Literal

Type = Literal["text", "number", "count", "truth"]
Style = Literal["plain", "metric", "p_value", "share"]


@dataclass(frozen=True)
class Column:
    """What one column holds and how people see it."""

    name: str
    type: Type
    meaning: str
    unit: str = ""
    label: str = ""
    importance: int = 0
    until: str = ""
    style: Style = "plain"

    @property
    def heading(self) -> str:
        """The words above the column in a table for people."""
        return self.label or self.name.replace("_", " ")


def glossary(*columns: Column) -> dict[str, Column]:
    """Return the columns by name."""
    return {column.name: column for column in columns}
