"""`roc` for weighted votes and for members that say numbers: the tables of `answer`, by the joint bootstrap."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from benchkit.core.roc import comparison, remarks, rows
from benchkit.core.roc.analysis import Analysed, Number
from benchkit.core.roc.answer import NewGenerator
from benchkit.core.roc.check import FEW_VOTERS
from benchkit.core.roc.gathered import Gathered, gather
from benchkit.core.roc.request import RocRequest
from benchkit.core.roc.voting import Ensemble, same_items, shared_items
from benchkit.errors import BenchkitError
from benchkit.methods.curve import paired, questions
from benchkit.methods.curve.bands import band
from benchkit.methods.curve.functionals import area
from benchkit.methods.curve.members import Resampled, resample
from benchkit.methods.curve.questions import Asked
from benchkit.methods.curve.records import Curve, Moments, Spread, VoteCounts
from benchkit.methods.records import Floats
from benchkit.tables.result import Note, Result
from benchkit.tables.votes import VoteSource

DEPLOYED = "--vary items --target deployed"


@dataclass(frozen=True)
class Drawn:
    """One ensemble at one size: what was found, in the form of other ensembles, and the draws that it comes from."""

    analysed: Analysed
    resampled: Resampled


def members(
    source: VoteSource, request: RocRequest, new_generator: NewGenerator, progress: Callable[[int, int], None] | None = None
) -> Result:
    """Return ensembles, points, marks and pairs of weighted votes (source.weights) or real values, all with notes.

    Voters: variance over request.draws draws of m of M members times M/(M - 1); items: over draws of items; what both hold
    (D) is counted once, as for votes. Raises BenchkitError for --variance paper, --check, and the targets mean and prediction.
    """
    refuse(request)
    gathered = gather(source)
    asked = [[(size, asked_of(one, size, request)) for size in request.voters_used or (one.members.count,)] for one in gathered]
    total, found = sum(map(len, asked)), list[list[Drawn]]()
    for number, one in enumerate(gathered):
        sizes = []
        for size, question in asked[number]:
            sizes.append(_analyse(one, number, size, question, request, new_generator))
            if progress:
                progress(sum(map(len, found)) + len(sizes), total)
        found.append(sizes)
    flat = [drawn.analysed for sizes in found for drawn in sizes]
    compared = _compared(found, request)
    tables = rows.tables(flat, compared, request)
    notes = [*source.notes, *remarks.of(flat, [each for _, each in compared], request), *draw_notes(gathered, request)]
    heads = remarks.headline([sizes[0].analysed.ensemble for sizes in found])
    return Result("roc", tables, notes, heads, answer=remarks.answer(flat, compared))


def refuse(request: RocRequest) -> None:
    """Raise BenchkitError for what draws of members cannot tell."""
    if request.variance == "paper":
        raise BenchkitError("--variance paper is for votes that weigh alike", "leave it out")
    if request.check:
        raise BenchkitError("--check is for formulas, and here the numbers come from the bootstrap itself", "leave it out")
    if request.draws < 2:
        raise BenchkitError(f"{request.draws} draws are too few for a standard deviation", "take 1000")


def asked_of(one: Gathered, size: int, request: RocRequest) -> Asked:
    """Return what the variances are of: as typed, else both of a rerun, or new items where there is a single member."""
    several = one.members.count > 1
    wanted = request.asked or (Asked("both", "rerun") if several else Asked("items", "deployed"))
    wanted.check()
    if wanted.target in ("mean", "prediction"):
        message = f"--target {wanted.target} is for votes that weigh alike, not for weights and real values"
        raise BenchkitError(message, "leave it out" if several else DEPLOYED)
    if wanted.target == "rerun" and not several:
        message = f"ensemble '{one.name}' has one voter: how a rerun would vary is unknown"
        raise BenchkitError(message, f"{DEPLOYED} is about new items for this very voter")
    if wanted.target == "deployed" and size != one.members.count:
        if request.asked is None:
            message = f"ensemble '{one.name}' has one voter: of {size} of them nothing is known"
            raise BenchkitError(message, "leave out --voters-used")
        message = f"--target deployed is about all {one.members.count} voters of '{one.name}', not about {size}"
        raise BenchkitError(message, "leave out --voters-used" + (", or ask --vary items --target rerun" if several else ""))
    return wanted


def _analyse(one: Gathered, number: int, size: int, asked: Asked, request: RocRequest, new_generator: NewGenerator) -> Drawn:
    """Resample one ensemble at one size; members by draws of its own, items by draws that all ensembles share."""
    of_items, *of_members = new_generator().spawn(number + 2)
    functionals = (area, *(mark.functional for mark in request.marks))
    M, smoothed = one.members.count, request.resampling == "with" or size > one.members.count
    found = resample(one.members, one.labels, size, smoothed, functionals, request.draws, (of_members[-1], of_items))
    items = np.array([(one.labels == c).sum() for c in range(2)], dtype=np.float64)
    several = M / max(M - 1, 1)  # a variance over draws from M lacks so much
    moments = Moments(several * found.same_item, several * found.voters, several * found.same_item, np.empty(0))
    ratio = size / M
    numbers = [
        _number(found, position, functional(found.smooth)[1], asked, several) for position, functional in enumerate(functionals)
    ]
    parts = []
    for c in range(2):
        rates = found.rates[c]
        same, first = moments.same_item[c].diagonal(), moments.first_order[c, c].diagonal()
        parts.append(questions.parts(asked, same, first, same, rates * (1 - rates) / items[c], ratio))
    whole = questions.covariance(asked, moments, found.rates, items, ratio)
    around = band(found.rates, found.smooth, whole, items, request.level, new_generator())
    thresholds = np.arange(len(found.thresholds))
    curve = Curve(size, thresholds, found.rates, found.realised)
    ensemble = _ensemble(one, found)
    return Drawn(Analysed(ensemble, asked, curve, numbers[0], numbers[1:], thresholds, (parts[0], parts[1]), around), found)


def _number(found: Resampled, position: int, gradient: Floats, asked: Asked, several: float) -> Number:
    """Return one number with its variance in parts."""
    same, first = several * float(found.number_same[position]), several * float(found.number_voters[position])
    spread = Spread(same, first, same, float(found.number_items[position]))
    return Number(float(found.numbers[position]), gradient, spread, questions.of_number(asked, spread, 1.0))


def _ensemble(one: Gathered, found: Resampled) -> Ensemble:
    """Return the ensemble as one of scores, whose thresholds are those that were looked at."""
    scores = one.members.scores(np.ones((one.members.count, 1)))[:, 0]
    taken = np.searchsorted(found.thresholds[1:], scores, side="right")
    histogram = np.stack([np.bincount(taken[one.labels == c], minlength=len(found.thresholds)) for c in range(2)])
    counts = VoteCounts(len(found.thresholds) - 1, histogram.astype(np.int64))
    return Ensemble(one.name, counts, one.items, one.labels, taken, found.thresholds[1:], one.members.count)


def _compared(found: Sequence[Sequence[Drawn]], request: RocRequest) -> list[tuple[list[Analysed], comparison.Compared]]:
    """Compare the ensembles at each size, in each number; nothing for a single one."""
    compared: list[tuple[list[Analysed], comparison.Compared]] = []
    for group in comparison.by_size(found):
        analysed = [drawn.analysed for drawn in group]
        compared += [(analysed, _compare(group, number, request)) for number in range(1 + len(request.marks))]
    return compared


def _compare(group: Sequence[Drawn], number: int, request: RocRequest) -> comparison.Compared:
    """Compare one number of all ensembles; on the same items by the draws of items that they share."""
    sign = 1.0 if number and request.marks[number - 1].better == "lower" else -1.0
    values = sign * np.array([drawn.resampled.numbers[number] for drawn in group])

    def difference(a: int, b: int) -> comparison.Difference:
        first, second = group[a].analysed, group[b].analysed
        asked = comparison.asked_of_pair(first, second)
        spreads = [comparison.number_of(one, number).spread for one in (first, second)]
        if same_items(first.ensemble, second.ensemble) is None:
            variance = sum(questions.of_number(asked, spread, 1.0).total for spread in spreads)
            items = len(first.ensemble.items) + len(second.ensemble.items)
            return comparison.Difference(np.asarray(variance), items, asked, shared_items((first.ensemble, second.ensemble)))
        gap = group[a].resampled.deviations[:, number] - group[b].resampled.deviations[:, number]
        parts = paired.parts(asked, spreads, float(gap @ gap) / (len(gap) - 1))
        return comparison.Difference(parts.total, len(first.ensemble.items), asked)

    ensembles = [(drawn.analysed.ensemble.name, drawn.analysed.asked) for drawn in group]
    return comparison.over_pairs(number, ensembles, values, request, difference)


def draw_notes(gathered: Sequence[Gathered], request: RocRequest) -> list[Note]:
    """Say how exact the draws are, and where they say too much."""
    error = 100 / np.sqrt(2 * (request.draws - 1))
    text = f"standard deviations come from {request.draws} draws of members and items, which know them to {error:.1f}%"
    notes = [Note("joint-bootstrap", text, "info")]
    said = []
    for one in gathered:
        if 1 < one.members.count < FEW_VOTERS < len(one.items):
            text = "draws of so few members overstate somewhat what the members add to the variance"
            said.append(remarks.Said("few-voters", one.name, text))
        if any(size > one.members.count for size in request.voters_used):
            said.append(remarks.Said("beyond-voters", one.name, remarks.BEYOND, "warning"))
    return [*notes, *remarks.grouped(said, len(gathered))]
