"""The border: the columns of people's files become ours by --rename, --value and --wide, and by the name of the file."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import polars as pl

from benchkit.errors import BenchkitError
from benchkit.formats import cells
from benchkit.formats.content import Raw
from benchkit.formats.source import Border
from benchkit.formats.wording import listed, nearest
from benchkit.tables.wording import shown

KEYS = ("metric", "dataset", "replicate", "repeat", "fold", "item", "label")
NUMBERING = frozenset(("dataset", "replicate", "repeat", "fold", "item"))
FORMER = "file_performance"


def split_names(text: str) -> list[str]:
    """Return the parts between commas without outer blanks; a part with a comma stands in double quotes."""
    parts = next(csv.reader([text], skipinitialspace=True), [])
    return [part.strip() for part in parts]


def joined_names(names: Iterable[str]) -> str:
    """Return the names as split_names takes them apart again."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="").writerow(names)
    return text.getvalue()


@dataclass(frozen=True)
class Plan:
    """The border options with their names looked up: what happens to each table.

    renames: new name by old one; values: the columns that become performance, one after the other; wide; keys: the columns
    of a wide table that are no algorithms.
    """

    renames: dict[str, str]
    values: tuple[str, ...]
    wide: bool
    keys: tuple[str, ...] = KEYS

    def renamed(self, columns: Iterable[str]) -> list[str]:
        """Return the columns with their new names."""
        return [self.renames.get(column, column) for column in columns]

    def algorithms(self, columns: Iterable[str]) -> list[str]:
        """Return the (renamed) columns that are algorithms of a wide table."""
        return [column for column in columns if column not in self.keys] if self.wide else []

    def outcome(self, columns: Sequence[str]) -> list[str]:
        """Return the (renamed) columns as they will be behind the border, for recognising the table."""
        if self.wide:
            made = ("item", "prediction") if "label" in columns else ("performance",)
            return [column for column in columns if column in self.keys] + ["algorithm", *made]
        values = [column for column in self.values if column in columns]
        return [column for column in columns if column not in values] + (["metric", "performance"] if values else [])


def plan(raws: Sequence[Raw], border: Border) -> Plan:
    """Look up the names in the border options; BenchkitError for one that no table has, or for options that clash."""
    if border.wide and border.value:
        raise BenchkitError("--wide and --value exclude each other", "--wide takes every column but the keys as an algorithm")
    columns = list(dict.fromkeys(column for raw in raws for column in raw.columns))
    renames = _renames(border.rename, raws, columns)
    keys = (*KEYS, *border.keys)
    result = Plan(renames, (), border.wide, keys)
    for raw in raws if border.wide else ():
        _check_wide(raw.name, result.renamed(raw.columns), keys)
    renamed = list(dict.fromkeys(result.renamed(columns)))
    values: list[str] = []
    for text in border.value:
        for name in [text] if text in renamed else split_names(text):
            if name not in renamed:
                raise unknown_column("--value", name, renamed, raws[0].name)
            values.append(name)
    return Plan(renames, tuple(dict.fromkeys(values)), border.wide, keys)


def _check_wide(name: str, columns: Sequence[str], keys: Sequence[str]) -> None:
    if "algorithm" in columns:
        hint = "leave out --wide, which is for files with one column for each algorithm"
        raise BenchkitError(f"{name} has a column 'algorithm', so it is not wide", hint)
    if not set(columns) - set(keys):
        raise BenchkitError(f"{name} has no column of an algorithm (it has: {listed(columns)})", f"keys are {', '.join(keys)}")


def _renames(options: Iterable[str], raws: Sequence[Raw], columns: Sequence[str]) -> dict[str, str]:
    renames: dict[str, str] = {}
    for option in options:
        old, new = _old_and_new(option, columns)
        if old not in columns:
            raise unknown_column("--rename", old, columns, raws[0].name)
        if old in renames or new in renames.values():
            raise BenchkitError(
                f"--rename {option}: {shown(old if old in renames else new)} is named twice", "one new name for each column"
            )
        renames[old] = new
    for raw in raws:
        kept = set(raw.columns) - set(renames)
        for old, new in renames.items():
            if new in kept and old in raw.columns:
                raise BenchkitError(
                    f"--rename {old}={new}: {raw.name} already has a column {shown(new)}",
                    f"rename that one too, such as --rename {new}=old_{new}",
                )
    return renames


def _old_and_new(option: str, columns: Sequence[str]) -> tuple[str, str]:
    """Part "from=to" at the sign that leaves a column's name before it, for names that contain the sign."""
    cuts = [index for index, letter in enumerate(option) if letter == "="]
    pairs = [(option[:cut].strip(), option[cut + 1 :].strip()) for cut in cuts]
    old, new = next((pair for pair in pairs if pair[0] in columns), pairs[0] if pairs else ("", ""))
    if not old or not new:
        raise BenchkitError(f"--rename {option} is not of the form from=to", "such as --rename method=algorithm")
    return old, new


def unknown_column(option: str, name: str, columns: Sequence[str], file: str) -> BenchkitError:
    """Return the error for an option that names a column which is not there."""
    message = f"{option}: {file} has no column {shown(name)} (it has: {listed(columns)})"
    return BenchkitError(message, nearest(name, columns) or "name a column of the file")


def rename(raw: Raw, plan: Plan) -> Raw:
    """Return the table under its new names; --value turns a performance column that it does not name into context."""
    columns = raw.columns
    renames = {old: new for old, new in plan.renames.items() if old in columns}
    renamed = plan.renamed(columns)
    if "performance" in renamed and "performance" not in plan.values and any(name in renamed for name in plan.values):
        renames[columns[renamed.index("performance")]] = FORMER
    return raw.with_frame(raw.frame.rename(renames)) if renames else raw


def cross(raw: Raw, plan: Plan) -> pl.LazyFrame:
    """Return the table (renamed, settled) in the long form, with the algorithm named by its file where that is so."""
    frame = _unpivoted(raw.frame, plan) if plan.wide else _valued(raw.frame, plan)
    present = "algorithm" in frame.collect_schema().names()
    if raw.algorithm is not None and present:
        return frame.with_columns((pl.lit(f"{raw.algorithm}/") + pl.col("algorithm")).alias("algorithm"))
    name = raw.algorithm if raw.algorithm is not None else raw.stem
    return frame if present or name is None else frame.with_columns(pl.lit(name).alias("algorithm"))


def _valued(frame: pl.LazyFrame, plan: Plan) -> pl.LazyFrame:
    columns = frame.collect_schema().names()
    values = [name for name in plan.values if name in columns]
    if not values:
        return frame
    parts = []
    for name in values:
        kept = [column for column in columns if column not in (*values, "metric")]
        parts.append(frame.select(*kept, pl.lit(name).alias("metric"), pl.col(name).alias("performance")))
    return pl.concat(parts)


def _unpivoted(frame: pl.LazyFrame, plan: Plan) -> pl.LazyFrame:
    schema = frame.collect_schema()
    keys = [name for name in schema if name in plan.keys]
    algorithms = plan.algorithms(schema)
    if "label" in keys:
        frame = frame.with_columns(cells.text(name, schema[name]) for name in algorithms)
    number = "item" if "label" in keys and "item" not in keys else None if NUMBERING & set(keys) else "replicate"
    if number:
        count = pl.int_range(1, pl.len() + 1).cast(pl.String)
        frame = frame.with_columns((count.over("metric") if "metric" in keys else count).alias(number))
        keys.append(number)
    made = "prediction" if "label" in keys else "performance"
    table = frame.collect()
    # every cell is needed, so nothing is lost by reading now; the order of rows that polars' unpivot gives is open
    parts = [table.select(*keys, pl.lit(name).alias("algorithm"), pl.col(name).alias(made)) for name in algorithms]
    return pl.concat(parts).lazy()
