"""Nested search: it sees the training rows only, keeps apart what must be, and chooses as it says."""

from collections import Counter
from dataclasses import replace
from math import log

import numpy as np
import pytest
import toy_learners
from hypothesis import given
from hypothesis import strategies as st
from toy_fits import HERE, dataset, estimator, fit_of, metric, outcome

from benchkit.run.algorithms.fit import Fit, FitFailed
from benchkit.run.plan import AlgorithmPlan, Range, TunePlan
from benchkit.run.tune import candidates, inner_splits, tuned

N = 40
RECORDER = "toy_learners:Recorder"


def numbered(n: int = N, **more):
    """Rows that are identified by their first feature."""
    rows = np.arange(n)
    return dataset({"id": rows, "x": np.sin(rows), "y": rows % 7 + 0.5, **more.pop("columns", {})}, **more)


def search(**space) -> TunePlan:
    return TunePlan("grid", {name: tuple(values) for name, values in space.items()})


@pytest.fixture(autouse=True)
def seen():
    toy_learners.SEEN.clear()
    return toy_learners.SEEN


def rows_seen_before_the_last(seen, count: int) -> set[int]:
    """Which rows were seen, the last `count` records (those of the outer fit) aside."""
    return {row for _, ids in seen[:-count] for row in ids}


def bootstrapped(seed: int = 3) -> tuple[list[int], list[int]]:
    train = np.random.default_rng(seed).integers(0, N, N).tolist()
    return train, sorted(set(range(N)) - set(train))


ALGORITHMS = {
    "estimator": estimator(RECORDER, tune=search(shift=[0.5, 0.0, 2.0])),
    "function": AlgorithmPlan("a", HERE, function="toy_learners:recording", preprocess="none", tune=search(shift=[0.5, 0.0])),
}


def leaks(fit: Fit, seen) -> set[int]:
    """Return the outer test rows that were seen before the outer fit, which is the last to fit and then to predict."""
    assert outcome(fit).status == "ok"
    assert seen[-2] == ("fit", tuple(fit.train.tolist()))
    assert seen[-1] == ("predict", tuple(fit.test.tolist()))
    assert len(seen) > 10
    return rows_seen_before_the_last(seen, 2) & set(fit.test.tolist())


@pytest.mark.parametrize("kind", ALGORITHMS)
def test_a_search_never_sees_the_outer_test_rows(kind: str, seen) -> None:
    train, test = bootstrapped()
    assert leaks(fit_of(numbered(), ALGORITHMS[kind], train, test), seen) == set()
    assert rows_seen_before_the_last(seen, 2) == set(train)


def test_a_leaking_search_would_be_caught(monkeypatch, seen) -> None:
    train, test = bootstrapped()

    def leaking(fit: Fit, plan: TunePlan):
        return inner_splits(replace(fit, train=np.concatenate([fit.train, fit.test])), plan)

    monkeypatch.setattr("benchkit.run.tune.inner_splits", leaking)
    assert leaks(fit_of(numbered(), ALGORITHMS["estimator"], train, test), seen) == set(test)


def test_inner_test_rows_are_never_among_the_inner_training_rows(seen) -> None:
    train, test = bootstrapped()
    tuned(fit_of(numbered(), ALGORITHMS["estimator"], train, test), metric("mse"))
    for (what, fitted), (then, predicted) in zip(seen[::2], seen[1::2], strict=True):
        assert (what, then) == ("fit", "predict")
        assert not set(fitted) & set(predicted)
        assert Counter(fitted) + Counter(predicted) == Counter(train)


@given(seed=st.integers(0, 10_000), folds=st.integers(2, 7))
def test_all_copies_of_a_row_stay_in_one_fold(seed: int, folds: int) -> None:
    train, test = bootstrapped(seed)
    parts = list(inner_splits(fit_of(numbered(), ALGORITHMS["estimator"], train, test), TunePlan("grid", {}, folds=folds)))
    assert len(parts) == folds
    for fitted, tested in parts:
        assert not set(fitted.tolist()) & set(tested.tolist())
        assert sorted([*fitted, *tested]) == sorted(train)
    assert sorted(row for _, tested in parts for row in tested) == sorted(train)
    distinct = [len(set(tested.tolist())) for _, tested in parts]
    assert max(distinct) - min(distinct) <= 1


def test_groups_stay_together() -> None:
    groups = [f"g{row % 8}" for row in range(N)]
    data = numbered(columns={"g": groups}, group="g")
    train = [row for row in range(N) if row % 8 != 2] * 2
    for fitted, tested in inner_splits(fit_of(data, ALGORITHMS["estimator"], train, [2, 10]), TunePlan("grid", {}, folds=3)):
        assert {groups[row] for row in fitted}.isdisjoint({groups[row] for row in tested})


def test_with_a_time_column_inner_splits_go_forward() -> None:
    times = np.random.default_rng(0).permutation(N) // 2
    data = numbered(columns={"t": times}, time="t")
    parts = list(inner_splits(fit_of(data, ALGORITHMS["estimator"], [*range(30), 3, 4], [30, 31]), TunePlan("grid", {}, folds=4)))
    assert len(parts) == 4
    for fitted, tested in parts:
        assert max(times[fitted]) < min(times[tested])


def test_in_a_rolling_origin_without_a_time_column_inner_splits_go_forward_too() -> None:
    data = numbered(resampling="rolling-origin")
    for fitted, tested in inner_splits(fit_of(data, ALGORITHMS["estimator"], range(30), [30]), TunePlan("grid", {}, folds=3)):
        assert max(fitted) < min(tested)


def test_with_validation_inside_they_are_the_one_inner_test(seen) -> None:
    algorithm = estimator(RECORDER, tune=replace(search(shift=[1.0, 0.0]), inner="validation"))
    fit = fit_of(numbered(), algorithm, range(20), range(30, 40), validation=range(20, 30))
    assert outcome(fit).parameters == {"shift": 0.0}
    assert seen[:4] == [("fit", tuple(range(20))), ("predict", tuple(range(20, 30)))] * 2
    assert len(seen) == 6


def test_with_folds_inside_validation_rows_are_not_looked_at(seen) -> None:
    outcome(fit_of(numbered(), ALGORITHMS["estimator"], range(20), range(30, 40), validation=range(20, 30)))
    assert rows_seen_before_the_last(seen, 2) == set(range(20))


def test_classes_are_dealt_out_evenly() -> None:
    labels = ["a"] * 10 + ["b"] * 25 + ["c"] * 5
    data = dataset({"id": range(N), "y": labels})
    fit = fit_of(data, estimator("toy_learners:ClassRecorder"), range(N), [0])
    parts = [Counter(labels[row] for row in tested) for _, tested in inner_splits(fit, TunePlan("grid", {}))]
    assert parts == [Counter(a=2, b=5, c=1)] * 5


def test_few_distinct_rows_make_fewer_folds_and_one_row_none() -> None:
    few = fit_of(numbered(), ALGORITHMS["estimator"], [4, 4, 9, 9], [1])
    assert [tested.tolist() for _, tested in inner_splits(few, TunePlan("grid", {}))] in ([[4, 4], [9, 9]], [[9, 9], [4, 4]])
    failed = outcome(fit_of(numbered(), ALGORITHMS["estimator"], [4, 4], [1]))
    assert (failed.status, failed.error) == ("failed", "has too few distinct training rows for an inner resampling")


def test_a_grid_is_tried_in_the_order_of_the_file() -> None:
    plan = search(b=[2, 1], a=["x", "y", "z"])
    tried = [tuple(params.items()) for params in candidates(plan, 1)]
    assert tried == [(("b", b), ("a", a)) for b in (2, 1) for a in "xyz"]


def test_of_equal_candidates_the_first_wins() -> None:
    fit = fit_of(numbered(), estimator(RECORDER, tune=search(random_state=[5, 4, 6], shift=[0.0])), range(20), [30])
    assert tuned(fit, metric("mse")) == {"random_state": 5, "shift": 0.0}


def test_the_best_by_a_metric_of_either_direction() -> None:
    shifts = [5.0, -6.0, 0.0, 8.0]
    fit = fit_of(numbered(), estimator(RECORDER, tune=search(shift=shifts)), range(20), [30])
    assert tuned(fit, metric("mse")) == {"shift": 0.0}
    assert tuned(fit, metric("r2")) == {"shift": 0.0}


def test_the_metric_of_the_search_need_not_be_the_first() -> None:
    # the median of y is far below the mean, so that absolute errors ask for another shift than squared ones
    data = dataset({"id": range(20), "y": [0.0] * 15 + [100.0] * 5})
    plan = search(shift=[0.0, -25.0])
    for name, chosen in (("mse", 0.0), ("mae", -25.0)):
        fit = fit_of(data, estimator(RECORDER, tune=replace(plan, metric=name)), range(20), [1])
        assert outcome(fit, "mse", "mae").parameters == {"shift": chosen}


def test_a_random_search_stays_in_its_ranges() -> None:
    space = {
        "whole": Range(1, 3),
        "real": Range(0.5, 2),
        "log": Range(1e-3, 1e3, True),
        "wholelog": Range(1, 1000, True),
        "word": ("a", "b"),
    }
    drawn = list(candidates(TunePlan("random", space, draws=400), 5))
    assert len(drawn) == 400
    assert Counter(type(one["whole"]) for one in drawn) == {int: 400}
    assert {one["whole"] for one in drawn} == {1, 2, 3}
    assert all(0.5 <= one["real"] <= 2 and isinstance(one["real"], float) for one in drawn)
    assert all(1e-3 <= one["log"] <= 1e3 for one in drawn)
    assert 150 < sum(one["log"] < 1 for one in drawn) < 250
    assert all(isinstance(one["wholelog"], int) and 1 <= one["wholelog"] <= 1000 for one in drawn)
    assert abs(np.mean([log(one["wholelog"]) for one in drawn]) - log(1000) / 2) < 0.4
    assert {one["word"] for one in drawn} == {"a", "b"}


def test_a_random_search_depends_on_the_seed_alone() -> None:
    plan = TunePlan("random", {"x": Range(0.0, 1.0)}, draws=5)
    assert list(candidates(plan, 5)) == list(candidates(plan, 5))
    assert list(candidates(plan, 5)) != list(candidates(plan, 6))


def test_failing_candidates_are_out() -> None:
    algorithm = estimator((RECORDER, {"fails_at": 0.0}), tune=search(shift=[0.0, 1.0, 2.0]))
    assert outcome(fit_of(numbered(), algorithm, range(20), [30])).parameters == {"shift": 1.0}


def test_candidates_that_exit_are_out() -> None:
    algorithm = AlgorithmPlan("a", HERE, function="toy_learners:exits", preprocess="none", tune=search(code=[1, 2]))
    failed = outcome(fit_of(numbered(), algorithm, range(20), [30]))
    assert (failed.status, failed.error) == ("failed", "no candidate of the search could be fitted: SystemExit: 1")


def test_all_failing_is_a_failure_with_the_first_reason() -> None:
    algorithm = estimator((RECORDER, {"fails_at": 4.0}), tune=search(shift=[4.0]))
    fit = fit_of(numbered(), algorithm, range(20), [30])
    reason = "no candidate of the search could be fitted: ArithmeticError: cannot do 4.0"
    with pytest.raises(FitFailed, match=f"^{reason}$"):
        tuned(fit, metric("mse"))
    assert (outcome(fit).status, outcome(fit).error) == ("failed", reason)


def test_a_metric_that_is_undefined_everywhere_is_a_failure_with_its_reason() -> None:
    data = dataset({"id": range(10), "y": ["a"] * 9 + ["b"]})
    algorithm = estimator("sklearn.dummy:DummyClassifier", tune=search(strategy=["prior"]))
    failed = outcome(fit_of(data, algorithm, range(9), [9]), "auc")
    assert failed.error == "no candidate of the search could be fitted: auc: only one class among the rows"


def test_what_was_chosen_is_recorded_and_used_and_always_the_same() -> None:
    data = numbered()
    algorithm = estimator(RECORDER, tune=TunePlan("random", {"shift": Range(-1.0, 1.0)}, draws=4), params={"random_state": 1})
    first, again = (outcome(fit_of(data, algorithm, range(20), range(20, 40)), predictions=True) for _ in range(2))
    assert replace(first, fit_seconds=0, predict_seconds=0) == replace(again, fit_seconds=0, predict_seconds=0)
    assert set(first.parameters or {}) == {"shift"}
    plain = fit_of(data, estimator(RECORDER, params=first.parameters), range(20), range(20, 40))
    assert outcome(plain).performance == first.performance
    assert outcome(plain).parameters is None


def test_a_search_does_not_change_the_chance_of_the_fit_that_follows() -> None:
    plain = fit_of(numbered(), estimator("toy_learners:Chancy"), range(20), [30])
    tuning = replace(plain, algorithm=replace(plain.algorithm, tune=TunePlan("grid", {})))
    assert outcome(tuning).performance == outcome(plain).performance


def test_nested_parameters_of_steps_and_estimators_in_the_grid() -> None:
    knn = "sklearn.neighbors:KNeighborsRegressor"
    algorithm = estimator("sklearn.preprocessing:StandardScaler", knn, tune=search(kneighborsregressor__n_neighbors=[1, 30]))
    assert outcome(fit_of(numbered(), algorithm, range(40), [30])).parameters is not None
    bagged = estimator(
        ("sklearn.ensemble:BaggingRegressor", {"n_estimators": 2}),
        tune=search(estimator=[{"estimator": "sklearn.tree:DecisionTreeRegressor", "params": {"max_depth": 1}}]),
    )
    chosen = outcome(fit_of(numbered(), bagged, range(40), [30])).parameters
    assert chosen == {"estimator": {"estimator": "sklearn.tree:DecisionTreeRegressor", "params": {"max_depth": 1}}}
