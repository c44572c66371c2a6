"""The table [resampling]: how replicates are made."""

from pathlib import Path
from typing import get_args

from benchkit.run.plan import Estimate, ResamplingPlan
from benchkit.run.resampling import RESAMPLERS
from benchkit.run.toml.names import located
from benchkit.run.toml.quantities import is_number
from benchkit.run.toml.section import LARGEST, Section, known_only
from benchkit.run.toml.wording import shown

# more would not fit into memory as names
MOST = 10_000_000
_SHARE_HINT = "write a share of the rows such as 0.25, or a whole number of rows"


def read_resampling(section: Section, folder: Path) -> ResamplingPlan:
    """Return the way of resampling; the path of its samples is relative to the folder."""
    method = section.choice("method", [entry.name for entry in RESAMPLERS])
    numbers = {
        "replicates": section.whole("replicates", 1, MOST),
        "repeats": section.whole("repeats", 1, MOST),
        "folds": section.whole("folds", 2),
        "horizon": section.whole("horizon", 1),
        "window": section.whole("window", 1),
    }
    test, validation = _share(section, "test"), _share(section, "validation")
    stratify, split, samples = section.flag("stratify"), section.texts("split", alone=True), section.text("samples")
    estimate: Estimate | None = section.choice("estimator", get_args(Estimate))
    section.finish()
    if method is None:
        raise section.fault("method", "it is missing", f"choose one of: {', '.join(entry.name for entry in RESAMPLERS)}")
    given = {**numbers, "test": test, "validation": validation, "stratify": stratify, "split": split, "samples": samples}
    options = next(entry.options for entry in RESAMPLERS if entry.name == method)
    known_only(section, {**given, "estimator": estimate}, options, method)
    _check_shares(section, test, validation)
    if method == "predefined":
        _check_predefined(section, split, samples, estimate)
    return ResamplingPlan(
        method,
        **numbers,
        test=test,
        validation=validation,
        stratify=stratify,
        split=split or (),
        samples=None if samples is None else located(folder, samples),
        estimate=estimate or "oob",
    )


def _share(section: Section, key: str) -> float | int | None:
    found = section.value(key)
    if found is None:
        return None
    if not is_number(found):
        raise section.fault(key, f"{shown(found)} is no number", _SHARE_HINT)
    whole = isinstance(found, int)
    if not (1 <= found <= LARGEST if whole else 0 < found < 1):
        problem = "no number of rows" if whole else "no share between 0 and 1"
        raise section.fault(key, f"{shown(found)} is {problem}", _SHARE_HINT)
    return float(found) if isinstance(found, float) else int(found)


def _check_shares(section: Section, test: float | int | None, validation: float | int | None) -> None:
    if isinstance(test, float) and isinstance(validation, float) and test + validation >= 1:
        raise section.fault("validation", f"with test = {test} it leaves no rows to train on", "make the sum less than 1")


def _check_predefined(section: Section, split: tuple[str, ...] | None, samples: str | None, estimate: Estimate | None) -> None:
    if (split is None) == (samples is None):
        problem = "predefined has neither split nor samples" if split is None else "predefined has both split and samples"
        raise section.fault("", problem, 'write split = "COLUMN" of the data set, or samples = "FILE"')
    if estimate is not None and samples is None:
        raise section.fault("estimator", "of the predefined splits it goes with samples only", "remove it")
