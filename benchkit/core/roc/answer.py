"""`roc`: from votes to the tables ensembles, points, marks and pairs, and check if that is asked for."""

from collections.abc import Callable, Sequence

import numpy as np

from benchkit.core.roc import comparison, remarks, rows
from benchkit.core.roc.analysis import Analysed, analyse
from benchkit.core.roc.check import check
from benchkit.core.roc.request import RocRequest
from benchkit.core.roc.voting import Ensemble, collect
from benchkit.tables.result import Result
from benchkit.tables.votes import VoteSource

NewGenerator = Callable[[], np.random.Generator]


def roc(
    source: VoteSource, request: RocRequest, new_generator: NewGenerator, progress: Callable[[int, int], None] | None = None
) -> Result:
    """Return ensembles, points, marks and pairs of all ensembles at all sizes, with notes.

    Raises BenchkitError where a class has no items, or the request needs votes that are not known.
    """
    ensembles = collect(source, with_sums=_needs_voters(request))
    analysed: list[list[Analysed]] = []
    for number, one in enumerate(ensembles):
        analysed.append([analyse(one, size, request, new_generator()) for size in _sizes(one, request)])
        if progress:
            progress(number + 1, len(ensembles))
    flat = [one for sizes in analysed for one in sizes]
    compared = _compared(analysed, request)
    tables = rows.tables(flat, compared, request)
    notes = [*source.notes, *remarks.of(flat, [found for _, found in compared], request)]
    if request.check:
        tables["check"], checked = check(source, flat, request, request.check, new_generator())
        notes += checked
    return Result("roc", tables, notes, remarks.headline(ensembles), answer=remarks.answer(flat, compared))


def _needs_voters(request: RocRequest) -> bool:
    """Say whether the votes of each voter are needed: not where only new items are asked about."""
    return request.variance == "joint" and (request.asked is None or request.asked.vary != "items")


def _sizes(ensemble: Ensemble, request: RocRequest) -> Sequence[int]:
    """Return the sizes asked about; for scores there is only the whole."""
    if ensemble.scores is not None or not request.voters_used:
        return (ensemble.counts.voters,)
    return request.voters_used


def _compared(analysed: Sequence[Sequence[Analysed]], request: RocRequest) -> list[tuple[list[Analysed], comparison.Compared]]:
    """Compare the ensembles at each size, in each number; nothing for a single one."""
    found: list[tuple[list[Analysed], comparison.Compared]] = []
    for group in map(list, comparison.by_size(analysed)):
        found += [(group, comparison.compare(group, request, number)) for number in range(1 + len(request.marks))]
    return found
