"""What a command returns: named tables, notes and provenance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import polars as pl

from benchkit.tables import shapes

Severity = Literal["info", "warning"]
# the code of notes that are one explanation, a paragraph each: people see them when they ask for it
EXPLAINED = "choice-explained"


@dataclass(frozen=True)
class Note:
    """One thing that a reader of the numbers should know: a code for programs, a message for people.

    `info` tells what was read or chosen; `warning` tells that a conclusion would be wrong or is limited.
    """

    code: str
    message: str
    severity: Severity = "info"
    metric: str | None = None
    dataset: str | None = None


@dataclass(frozen=True)
class Result:
    """Named tables (the first is the primary one), notes, sentences for people, and provenance.

    `headlines` say what was measured and stand above every table, `answer` stands above the primary one only; both
    repeat what the tables hold. `report` says in sentences what was found, one paragraph for each experiment.
    """

    command: str
    tables: Mapping[str, pl.DataFrame]
    notes: Sequence[Note] = ()
    headlines: Sequence[str] = ()
    provenance: Mapping[str, object] = field(default_factory=dict)
    answer: Sequence[str] = ()
    report: Sequence[str] = ()

    def sentences(self, table: str) -> Sequence[str]:
        """Return what a person reads above one of the tables."""
        return (*self.headlines, *(self.answer if table == self.primary else ()))

    @property
    def primary(self) -> str:
        """The name of the first table."""
        return next(iter(self.tables))


def note_table(notes: Sequence[Note]) -> pl.DataFrame:
    """Return the notes as a table of shape `notes`."""
    columns = ("metric", "dataset", "code", "severity", "message")
    return shapes.build(shapes.NOTES, {name: [getattr(note, name) for note in notes] for name in columns})
