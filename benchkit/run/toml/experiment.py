"""The table [experiment]: name, seed and metrics."""

from dataclasses import dataclass
from typing import get_args

from benchkit.run.plan import MetricPlan
from benchkit.run.toml.names import address, checked_name, last_part, read_name
from benchkit.run.toml.section import Section
from benchkit.run.toml.wording import shown
from benchkit.tables.metrics import Better

_METRICS_HINT = 'write metrics = ["mse"], or the names of several'
_FUNCTION_HINT = 'write {name = "...", function = "module:function", better = "lower"} or better = "higher"'


@dataclass(frozen=True)
class General:
    """What [experiment] says."""

    name: str
    seed: int
    metrics: tuple[MetricPlan, ...]
    train_performance: bool


def read_experiment(section: Section, stem: str) -> General:
    """Return the general part; stem is that of the file, its name if it has no other."""
    name, seed, metrics = read_name(section), section.whole("seed", 0), section.entries("metrics")
    train_performance = section.flag("train_performance")
    section.finish()
    if not metrics:
        raise section.fault("metrics", "it is missing", _METRICS_HINT)
    return General(
        name=name or checked_name(section, "name", stem),
        seed=1 if seed is None else seed,
        metrics=_metrics(section, metrics),
        train_performance=train_performance is not False,
    )


def _metrics(section: Section, entries: list[object]) -> tuple[MetricPlan, ...]:
    plans: list[MetricPlan] = []
    for number, entry in enumerate(entries, start=1):
        inner = Section(f"{section.where}, key metrics, entry {number}", entry if isinstance(entry, dict) else {})
        plan = _own(inner) if isinstance(entry, dict) else _named(inner, entry)
        if any(plan.name == other.name for other in plans):
            raise inner.fault("", f"the metric {shown(plan.name)} stands there twice", "give every metric a name of its own")
        plans.append(plan)
    return tuple(plans)


def _named(section: Section, entry: object) -> MetricPlan:
    if not isinstance(entry, str):
        raise section.fault("", f"{shown(entry)} is neither a name nor a table", _METRICS_HINT)
    if ":" in entry:
        raise section.fault("", f"{shown(entry)} is a function, whose direction is not known", _FUNCTION_HINT)
    return MetricPlan(checked_name(section, "", entry))


def _own(section: Section) -> MetricPlan:
    name, function, better = read_name(section), section.text("function"), section.choice("better", get_args(Better))
    section.finish()
    if function is None:
        raise section.fault("function", "it is missing", _FUNCTION_HINT)
    function = address(section, "function", function, "function")
    if better is None:
        raise section.fault("better", "it is missing", _FUNCTION_HINT)
    return MetricPlan(checked_name(section, "name", name or last_part(function)), function, better)
