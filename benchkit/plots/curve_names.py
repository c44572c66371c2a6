"""Names written at their curves, where there is room for them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from benchkit.plots.series import Floats
from benchkit.plots.text import inches, visible

LABEL = 8.5
LINE = 1.3 * LABEL / 72
NEAR, FAR = 0.07, 0.4
STEPS = 40


@dataclass(frozen=True)
class Spot:
    """Where a name goes: the point of its curve and the middle of the name, in inches from the lower left corner."""

    point: tuple[float, float]
    middle: tuple[float, float]


def name_spots(curves: Mapping[str, Floats]) -> dict[str, Spot] | None:
    """Find a spot for each curve's name that meets no curve and no other name, or None if some name finds none.

    curves: points in inches, shape (n, 2), by name. Near the curve and near its mode is better.
    """
    dense = {name: _densify(points) for name, points in curves.items()}
    ink = np.concatenate(list(dense.values()))
    taken: list[Floats] = []
    spots: dict[str, Spot] = {}
    for name, points in sorted(dense.items(), key=lambda item: -float(item[1][:, 1].max())):
        half = np.array([inches(visible(name), LABEL) / 2 + 0.03, LINE / 2])
        spot = next((spot for spot in _candidates(points, half) if _free(spot, half, ink, taken)), None)
        if spot is None:
            return None
        taken.append(np.array([np.array(spot.middle) - half, np.array(spot.middle) + half]))
        spots[name] = spot
    return spots


def _densify(points: Floats) -> Floats:
    """Return points no further apart than a few hundredths of an inch."""
    gaps = np.hypot(*np.diff(points, axis=0).T)
    along = np.concatenate([[0.0], np.cumsum(gaps)])
    steps = np.linspace(0.0, along[-1], max(2, int(along[-1] / 0.02)))
    return np.column_stack([np.interp(steps, along, points[:, side]) for side in (0, 1)])


def _candidates(points: Floats, half: Floats) -> list[Spot]:
    """Return the spots to try in turn: above, right and left of points from the mode downwards, near before far."""
    chosen = points[np.unique(np.linspace(0, len(points) - 1, STEPS).astype(int))]
    mode = points[int(np.argmax(points[:, 1]))]
    chosen = np.vstack([mode, chosen[np.argsort(-chosen[:, 1], kind="stable")]])
    chosen = chosen[chosen[:, 1] > 0.12 * mode[1]]
    return [
        Spot((float(x), float(y)), (float(x + right * (half[0] + reach)), float(y + up * (half[1] + reach))))
        for reach in (NEAR, FAR)
        for x, y in chosen
        for right, up in ((0, 1), (1, 0), (-1, 0))
    ]


def _free(spot: Spot, half: Floats, ink: Floats, taken: list[Floats]) -> bool:
    low, high = np.array(spot.middle) - half, np.array(spot.middle) + half
    if low.min() < 0 or ((ink > low) & (ink < high)).all(axis=1).any():
        return False
    return not any((low < other[1]).all() and (high > other[0]).all() for other in taken)
