"""The tables [[dataset]]: what the algorithms are measured on."""

from pathlib import Path
from typing import Any, get_args

from benchkit.run.plan import DatasetPlan, Task
from benchkit.run.toml.names import address, checked_name, last_part, located, read_name, stem
from benchkit.run.toml.section import Section
from benchkit.run.toml.wording import shown


def read_dataset(section: Section, folder: Path) -> DatasetPlan:
    """Return one data set; its path is relative to the folder."""
    name, path, loader = read_name(section), section.text("path"), section.text("loader")
    params, columns = section.free("params"), section.texts("columns")
    task: Task | None = section.choice("task", get_args(Task))
    roles = {key: section.text(key) for key in ("target", "group", "time", "weight", "item", "positive")}
    section.finish()
    _check_source(section, path, loader, params, roles["target"])
    _check_target(section, task, columns, roles)
    if loader is not None:
        loader = address(section, "loader", loader, "function")
    default = stem(path) if path is not None else last_part(str(loader))
    return DatasetPlan(
        name=name or checked_name(section, "name", default),
        path=None if path is None else located(folder, path),
        loader=loader,
        params=params,
        task=task,
        columns=columns,
        **roles,
    )


def _check_source(section: Section, path: str | None, loader: str | None, params: dict[str, Any], target: str | None) -> None:
    """Refuse a data set that comes from nowhere, or from two places."""
    if path is None and loader is None:
        raise section.fault("", "it has neither path nor loader", 'write path = "FILE.csv", or loader = "module:function"')
    if path is not None and loader is not None:
        raise section.fault("", "it has both path and loader", "give one of them")
    if params and loader is None:
        raise section.fault("params", "they go with loader, not with path", "remove params")
    if path is not None and target is None:
        raise section.fault("target", "it is missing", 'name the column to predict: target = "COLUMN"')


def _check_target(section: Section, task: Task | None, columns: tuple[str, ...] | None, roles: dict[str, str | None]) -> None:
    """Refuse a target that is a feature as well, or that has another purpose; and a class where there are none."""
    target = roles["target"]
    if target is not None and columns is not None and target in columns:
        raise section.fault("columns", f"{shown(target)} is the target", "name only columns to predict from")
    for key in ("time", "weight", "item"):
        if target is not None and roles[key] == target:
            raise section.fault(key, f"{shown(target)} is the target", "name another column")
    if task == "regression" and roles["positive"] is not None:
        raise section.fault("positive", "regression has no classes", 'remove it, or write task = "classification"')
