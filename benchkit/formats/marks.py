"""--mark: bold best, superscript letters or stars, for formats that typeset."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from benchkit.errors import BenchkitError
from benchkit.formats.style import Style

FORMATS = ("latex", "markdown")
# where a mark can stand: the tables, and the column of each that bears it
PLACES: Mapping[str, Mapping[str, str]] = {
    "best": {"algorithms": "mean", "means": "estimate", "ranks": "rank"},
    "letters": {"means": "estimate", "ranks": "rank"},
    "stars": {"pairs": "estimate"},
}
STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))


@dataclass(frozen=True)
class Marks:
    """What marks a table bears: rows in bold (the algorithm and the column `number`), and what stands at that number.

    superscripts: one text for each row, empty for none. dropped: columns that the marks stand for. legend: what they mean,
    one line each.
    """

    number: str = ""
    bold: frozenset[int] = frozenset()
    superscripts: Sequence[str] = ()
    dropped: frozenset[str] = frozenset()
    legend: Sequence[str] = ()

    def is_bold(self, column: str, row: int) -> bool:
        """Say whether the cell is in bold."""
        return column in ("algorithm", self.number) and row in self.bold

    def at(self, column: str) -> Sequence[str]:
        """Return the superscripts of a column, empty if it bears none."""
        return self.superscripts if column == self.number else ()


def check(marks: Sequence[str], format_name: str, tables: Sequence[str]) -> None:
    """Raise BenchkitError for an unknown mark, a format that cannot show any, and one that none of the tables bears."""
    unknown = next((mark for mark in marks if mark not in PLACES), None)
    if unknown is not None:
        raise BenchkitError(f"there is no mark '{unknown}'", f"--mark takes {', '.join(PLACES)}")
    if format_name not in FORMATS:
        raise BenchkitError(f"--mark needs a format that typesets, and {format_name} does not", f"-f {' or -f '.join(FORMATS)}")
    for mark in marks:
        if not set(tables) & set(PLACES[mark]):
            places = ", ".join(f"--table {name}" for name in PLACES[mark])
            raise BenchkitError(f"--mark {mark} has no place in the table {tables[0]}", f"it marks {places}")


def marks_of(table: str, frame: pl.DataFrame, style: Style) -> Marks:
    """Return the marks that the style asks for and this table bears. Raises BenchkitError for stars without p-values."""
    wanted = [mark for mark in style.marks if table in PLACES[mark]]
    if not wanted or not frame.height:
        return Marks()
    number = PLACES[wanted[0]][table]
    bold = _best(table, frame, number) if "best" in wanted else frozenset()
    if "stars" in wanted:
        kind = "of each pair alone" if set(frame["adjust"].to_list()) == {"none"} else "adjusted for all pairs"
        return Marks(number, bold, _stars(frame), legend=(f"* p <= .05, ** p <= .01, *** p <= .001; p {kind}",))
    if "letters" in wanted and frame["letters"].null_count() == frame.height:
        raise BenchkitError("there are no letters, which need all pairs", "leave out --mark letters or --baseline")
    if "letters" in wanted:
        letters = [str(letter or "") for letter in frame["letters"].to_list()]
        return Marks(number, bold, letters, frozenset(("letters",)), ("Algorithms that share a letter are not separated.",))
    return Marks(number, bold)


def _best(table: str, frame: pl.DataFrame, number: str) -> frozenset[int]:
    """Return the rows with the best mean of each metric and data set: several only if their means are the same number.

    Means and ranks stand best first; summaries say which way is better, without which none is best.
    """
    keys = [frame[name].to_list() for name in ("metric", "dataset", "method") if name in frame.columns]
    groups: dict[tuple[object, ...], list[int]] = {}
    for row, key in enumerate(zip(*keys, strict=True)):
        groups.setdefault(key, []).append(row)
    values = frame[number].to_list()
    found: set[int] = set()
    for rows in groups.values():
        if table == "ranks":
            found.add(rows[0])
            continue
        best = values[rows[0]]
        if table == "algorithms":
            choose: Callable[[list[float]], float] | None = {"lower": min, "higher": max}.get(str(frame["better"][rows[0]]))
            known = [values[row] for row in rows if values[row] is not None]
            best = choose(known) if choose and known else None
        found |= {row for row in rows if best is not None and values[row] == best}
    return frozenset(found)


def _stars(frame: pl.DataFrame) -> list[str]:
    """Return the stars of each pair by its adjusted p-value."""
    p_values = frame["p_adjusted"].to_list()
    if all(value is None for value in p_values):
        raise BenchkitError("there are no p-values for stars", "leave out --mark stars, or choose a method that gives p-values")
    return [next((stars for limit, stars in STARS if value is not None and value <= limit), "") for value in p_values]
