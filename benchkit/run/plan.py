"""What an experiment file asks for, as records without behaviour. Paths are absolute, names are checked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from benchkit.tables.metrics import Better

Task = Literal["regression", "classification"]
Estimate = Literal["oob", ".632", ".632+"]


@dataclass(frozen=True)
class MetricPlan:
    """One metric: a built-in name, the name of a scikit-learn scorer, or a function of the user's own.

    function: "module:function" of the user's own, called as function(y_true, y_pred); None for the other two.
    better is the declared direction; None for a scorer until it is looked up (scorers are always higher).
    """

    name: str
    function: str | None = None
    better: Better | None = None


@dataclass(frozen=True)
class DatasetPlan:
    """One data set. Exactly one of path and loader is given; columns None means all that serve no other purpose.

    loader is "module:function", called with `params`: it gives a scikit-learn Bunch, (X, y), or a data frame that holds
    the target. positive names the class that counts as positive where there are two (default: the last in natural order).
    """

    name: str
    path: Path | None = None
    loader: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    target: str | None = None
    task: Task | None = None
    columns: tuple[str, ...] | None = None
    group: str | None = None
    time: str | None = None
    weight: str | None = None
    item: str | None = None
    positive: str | None = None


@dataclass(frozen=True)
class ResamplingPlan:
    """How replicates are made; the numbers that a method does not use are None.

    test and validation are shares of the rows, or numbers of rows if they are whole numbers of 1 or more. stratify None
    means the method's default (off). samples is a file with the columns replicate,indices. split names columns of the
    data set. horizon and window are numbers of rows for rolling-origin (window None: all rows before the origin).
    """

    method: str
    replicates: int | None = None
    repeats: int | None = None
    folds: int | None = None
    test: float | int | None = None
    validation: float | int | None = None
    stratify: bool | None = None
    split: tuple[str, ...] = ()
    samples: Path | None = None
    horizon: int | None = None
    window: int | None = None
    estimate: Estimate = "oob"


@dataclass(frozen=True)
class Range:
    """Numbers from low to high to draw from: whole numbers if both ends are; uniform in the logarithm with log."""

    low: float | int
    high: float | int
    log: bool = False


@dataclass(frozen=True)
class TunePlan:
    """A search over parameters in an inner resampling, made anew for each outer replicate.

    search "grid" tries all combinations of the lists in `space`; "random" draws `draws` of them, from lists or ranges.
    The inner resampling is `folds`-fold cross-validation of the training rows, or, with "validation", the validation
    rows of a holdout. metric None means the experiment's first.
    """

    search: Literal["grid", "random"]
    space: Mapping[str, tuple[Any, ...] | Range]
    draws: int | None = None
    folds: int = 5
    inner: Literal["folds", "validation"] = "folds"
    metric: str | None = None


@dataclass(frozen=True)
class Step:
    """One step of a pipeline: the class as "module:Class", its parameters, and its name in the pipeline."""

    name: str
    estimator: str
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class AlgorithmPlan:
    """One candidate: exactly one of steps (estimator), function and command is given.

    timeout is in seconds, memory in bytes; None means no limit. folder is where modules of the user's own and the files
    of a command are looked for: that of the experiment file.
    """

    name: str
    folder: Path
    steps: tuple[Step, ...] = ()
    function: str | None = None
    command: tuple[str, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    timeout: float | None = None
    memory: int | None = None
    preprocess: Literal["auto", "none"] = "auto"
    tune: TunePlan | None = None


@dataclass(frozen=True)
class ExperimentPlan:
    """A whole experiment file, checked: names are unique within datasets, algorithms and metrics."""

    path: Path
    name: str
    seed: int
    metrics: tuple[MetricPlan, ...]
    datasets: tuple[DatasetPlan, ...]
    resampling: ResamplingPlan
    algorithms: tuple[AlgorithmPlan, ...]
    train_performance: bool = True
