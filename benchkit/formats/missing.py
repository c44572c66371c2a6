"""What to say when a table lacks a column that it needs: which one, and the options that would supply it."""

from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from benchkit.errors import BenchkitError
from benchkit.formats import cells
from benchkit.formats.border import KEYS
from benchkit.formats.content import Raw
from benchkit.formats.wording import listed, option_value, shown
from benchkit.tables.metrics import METRICS, direction
from benchkit.tables.shapes import SHAPES, Shape

GUESSES: dict[str, tuple[str, ...]] = {
    "algorithm": ("method", "classifier", "model", "classifier_name", "learner", "estimator", "algorithm_name", "model_name"),
    "replicate": ("run", "resample", "seed", "subject", "block", "iteration", "trial", "replication", "rep"),
    "performance": ("score", "value", "result", "metric_value", "measure"),
    "dataset": ("dataset_name", "task", "problem", "data", "data_set"),
}
SAMPLE = 100


def guess(target: str, columns: Sequence[str]) -> str | None:
    """Return the column that probably holds what we call `target`, by its name; None if there is none or it is there."""
    if target in columns:
        return None
    by_fold = {column.casefold(): column for column in reversed(columns)}
    return next((by_fold[name] for name in (target, *GUESSES[target]) if name in by_fold), None)


def missing_column(raw: Raw, outcome: Sequence[str], kinds: Sequence[str]) -> BenchkitError:
    """Return the error for a (renamed) table that fills none of the shapes `kinds`, with the options that would help.

    outcome: the columns that the table would have behind the border.
    """
    columns = raw.columns
    shape = _closest(outcome, kinds)
    absent = next(name for name in shape.required if name not in outcome)
    message = f"{raw.name} has no column {shown(absent)} (it has: {listed(columns)})"
    if shape.name not in ("results", "predictions"):
        return BenchkitError(message, f"tables of {shape.name} are made by benchkit {shape.made_by}")
    return BenchkitError(message, _hint(raw, columns, outcome))


def _closest(columns: Sequence[str], kinds: Sequence[str]) -> Shape:
    """Return the shape that most required columns speak for; a and b alone say nothing, results win a tie."""
    shapes = sorted((SHAPES[name] for name in kinds), key=lambda shape: shape.name != "results")
    return max(shapes, key=lambda shape: sum(name in columns for name in shape.required if name not in ("a", "b")))


def _hint(raw: Raw, columns: Sequence[str], outcome: Sequence[str]) -> str:
    guesses = {target: guess(target, columns) for target in GUESSES}
    others = [name for name in columns if name not in KEYS and name not in guesses.values()]
    numeric = _numeric(raw, others)
    metrics = [metric.name for metric in METRICS if metric.name in columns] + [name for name in columns if direction(name)]
    if "algorithm" not in columns and not guesses["algorithm"]:
        if len(numeric) == len(others) > 1 and not metrics:
            return " ".join((*_renames(guesses, ("replicate", "dataset")), "--wide"))
        if not guesses["performance"] and not metrics:
            return "name the columns with --rename COLUMN=algorithm, or use --wide if every algorithm has a column of its own"
        guesses["algorithm"] = "COLUMN"
    if "performance" in outcome:
        return " ".join(_renames(guesses, ("algorithm", "replicate", "dataset")))
    if metrics:
        return " ".join((*_renames(guesses, ("algorithm", "replicate", "dataset")), f"--value {option_value(metrics[0])}"))
    renames = " ".join(_renames(guesses, ("algorithm", "replicate", "performance", "dataset")))
    if guesses["performance"] or not numeric:
        return renames or "name the column of numbers with --value COLUMN"
    return f"{renames} --value with the column of numbers: {listed(numeric)}".strip()


def _renames(guesses: Mapping[str, str | None], targets: Iterable[str]) -> list[str]:
    return [f"--rename {option_value(f'{guesses[name]}={name}')}" for name in targets if guesses[name]]


def _numeric(raw: Raw, columns: Sequence[str]) -> list[str]:
    """Return the columns whose first hundred cells are numbers or missing, at least one of them a number."""
    head = raw.frame.select(columns).head(SAMPLE).collect()
    found = []
    for name, kind in head.schema.items():
        if kind.is_numeric():
            found.append(name)
        elif kind == pl.String:
            fault = cells.no_number(name, raw.decimal_comma).any().alias("fault")
            value = cells.number(name, raw.decimal_comma).is_not_null().any().alias("value")
            if head.select(fault, value).row(0) == (False, True):
                found.append(name)
    return found
