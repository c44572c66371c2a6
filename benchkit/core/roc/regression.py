"""`roc` for ensembles that predict numbers: mean squared and mean absolute error of the members' mean prediction."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.special import ndtri

from benchkit.core.names import counted, listed, quoted
from benchkit.core.roc import comparison, remarks, rows
from benchkit.core.roc.answer import NewGenerator
from benchkit.core.roc.gathered import Gathered, gather
from benchkit.core.roc.intervals import Interval
from benchkit.core.roc.members import asked_of, draw_notes, refuse
from benchkit.core.roc.request import RocRequest
from benchkit.errors import BenchkitError
from benchkit.methods.curve import paired, questions
from benchkit.methods.curve.mean_predictions import Errors, mean_errors
from benchkit.methods.curve.questions import Asked, Parts
from benchkit.methods.curve.records import Spread
from benchkit.methods.records import Integers
from benchkit.tables import shapes
from benchkit.tables.result import Result
from benchkit.tables.votes import VoteSource

METRICS = ("mse", "mae")


@dataclass(frozen=True)
class Predicted:
    """One ensemble at one size; spreads and parts of the variance for each of METRICS."""

    gathered: Gathered
    asked: Asked
    size: int
    errors: Errors
    spreads: Sequence[Spread]
    parts: Sequence[Parts]

    @property
    def keys(self) -> dict[str, object]:
        """What begins its rows."""
        return {"method": "joint-bootstrap", "ensemble": self.gathered.name, "voters_used": self.size}

    def intervals(self, level: float) -> list[Interval]:
        """Return the interval of each of METRICS, on the logarithmic scale; none for an error of 0, or without a variance."""
        found = []
        for name, value, parts in zip(METRICS, self.errors.estimate.tolist(), self.parts, strict=True):
            sd = float(np.sqrt(parts.total))
            with np.errstate(over="ignore"):
                factor = float(np.exp(ndtri(0.5 + level / 2) * sd / value)) if value > 0 else np.nan
            found.append(Interval(name, value, sd, value / factor, value * factor))
        return found


def regression(
    source: VoteSource, request: RocRequest, new_generator: NewGenerator, progress: Callable[[int, int], None] | None = None
) -> Result:
    """Return ensembles (metric mse and mae, with the further columns estimate, limit and n_items) and pairs.

    Raises BenchkitError as `members` does, and for places on a curve.
    """
    refuse(request)
    if request.marks:
        raise BenchkitError("--at and --partial are for ROC curves, not for predictions of numbers", "leave them out")
    gathered = gather(source)
    found: list[list[Predicted]] = []
    for number, one in enumerate(gathered):
        sizes = request.voters_used or (one.members.count,)
        found.append([_predicted(one, number, size, request, new_generator) for size in sizes])
        if progress:
            progress(number + 1, len(gathered))
    flat = [one for sizes in found for one in sizes]
    pairs: list[pl.DataFrame] = []
    said: list[str] = []
    every: list[comparison.Compared] = []
    for group in comparison.by_size(found):
        for metric in range(len(METRICS)):
            compared = _compare(group, metric, request)
            pairs.append(rows.pair_table(compared, METRICS[metric], "lower", [one.keys for one in group], request))
            said.append(_differ(compared, METRICS[metric], group[0].size))
            every.append(compared)
    tables = {
        "ensembles": shapes.build(shapes.ENSEMBLES, [_row(one, metric, request) for one in flat for metric in (0, 1)]),
        "pairs": rows.stacked(shapes.PAIRS, pairs),
    }
    notes = [
        *source.notes,
        *remarks.about("intervals", [remarks.ABOUT[one.asked.target, one.asked.vary] for one in flat]),
        *remarks.merged(
            [*remarks.grouped([said for one in flat for said in _of_errors(one)], len(found)), *remarks.of_pairs(every)]
        ),
        *draw_notes(gathered, request),
    ]
    return Result("roc", tables, notes, _headline(gathered), answer=said)


def _of_errors(one: Predicted) -> Iterator[remarks.Said]:
    """Say which errors have no interval."""
    return remarks.without_interval(one.gathered.name, one.intervals(0.95))


def _headline(gathered: Sequence[Gathered]) -> tuple[str, ...]:
    if len(gathered) == 1:
        one = gathered[0]
        return (f"{quoted(one.name)}: {counted(one.members.count, 'voter')}, {counted(len(one.items), 'item')}",)
    return (f"{counted(len(gathered), 'ensemble')}: {listed([quoted(one.name) for one in gathered])}",)


def _predicted(one: Gathered, number: int, size: int, request: RocRequest, new_generator: NewGenerator) -> Predicted:
    """Draw the members of one ensemble at one size."""
    assert one.targets is not None
    asked, M = asked_of(one, size, request), one.members.count
    smoothed = request.resampling == "with" or size > M
    generator = new_generator().spawn(number + 1)[-1]
    errors = mean_errors(one.members, one.targets, size, smoothed, request.draws, generator)
    several = M / max(M - 1, 1)  # a variance over draws from M lacks so much
    spreads = []
    for metric in range(len(METRICS)):
        same, first = several * float(errors.same_item[metric]), several * float(errors.voters[metric])
        spreads.append(Spread(same, first, same, float(errors.items[metric])))
    return Predicted(one, asked, size, errors, spreads, [questions.of_number(asked, spread, 1.0) for spread in spreads])


def _row(one: Predicted, metric: int, request: RocRequest) -> dict[str, object]:
    """Return the row of the table ensembles; shares where both vary."""
    found = one.intervals(request.level)[metric]
    return {
        "metric": METRICS[metric],
        **one.keys,
        "n_voters": one.gathered.members.count,
        "target": one.asked.target,
        "vary": one.asked.vary,
        **rows.certainty(found, request.level),
        **rows.shares(one.asked, one.parts[metric]),
        "n_items": len(one.gathered.items),
        "estimate": found.value,
        "limit": rows.known(one.errors.limit[metric]),
    }


def _compare(group: Sequence[Predicted], metric: int, request: RocRequest) -> comparison.Compared:
    """Compare an error of all ensembles; on the same items by the differences of their losses."""

    def difference(a: int, b: int) -> comparison.Difference:
        first, second = group[a], group[b]
        asked = first.asked if first.asked == second.asked else Asked("items", "deployed")
        spreads, items = [first.spreads[metric], second.spreads[metric]], len(first.gathered.items)
        if not _same_items(first.gathered, second.gathered):
            variance = sum(questions.of_number(asked, spread, 1.0).total for spread in spreads)
            shared = int(first.gathered.items.is_in(second.gathered.items.implode()).sum())
            return comparison.Difference(np.asarray(variance), items + len(second.gathered.items), asked, shared)
        gap = first.errors.losses[metric] - second.errors.losses[metric]
        sampling = float(gap.var(ddof=1)) / items if items > 1 else np.nan
        if not (first.errors.realised and second.errors.realised):
            sampling += sum(each.same_item for each in spreads)
        return comparison.Difference(paired.parts(asked, spreads, sampling).total, items, asked)

    values = np.array([one.errors.estimate[metric] for one in group])
    return comparison.over_pairs(0, [(one.gathered.name, one.asked) for one in group], values, request, difference)


def _same_items(a: Gathered, b: Gathered) -> bool:
    """Say whether both have the same items; BenchkitError for one with two targets."""
    assert a.targets is not None
    assert b.targets is not None
    if not a.items.equals(b.items):
        return False
    torn: Integers = np.flatnonzero(a.targets != b.targets)
    if torn.size:
        message = f"item '{a.items[int(torn[0])]}' has one target with '{a.name}' and another with '{b.name}'"
        raise BenchkitError(message, "is the item the same?")
    return True


def _differ(compared: comparison.Compared, metric: str, size: int) -> str:
    differ = sum(verdict in ("better", "worse") for verdict in compared.verdicts.verdict)
    verb = "differs" if len(compared.contrasts) == 1 else "differ"
    return f"{differ} of {counted(len(compared.contrasts), 'pair')} {verb} in {metric} at {counted(size, 'voter')}"
