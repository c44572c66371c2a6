"""Outcomes become tables, in the order of the plan: results, estimates, predictions, votes."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import numpy as np
import polars as pl

from benchkit.run.cell import Cell, Outcome
from benchkit.run.columns import text
from benchkit.run.design import Design
from benchkit.run.metrics.known import direction_of
from benchkit.run.optimism import blend, plus
from benchkit.tables import shapes

Row = dict[str, Any]


class Outcomes(Protocol):
    """Where finished cells are found."""

    def get(self, cell: Cell, everything: bool = False) -> Outcome | None:
        """Return the outcome of a cell, with its predictions and votes if everything is asked for; None if there is none."""


class Rows:
    """Makes the rows of results, one cell at a time."""

    def __init__(self, design: Design, outcomes: Outcomes) -> None:
        """Take the design and the outcomes; fits on all rows have to be there before the first row is made of them."""
        self._design, self._outcomes = design, outcomes
        plan = design.plan
        self._better = {metric.name: direction_of(metric) for metric in plan.metrics}
        self._blends = plan.resampling.estimate == ".632"
        self._resamplings = {name: design.resampling(name) for name in design.datasets}
        self._names = {name: {n.replicate: n for n in design.names(name)} for name in design.datasets}

    def of(self, cell: Cell, outcome: Outcome) -> Iterator[Row]:
        """Yield a row of results for each metric; none for a fit on all rows."""
        if cell.replicate is None:
            return
        name = self._names[cell.dataset][cell.replicate]
        whole = self._outcomes.get(Cell(cell.dataset, None, cell.algorithm)) if self._blends else None
        for metric, better in self._better.items():
            performance, status = outcome.performance.get(metric), outcome.status
            error = outcome.error if outcome.undefined is None else outcome.undefined.get(metric)
            if self._blends and performance is not None:
                apparent = None if whole is None else whole.performance.get(metric)
                performance = None if apparent is None else float(blend(apparent, performance))
                if whole is not None and whole.status != "ok":
                    status, error = whole.status, f"the fit on all rows failed: {whole.error}"
                elif whole is not None and whole.undefined and metric in whole.undefined:
                    error = f"the fit on all rows: {whole.undefined[metric]}"
            yield {
                "metric": metric,
                "better": better,
                "dataset": cell.dataset,
                "resampling": self._resamplings[cell.dataset],
                "replicate": name.replicate,
                "repeat": name.repeat,
                "fold": name.fold,
                "algorithm": cell.algorithm,
                "performance": performance,
                "train_performance": outcome.train_performance.get(metric),
                "fit_seconds": outcome.fit_seconds,
                "predict_seconds": outcome.predict_seconds,
                "n_train": outcome.sizes.n_train,
                "n_train_distinct": outcome.sizes.n_train_distinct,
                "n_test": outcome.sizes.n_test,
                "status": status,
                "error": error,
                "seed": str(outcome.seed),
                "parameters": None if outcome.parameters is None else json.dumps(outcome.parameters, sort_keys=True),
            }


def results(design: Design, outcomes: Outcomes) -> pl.DataFrame:
    """Return the results in the order of the plan; cells without an outcome are left out."""
    rows = Rows(design, outcomes)
    made: list[Row] = []
    for cell in design.cells:
        outcome = outcomes.get(cell)
        if outcome is not None:
            made += rows.of(cell, outcome)
    return shapes.build(shapes.RESULTS, made)


def estimates(design: Design, outcomes: Outcomes) -> pl.DataFrame:
    """Return the .632 or .632+ estimate for each metric, data set and algorithm, with what it was made of."""
    made = []
    for dataset in design.datasets:
        for algorithm in design.plan.algorithms:
            whole = outcomes.get(Cell(dataset, None, algorithm.name))
            found = [outcomes.get(Cell(dataset, name.replicate, algorithm.name)) for name in design.names(dataset)]
            for metric in design.plan.metrics:
                values = [one.performance.get(metric.name) for one in found if one is not None]
                row = _estimate(design.plan.resampling.estimate, metric.name, direction_of(metric), whole, values)
                made.append({"metric": metric.name, "dataset": dataset, "algorithm": algorithm.name, **row})
    return shapes.build(shapes.ESTIMATES, made)


def _estimate(kind: str, metric: str, better: Any, whole: Outcome | None, values: list[float | None]) -> Row:
    defined = [value for value in values if value is not None]
    apparent = None if whole is None else whole.performance.get(metric)
    oob = float(np.mean(defined)) if defined else None
    row: Row = {"estimator": kind, "n": len(defined), "apparent": apparent, "oob": oob}
    if apparent is None or oob is None:
        return row
    if kind == ".632":
        return row | {"performance": float(blend(apparent, oob)), "weight": 0.632}
    rate = None if whole is None or whole.no_information is None else whole.no_information.get(metric)
    if rate is None:
        return row
    made = plus(apparent, oob, rate, better)
    return row | {
        "performance": made.performance,
        "no_information": rate,
        "overfitting": made.overfitting,
        "weight": made.weight,
    }


def predictions(design: Design, outcomes: Outcomes) -> pl.DataFrame:
    """Return every prediction of the test rows."""
    parts = []
    for cell in design.cells:
        outcome = outcomes.get(cell, everything=True)
        if cell.replicate is None or outcome is None or outcome.predictions is None:
            continue
        values, scores = outcome.predictions
        columns = _rows_of(design, cell, "algorithm")
        parts.append(pl.DataFrame({**columns, "prediction": values, "score": scores}, schema_overrides={"score": pl.Float64}))
    return shapes.build(shapes.PREDICTIONS, pl.concat(parts).to_dict() if parts else {})


def _rows_of(design: Design, cell: Cell, role: str) -> Mapping[str, Any]:
    """Return what the rows of a cell are called, and their labels."""
    dataset, test = design.datasets[cell.dataset], design.split(cell).test
    labels = dataset.target[test].tolist()
    return {
        "dataset": [cell.dataset] * len(test),
        "replicate": [cell.replicate] * len(test),
        "item": [dataset.items[row] for row in test.tolist()],
        role: [cell.algorithm] * len(test),
        "label": [repr(value) for value in labels] if dataset.task == "regression" else [text(value) for value in labels],
    }


def votes(design: Design, outcomes: Outcomes) -> pl.DataFrame:
    """Return the votes of the members of voting ensembles: 1 for the positive class, null beyond an ensemble's size.

    label is 1 for the positive class, too. Algorithms that are no voting ensembles have no rows.
    """
    parts = []
    for cell in design.cells:
        outcome = outcomes.get(cell, everything=True)
        if cell.replicate is None or outcome is None or outcome.votes is None:
            continue
        packed, members = outcome.votes
        dataset, test = design.datasets[cell.dataset], design.split(cell).test
        table = np.unpackbits(np.frombuffer(packed, np.uint8).reshape(len(test), -1), axis=1)[:, :members]
        columns = dict(_rows_of(design, cell, "ensemble"))
        columns["label"] = np.where(dataset.target[test] == dataset.positive, "1", "0")
        parts.append(pl.DataFrame(columns | {f"voter{number + 1}": table[:, number] for number in range(members)}))
    return pl.concat(parts, how="diagonal") if parts else pl.DataFrame()
