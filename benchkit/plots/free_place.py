"""A place within axes that no line crosses."""

import numpy as np

from benchkit.plots.series import Floats

STEPS = 25


def free_place(ink: Floats, size: tuple[float, float], corners: tuple[tuple[float, float], ...]) -> tuple[float, float] | None:
    """Return the lower left corner of a rectangle of `size` that holds none of `ink`; None if there is none.

    All in shares of the axes. ink: points (n, 2), dense along lines. The nearest to one of the corners is taken, the first
    corner before the others where they are as near.
    """
    x, y = (np.linspace(0, 1 - extent, STEPS) for extent in size)
    places = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    margin = 1 - np.array(size)
    to_corners = [np.abs(places - np.array(corner) * margin).sum(axis=1) + 1e-6 * rank for rank, corner in enumerate(corners)]
    for place in places[np.argsort(np.min(to_corners, axis=0), kind="stable")]:
        if not ((ink > place) & (ink < place + size)).all(axis=1).any():
            return float(place[0]), float(place[1])
    return None
