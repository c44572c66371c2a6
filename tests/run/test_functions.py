"""Functions of the user's own: what they are given by name, and what they may return."""

import numpy as np
import pytest
import toy_learners
from toy_fits import HERE, dataset, fit_of, outcome

from benchkit.errors import BenchkitError
from benchkit.run.algorithms.function import check_function, fit_function
from benchkit.run.plan import AlgorithmPlan, Range, TunePlan

N = 12
COLUMNS = {"a": np.arange(N) * 1.0, "b": np.arange(N) % 3 * 1.0}
NUMBERS = dataset(COLUMNS | {"y": np.arange(N) * 2.0})
CLASSES = dataset(COLUMNS | {"y": np.array([*"abc"])[np.arange(N) % 3]})
TRAIN, TEST = range(8), range(8, N)


def function(name: str, **plan) -> AlgorithmPlan:
    return AlgorithmPlan("a", HERE, function=f"toy_learners:{name}", preprocess=plan.pop("preprocess", "none"), **plan)


def answered(kind: str, data=NUMBERS, *metrics: str, train=TRAIN):
    return outcome(fit_of(data, function("answering", params={"kind": kind}), train, TEST), *metrics, predictions=True)


@pytest.mark.parametrize(
    ("algorithm", "message"),
    [
        (function("offered", params={"depth": 3}), "cannot be called: got an unexpected keyword argument 'depth'"),
        (function("answering"), "cannot be called: missing a required argument: 'kind'"),
        (function("answering", params={"kind": 1, "X_test": 2}), "cannot be called: multiple values for argument 'X_test'"),
        (function("NUMBER"), "cannot be called: 3 is not a callable object"),
        (function("ids"), "cannot be called: too many positional arguments"),
        (
            function("offered", tune=TunePlan("grid", {"depth": (1, 2)})),
            "cannot be called: got an unexpected keyword argument 'depth'",
        ),
    ],
)
def test_a_function_that_cannot_be_called_is_told_before_the_first_fit(algorithm, message) -> None:
    with pytest.raises(BenchkitError) as raised:
        check_function(algorithm)
    assert raised.value.message == f"algorithm 'a': {algorithm.function} {message}"
    assert raised.value.hint


@pytest.mark.parametrize(
    "algorithm",
    [
        function("offered"),
        function("answering", params={"kind": "nan"}),
        function("answering", tune=TunePlan("random", {"kind": Range(0, 1)})),
        function("with_anything", params={"x": 1}),
    ],
)
def test_functions_that_can_be_called(algorithm) -> None:
    check_function(algorithm)


def test_what_is_offered_by_name() -> None:
    weights, groups = np.arange(N) + 1.0, np.array([*"pqr"])[np.arange(N) // 4]
    data = dataset(COLUMNS | {"y": np.arange(N) * 2.0, "w": weights, "g": groups}, weight="w", group="g")
    fit_function(fit_of(data, function("offered"), [3, 3, 7], [1], validation=[9, 10], seed=99))
    seed, w, g, x_validation, y_validation = toy_learners.OFFERED[-1]
    assert seed == 99
    assert w.tolist() == [4.0, 4.0, 8.0]
    assert g.tolist() == [0, 0, 1]
    assert x_validation["a"].tolist() == [9.0, 10.0]
    assert y_validation.tolist() == [18.0, 20.0]


def test_what_is_not_there_is_none_and_what_the_plan_gives_comes_first() -> None:
    fit_function(fit_of(NUMBERS, function("offered", params={"seed": 5}), [3], [1]))
    assert toy_learners.OFFERED[-1] == [5, None, None, None, None]
    assert outcome(fit_of(NUMBERS, function("with_anything", params={"x": 1, "z": 2}), TRAIN, TEST)).performance[
        "mse"
    ] == pytest.approx(np.mean((np.arange(8, N) * 2.0 - 3) ** 2))


def test_a_function_may_change_what_it_gets() -> None:
    values: list[int] = []
    algorithm = function("changing", params={"values": values})
    for _ in range(2):
        assert fit_function(fit_of(NUMBERS, algorithm, TRAIN, TEST)).test.prediction.tolist() == [1.0] * 4
    assert values == []
    assert NUMBERS.target.tolist() == (np.arange(N) * 2.0).tolist()
    assert NUMBERS.features["a"].tolist() == list(range(N))


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("nothing", "returned nothing; it has to return the predictions"),
        ("generator", "gave a single generator, not predictions for 4 rows"),
        ("text", "gave a single str, not predictions for 4 rows"),
        ("short", "gave 3 predictions for 4 rows"),
        ("square", "gave 2 columns of predictions for regression"),
        ("cube", "gave 4 x 1 x 1 predictions for 4 rows"),
        ("nan", "prediction 2 of 4 is nan"),
        ("infinite", "prediction 1 of 4 is -inf"),
        ("words", "predicted 'x', which is no number"),
        ("none", "prediction 2 of 4 is nan"),
        ("complex", "predicted '1j', which is no number"),
        ("masked", "gave predictions of which some are masked"),
    ],
)
def test_what_is_no_prediction(kind, message) -> None:
    failed = answered(kind)
    assert (failed.status, failed.error) == ("failed", message)


def test_lists_of_unequal_length() -> None:
    assert (answered("ragged").error or "").startswith("gave predictions that make no array: ")


@pytest.mark.parametrize("kind", ["column", "series", "numerals"])
def test_other_forms_of_numbers(kind) -> None:
    assert answered(kind).predictions == (["1.0"] * 4, [1.0] * 4)
    assert answered(kind).predict_seconds is None


def test_probabilities_in_the_order_of_the_classes() -> None:
    got = answered("odds", CLASSES, "accuracy", "log_loss")
    assert got.predictions == (["c"] * 4, [None] * 4)
    # of the test rows c, a, b, c
    assert got.performance["log_loss"] == pytest.approx(-np.mean(np.log([3 / 6, 1 / 6, 2 / 6, 3 / 6])))


def test_probabilities_of_the_classes_among_the_training_rows() -> None:
    train = [row for row in TRAIN if row % 3 != 1]
    fit = fit_of(CLASSES, function("answering", params={"kind": "odds"}), train, TEST)
    probabilities = fit_function(fit).test.probabilities
    assert probabilities is not None
    np.testing.assert_allclose(probabilities, [[1 / 3, 0, 2 / 3]] * 4)


def test_a_data_frame_names_the_classes_of_its_columns() -> None:
    probabilities = fit_function(fit_of(CLASSES, function("answering", params={"kind": "frame"}), TRAIN, TEST)).test.probabilities
    assert probabilities is not None
    np.testing.assert_allclose(probabilities, [[0.2, 0.1, 0.7]] * 4)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("unnormed", "gave probabilities that are negative or do not add up to 1"),
        ("negative", "gave probabilities that are negative or do not add up to 1"),
        ("thirds", "gave 5 columns of probabilities for 3 classes"),
        ("column", "predicted '1.0', which is none of the classes a, b, c"),
        ("words", "predicted 'x', which is none of the classes a, b, c"),
    ],
)
def test_what_is_no_probability(kind, message) -> None:
    failed = answered(kind, CLASSES, "accuracy")
    assert (failed.status, failed.error) == ("failed", message)


def test_a_metric_that_needs_probabilities() -> None:
    binary = dataset(COLUMNS | {"y": np.arange(N) % 2}, task="classification")
    assert answered("numerals", binary, "accuracy").status == "ok"
    without = {
        "log_loss": "probabilities (predict_proba, or a column for each class)",
        "auc": "scores (predict_proba or decision_function, or a column for each class)",
    }
    for metric, needed in without.items():
        got = answered("numerals", binary, metric, "accuracy")
        assert (got.status, got.error) == ("ok", None)
        assert got.undefined == {metric: f"{metric}: the algorithm gives no {needed}"}
        assert got.performance == {metric: None, "accuracy": 0.5}  # rows 8 to 11, of which two are 1
        full = answered("odds", binary, metric)
        assert (full.status, full.error, full.undefined) == ("ok", None, None)


def test_a_function_that_exits() -> None:
    failed = outcome(fit_of(NUMBERS, function("exits", params={"code": "gone"}), TRAIN, TEST))
    assert (failed.status, failed.error) == ("failed", "SystemExit: gone")
