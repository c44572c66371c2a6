"""Numbers that a plan asks for, checked against the rows."""

import math

from benchkit.errors import BenchkitError
from benchkit.run.resampling.splits import Name, Rows


def check_enough(rows: Rows) -> None:
    """Raise an error if there are too few rows to train and test on."""
    if rows.n < 2:
        raise BenchkitError(
            f"{rows.where} has too few rows to train and test on: {rows.n}", "resampling needs at least 2 rows with a target"
        )


def whole(rows: Rows, option: str, asked: int | None, default: int, least: int = 1) -> int:
    """Return the number asked for, or the default; one below the least is an error."""
    number = default if asked is None else asked
    if number < least:
        raise BenchkitError(
            f"{option} = {number} is too small for {rows.where}", f"{option} is a whole number of {least} or more"
        )
    return number


def rows_asked(rows: Rows, option: str, asked: float) -> int:
    """Return how many rows a share (below 1, rounded to the nearest row) or a number of rows (1 or more) means: at least 1."""
    if not asked > 0 or (asked >= 1 and not float(asked).is_integer()):
        raise BenchkitError(
            f"{option} = {asked} is neither a share nor a number of the rows of {rows.where}",
            f"{option} is a share between 0 and 1, or a whole number of rows",
        )
    count = math.floor(asked * rows.n + 0.5) if asked < 1 else int(asked)
    if count == 0:
        raise BenchkitError(
            f"{option} = {asked} of the {rows.n} rows of {rows.where} is no row",
            f"give {option} as a number of rows: {option} = 1",
        )
    return count


def numbered(count: int) -> list[Name]:
    """Return the names 1, 2, ... of replicates that are no folds."""
    return [Name(str(number)) for number in range(1, count + 1)]
