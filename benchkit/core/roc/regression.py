"""`roc` for ensembles that predict numbers: mean squared and mean absolute error of the members' mean prediction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import polars as pl
from scipy.special import ndtri

from benchkit.core.names import counted, listed, quoted
from benchkit.core.roc import comparison, remarks, rows
from benchkit.core.roc.answer import NewGenerator
from benchkit.core.roc.gathered import Gathered, gather
from benchkit.core.roc.members import asked_of, difference, draw_notes, refuse
from benchkit.core.roc.request import RocRequest
from benchkit.errors import BenchkitError
from benchkit.methods.curve import questions
from benchkit.methods.curve.mean_predictions import Errors, mean_errors
from benchkit.methods.curve.questions import Asked, Parts
from benchkit.methods.curve.records import Spread
from benchkit.methods.records import Integers
from benchkit.tables import shapes
from benchkit.tables.result import Note, Result
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
    unpaired: list[Note] = []
    if len(found) > 1:
        for group in zip(*found, strict=not request.voters_used):
            for metric in range(len(METRICS)):
                compared = _compare(group, metric, request)
                pairs.append(rows.pair_table(compared, METRICS[metric], "lower", [one.keys for one in group], request))
                said.append(_differ(compared, METRICS[metric], group[0].size))
                unpaired += [remarks.unpaired(compared)] if compared.unpaired and metric == 0 else []
    tables = {
        "ensembles": shapes.build(shapes.ENSEMBLES, [_row(one, metric, request) for one in flat for metric in (0, 1)]),
        "pairs": rows.stacked(shapes.PAIRS, pairs),
    }
    about = dict.fromkeys(remarks.ABOUT[one.asked.target, one.asked.vary] for one in flat)
    notes = [Note("inference-target", f"intervals are about {text} (--target, --vary)", "info") for text in about]
    return Result(
        "roc", tables, [*source.notes, *notes, *unpaired, *draw_notes(gathered, request)], _headline(gathered), answer=said
    )


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
    """Return the row of the table ensembles; the interval is on the logarithmic scale."""
    value, parts = float(one.errors.estimate[metric]), one.parts[metric]
    sd = float(np.sqrt(parts.total))
    with np.errstate(over="ignore"):
        factor = float(np.exp(ndtri(0.5 + request.level / 2) * sd / value)) if value > 0 else 1.0
    known = not np.isnan(sd)
    share = float(parts.share_of_voters)
    both = one.asked.vary == "both" and not np.isnan(share)
    limit = float(one.errors.limit[metric])
    return {
        "metric": METRICS[metric],
        **one.keys,
        "n_voters": one.gathered.members.count,
        "target": one.asked.target,
        "vary": one.asked.vary,
        "std_error": sd if known else None,
        "ci_low": value / factor if known else None,
        "ci_high": value * factor if known else None,
        "ci_level": request.level,
        "share_voters": None if np.isnan(share) else share,
        "share_items": None if np.isnan(share) else 1 - share,
        "advice": ("more voters" if share > 0.5 else "more items") if both else None,
        "n_items": len(one.gathered.items),
        "estimate": value,
        "limit": None if np.isnan(limit) else limit,
    }


def _compare(group: Sequence[Predicted], metric: int, request: RocRequest) -> comparison.Compared:
    """Compare an error of all ensembles; on the same items by the differences of their losses."""
    contrasts = np.array(list(combinations(range(len(group)), 2)), dtype=np.int64)
    values = np.array([one.errors.estimate[metric] for one in group])
    errors, n, unpaired = np.zeros(len(contrasts)), np.zeros(len(contrasts), dtype=np.int64), dict[int, int]()
    for position, (a, b) in enumerate(contrasts.tolist()):
        first, second = group[a], group[b]
        items = len(first.gathered.items)
        if _same_items(first.gathered, second.gathered):
            gap = first.errors.losses[metric] - second.errors.losses[metric]
            sampling = float(gap.var(ddof=1)) / items if items > 1 else np.nan
            spreads = [first.spreads[metric], second.spreads[metric]]
            if not (first.errors.realised and second.errors.realised):
                sampling += sum(each.same_item for each in spreads)
            variance, n[position] = difference(first.asked, spreads, sampling), items
        else:
            unpaired[position] = int(first.gathered.items.is_in(second.gathered.items.implode()).sum())
            variance = float(first.parts[metric].total + second.parts[metric].total)
            n[position] = items + len(second.gathered.items)
        errors[position] = np.sqrt(max(variance, 0.0))
    return comparison.conclude(0, contrasts, values, errors, n, unpaired, request)


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
