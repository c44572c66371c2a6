"""One ensemble at one size: its curve, the variances of its rates and of the numbers that sum it up, its band."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchkit.core.roc.request import RocRequest
from benchkit.core.roc.voting import Ensemble
from benchkit.errors import BenchkitError
from benchkit.methods.curve import moments as of_votes
from benchkit.methods.curve import questions, smoothing
from benchkit.methods.curve.bands import Band, band
from benchkit.methods.curve.functionals import Functional, area
from benchkit.methods.curve.questions import Asked, Parts
from benchkit.methods.curve.records import Curve, Moments, Spread
from benchkit.methods.curve.spread import sample_variance, spread
from benchkit.methods.records import Floats, Integers


@dataclass(frozen=True)
class Number:
    """A number that sums the curve up, its gradient with respect to the rates, and its variance in parts."""

    value: float
    gradient: Floats
    spread: Spread
    parts: Parts


@dataclass(frozen=True)
class Analysed:
    """What was found. asked: what the variances are of. chosen: thresholds at which they were computed, shape (T,).

    parts: of the false and the true positive rate there, shapes (T,). marks: in the order of the request.
    """

    ensemble: Ensemble
    asked: Asked
    curve: Curve
    area: Number
    marks: Sequence[Number]
    chosen: Integers
    parts: tuple[Parts, Parts]
    band: Band | None

    @property
    def ratio(self) -> float:
        """The share m/M."""
        return self.curve.voters_used / self.ensemble.counts.voters


def asked_of(ensemble: Ensemble, size: int, request: RocRequest) -> Asked:
    """Return what the variances at the size m are of: as typed, else both of a rerun where the voters are known, else items.

    Numbers of votes tell all about items: of the votes at hand, and of the mean of m of them (roc.md, 2.6, a and d). Raises
    BenchkitError where what was typed needs the votes of each voter.
    """
    wanted, voters = request.asked, ensemble.counts.voters
    if wanted is None:
        if ensemble.has_voters or request.variance == "paper":
            return Asked("both", "rerun")
        if voters == 1 and size != 1:
            message = f"how curves of {size} voters of '{ensemble.name}' vary is unknown: {_known(ensemble)}"
            raise BenchkitError(message, "leave out --voters-used, or give the votes of several voters, a column for each")
        return Asked("items", "deployed" if size == voters else "mean")
    wanted.check()
    if ensemble.scores is not None and wanted.vary == "items":
        return Asked("items", "deployed")  # scores come from no voters, so --vary items is about the classifiers as they are
    if request.variance == "paper" and wanted.target != "rerun":
        message = f"--variance paper has one variance, of a rerun, not of --target {wanted.target}"
        raise BenchkitError(message, "leave out --target, or --variance paper")
    if wanted.vary != "items" and not ensemble.has_voters and request.variance == "joint":
        message = f"how a rerun of ensemble '{ensemble.name}' would vary is unknown: {_known(ensemble)}"
        if size != voters:
            raise BenchkitError(message, "--vary items is about new items")
        raise BenchkitError(message, "--vary items --target deployed is about new items for these very voters")
    if wanted.target == "deployed" and size != voters:
        message = f"--target deployed is about all {voters} voters of '{ensemble.name}', not about {size}"
        raise BenchkitError(message, "leave out --voters-used, or ask --vary items --target mean")
    return wanted


def _known(ensemble: Ensemble) -> str:
    """Say what there is where the votes of several voters are lacking."""
    return "it has one voter" if ensemble.counts.voters == 1 else "only the number of votes is known, not who voted"


def analyse(ensemble: Ensemble, size: int, request: RocRequest, generator: np.random.Generator) -> Analysed:
    """Analyse an ensemble at the size m (voters, or for scores their distinct values)."""
    counts, asked = ensemble.counts, asked_of(ensemble, size, request)
    beyond = size > counts.voters
    found = of_votes.curve(counts, size, request.resampling == "with" or beyond)
    chosen = of_votes.thinned(found.rates)
    moments = _moments(ensemble, size, chosen)
    rates = found.rates[:, chosen]
    ratio = size / counts.voters
    functionals = (area, *(mark.functional for mark in request.marks))
    influence = moments.influence if len(chosen) == size + 1 else None
    smooth = _smooth(ensemble, found)
    numbers = [_number(ensemble, found, smooth, functional, asked, request, influence) for functional in functionals]
    whole = _covariance(asked, moments, rates, counts.items, ratio, request)
    parts = (
        _parts(asked, moments, rates, counts.items, ratio, request, 0),
        _parts(asked, moments, rates, counts.items, ratio, request, 1),
    )
    around = band(rates, smooth, whole, counts.items, request.level, generator)
    return Analysed(ensemble, asked, found, numbers[0], numbers[1:], chosen, parts, around)


def _smooth(ensemble: Ensemble, curve: Curve) -> Floats:
    """Return rates of a curve whose slope means something, shape (2, P)."""
    if ensemble.scores is None:
        return of_votes.curve(ensemble.counts, curve.voters_used, with_replacement=True).rates
    return smoothing.smooth(curve.rates[:, of_votes.thinned(curve.rates)], ensemble.counts.items)


def _smooth_gradient(ensemble: Ensemble, curve: Curve, smooth: Floats, functional: Functional) -> Floats:
    """Return the gradient of a number at a place of the curve, by the slope that the smooth curve has there.

    Between scores the gradient at each point of the smooth curve counts for the threshold whose rate is nearest.
    """
    found = functional(smooth)[1]
    if ensemble.scores is None:
        return found
    gradient = np.zeros(curve.rates.shape)
    nearest = np.clip(np.searchsorted(-curve.rates[0], -smooth[0]), 0, curve.rates.shape[1] - 1)
    for c in range(2):
        np.add.at(gradient[c], nearest, found[c])
    gradient[:, 0] = 0.0
    return gradient


def _moments(ensemble: Ensemble, size: int, chosen: Integers) -> Moments:
    """Return the moments of the voters; zeros where there are none."""
    if ensemble.scores is None:
        return of_votes.moments(ensemble.counts, size, chosen)
    T = len(chosen)
    return Moments(np.zeros((2, T, T)), np.zeros((2, 2, T, T)), np.zeros((2, T, T)), np.zeros((2, T, 1)))


def _number(
    ensemble: Ensemble,
    curve: Curve,
    smooth: Floats,
    functional: Functional,
    asked: Asked,
    request: RocRequest,
    influence: Floats | None,
) -> Number:
    """Return the number that the functional takes from the curve; influence: of the voters at all thresholds, or None."""
    value, gradient = functional(curve.rates)
    if functional is not area and curve.realised:  # a step curve has no slope that its rates at one place could follow
        gradient = _smooth_gradient(ensemble, curve, smooth, functional)
    counts, ratio = ensemble.counts, curve.voters_used / ensemble.counts.voters
    if ensemble.scores is not None:
        found = Spread(0.0, 0.0, 0.0, sample_variance(counts, gradient))
    else:
        found = spread(counts, curve.voters_used, gradient, curve.realised, influence)[0]
    if request.variance == "paper":
        voters = np.asarray(found.same_item if asked.vary != "items" else 0.0)
        return Number(value, gradient, found, Parts(voters, np.asarray(found.poisson if asked.vary != "voters" else 0.0)))
    return Number(value, gradient, found, questions.of_number(asked, found, ratio))


def _parts(asked: Asked, moments: Moments, rates: Floats, items: Floats, ratio: float, request: RocRequest, c: int) -> Parts:
    """Return the parts of the variance of one class's rate at each threshold."""
    same, own, first = (np.diag(part) for part in (moments.same_item[c], moments.own[c], moments.first_order[c, c]))
    zero = np.zeros(same.shape)
    if request.variance == "paper":
        return Parts(same if asked.vary != "items" else zero, _poisson(rates[c], items[c]) if asked.vary != "voters" else zero)
    sampling = rates[c] * (1 - rates[c]) / items[c]
    return questions.parts(asked, same, first, questions.kept_positive(same, first, own, sampling), sampling, ratio)


def _poisson(rates: Floats, items: float) -> Floats:
    """Return F/n, the variance under Poisson weights of the items whose sum is not held fixed."""
    return np.asarray(rates / items, dtype=np.float64)


def _covariance(asked: Asked, moments: Moments, rates: Floats, items: Floats, ratio: float, request: RocRequest) -> Floats:
    """Return the covariance of all rates, shape (2, 2, T, T)."""
    if request.variance == "joint":
        return questions.covariance(asked, moments, rates, items, ratio)
    size = rates.shape[1]
    later = np.maximum.outer(np.arange(size), np.arange(size))
    whole = np.zeros((2, 2, size, size))
    for c in range(2):
        if asked.vary != "items":
            whole[c, c] += moments.same_item[c]
        if asked.vary != "voters":
            whole[c, c] += _poisson(rates[c], items[c])[later]
    return whole
