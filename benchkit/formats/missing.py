"""What to say when a table lacks a column that it needs: which one, and the options that would supply it."""

import re
from collections.abc import Sequence

import polars as pl

from benchkit.errors import BenchkitError
from benchkit.formats import cells
from benchkit.formats.border import KEYS
from benchkit.formats.content import Raw
from benchkit.formats.wording import listed, option_value
from benchkit.tables.metrics import direction
from benchkit.tables.shapes import PREDICTIONS, RESULTS, SHAPES, Shape
from benchkit.tables.synonyms import find, suggest
from benchkit.tables.wording import shown

SAMPLE = 100
# how people call what was right or wrong for one item
OUTCOMES = frozenset("acc correct iscorrect passed pass solved success exactmatch".split())
# words of columns that go along with the measurement, taken only if there is no other
BESIDE = frozenset("time seconds runtime latency train training std sd se stderr".split())
NAME_OR_WIDE = "name the columns with --rename COLUMN=algorithm, or use --wide if every algorithm has a column of its own"


def missing_column(raw: Raw, outcome: Sequence[str], kinds: Sequence[str]) -> BenchkitError:
    """Return the error for a (renamed) table that fills none of the shapes `kinds`, with the options that would help.

    outcome: the columns that the table would have behind the border. The message lists those of the file.
    """
    shape = _closest(outcome, kinds)
    absent = next(name for name in shape.required if name not in outcome)
    if shape is RESULTS:
        absent, hint = _results(raw, outcome)
    elif shape is PREDICTIONS:
        renames = _options(suggest(raw.columns))
        hint = " ".join(renames) or f"predictions have the columns {', '.join(PREDICTIONS.required)}"
    else:
        hint = f"tables of {shape.name} are made by benchkit {shape.made_by}"
        if shape.made_by == "roc":
            hint += ", whose --plot FILE draws votes and scores at once"
    return BenchkitError(f"{raw.name} has no column {shown(absent)} (it has: {listed(raw.columns)})", hint)


def _closest(columns: Sequence[str], kinds: Sequence[str]) -> Shape:
    """Return the shape that most required columns speak for; results win a tie.

    a and b alone say nothing. An item says nothing either, results may have it as their blocks: only a prediction, or a
    label without anything measured, makes predictions.
    """
    predicted = "prediction" in columns or ("label" in columns and not any(map(is_metric, columns)))
    speaking = {name for name in columns if name not in ("a", "b") and (predicted or name != "item")}
    shapes = [SHAPES[name] for name in kinds if predicted or name != PREDICTIONS.name]
    shapes.sort(key=lambda shape: shape is not RESULTS)
    return max(shapes, key=lambda shape: len(speaking.intersection(shape.required)))


def _results(raw: Raw, outcome: Sequence[str]) -> tuple[str, str]:
    """Return the column that results lack, and the options that would supply it."""
    columns = raw.columns
    renames = suggest(columns)
    taken = {*KEYS, *(rename.rpartition("=")[0] for rename in renames)}
    score = find("performance", [name for name in columns if name not in taken])
    others = [name for name in columns if name not in taken and name != score]
    numeric = [name for name in _numeric(raw, others) if name not in RESULTS.columns or direction(name)]
    metrics = [name for name in numeric if is_metric(name)]
    value = [] if "performance" in outcome else [_value(score, numeric, metrics)]
    if "algorithm" in outcome or any(rename.endswith("=algorithm") for rename in renames):
        absent = "performance" if "algorithm" in outcome else "algorithm"
        return absent, " ".join((*_options(renames), *value))
    if len(numeric) == len(others) > 1 and not metrics:
        return "algorithm", " ".join((*_options(renames), "--wide"))
    if (score or numeric) and not set(others) - set(numeric) - set(RESULTS.columns):
        return "performance", " ".join((*_options(renames), *value))  # then the file's name is the algorithm
    if not score and not metrics:
        return "algorithm", NAME_OR_WIDE
    return "algorithm", " ".join(("--rename COLUMN=algorithm", *_options(renames), *value))


def is_metric(name: str) -> bool:
    """Say whether the name of a column contains a well-known metric as a word, as in "Test Accuracy (%)"."""
    words = _words(name)
    runs = ("".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, len(words) + 1))
    return "".join(words) in OUTCOMES or any(direction(run) for run in runs)


def _words(name: str) -> list[str]:
    return re.findall(r"[^\W_]+", re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name).casefold())


def _value(score: str | None, numeric: Sequence[str], metrics: Sequence[str]) -> str:
    """Return the option that makes a column the performance; where several could be meant, the user is to say which."""
    main = [name for name in metrics if not BESIDE.intersection(_words(name))]
    if score and len(main) != 1:
        return _options([f"{score}=performance"])[0]
    candidates = main or metrics or numeric
    if len(candidates) == 1:
        return f"--value {option_value(candidates[0])}"
    if candidates:
        return f"--value COLUMN with the column of numbers: {listed(candidates)}"
    return "--value COLUMN with the column of numbers"


def _options(renames: Sequence[str]) -> list[str]:
    return [f"--rename {option_value(rename)}" for rename in renames]


def _numeric(raw: Raw, columns: Sequence[str]) -> list[str]:
    """Return the columns whose first hundred cells are missing or numbers (or all truth values), at least one of them there."""
    head = raw.frame.select(columns).head(SAMPLE).collect()
    found = []
    for name, kind in head.schema.items():
        if kind.is_numeric() or kind == pl.Boolean:
            found.append(name)
        elif kind == pl.String:
            numbers = ~cells.no_number(name, raw.decimal_comma).any(), cells.number(name, raw.decimal_comma).is_not_null().any()
            truths = ~cells.no_truth(name).any(), cells.truth(name).is_not_null().any()
            if head.select((numbers[0] & numbers[1]) | (truths[0] & truths[1])).item():
                found.append(name)
    return found
