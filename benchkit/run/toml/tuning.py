"""The key tune of an algorithm: a grid or a random search over its parameters."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from benchkit.run.plan import Range, TunePlan
from benchkit.run.toml.quantities import is_number
from benchkit.run.toml.section import Section
from benchkit.run.toml.wording import instead, shown

FOLDS = 5
DRAWS = 20

Space = Mapping[str, tuple[Any, ...] | Range]

_GRID_HINT = "write a list of values: [1, 3, 5]"
_RANDOM_HINT = "write a list of values, or {low = 0.001, high = 10, log = true}"


def read_tune(section: Section, metrics: Sequence[str], validation: bool) -> TunePlan:
    """Return the search; metrics: the experiment's. validation: whether it is a holdout with validation rows."""
    grid, random = section.inner("grid"), section.inner("random")
    draws, folds = section.whole("draws", 1), section.whole("folds", 2)
    inner: Literal["folds", "validation"] | None = section.choice("inner", ("folds", "validation"))
    metric = section.text("metric")
    section.finish()
    space = grid or random
    if space is None or (grid and random):
        problem = "it has both grid and random" if space else "it has neither grid nor random"
        raise section.fault(
            "", problem, "write {grid = {PARAM = [1, 2]}} or {random = {PARAM = {low = 1, high = 9}}, draws = 20}"
        )
    if grid and draws is not None:
        raise section.fault("draws", "a grid tries everything", "remove it, or write random in place of grid")
    if inner == "validation" and not validation:
        hint = 'write inner = "folds", or a [resampling] with method = "holdout" and validation'
        raise section.fault("inner", "the resampling makes no validation rows", hint)
    if inner == "validation" and folds is not None:
        raise section.fault("folds", 'there are none with inner = "validation"', "remove it")
    if metric is not None and metric not in metrics:
        raise section.fault(
            "metric", f"{shown(metric)} is none of the metrics of [experiment]", instead(metric, metrics, "they are")
        )
    return TunePlan(
        search="grid" if grid else "random",
        space=_space(space, ranges=grid is None),
        draws=None if grid else draws or DRAWS,
        folds=folds or FOLDS,
        inner=inner or "folds",
        metric=metric,
    )


def _space(section: Section, ranges: bool) -> Space:
    """Return what to try for each parameter: lists, and where ranges are allowed, ranges."""
    hint = _RANDOM_HINT if ranges else _GRID_HINT
    space: dict[str, tuple[Any, ...] | Range] = {}
    for key in section.names():
        found = section.storable(key)
        if ranges and isinstance(found, dict):
            space[key] = _range(section, key)
        elif isinstance(found, list) and found:
            space[key] = tuple(found)
        else:
            wrong = "neither a list nor a range" if ranges else "no list"
            problem = "the list is empty" if isinstance(found, list) else f"{shown(found)} is {wrong}"
            raise section.fault(key, problem, hint)
    if not space:
        raise section.fault("", "it names no parameter", "add PARAM = [1, 3, 5]")
    return space


def _range(outer: Section, key: str) -> Range:
    section = outer.inner(key)
    assert section is not None
    ends = {end: section.value(end) for end in ("low", "high")}
    log = section.flag("log") is True
    section.finish()
    for end, found in ends.items():
        if found is None:
            raise section.fault(end, "it is missing", _RANDOM_HINT)
        if not is_number(found):
            raise section.fault(end, f"{shown(found)} is no number", _RANDOM_HINT)
    low, high = ends["low"], ends["high"]
    if low >= high:
        raise section.fault("high", f"{shown(high)} is not above low = {shown(low)}", _RANDOM_HINT)
    if log and low <= 0:
        raise section.fault("low", f"{shown(low)} has no logarithm", "write a low above 0, or log = false")
    return Range(low, high, log)
