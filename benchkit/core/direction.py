"""Which way is better: from the command line, from the results, or from a well-known metric name."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from benchkit.errors import BenchkitError
from benchkit.tables import metrics

Directions = Mapping[str | None, str]
HINT = "add --better lower or --better higher"


def parse_directions(options: Sequence[str]) -> Directions:
    """Read the values of --better: `lower`, `higher` (every metric) or `METRIC=lower`; a later one wins.

    The key None holds the direction of metrics that are not named.
    """
    directions: dict[str | None, str] = {}
    for option in options:
        metric, separator, better = option.rpartition("=")
        if better not in ("lower", "higher"):
            raise BenchkitError(f"--better does not know '{option}'", "write lower, higher or METRIC=lower")
        directions[metric if separator else None] = better
    return directions


def direction_of(metric: str | None, stated: set[str], directions: Directions) -> str | None:
    """Return lower, higher or None (unknown) for one metric.

    `stated` holds what the column `better` says of it. The command line comes first, then the column, then the list
    of well-known metrics. Raises BenchkitError if the column contradicts itself or holds another word.
    """
    if metric in directions:
        return directions[metric]
    if None in directions:
        return directions[None]
    if len(stated) > 1 or not stated <= {"lower", "higher"}:
        words = " and ".join(sorted(stated))
        raise BenchkitError(f"the column 'better' says {words} for {metric or 'the performance'}", HINT)
    if stated:
        return next(iter(stated))
    return metrics.direction(metric) if metric else None


def check_metrics(option: str, named: Iterable[str | None], measured: Sequence[str | None]) -> None:
    """Raise BenchkitError if an option names a metric that was not measured: a typing error must not pass for a wish."""
    known = [metric for metric in measured if metric is not None]
    for metric in named:
        if metric is not None and metric not in known:
            near = get_close_matches(metric, known, n=1)
            hint = f"did you mean {near[0]}?" if near else "metrics: " + (", ".join(dict.fromkeys(known)) or "none has a name")
            raise BenchkitError(f"{option} names the metric '{metric}', which is not in the results", hint)


def unknown_direction(metric: str | None) -> BenchkitError:
    """Return the error of commands that cannot work without a direction."""
    return BenchkitError(f"the direction of '{metric or 'performance'}' is not known", HINT)
