"""The posterior of three outcomes as a cloud in a triangle, one for each pair."""

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure

from benchkit.errors import BenchkitError
from benchkit.plots.look import Drawing, Look
from benchkit.plots.pair_rows import ordered
from benchkit.plots.palette import FADED, INK, QUIET, style_of
from benchkit.plots.posterior import share_text
from benchkit.plots.series import Floats, Tables, numbers
from benchkit.plots.text import inches, visible

MOST = 66
HEIGHT = float(np.sqrt(3) / 2)
# where all of 'a better', 'equivalent', 'a worse' is one of them
CORNERS = np.array([(0.0, 0.0), (0.5, HEIGHT), (1.0, 0.0)])
SHARES = ("share_better", "share_equivalent", "share_worse")
PROBABILITIES = ("posterior_better", "posterior_equivalent", "posterior_worse")
MARKS = ("a dot: one draw from the posterior", "region: the commonest outcome", "number: the posterior probability of a region")
NAME_SIZE = 8.0


def draw(area: SubFigure, tables: Tables, look: Look) -> Drawing:
    """Draw one triangle for each pair of `pairs`, with the pair's `draws` as dots.

    The corner at the left is certainty that a is better, the one at the right that b is, the one at the top that they are
    equivalent. A draw lies nearer to a corner the larger is the share of that outcome; lines part the three regions in which
    one outcome is the commonest. At the corners stand their names with the posterior probabilities of `pairs`. A pair
    without draws is an empty triangle. Sides are of one length unless a size is asked for. Raises BenchkitError for more
    than 66 pairs.
    """
    if look.scale == "log":
        raise BenchkitError("a simplex cannot be drawn on a log scale", "choose --scale linear")
    pairs = ordered(tables, look)
    if pairs.height > MOST:
        hint = "--baseline or --where chooses some; --kind posterior shows them all"
        raise BenchkitError(f"{pairs.height} triangles are too many for a figure", hint)
    columns = int(np.ceil(np.sqrt(pairs.height)))
    rows = int(np.ceil(pairs.height / columns))
    side = float(np.interp(columns, (1, 2, 4, 8), (3.2, 2.4, 1.7, 1.3)))
    clouds = {(str(a), str(b)): part for (a, b), part in tables["draws"].partition_by("a", "b", as_dict=True).items()}
    spots = area.subplots(rows, columns, squeeze=False).ravel()
    for axes in spots[pairs.height :]:
        axes.remove()
    for axes, pair in zip(spots, pairs.to_dicts(), strict=False):
        _draw_frame(axes)
        _name_corners(axes, pair, look, side)
        cloud = clouds.get((pair["a"], pair["b"]))
        if cloud is not None:
            _draw_cloud(axes, cloud, (pair["a"], pair["b"]), look)
    size = look.axes_inches(side * columns, side * HEIGHT * rows)
    return Drawing(*size, (1.05 * columns, 0.9 * rows), marks=MARKS)


def points(shares: Floats) -> Floats:
    """Return where shares (n, 3) of 'a better', 'equivalent', 'a worse' lie in the triangle, (n, 2)."""
    return np.asarray(shares @ CORNERS)


def _draw_frame(axes: Axes) -> None:
    """Draw the triangle and the borders of its regions: from the centre, where all are alike, to the middles of the sides."""
    axes.set_axis_off()
    axes.set_xlim(0.0, 1.0)
    axes.set_ylim(0.0, HEIGHT)
    around = np.vstack([CORNERS, CORNERS[:1]])
    axes.plot(*around.T, color=INK, linewidth=0.9, zorder=3, clip_on=False)
    centre = CORNERS.mean(axis=0)
    for i, j in ((0, 1), (1, 2), (0, 2)):
        axes.plot(*np.stack([centre, (CORNERS[i] + CORNERS[j]) / 2]).T, color=QUIET, linewidth=0.7, zorder=3)


def _draw_cloud(axes: Axes, cloud: pl.DataFrame, names: tuple[str, str], look: Look) -> None:
    """Draw the draws, those of each region in the colour of the better algorithm, grey where the two are equivalent."""
    shares = np.stack([numbers(cloud, name) for name in SHARES], axis=1)
    strong = not look.highlight or any(name in look.highlight for name in names)
    colours = (style_of(names[0], look.names)[0], QUIET, style_of(names[1], look.names)[0])
    region = shares.argmax(axis=1)
    for outcome, (colour, gid) in enumerate(zip(colours, ("a", "equivalent", "b"), strict=True)):
        here = points(shares[region == outcome])
        if len(here):
            axes.scatter(
                here[:, 0], here[:, 1], s=3.0, color=colour if strong else FADED, alpha=0.35, linewidths=0, zorder=2, gid=gid
            )


def _name_corners(axes: Axes, pair: dict[str, object], look: Look, side: float) -> None:
    """Write beside each corner what it stands for; two long names stand below one another."""
    a, b = visible(str(pair["a"])), visible(str(pair["b"]))
    shares = ["" if pair[name] is None else share_text(float(str(pair[name]))) for name in PROBABILITIES]
    crowded = inches(a, NAME_SIZE) + inches(b, NAME_SIZE) + 0.15 > side
    strong = not look.highlight or {pair["a"], pair["b"]} & set(look.highlight)
    for corner, words, share, align, below in (
        (CORNERS[0], a, shares[0], "left", 0),
        (CORNERS[2], b, shares[2], "right", 2 if crowded else 0),
        (CORNERS[1], "equivalent", shares[1], "center", -1),
    ):
        up = below < 0
        text = f"{words} {share}".rstrip() if up else "\n" * below + f"{words}\n{share}"
        axes.annotate(
            text, corner, (0, 3 if up else -3), textcoords="offset points", annotation_clip=False, ha=align,
            va="bottom" if up else "top", fontsize=NAME_SIZE, color=INK if strong else QUIET, linespacing=1.15,
        )  # fmt: skip
