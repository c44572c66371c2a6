"""Splits that came with the data: columns that name the part or the fold of each row, or samples drawn elsewhere."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from benchkit.errors import BenchkitError
from benchkit.run.plan import ResamplingPlan
from benchkit.run.resampling.amounts import check_enough
from benchkit.run.resampling.bootstrap import never_drawn
from benchkit.run.resampling.splits import Index, Name, Rows, Split, Splits
from benchkit.tables.naming import natural_sort

PARTS = ("train", "test", "validation")


def predefined(rows: Rows, plan: ResamplingPlan, _seed: int) -> Splits:
    """Take the splits from the columns that `split` names, or the drawn rows from `samples`.

    A column that says only train, test and validation (in any case) is one replicate; its empty rows are not used. Of another
    column, each distinct text is a fold, named by it in natural order and tested once; of several such columns each is a
    repeat, named by the column. A sample trains on the rows that it draws and tests those that it never draws; it keeps its
    name, and samples their order.
    """
    check_enough(rows)
    if plan.split and plan.samples:
        raise BenchkitError("predefined resampling takes split or samples, not both", "leave out one of them")
    if plan.split:
        return _from_columns(rows, plan.split)
    if not rows.samples:
        raise BenchkitError(f"predefined resampling has no splits for {rows.where}", 'name split = "COLUMN" or samples = "FILE"')
    for name, drawn in rows.samples.items():
        _check_sample(rows, name, drawn)
    return Splits([Name(name) for name in rows.samples], partial(_draw_sample, list(rows.samples.values()), rows.n))


def _from_columns(rows: Rows, columns: Sequence[str]) -> Splits:
    texts = {column: [text.strip() for text in _column(rows, column)] for column in columns}
    in_parts = [column for column in columns if _says_parts(rows, column, texts[column])]
    if not in_parts:
        return _from_folds(rows, texts)
    if len(in_parts) < len(texts):
        other = next(column for column in columns if column not in in_parts)
        raise BenchkitError(
            f"the columns '{in_parts[0]}' and '{other}' of {rows.where} do not split alike: only the first says train and test",
            "run columns of parts and columns of folds as two experiments",
        )
    splits = [_parts(rows, column, texts[column]) for column in in_parts]
    return Splits([Name(str(number)) for number in range(1, len(splits) + 1)], splits.__getitem__)


def _column(rows: Rows, column: str) -> Sequence[str]:
    if column not in rows.columns:
        raise BenchkitError(f"{rows.where} has no column '{column}' to split by", f"it has: {', '.join(rows.columns)}")
    return rows.columns[column]


def _says_parts(rows: Rows, column: str, texts: Sequence[str]) -> bool:
    """Return whether a column names parts; a column that names parts and something else is more likely a slip than folds."""
    others = [text for text in dict.fromkeys(texts) if text and text.lower() not in PARTS]
    parts = [text for text in dict.fromkeys(texts) if text.lower() in PARTS]
    if parts and others:
        raise BenchkitError(
            f"the column '{column}' of {rows.where} says '{parts[0]}' and '{others[0]}'",
            "write only train, test and validation, or give every fold a name other than these",
        )
    return bool(parts)


def _parts(rows: Rows, column: str, texts: Sequence[str]) -> Split:
    says = np.array([text.lower() for text in texts])
    train, test, validation = (np.flatnonzero(says == part) for part in PARTS)
    for part, found in zip(PARTS, (train, test), strict=False):
        if not found.size:
            raise BenchkitError(
                f"the column '{column}' of {rows.where} has no row that says {part}", "a split needs rows for train and for test"
            )
    return Split(train, test, validation if validation.size else None)


def _from_folds(rows: Rows, columns: dict[str, list[str]]) -> Splits:
    names: list[Name] = []
    places: list[tuple[Index, int]] = []
    for column, texts in columns.items():
        if "" in texts:
            raise BenchkitError(
                f"row {texts.index('') + 1} of {rows.where} has no fold in the column '{column}'", "every row belongs to a fold"
            )
        folds = natural_sort(set(texts))
        if len(folds) < 2:
            raise BenchkitError(
                f"the column '{column}' of {rows.where} says '{folds[0]}' in every row, which leaves no training row",
                "folds are at least two different texts",
            )
        code = {fold: number for number, fold in enumerate(folds)}
        fold_of_row = np.array([code[text] for text in texts], dtype=np.int64)
        for fold in folds:
            names.append(Name(str(len(names) + 1), column if len(columns) > 1 else None, fold))
            places.append((fold_of_row, code[fold]))
    return Splits(names, partial(_draw_fold, places))


def _check_sample(rows: Rows, name: str, drawn: Index) -> None:
    where = f"replicate '{name}' of the samples"
    if not drawn.size:
        raise BenchkitError(f"{where} draws none of the {rows.n} rows of {rows.where}", "a sample needs at least one row number")
    outside = drawn[(drawn < 0) | (drawn >= rows.n)]
    if outside.size:
        raise BenchkitError(
            f"{where} draws row {outside[0] + 1}, but {rows.where} has the rows 1 to {rows.n}",
            "row numbers in samples begin with 1",
        )
    if not never_drawn(rows.n, drawn).size:
        raise BenchkitError(
            f"{where} draws all {rows.n} rows of {rows.where}, which leaves no test row", "the test rows are those never drawn"
        )


def _draw_fold(places: Sequence[tuple[Index, int]], index: int) -> Split:
    fold_of_row, fold = places[index]
    return Split(np.flatnonzero(fold_of_row != fold), np.flatnonzero(fold_of_row == fold))


def _draw_sample(samples: Sequence[Index], n: int, index: int) -> Split:
    return Split(samples[index], never_drawn(n, samples[index]))
