"""What a figure shows of each metric and data set: its tables, its title and its caption."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from benchkit.core import figures
from benchkit.core.blocks import Reading
from benchkit.core.direction import unknown_direction
from benchkit.core.experiment import Experiment
from benchkit.core.question import NewGenerator
from benchkit.core.summarize import summary_rows
from benchkit.tables import metrics, shapes
from benchkit.tables.result import Note, Result

PLACES = ("podium", "lines")


@dataclass(frozen=True)
class Panel:
    """One (metric, dataset) of a figure."""

    metric: str | None
    dataset: str | None
    title: str
    caption: str
    unit: str
    better: str | None
    tables: Mapping[str, pl.DataFrame]


def distribution_panels(kind: str, reading: Reading, ties: str, level: float, new_generator: NewGenerator) -> list[Panel]:
    """Return a panel for each experiment, for every kind that is not about pairs (core/pair_panels.py).

    Places need a direction: raises BenchkitError for podium and lines without one.
    """
    return [_panel(kind, experiment, ties, level, new_generator) for experiment in reading.experiments]


def _panel(kind: str, one: Experiment, ties: str, level: float, new_generator: NewGenerator) -> Panel:
    missing = len(one.replicates) - len(one.complete.replicates)
    caption = one.blocks_counted + (f" ({missing} incomplete)" if missing else "")
    if one.resampling:
        caption += f", {one.resampling}"
    tables: dict[str, pl.DataFrame] = {}
    if kind in PLACES:
        if one.better is None:
            raise unknown_direction(one.metric)
        tables["places"], tables["dots"] = figures.podium(one, ties, new_generator())
        caption += "; ties shared" if ties == "share" else "; ties broken at random"
    else:
        rows = summary_rows(one, level, "t", new_generator)
        tables["algorithms"] = shapes.build(shapes.ALGORITHMS, rows)
        caption += _distribution_tables(kind, one, tables, level)
    return Panel(one.metric, one.dataset, one.title, caption, metrics.unit(one.metric or ""), one.better, tables)


def _distribution_tables(kind: str, one: Experiment, tables: dict[str, pl.DataFrame], level: float) -> str:
    """Add what the kind draws beside the summary; return what the caption should say of it."""
    if kind in ("dot", "strip", "box"):
        tables["dots"] = figures.dots(one)
    if kind in ("box", "violin"):
        tables["boxes"] = figures.boxes(one)
    if kind in ("violin", "density"):
        tables["densities"] = figures.densities(one)
    return {
        "dot": f"; mark and bar: mean and its {100 * level:.10g}% t interval",
        "box": "; box: quartiles, whiskers within 1.5 iqr",
        "violin": "; kernel density, bar: quartiles",
        "density": "; Gaussian kernel density",
    }.get(kind, "")


def drawn(panels: Sequence[Panel], notes: Sequence[Note]) -> Result:
    """Return the tables that a figure draws, stacked over its panels; the first is the one that says most."""
    tables = {name: pl.concat([panel.tables[name] for panel in panels]) for name in panels[0].tables}
    return Result("benchplot", tables, notes)
