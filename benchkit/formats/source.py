"""What reading gives: lazy tables of a known kind, and what is known of where they came from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from benchkit.tables.result import Note


@dataclass(frozen=True)
class Border:
    """How the columns of a file become ours, as typed on the command line.

    rename: "from=to"; value: names of columns that each become performance with metric = their name; wide: every
    column that is not a key is an algorithm; where: "column=v1,v2" or "column!=v1,v2", compared as text; keys: further
    columns of a wide table that are no algorithms.
    """

    rename: Sequence[str] = ()
    value: Sequence[str] = ()
    wide: bool = False
    where: Sequence[str] = ()
    keys: Sequence[str] = ()


@dataclass(frozen=True)
class Source:
    """Tables that were read. All of them have passed the border: our names, our types, missing as null.

    kind: the shape of the primary table (results, predictions, pairs, relations ...). frames: its tables by name; a
    plain file gives one, a result document of ours several. notes: those that a document hands on. everything: the
    primary table before --where, for names that must keep their colour. digests: computes file name -> sha256.
    names: what was read, for messages.
    """

    kind: str
    frames: Mapping[str, pl.LazyFrame]
    names: Sequence[str]
    everything: pl.LazyFrame
    digests: Callable[[], dict[str, str]]
    notes: Sequence[Note] = field(default_factory=tuple)

    @property
    def frame(self) -> pl.LazyFrame:
        """The primary table."""
        return self.frames[self.kind]
