"""Crosses that would lie on one another: bars of one rate stand side by side, thin bars give way."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from benchkit.plots.crosses import Cross
from benchkit.plots.curves import Curve
from benchkit.plots.series import Floats

# inches between bars of one rate
BESIDE = 0.1


@dataclass(frozen=True, eq=False)
class Place:
    """A cross of a curve, how far it is moved (in shares of the axes, to the right or up), and whether it has its thin bar."""

    curve: Curve
    cross: Cross
    shift: float = 0.0
    thin: bool = True


def placed(found: Sequence[tuple[Curve, Cross]], left: float | None, size: tuple[float, float]) -> list[Place]:
    """Place the crosses on axes of `size` inches that begin at `left` (None: linear).

    Where intervals of several curves at the same rate asked for overlap, all of that rate move apart; where a thin bar
    meets a bar of another cross, none of that rate is drawn.
    """
    groups: dict[tuple[bool, float], list[tuple[Curve, Cross]]] = {}
    for curve, cross in found:
        groups.setdefault((cross.asked_up, cross.at), []).append((curve, cross))
    places = [place for group in groups.values() for place in _side_by_side(group, size)]
    bars = [(asked_bar(place, left), thin_bar(place, left)) for place in places]
    crowded = {
        (place.cross.asked_up, place.cross.at)
        for i, place in enumerate(places)
        for j, other in enumerate(bars)
        if i != j and (_meet(bars[i][1], other[0]) or _meet(bars[i][1], other[1]))
    }
    return [
        Place(place.curve, place.cross, place.shift, (place.cross.asked_up, place.cross.at) not in crowded) for place in places
    ]


def _side_by_side(group: Sequence[tuple[Curve, Cross]], size: tuple[float, float]) -> list[Place]:
    """Return the crosses of one rate, moved apart if some of their intervals overlap."""
    ends = sorted(cross.up if cross.asked_up else cross.across for _, cross in group)
    if all(before[1] < after[0] for before, after in pairwise(ends)):
        return [Place(curve, cross) for curve, cross in group]
    step = BESIDE / size[0 if group[0][1].asked_up else 1]
    return [Place(curve, cross, step * (number - (len(group) - 1) / 2)) for number, (curve, cross) in enumerate(group)]


def asked_bar(place: Place, left: float | None) -> Floats:
    """Return the two ends of the bar of the rate asked for, shape (2, 2), in shares of the axes."""
    return _bar(place, left, place.cross.asked_up)


def thin_bar(place: Place, left: float | None) -> Floats:
    """Return the two ends of the bar of the other rate, shape (2, 2), in shares of the axes."""
    return _bar(place, left, not place.cross.asked_up)


def middle(place: Place, left: float | None) -> Floats:
    """Return where the two bars meet, shape (2,), in shares of the axes."""
    return np.array([across_axis(place.cross.x, left), place.cross.y]) + _moved(place)


def _bar(place: Place, left: float | None, up: bool) -> Floats:
    x, y = across_axis(place.cross.x, left), place.cross.y
    ends = place.cross.up if up else [across_axis(end, left) for end in place.cross.across]
    return np.array([[x, end] if up else [end, y] for end in ends]) + _moved(place)


def _moved(place: Place) -> Floats:
    return np.array([place.shift, 0.0] if place.cross.asked_up else [0.0, place.shift])


def across_axis(rate: float, left: float | None) -> float:
    """Return where a false positive rate stands on the axis; what is below `left` stands there."""
    return rate if left is None else 1 - float(np.log(max(rate, left)) / np.log(left))


def _meet(bar: Floats, other: Floats) -> bool:
    """Return whether two bars, each across or up, touch."""
    return bool((bar.min(axis=0) <= other.max(axis=0)).all() and (other.min(axis=0) <= bar.max(axis=0)).all())
