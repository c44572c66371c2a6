"""What has changed in an experiment since its journal was begun, and whether the outcomes so far may be kept."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchkit.errors import BenchkitError
from benchkit.run.dataset import Dataset
from benchkit.run.plan import AlgorithmPlan, ExperimentPlan

# limits decide about failures only: what succeeded under others stays true
LIMITS = ("timeout", "memory")
CONTENTS = {
    ("dataset", "content"): "the data",
    ("algorithm", "code"): "the code",
    ("metric", "code"): "the code",
    ("resampling", "samples"): "the file of samples",
}
# numbers that may grow, and what they are where nothing is said
GROWING = {"replicates": 100, "repeats": 10}
# these are tables of named things
NAMED = ("metric", "dataset", "algorithm")
KEPT = ("--predictions", "--votes")
# the replicates of these are the same ones when more are asked for
EXTENSIBLE = ("bootstrap", "subsampling", "repeated-kfold")


@dataclass(frozen=True)
class Change:
    """One thing that changed, in words; whether --extend may accept it."""

    what: str
    extends: bool


def described(plan: ExperimentPlan, datasets: Sequence[Dataset], keep_predictions: bool, keep_votes: bool) -> dict[str, Any]:
    """Return all that outcomes depend on, as JSON can hold it: the plan, digests of data, of modules and scripts."""
    folder = plan.path.parent
    digests = {dataset.name: dataset.digest for dataset in datasets}
    resampling = _without(asdict(plan.resampling), "estimate") | {"estimator": plan.resampling.estimate}
    if plan.resampling.samples is not None:
        resampling["samples"] = _digest(plan.resampling.samples)
    whole = {
        "seed": plan.seed,
        "metric": {one.name: _without(asdict(one), "name") | {"code": _code(folder, one.function)} for one in plan.metrics},
        "train_performance": plan.train_performance,
        "resampling": resampling,
        "dataset": {one.name: _without(asdict(one), "name", "path") | {"content": digests[one.name]} for one in plan.datasets},
        "algorithm": {one.name: _algorithm(one, plan.metrics[0].name) for one in plan.algorithms},
        "--predictions": keep_predictions,
        "--votes": keep_votes,
    }
    plain: dict[str, Any] = json.loads(json.dumps(whole, default=str))
    return plain


def _without(record: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name not in names}


def _algorithm(plan: AlgorithmPlan, metric: str) -> dict[str, Any]:
    codes = [_code(plan.folder, spec) for spec in (plan.function, *(step.estimator for step in plan.steps))]
    scripts = [_digest(plan.folder / word) for word in plan.command if "{" not in word and os.path.isfile(plan.folder / word)]
    whole = _without(asdict(plan), "name", "folder") | {"code": [code for code in (*codes, *scripts) if code]}
    if len(plan.steps) == 1:
        whole |= {"steps": [], "estimator": plan.steps[0].estimator, "step": plan.steps[0].params}
    if plan.tune is not None:
        # random draws come in the order of the keys
        whole["tune"] |= {"metric": plan.tune.metric or metric, "order": list(plan.tune.space)}
    return whole


def _code(folder: Path, spec: str | None) -> str | None:
    """Return the digest of the user's own module that "module:name" means, None for one that lies elsewhere."""
    if spec is None:
        return None
    path = folder.joinpath(*spec.partition(":")[0].split("."))
    file = next((one for one in (path.with_suffix(".py"), path / "__init__.py") if one.is_file()), None)
    return None if file is None else _digest(file)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Change]:
    """Return what differs between two descriptions, each in words."""
    return list(_changes(old, new, (), new["resampling"]["method"]))


def _changes(old: Any, new: Any, place: tuple[str, ...], method: str) -> Iterator[Change]:
    if _same(old, new) or (place[:1] and place[0] in KEPT and old):  # what was kept in addition does no harm
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for name in dict.fromkeys((*new, *old)):  # the old one has lost its order
            if name in old and name in new:
                yield from _changes(old[name], new[name], (*place, name), method)
            elif place in [(kind,) for kind in NAMED]:
                word = "is new" if name in new else "is gone"
                yield Change(f"{place[0]} '{name}' {word}", extends=name in new and place[0] != "metric")
            else:
                yield Change(_told((*place, name), old.get(name), new.get(name)), extends=False)
    elif place[2:] == ("steps",) and len(old) == len(new):
        for number, (before, after) in enumerate(zip(old, new, strict=True), 1):
            yield from _changes(before, after, (*place, str(number)), method)
    else:
        yield Change(_told(place, old, new), _extends(place, old, new, method))


def _same(old: Any, new: Any) -> bool:
    """Compare as text: 1, 1.0 and true mean different things to an algorithm."""
    return json.dumps(old, sort_keys=True) == json.dumps(new, sort_keys=True)


def _extends(place: tuple[str, ...], old: Any, new: Any, method: str) -> bool:
    if place[0] == "algorithm":
        return place[2:] in [(limit,) for limit in LIMITS]
    if place[0] != "resampling" or place[1] not in GROWING or method not in EXTENSIBLE:
        return False
    before, after = (GROWING[place[1]] if number is None else number for number in (old, new))
    return bool(before < after)


def _told(place: tuple[str, ...], old: Any, new: Any) -> str:
    named = len(place) > 2 and place[0] in NAMED
    owner, key = (f"{place[0]} '{place[1]}'", ".".join(place[2:])) if named else (place[0], ".".join(place[1:]))
    if (place[0], key) in CONTENTS:
        return f"{owner}: {CONTENTS[place[0], key]} changed"
    where = f"{owner}: {key}" if named else ".".join(place)
    return f"{where} was {_shown(old)}, is {_shown(new)}"


def _shown(value: Any) -> str:
    text = "not given" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) < 60 else text[:56] + " ..."


def refuse(found: Sequence[Change], journal: Path, extend: bool) -> None:
    """Raise BenchkitError for changes that cannot be accepted, naming the first ones."""
    grave = [change for change in found if not (extend and change.extends)]
    if not grave:
        return
    listed = "; ".join(change.what for change in grave[:3]) + (f"; and {len(grave) - 3} more" if len(grave) > 3 else "")
    possible = all(change.extends for change in grave)
    hint = "--extend keeps what is there and adds to it; " if possible else ""
    hint += "--fresh starts anew; -o PATH gives another output"
    raise BenchkitError(f"the experiment has changed since {journal.name} was begun: {listed}", hint)
