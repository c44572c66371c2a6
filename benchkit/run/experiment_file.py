"""Reads an experiment file: from TOML to a plan, with one exact message for the first thing that is wrong."""

from pathlib import Path
from typing import Any

from benchkit.errors import BenchkitError
from benchkit.run.plan import ExperimentPlan
from benchkit.run.toml.algorithms import Surroundings, read_algorithm
from benchkit.run.toml.datasets import read_dataset
from benchkit.run.toml.document import parsed
from benchkit.run.toml.experiment import read_experiment
from benchkit.run.toml.names import label, refuse_twice
from benchkit.run.toml.resampling import read_resampling
from benchkit.run.toml.section import Section
from benchkit.run.toml.wording import shown
from benchkit.tables.wording import nearest, terminal

_TABLES = {"experiment": "[experiment]", "dataset": "[[dataset]]", "resampling": "[resampling]", "algorithm": "[[algorithm]]"}
_MISSING = {
    "experiment": 'add [experiment] and below it metrics = ["mse"]',
    "dataset": 'add [[dataset]] and below it path = "FILE.csv" and target = "COLUMN"',
    "resampling": 'add [resampling] and below it method = "bootstrap"',
    "algorithm": 'add [[algorithm]] and below it name = "..." and estimator = "module:Class"',
}


def read(path: Path) -> ExperimentPlan:
    """Return the plan of an experiment file, its relative paths made absolute from the folder in which it lies.

    Raises BenchkitError with the file, the table, the key, what is wrong and what is allowed for the first fault. Files and
    columns that it names are not looked at here, and nothing that it names is imported.
    """
    file = path.parent.resolve() / path.name
    name = terminal(str(path))
    tables = _tables(name, parsed(name, path))
    general = read_experiment(_one(name, "experiment", tables), file.stem)
    dataset_sections = _several(name, "dataset", tables)
    datasets = [read_dataset(section, file.parent) for section in dataset_sections]
    refuse_twice(dataset_sections, [dataset.name for dataset in datasets], "dataset")
    resampling = read_resampling(_one(name, "resampling", tables), file.parent)
    around = Surroundings(file.parent, [metric.name for metric in general.metrics], resampling)
    algorithm_sections = _several(name, "algorithm", tables)
    algorithms = [read_algorithm(section, around) for section in algorithm_sections]
    refuse_twice(algorithm_sections, [algorithm.name for algorithm in algorithms], "algorithm")
    return ExperimentPlan(
        path=file,
        name=general.name,
        seed=general.seed,
        metrics=general.metrics,
        datasets=tuple(datasets),
        resampling=resampling,
        algorithms=tuple(algorithms),
        train_performance=general.train_performance,
    )


def _tables(name: str, document: dict[str, Any]) -> dict[str, Any]:
    """Return the document; refuse tables and keys at the top that are not known, and tables that are missing."""
    for key, value in document.items():
        if key in _TABLES:
            continue
        if isinstance(value, dict) or (isinstance(value, list) and value and isinstance(value[0], dict)):
            near = nearest(key, _TABLES)
            hint = f"did you mean {_TABLES[near]}?" if near else f"the tables are {', '.join(_TABLES.values())}"
            raise BenchkitError(f"{name}: unknown table {shown(key)}", hint)
        raise BenchkitError(f"{name}: the key {shown(key)} stands in no table", "put it below [experiment], or where it belongs")
    for key, heading in _TABLES.items():
        if key not in document or document[key] == []:
            raise BenchkitError(f"{name}: there is no {heading}", _MISSING[key])
    return document


def _one(name: str, key: str, tables: dict[str, Any]) -> Section:
    """Return the section of a table that stands there once."""
    table = tables[key]
    if not isinstance(table, dict):
        raise BenchkitError(f"{name}: {key} is {shown(table)}, not a table", f"write [{key}], in single brackets, once")
    return Section(f"{name}, [{key}]", table)


def _several(name: str, key: str, tables: dict[str, Any]) -> list[Section]:
    """Return the sections of a table that may stand there several times."""
    single = isinstance(tables[key], dict)
    found = [tables[key]] if single else tables[key]
    if not isinstance(found, list) or not all(isinstance(table, dict) for table in found):
        raise BenchkitError(f"{name}: {key} is {shown(found)}, not a table", f"write [[{key}]] above its keys")
    return [
        Section(f"{name}, {label(key, None if single else number, table)}", table) for number, table in enumerate(found, start=1)
    ]
