"""The key estimator of an algorithm: one class, or the steps of a pipeline."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchkit.run.plan import Step
from benchkit.run.toml.names import address, last_part, read_name
from benchkit.run.toml.section import Section
from benchkit.run.toml.wording import instead, listed, shown

_STEPS_HINT = 'write "module:Class", or a list of steps: ["module:Class", {estimator = "module:Class", params = {...}}]'


def read_steps(section: Section) -> tuple[Step, ...]:
    """Return the steps, () if there is no estimator; a class that stands alone is the one step, without params."""
    found = section.value("estimator")
    if found is None:
        return ()
    if isinstance(found, str):
        return (Step(_class_name(address(section, "estimator", found, "Class")), found),)
    if not isinstance(found, list):
        raise section.fault("estimator", f"{shown(found)} is neither a text nor a list", _STEPS_HINT)
    given = [_step(section, number, entry) for number, entry in enumerate(section.entries("estimator"), start=1)]
    return _named(section, given)


def _step(section: Section, number: int, entry: object) -> tuple[str | None, str, dict[str, Any]]:
    """Return the name, the class and the params of one step."""
    inner = Section(f"{section.where}, key estimator, step {number}", entry if isinstance(entry, dict) else {})
    if isinstance(entry, str):
        return None, address(inner, "", entry, "Class"), {}
    if not isinstance(entry, dict):
        raise inner.fault("", f"{shown(entry)} is neither a text nor a table", _STEPS_HINT)
    name, estimator, params = read_name(inner), inner.text("estimator"), inner.free("params")
    inner.finish()
    if estimator is None:
        raise inner.fault("estimator", "it is missing", 'write estimator = "module:Class"')
    if name is not None and "__" in name:
        raise inner.fault("name", f"{shown(name)} contains __", "__ parts a step from its parameter; use a single _")
    return name, address(inner, "estimator", estimator, "Class"), params


def _named(section: Section, given: Sequence[tuple[str | None, str, dict[str, Any]]]) -> tuple[Step, ...]:
    """Return the steps; one without a name is called by its class, with -2, -3 ... where that is taken."""
    taken: dict[str, int] = {}
    for number, (name, _, _) in enumerate(given, start=1):
        if name is not None and name in taken:
            problem = f"step {number}: {shown(name)} is the name of step {taken[name]}, too"
            raise section.fault("estimator", problem, "give every step a name of its own")
        if name is not None:
            taken[name] = number
    steps = []
    for number, (name, estimator, params) in enumerate(given, start=1):
        if name is None:
            plain = name = _class_name(estimator)
            while name in taken:
                name = f"{plain}-{int(name.rpartition('-')[2]) + 1 if name != plain else 2}"
            taken[name] = number
        steps.append(Step(name, estimator, params))
    return tuple(steps)


def _class_name(estimator: str) -> str:
    return last_part(estimator).lower()


def check_keys(section: Section, steps: Sequence[Step], params: Mapping[str, Any], tuned: Sequence[str]) -> None:
    """Refuse parameters of several steps that name none of them, and those that a step has already."""
    names = [step.name for step in steps]
    for key in (*params, *tuned):
        place = f"params.{key}" if key in params else "tune"
        name, separator, rest = key.partition("__")
        step = next((step for step in steps if step.name == name), None)
        if len(steps) > 1 and not (separator and rest):
            raise section.fault(place, f"{shown(key)} names no step", f"write {names[-1]}__{key}; the steps are {listed(names)}")
        if len(steps) > 1 and step is None:
            raise section.fault(place, f"there is no step {shown(name)}", instead(name, names, "the steps are"))
        own = rest if len(steps) > 1 else key
        if own in (step if len(steps) > 1 and step else steps[0]).params:
            raise section.fault(place, f"{shown(own)} stands in the params of the step, too", "give it once")
