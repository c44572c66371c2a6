"""Files and loaders become data sets: each column gets the purpose that the experiment file gives it."""

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path

import numpy as np
import pandas as pd

from benchkit.errors import BenchkitError
from benchkit.run import columns
from benchkit.run.dataset import DataFile, Dataset, ReadData, Values
from benchkit.run.loaders import from_loader
from benchkit.run.plan import DatasetPlan, ExperimentPlan, ResamplingPlan, Task
from benchkit.run.resampling.splits import Index, Rows
from benchkit.run.samples import read_samples


def load(experiment: ExperimentPlan, plan: DatasetPlan, task: Task | None, read: ReadData) -> Dataset:
    """Return the data set that `plan` describes.

    task: what the metrics say it is, where the plan does not. BenchkitError for a column that is not there, a target, group,
    time or weight that is missing in some row, or a target that does not fit the task.
    """
    samples = read_samples(experiment.resampling.samples, read) if experiment.resampling.samples else {}
    target = plan.target
    file: DataFile
    if plan.loader is not None:
        file, made = from_loader(plan, experiment.path.parent)
        target = target or made
    else:
        file = _read(plan, read)
    table = _Table(plan, f"data set '{plan.name}' ({file.name})", file)
    if target is None:
        raise BenchkitError(f"{table.where}: which column is the target is not said", 'add target = "COLUMN" to [[dataset]]')
    return _dataset(table, target, task, experiment.resampling, samples)


def _read(plan: DatasetPlan, read: ReadData) -> DataFile:
    try:
        return read(plan.path or Path())
    except BenchkitError as error:
        raise BenchkitError(f"data set '{plan.name}': {error.message}", error.hint) from error


class _Table:
    """A table whose columns are asked for by purpose."""

    def __init__(self, plan: DatasetPlan, where: str, file: DataFile) -> None:
        self.plan, self.where, self.file = plan, where, file
        self.purposes = {"group": plan.group, "time": plan.time, "weight": plan.weight, "item": plan.item}

    def column(self, purpose: str, name: str, spelled: bool = False) -> Values:
        """Return a column, its cells as they are written if `spelled`; BenchkitError if it is not there."""
        if name not in self.file.columns:
            near = get_close_matches(name, self.file.columns, 1)
            hint = f"did you mean {near[0]}?" if near else f"it has: {', '.join(list(self.file.columns)[:12])}"
            raise BenchkitError(f"{self.where} has no column '{name}' ({purpose})", hint)
        return self.file.spelled(name) if spelled else self.file.columns[name]

    def special(self, purpose: str) -> Values | None:
        """Return the column that serves the purpose, None if there is none; only items may be missing in some row."""
        name = self.purposes[purpose]
        if name is None:
            return None
        values = self.column(purpose, name, spelled=purpose == "item")
        if purpose != "item":
            columns.refuse_missing(self.where, self.file, purpose, name, values)
        return columns.times(self.where, self.file, name, values) if purpose == "time" else values

    def features(self, others: set[str]) -> pd.DataFrame:
        """Return the columns to predict from: those that the plan names, else all that serve no other purpose."""
        plan = self.plan
        names = plan.columns if plan.columns is not None else [name for name in self.file.columns if name not in others]
        return pd.DataFrame({name: columns.feature(self.column("columns", name)) for name in names})


def _dataset(table: _Table, target: str, task: Task | None, resampling: ResamplingPlan, samples: Mapping[str, Index]) -> Dataset:
    plan, where, file = table.plan, table.where, table.file
    cells = table.column("target", target)
    if not len(cells):
        raise BenchkitError(f"{where} has no rows", "a data set needs rows")
    columns.refuse_missing(where, file, "target", target, cells)
    special = {purpose: table.special(purpose) for purpose in table.purposes}
    splits = {name: [columns.text(cell) for cell in table.column("split", name, spelled=True)] for name in resampling.split}
    if target in (plan.columns or ()):
        raise BenchkitError(f"{where}: the target '{target}' is among its columns", "leave it out of columns")
    features = table.features({target, *resampling.split, *(name for name in table.purposes.values() if name)})
    if not features.shape[1]:
        raise BenchkitError(f"{where} has no column to predict '{target}' from", "give columns = [...] or another file")
    values, task, classes = columns.target(where, target, cells, plan.task, task)
    times = columns.codes(special["time"])
    if times is None and resampling.method == "rolling-origin":
        times = np.arange(len(values))  # rows come in the order of time, which inner resamplings have to keep, too
    return Dataset(
        name=plan.name,
        features=features,
        target=values,
        target_name=target,
        task=task,
        classes=classes,
        positive=columns.positive(where, plan.positive, classes),
        items=columns.items(where, special["item"], len(values)),
        weights=columns.weights(where, file, plan.weight, special["weight"]),
        rows=Rows(
            where=where,
            n=len(values),
            classes=None if classes is None else np.searchsorted(classes, values).astype(np.int64),
            groups=columns.codes(special["group"]),
            times=times,
            columns=splits,
            samples=samples,
        ),
        digest=file.digest,
    )
