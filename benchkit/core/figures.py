"""The numbers behind the figures: places and dots of the bench plot, boxes and densities."""

from collections.abc import Mapping

import numpy as np
import polars as pl

from benchkit.core.experiment import Experiment
from benchkit.core.places import broken_ranks, tie_spans
from benchkit.core.summarize import best_first, quartiles
from benchkit.methods.mid_ranks import mid_ranks
from benchkit.methods.records import Floats
from benchkit.tables import shapes

GRID = 512
BINS = 4096


def _keyed(experiment: Experiment, columns: Mapping[str, object]) -> dict[str, object]:
    return {"metric": experiment.metric, "dataset": experiment.dataset, "method": None, **columns}


def podium(experiment: Experiment, ties: str, generator: np.random.Generator) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return `places` (how often each algorithm took each place) and `dots` (each replicate's place and performance).

    Rows of `places` come in the global order (mean, best first, then name). ties: "random" breaks them with the
    generator, as the paper does; "share" counts a tie over m places as 1/m on each, and its dots stand on the first
    of them. An algorithm missing in a replicate takes no place. Eugster & Leisch 2008, section 2.
    """
    oriented = experiment.oriented
    count = len(experiment.algorithms)
    if ties == "share":
        first, last = tie_spans(oriented)
        places = np.arange(1, count + 1)[:, None, None]
        inside = (first <= places) & (places <= last)
        counts = (inside / (last - first + 1)).sum(axis=1, where=inside)
        taken = first
    else:
        taken = broken_ranks(oriented, generator)
        counts = np.array([(taken == place).sum(axis=0) for place in range(1, count + 1)], dtype=np.float64)
    counts = np.round(counts, 9)  # thirds add up to whole numbers
    order = best_first(experiment)
    names = [experiment.algorithms[j] for j in order for _ in range(count)]
    rows = {"algorithm": names, "place": list(range(1, count + 1)) * count, "count": counts[:, order].T.ravel()}
    return shapes.build(shapes.PLACES, _keyed(experiment, rows)), dots(experiment, taken)


def dots(experiment: Experiment, places: Floats | None = None) -> pl.DataFrame:
    """Return one row for each value that is there, with its place (mid-ranks' whole part if none are given)."""
    if places is None:
        places = mid_ranks(experiment.oriented) if experiment.better else np.full(experiment.values.shape, np.nan)
    row, column = np.nonzero(~np.isnan(experiment.values))
    taken = pl.Series(places[row, column], nan_to_null=True)
    columns = {
        "replicate": pl.Series(experiment.replicates)[row],
        "algorithm": pl.Series(experiment.algorithms)[column],
        "place": taken.floor().cast(pl.Int64),
        "performance": experiment.values[row, column],
    }
    return shapes.build(shapes.DOTS, _keyed(experiment, columns))


def boxes(experiment: Experiment) -> pl.DataFrame:
    """Return quartiles (R type 7) and whiskers (the last value within 1.5 iqr of the box, Tukey 1977), best first."""
    rows = []
    for j in best_first(experiment):
        values = experiment.values[:, j]
        present = values[np.isfinite(values)]
        if present.size:
            q1, median, q3 = quartiles(present)
            reach = 1.5 * (q3 - q1)
            # with few values the last one inside the reach may lie inside the box
            low = min(present[present >= q1 - reach].min(), q1)
            high = max(present[present <= q3 + reach].max(), q3)
            box = {"whisker_low": low, "q1": q1, "median": median, "q3": q3, "whisker_high": high}
            rows.append(_keyed(experiment, {"algorithm": experiment.algorithms[j], **box}))
    return shapes.build(shapes.BOXES, rows)


def densities(experiment: Experiment) -> pl.DataFrame:
    """Return a Gaussian kernel density of each algorithm on 512 points, 3 bandwidths beyond its range, best first.

    Bandwidth 0.9 min(sd, iqr/1.34) n^(-1/5) (Silverman 1986, equation 3.31; R's bw.nrd0). An algorithm whose finite
    values are all equal to nine digits, or that has fewer than two, has no density and no rows.
    """
    parts = []
    for j in best_first(experiment):
        values = experiment.values[:, j]
        points, density = _density(values[np.isfinite(values)])
        columns = {"algorithm": [experiment.algorithms[j]] * points.size, "performance": points, "density": density}
        parts.append(shapes.build(shapes.DENSITIES, _keyed(experiment, columns)))
    return pl.concat(parts) if parts else shapes.empty(shapes.DENSITIES)


def _density(present: Floats) -> tuple[Floats, Floats]:
    """Return grid points and density; both empty where there is none."""
    nothing = np.empty(0)
    if present.size < 2 or np.ptp(present) <= 1e-9 * np.abs(present).max():
        return nothing, nothing
    q1, _, q3 = quartiles(present)
    sd = float(np.std(present, ddof=1))
    narrow = min(sd, (q3 - q1) / 1.34) or sd
    width = 0.9 * narrow * present.size ** (-0.2)
    low, high = present.min() - 3 * width, present.max() + 3 * width
    # a fine histogram first, so that the cost does not grow with n times the grid
    weights, edges = np.histogram(present, bins=BINS, range=(low, high))
    used = np.flatnonzero(weights)
    centres = (edges[used] + edges[used + 1]) / 2
    points = np.linspace(low, high, GRID)
    kernel = np.exp(-0.5 * ((points[:, None] - centres) / width) ** 2)
    density = kernel @ weights[used] / (present.size * width * np.sqrt(2 * np.pi))
    return points, density
