"""The tables [[algorithm]]: the candidates."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from benchkit.run.plan import AlgorithmPlan, ResamplingPlan, Step, TunePlan
from benchkit.run.toml.command import check_command, read_command
from benchkit.run.toml.names import address, read_name
from benchkit.run.toml.pipeline import check_keys, read_steps
from benchkit.run.toml.quantities import memory, seconds
from benchkit.run.toml.section import Section
from benchkit.run.toml.tuning import read_tune
from benchkit.run.toml.wording import listed, shown

_KINDS = ("estimator", "function", "command")
# what benchkit's own step before a pipeline is called
_OWN_STEP = "preprocess"


@dataclass(frozen=True)
class Surroundings:
    """What an algorithm is judged against: the folder of the file, the names of the metrics, the resampling."""

    folder: Path
    metrics: Sequence[str]
    resampling: ResamplingPlan

    @property
    def three_way(self) -> bool:
        """Whether every replicate has validation rows."""
        return self.resampling.method == "holdout" and self.resampling.validation is not None

    @property
    def may_validate(self) -> bool:
        """Whether replicates can have validation rows: a column of the data may name some."""
        return self.three_way or bool(self.resampling.split)


def read_algorithm(section: Section, around: Surroundings) -> AlgorithmPlan:
    """Return one algorithm."""
    name, steps, function, command = read_name(section), read_steps(section), section.text("function"), read_command(section)
    timeout, limit = seconds(section, "timeout"), memory(section, "memory")
    params, search = section.free("params"), section.inner("tune")
    preprocess: Literal["auto", "none"] | None = section.choice("preprocess", ("auto", "none"))
    section.finish()
    if name is None:
        raise section.fault("name", "it is missing", 'write name = "..."')
    _check_kind(section, steps, function, command)
    if function is not None:
        function = address(section, "function", function, "function")
    tune = None if search is None else read_tune(search, around.metrics, around.three_way)
    _check_params(section, params, tune)
    tuned = tuple(tune.space) if tune else ()
    if command:
        check_command(section, command, params, tuned, around.may_validate)
    if steps:
        check_keys(section, steps, params, tuned)
    return AlgorithmPlan(
        name=name,
        folder=around.folder,
        steps=steps,
        function=function,
        command=command,
        params=params,
        timeout=timeout,
        memory=limit,
        preprocess=_preprocess(section, preprocess, steps, command),
        tune=tune,
    )


def _check_kind(section: Section, steps: tuple[Step, ...], function: str | None, command: tuple[str, ...]) -> None:
    """Refuse an algorithm that is of no kind, or of two."""
    kinds = [kind for kind, found in zip(_KINDS, (steps, function, command), strict=True) if found]
    if not kinds:
        raise section.fault("", f"it has none of {listed(_KINDS)}", 'write estimator = "module:Class", for instance')
    if len(kinds) > 1:
        raise section.fault("", f"it has {listed(kinds)}", "give one of them")


def _check_params(section: Section, params: dict[str, Any], tune: TunePlan | None) -> None:
    both = next((key for key in params if tune and key in tune.space), None)
    if both is not None:
        raise section.fault(f"params.{both}", f"{shown(both)} is tuned, too", "remove it from params or from tune")


def _preprocess(
    section: Section, given: Literal["auto", "none"] | None, steps: tuple[Step, ...], command: tuple[str, ...]
) -> Literal["auto", "none"]:
    """Return what was asked for; by default estimators get their data preprocessed, all others as they are."""
    if command and given == "auto":
        raise section.fault("preprocess", "a command gets the data as they are", 'remove it, or write preprocess = "none"')
    chosen = given or ("auto" if steps else "none")
    if chosen == "auto" and len(steps) > 1 and any(step.name == _OWN_STEP for step in steps):
        raise section.fault(
            "estimator", f"a step is called '{_OWN_STEP}', as benchkit's own", 'rename it, or add preprocess = "none"'
        )
    return chosen
