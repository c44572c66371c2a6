"""A cell of the experiment: its outcome in every metric, the same whenever it is run."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from toy_fits import HERE, Columns, column, dataset, estimator, fit_of, outcome

from benchkit.run.cell import Cell, Outcome, Sizes, failed, run_cell, sizes
from benchkit.run.loading import load
from benchkit.run.metrics.resolve import resolve
from benchkit.run.plan import AlgorithmPlan, DatasetPlan, ExperimentPlan, MetricPlan, Range, ResamplingPlan, TunePlan
from benchkit.run.resampling.splits import Split
from benchkit.run.worker import Bench, Work

N = 40
RNG = np.random.default_rng(8)
X = RNG.normal(size=N)
LABELS = np.where(X + RNG.normal(size=N) > 0, "up", "down")
FILE = Columns({
    "x": X,
    "z": np.where(RNG.random(N) < 0.1, np.nan, RNG.normal(size=N)),
    "kind": column([*RNG.choice(["p", "q", "r"], size=N)]),
    "y": column([*LABELS]),
})  # fmt: skip
TREE = "sklearn.tree:DecisionTreeClassifier"


def algorithms() -> tuple[AlgorithmPlan, ...]:
    script = "import sys; n = len(open(sys.argv[1]).readlines()) - 1; open(sys.argv[2], 'w').write('up\\n' * n)"
    search = TunePlan("random", {"max_depth": Range(1, 9), "ccp_alpha": Range(1e-4, 1e-1, True)}, draws=2, folds=2)
    return (
        replace(estimator(("sklearn.ensemble:RandomForestClassifier", {"n_estimators": 5}), preprocess="auto"), name="forest"),
        replace(estimator(TREE, preprocess="auto", tune=search), name="tuned"),
        replace(estimator(("toy_learners:Broken", {"error": "ValueError"})), name="broken"),
        AlgorithmPlan("constant", HERE, command=(sys.executable, "-c", script, "{test}", "{predictions}"), preprocess="none"),
        AlgorithmPlan("odds", HERE, function="toy_learners:answering", params={"kind": "odds"}, preprocess="none"),
    )


def bench(resampling: ResamplingPlan, *metrics: str, keep: bool = True) -> Bench:
    plan = ExperimentPlan(
        HERE / "e.toml",
        "e",
        3,
        tuple(MetricPlan(name) for name in metrics),
        (DatasetPlan("d", Path("d.csv"), target="y"),),
        resampling,
        algorithms(),
    )
    datasets = [load(plan, plan.datasets[0], "classification", lambda _: FILE)]
    return Bench(Work(plan, datasets, keep, keep))


def untimed(one: Outcome) -> Outcome:
    return replace(one, fit_seconds=None, predict_seconds=None)


def test_the_same_cell_has_the_same_outcome_in_any_order_and_process() -> None:
    resampling = ResamplingPlan("bootstrap", replicates=2)
    first, again = bench(resampling, "accuracy"), bench(resampling, "accuracy")
    cells = list(first.design.cells)
    assert len(cells) == 10
    forward = {cell: untimed(first.run(cell)) for cell in cells}
    backward = {cell: untimed(again.run(cell)) for cell in reversed(cells)}
    assert forward == backward
    statuses = {cell.algorithm: forward[cell].status for cell in cells}
    assert statuses == {"forest": "ok", "tuned": "ok", "broken": "failed", "constant": "ok", "odds": "ok"}
    assert len({one.seed for one in forward.values()}) == len(cells)


def test_an_outcome_by_hand() -> None:
    work = bench(ResamplingPlan("bootstrap", replicates=2), "accuracy", "auc")
    cell = Cell("d", "2", "constant")
    got, split = work.run(cell), work.design.split(cell)
    assert (got.status, got.error) == ("ok", None)
    assert got.performance == {"accuracy": np.mean(LABELS[split.test] == "up"), "auc": None}
    assert got.undefined == {
        "auc": "auc: the algorithm gives no scores (predict_proba or decision_function, or a column for each class)"
    }
    assert got.sizes == Sizes(N, len(set(split.train.tolist())), len(split.test))
    only = bench(ResamplingPlan("bootstrap", replicates=2), "accuracy").run(cell)
    assert only.undefined is None
    assert only.performance == {"accuracy": np.mean(LABELS[split.test] == "up")}
    assert only.predictions == (["up"] * len(split.test), [None] * len(split.test))
    assert (only.train_performance, only.predict_seconds, only.votes, only.parameters) == ({}, None, None, None)


def test_what_is_kept() -> None:
    work = bench(ResamplingPlan("bootstrap", replicates=1), "accuracy", "log_loss")
    forest, tuned = (work.run(Cell("d", "1", name)) for name in ("forest", "tuned"))
    assert forest.votes is not None
    assert forest.votes[1] == 5
    assert forest.predictions is not None
    share = np.unpackbits(np.frombuffer(forest.votes[0], np.uint8).reshape(-1, 1), axis=1, count=5).mean(axis=1)
    assert forest.predictions[1] == pytest.approx(share)
    assert set(tuned.parameters or {}) == {"max_depth", "ccp_alpha"}
    assert tuned.votes is None
    less = bench(ResamplingPlan("bootstrap", replicates=1), "accuracy", "log_loss", keep=False)
    other = less.run(Cell("d", "1", "forest"))
    assert (other.votes, other.predictions, other.performance) == (None, None, forest.performance)


def test_a_fit_on_all_rows_has_rates_without_information_and_nothing_kept() -> None:
    work = bench(ResamplingPlan("bootstrap", replicates=1, estimate=".632+"), "accuracy", "error_rate")
    assert [cell.replicate for cell in work.design.cells][:6] == [None] * 5 + ["1"]
    whole = work.run(Cell("d", None, "constant"))
    up = float(np.mean(LABELS == "up"))
    assert whole.performance == {"accuracy": up, "error_rate": pytest.approx(1 - up)}
    # without information: always "up", which is right as often as "up" is true
    assert whole.no_information == {"accuracy": pytest.approx(up), "error_rate": pytest.approx(1 - up)}
    assert (whole.sizes, whole.predictions, whole.votes, whole.train_performance) == (Sizes(N, N, N), None, None, {})
    assert work.run(Cell("d", "1", "constant")).no_information is None


def test_an_undefined_metric_leaves_the_others() -> None:
    data = dataset({"x": X, "y": LABELS})
    ups = np.flatnonzero(LABELS == "up")
    got = outcome(fit_of(data, estimator(TREE), range(N), ups), "auc", "accuracy")
    assert (got.status, got.error) == ("ok", None)
    assert got.undefined == {"auc": "auc: only one class among the rows"}
    assert got.performance["auc"] is None
    assert (got.performance["accuracy"] or 0) > 0


def raising(y_true, y_pred):
    raise SystemExit("of the metric")


def test_a_metric_of_the_users_own_that_exits() -> None:
    data = dataset({"x": X, "y": X})
    fit = fit_of(data, estimator("sklearn.linear_model:LinearRegression"), range(N), range(3))
    own = resolve(MetricPlan("own", "test_cell:raising", "lower"), HERE)
    got = run_cell(fit, [own], Sizes(N, N, 3), False, False)
    assert (got.status, got.error, got.performance) == ("ok", None, {"own": None})
    assert got.undefined == {"own": "SystemExit: of the metric"}


def test_predictions_of_numbers_and_truth_values() -> None:
    numbers = dataset({"x": X, "y": X / 3})
    fit = fit_of(numbers, estimator("sklearn.tree:DecisionTreeRegressor"), range(N), [3, 4])
    values = (X[[3, 4]] / 3).tolist()
    assert outcome(fit, predictions=True).predictions == ([repr(value) for value in values], values)
    truths = dataset({"x": X, "y": X > 0})
    got = outcome(fit_of(truths, estimator(TREE), range(N), [3, 4]), "accuracy", predictions=True)
    assert got.predictions == ([str(value).lower() for value in (X[[3, 4]] > 0).tolist()], [None, None])


def test_errors_are_one_line_of_bounded_length() -> None:
    assert failed("failed", " a\n b\t c ", 1, Sizes(1, 1, 1)).error == "a b c"
    assert failed("timeout", "x" * 501, 1, Sizes(1, 1, 1)).error == "x" * 496 + " ..."


def test_sizes_count_distinct_rows() -> None:
    assert sizes(Split(np.array([5, 5, 2]), np.array([1]))) == Sizes(3, 2, 1)


def test_a_design_runs_replicate_by_replicate_and_every_cell_once() -> None:
    design = bench(ResamplingPlan("bootstrap", replicates=6), "accuracy").design
    order = list(design.running_order())
    assert sorted(map(repr, order)) == sorted(map(repr, design.cells))
    assert [cell.replicate for cell in order] == [cell.replicate for cell in design.cells]
    assert len({tuple(cell.algorithm for cell in order[start : start + 5]) for start in range(0, 30, 5)}) > 1


def test_more_replicates_algorithms_or_data_sets_leave_a_cell_as_it_is() -> None:
    few, many = (bench(ResamplingPlan("bootstrap", replicates=count), "accuracy") for count in (2, 9))
    for cell in few.design.cells:
        assert few.design.seed(cell) == many.design.seed(cell)
        assert few.design.split(cell).train.tolist() == many.design.split(cell).train.tolist()
