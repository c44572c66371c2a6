"""Cells become numbers or texts: what counts as missing, what is no number, and what to do about it."""

import re

import polars as pl

from benchkit.tables.wording import shown

MISSING = ("", "na", "nan", "n/a", "-", "null")
TRUTHS = ("true", "false")

MISSING_HINT = "missing values are written as an empty cell, NA or NaN"
HINTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r".*\d\s*%"), "write the number alone, in the same unit as the rest of the column, without a percent sign"),
    (re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?|[+-]?\d{1,3}(\.\d{3})+,\d*"), "write numbers without thousands separators"),
    (
        re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?"),
        "write decimal points; decimal commas are read where ; or a tab parts the fields",
    ),
    (re.compile("\u2212.*"), "write the sign as a hyphen, -"),
    (
        re.compile(r"(true|false|yes|no|t|f)", re.IGNORECASE),
        "write 1 for true and 0 for false, or nothing but true and false in the column",
    ),
    (re.compile(r"[+-]?[\d.]+(e[+-]?\d+)?\s*[a-zA-Zµ]+"), "write the number alone, without its unit"),
    (re.compile(r"[+-]?[\d.,]+\s*(±|\+/-|\().*"), "give one row for each replicate, not a mean with its spread"),
)


def stripped(column: str) -> pl.Expr:
    """Return the text column without outer blanks."""
    return pl.col(column).str.strip_chars()


def number(column: str, decimal_comma: bool) -> pl.Expr:
    """Return the text column as numbers, null for whatever is none; "nan" becomes NaN."""
    text = stripped(column)
    text = text.str.replace(",", ".", literal=True) if decimal_comma else text
    return text.cast(pl.Float64, strict=False)


def no_number(column: str, decimal_comma: bool) -> pl.Expr:
    """Say for each cell of the text column whether it is neither a number nor a missing token."""
    return number(column, decimal_comma).is_null() & _written(column)


def no_truth(column: str) -> pl.Expr:
    """Say for each cell of the text column whether it is neither true, false nor a missing token."""
    return ~stripped(column).str.to_lowercase().is_in(TRUTHS) & _written(column)


def _written(column: str) -> pl.Expr:
    return ~stripped(column).str.to_lowercase().is_in(MISSING).fill_null(True)


def truth(column: str) -> pl.Expr:
    """Return the text column as truth values; null for whatever is none."""
    lower = stripped(column).str.to_lowercase()
    return pl.when(lower == "true").then(True).when(lower == "false").then(False)


def number_hint(cell: str) -> str:
    """Say what to do about a cell that is not a number."""
    cell = cell.strip()
    return next((hint for pattern, hint in HINTS if pattern.fullmatch(cell)), MISSING_HINT)


def not_a_number(cell: str) -> str:
    """Return the end of the message about a cell that is not a number."""
    return f"{shown(cell.strip())} is not a number"


def number_or_null(column: str, kind: pl.DataType, decimal_comma: bool) -> pl.Expr:
    """Return a column of any type as numbers without a complaint: null for whatever is none."""
    if kind == pl.String:
        return number(column, decimal_comma).alias(column)
    if kind.is_numeric() or kind == pl.Boolean:
        return pl.col(column).cast(pl.Float64)
    return pl.lit(None).cast(pl.Float64).alias(column)


def text(column: str, kind: pl.DataType) -> pl.Expr:
    """Return a column of any simple type as text: integers by their digits, floats as polars prints them, ISO dates.

    NaN is null. Truth values are true and false.
    """
    cells = pl.col(column)
    if isinstance(kind, pl.Duration):
        return cells.dt.to_string("iso")
    if kind.is_float():
        cells = cells.fill_nan(None)
    return cells.cast(pl.String)
