"""Which form of votes a table holds, and the batches that come of it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import polars as pl

from benchkit.errors import BenchkitError
from benchkit.formats.content import Content, Raw
from benchkit.formats.reading import READERS
from benchkit.formats.votes import voters as choice
from benchkit.formats.votes import wide
from benchkit.formats.votes.batch import Batch, Part
from benchkit.formats.votes.digits import digit_batches, digits
from benchkit.formats.votes.long import Long, long_parts
from benchkit.formats.votes.options import VoteOptions
from benchkit.formats.wording import listed
from benchkit.tables.naming import natural_sort
from benchkit.tables.result import Note

# different choices of columns that a note tells
MOST_CHOICES = 3


@dataclass(frozen=True)
class Table:
    """A table behind the border, the ensemble's name from its file (`given` if typed), and where it came from.

    separator: that of a delimited text of which `raw` is only the beginning; rename: renames the columns of the rest.
    """

    raw: Raw
    content: Content
    separator: str
    rename: Callable[[Raw], Raw]
    name: str
    given: bool

    @property
    def form(self) -> str:
        """What it holds by its columns: long, packed, counts, scores, or columns (a vote of each voter)."""
        columns = set(self.raw.columns)
        if {"voter", "vote"} <= columns:
            return "long"
        if any(choice.OURS.fullmatch(name) for name in columns):
            return "columns"
        if "score" in columns:
            return "scores"
        if _packed_column(self.raw) is not None:
            return "packed"
        return "counts" if {"votes", "voters"} <= columns else "columns"

    @property
    def whole(self) -> "Table":
        """The table with all its rows."""
        if not self.separator:
            return self
        raw = READERS[self.content.kind](self.content).tables[""]
        return replace(self, separator="", raw=self.rename(replace(raw, algorithm=self.raw.algorithm, stem=self.raw.stem)))


def parts_of(tables: Sequence[Table], options: VoteOptions, notes: list[Note]) -> list[Part]:
    """Return the parts of all tables; long ones are put together. Adds a note where columns had to be guessed."""
    longs, parts = [], []
    chosen: dict[tuple[str, ...], list[str]] = {}
    for table in tables:
        if table.form == "long" and options.voters is None:
            if "item" not in table.raw.columns:
                message = f"{table.raw.name} has no column 'item' (it has: {listed(table.raw.columns)})"
                raise BenchkitError(message, "long votes have the columns item, voter and vote")
            longs.append(Long(table.whole.raw, table.name, table.given))
        else:
            parts.append(_part(table, options, chosen))
            notes += _taken_for_voters(table, parts[-1])
    if chosen:
        took = [
            f"{listed(names)}: took {len(columns)} column{'s' * (len(columns) > 1)} as voters ({listed(columns)})"
            for columns, names in chosen.items()
        ]
        more = f"; and {len(took) - MOST_CHOICES} other choices" if len(took) > MOST_CHOICES else ""
        message = "; ".join(took[:MOST_CHOICES]) + more + "; --voters PATTERN chooses others"
        notes.append(Note("voters-chosen", message))
    if not longs:
        return parts
    fractions = options.regression or any(choice.holds_values(long.raw, ["vote"]) for long in longs)
    return [*parts, *long_parts(longs, "values" if fractions else "votes")]


def _taken_for_voters(table: Table, part: Part) -> list[Note]:
    """Say how many voters packed bits are taken for where no column tells: padding would count as voters that vote 0."""
    if table.form != "packed" or "voters" in table.raw.columns or part.kind != "votes":
        return []
    text = f"{table.raw.name}: packed bits are taken for {len(part.voters)} voters, 8 for each byte"
    return [Note("packed-voters", f"{text}; a column 'voters' says how many there are", "info")]


def _part(table: Table, options: VoteOptions, chosen: dict[tuple[str, ...], list[str]]) -> Part:
    raw = table.raw
    if options.voters is None and table.form == "packed":
        packed, whole = str(_packed_column(raw)), table.whole.raw
        size, width = wide.packed_width(whole, packed)
        return _made(table, lambda: wide.packed_batches(whole, packed, size, width), _numbered(size))
    if options.voters is None and table.form == "counts":
        whole = table.whole.raw
        size = wide.count_size(whole)
        return _made(table, lambda: wide.count_batches(whole, size), _numbered(size))
    columns = choice.named_voters(raw, options.voters)
    if not columns:
        columns = choice.likely_voters(raw, options.regression)
        if not columns:
            raise _no_votes(raw)
        chosen.setdefault(tuple(columns), []).append(raw.name)
    return _of_columns(table, columns, options.regression)


def _of_columns(table: Table, columns: list[str], regression: bool) -> Part:
    """Return the part; columns: in the order of the file. It is read in their natural order, so that sums are in one order."""
    raw, ordered = table.raw, natural_sort(columns)
    if regression or choice.holds_values(raw, columns):
        whole = table.whole.raw
        return replace(
            _made(table, lambda: wide.value_batches(whole, ordered), tuple(ordered), uneven=_uneven(table)), kind="values"
        )
    if table.separator:
        text = digits(table.content, table.separator, raw, columns, table.rename)
        if text is not None:
            part = _made(table, lambda: digit_batches(text), tuple(columns), uneven=_uneven(table))
            return replace(part, place=lambda index: f"line {index + 2}")
    whole = table.whole.raw
    return _made(table, lambda: wide.vote_batches(whole, ordered), tuple(ordered), uneven=_uneven(table))


def _uneven(table: Table) -> bool:
    """Say whether an ensemble may lack some of the columns: where a table holds or held several."""
    return "ensemble" in table.raw.columns


def _made(table: Table, batches: Callable[[], Iterator[Batch]], voters: tuple[str, ...], uneven: bool = False) -> Part:
    raw = table.raw
    return Part(raw.name, raw.place, batches, voters, "votes", table.name, table.given, uneven)


def _numbered(size: int) -> tuple[str, ...]:
    return tuple(f"voter{number}" for number in range(1, size + 1))


def _packed_column(raw: Raw) -> str | None:
    """Return the column of packed bits: called packed, or the only one of bytes."""
    binary = [name for name, kind in raw.schema.items() if kind == pl.Binary]
    if "packed" in binary:
        return "packed"
    return binary[0] if len(binary) == 1 else None


def _no_votes(raw: Raw) -> BenchkitError:
    message = f"{raw.name} has no votes (it has: {listed(raw.columns)})"
    forms = "packed bits, votes and voters, or item, voter, vote"
    return BenchkitError(message, f"votes are a column of 0 and 1 for each voter (--voters PATTERN), {forms}")
