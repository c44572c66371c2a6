"""--fail-if: conditions on verdicts that let a CI job fail."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from benchkit.core.names import listed, quoted
from benchkit.core.ratios import is_ratio, turned
from benchkit.core.sentences import margin_text, place
from benchkit.errors import BenchkitError
from benchkit.tables.result import Result

WORDS = {
    "better than": "better",
    "worse than": "worse",
    "equivalent to": "equivalent",
    "noninferior to": "noninferior",
    "undecided": "undecided",
}
OPPOSITE = {"better": "worse", "worse": "better"}
SYMMETRIC = ("equivalent", "undecided")
GRAMMAR = (
    "write 'A [not] better than|worse than|equivalent to|noninferior to B' or 'A undecided B'; "
    "names with blanks stand in double quotes, and a double quote in a name is written twice"
)
TOKEN = re.compile(r'\s*(?:"((?:[^"]|"")*)"|(\S+))')


@dataclass(frozen=True)
class Condition:
    """`first [not] word second`; a name of None stands for every algorithm (*)."""

    first: str | None
    negated: bool
    word: str
    second: str | None
    text: str


def parse(text: str) -> Condition:
    """Read one condition. Raises BenchkitError if it does not follow the grammar."""
    tokens = [
        (match[1].replace('""', '"') if match[1] is not None else match[2], match[1] is not None)
        for match in TOKEN.finditer(text)
    ]
    names = [token for token, _ in tokens]
    for phrase, word in WORDS.items():
        for negated in (False, True):
            middle = (["not"] if negated else []) + phrase.split()
            if names[1:-1] == middle and not any(is_quoted for _, is_quoted in tokens[1:-1]):
                first, second = (None if token == ("*", False) else token[0] for token in (tokens[0], tokens[-1]))
                return Condition(first, negated, word, second, text)
    raise BenchkitError(f"--fail-if does not understand '{text}'", GRAMMAR)


def hits(result: Result, conditions: Sequence[Condition]) -> list[str]:
    """Return one sentence for each pair, metric and data set in which a condition holds.

    "not X" holds whenever the pair was tested and its verdict is not X. Raises BenchkitError for an unknown name, a
    pair that was not tested in some metric and data set, and noninferior without a margin: a gate never passes on
    what was not looked at.
    """
    pairs = result.tables["pairs"]
    untested = [note for note in result.notes if note.code == "not-tested"]
    if conditions and untested:
        raise BenchkitError(
            f"--fail-if cannot be answered: {untested[0].dataset or untested[0].metric} was {untested[0].message}",
            "choose with --where",
        )
    names = {*pairs["a"].to_list(), *pairs["b"].to_list()}
    found: list[str] = []
    for condition in conditions:
        for name in (condition.first, condition.second):
            if name is not None and name not in names:
                known = ", ".join(map(quoted, sorted(names)))  # as they are typed there
                raise BenchkitError(f"--fail-if names {quoted(name)}, which was not tested", f"names: {known}")
        for part in pairs.partition_by("metric", "dataset", maintain_order=True):
            found += _hits_in(part, condition)
    return found


def _hits_in(part: pl.DataFrame, condition: Condition) -> list[str]:
    """Apply one condition to one (metric, dataset)."""
    found, met = [], False
    for row in part.iter_rows(named=True):
        for swapped in (False, True):
            first, second = (row["b"], row["a"]) if swapped else (row["a"], row["b"])
            if condition.first not in (None, first) or condition.second not in (None, second):
                continue
            met = True
            if swapped and condition.first is condition.second is None and condition.word in SYMMETRIC:
                continue  # the same sentence, told from the other side
            if _holds(row, condition, swapped) != condition.negated:
                found.append(_sentence(row, condition, swapped))
    if not met:
        where = _where(part.row(0, named=True))
        tested = listed([f"{quoted(a)} and {quoted(b)}" for a, b in part.select("a", "b").rows()])
        raise BenchkitError(f"'{condition.text}' compares a pair that was not tested{where}", f"tested were {tested}")
    return list(dict.fromkeys(found))


def _holds(row: dict[str, object], condition: Condition, swapped: bool) -> bool:
    """Tell whether the word holds, first against second; the row says it of a against b."""
    verdict = str(row["verdict"])
    if row["verdict"] is None:
        raise BenchkitError(
            f"{quoted(str(row['a']))} and {quoted(str(row['b']))} could not be tested{_where(row)}",
            "the notes say why: leave out --quiet",
        )
    if condition.word == "noninferior":
        if row["noninferior"] is None:
            raise BenchkitError(f"noninferior needs a margin{_where(row)}", "add --margin with the difference that matters")
        return _noninferior(row, swapped)
    return (OPPOSITE.get(verdict, verdict) if swapped else verdict) == condition.word


def _noninferior(row: dict[str, object], swapped: bool) -> bool:
    """Tell whether the first is not worse by the margin or more; swapped, from the other end of the interval."""
    if not swapped:
        return bool(row["noninferior"])
    low, high, margin = (float(str(row[name])) for name in ("ci_low", "ci_high", "margin"))
    if is_ratio(row):
        return high < margin if row["better"] == "higher" else low > 1 / margin
    return high < margin if row["better"] == "higher" else low > -margin


def _where(row: dict[str, object]) -> str:
    where = place(*(None if row[name] is None else str(row[name]) for name in ("metric", "dataset")))
    return f" ({where})" if where else ""


def _sentence(row: dict[str, object], condition: Condition, swapped: bool) -> str:
    """Say what was found: "pr is worse than main: mse +12.3, 95% interval [4.1, 20.5]"."""
    first, second = (row["b"], row["a"]) if swapped else (row["a"], row["b"])
    estimate, low, high = (float(str(row[name])) for name in ("estimate", "ci_low", "ci_high"))
    if swapped:
        estimate, low, high = turned(row, estimate, low, high)
    amount = f"times {estimate:.4g}" if is_ratio(row) else f"{estimate:+.4g}"
    phrase = next(phrase for phrase, word in WORDS.items() if word == condition.word)
    said = f"{quoted(str(first))} is {'not shown to be ' if condition.negated else ''}{phrase} {quoted(str(second))}"
    if condition.word == "undecided":
        said = f"{quoted(str(first))} against {quoted(str(second))} is {'not ' if condition.negated else ''}undecided"
    on = f" on {row['dataset']}" if row["dataset"] is not None else ""
    level = f"{100 * float(str(row['ci_level'])):.10g}%"
    metric = row["metric"] or "performance"
    margin = float(str(row["margin"]))
    within = f", margin {margin_text([margin])}" if margin else ""
    return f"{said}{on}: {metric} {amount}, {level} interval [{low:.4g}, {high:.4g}]{within}"
