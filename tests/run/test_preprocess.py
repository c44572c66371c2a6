"""Preprocessing learns from the training rows only."""

import numpy as np
import pytest
import toy_learners
from toy_fits import HERE, dataset, estimator, fit_of, outcome

from benchkit.run.algorithms.estimator import model
from benchkit.run.algorithms.function import fit_function
from benchkit.run.plan import AlgorithmPlan
from benchkit.run.preprocess import preprocessor

NAN = float("nan")
A = [1.0, 2.0, NAN, 4.0, 9.0, NAN]
B = [10.0, 20.0, 30.0, 40.0, 50.0, 60.0]
COLOR = ["red", "blue", "red", None, "green", "red"]
Y = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
TRAIN, TEST = [0, 1, 2, 3, 0], [4, 5]


def mixed(**changed):
    return dataset({"a": A, "b": B, "color": COLOR, "y": Y} | changed)


def prepared(data, train=TRAIN, test=TEST):
    fit = fit_of(data, estimator("x:Y"), train, test)
    transformer = preprocessor(data).fit(fit.features(fit.train))
    return np.asarray(transformer.transform(fit.features(fit.train))), np.asarray(transformer.transform(fit.features(fit.test)))


def test_by_hand() -> None:
    train, test = prepared(mixed())
    filled = np.array([1.0, 2.0, 1.5, 4.0, 1.0])  # the median of 1, 2, 4, 1
    b = np.array([10.0, 20.0, 30.0, 40.0, 10.0])
    blue, red = [0, 1, 0, 0, 0], [1, 0, 1, 1, 1]  # the missing one is the commonest: red
    expected = np.column_stack([(filled - filled.mean()) / filled.std(), (b - b.mean()) / b.std(), blue, red])
    np.testing.assert_allclose(train, expected, rtol=1e-12)
    outside = [[(9 - filled.mean()) / filled.std(), (50 - b.mean()) / b.std(), 0, 0]]  # green was never seen
    outside.append([(1.5 - filled.mean()) / filled.std(), (60 - b.mean()) / b.std(), 0, 1])
    np.testing.assert_allclose(test, outside, rtol=1e-12)


@pytest.mark.parametrize(
    "changed",
    [
        {"a": [*A[:4], 1e12, NAN]},
        {"b": [*B[:4], -1e300, 60.0]},
        {"color": [*COLOR[:4], "never seen", None]},
        {"b": [*B[:4], NAN, NAN]},
    ],
)
def test_whatever_stands_in_test_rows_changes_nothing_for_the_training_rows(changed) -> None:
    np.testing.assert_array_equal(prepared(mixed(**changed))[0], prepared(mixed())[0])


def test_a_fit_does_not_depend_on_the_test_rows_that_it_does_not_predict() -> None:
    """The same through the whole of a fit, on a test row whose neighbours are extreme."""
    ridge = estimator("sklearn.linear_model:Ridge", preprocess="auto")
    wild = mixed(a=[*A[:5], 1e15], b=[*B[:5], -1e15], color=[*COLOR[:5], "violet"], y=[*Y[:5], 1e9])
    plain, other = (outcome(fit_of(data, ridge, TRAIN, [4]), predictions=True) for data in (mixed(), wild))
    assert plain.status == "ok"
    assert plain.predictions == other.predictions
    assert plain.train_performance == other.train_performance


def test_a_test_row_in_the_training_rows_would_change_the_fit() -> None:
    assert not np.array_equal(prepared(mixed(), [*TRAIN, 4])[0][:5, :2], prepared(mixed())[0][:, :2])


def test_columns_without_a_value_in_the_training_rows() -> None:
    train, test = prepared(mixed(a=[NAN] * 5 + [3.0], color=[None] * 4 + ["red", "blue"]))
    assert np.isfinite(train).all()
    assert np.isfinite(test).all()


def test_columns_that_are_constant_or_hold_nothing_at_all() -> None:
    data = dataset({"nothing": [NAN] * 6, "constant": [2.0] * 6, "void": [None] * 5 + ["x"], "y": Y})
    train, _ = prepared(data)
    assert np.isfinite(train).all()
    assert (train[:, :2] == 0).all()
    assert (
        outcome(fit_of(data, estimator("sklearn.linear_model:LinearRegression", preprocess="auto"), TRAIN, TEST)).status == "ok"
    )


def test_infinite_features_fail_the_fit_with_the_reason() -> None:
    data = mixed(b=[float("inf"), *B[1:]])
    failed = outcome(fit_of(data, estimator("sklearn.linear_model:LinearRegression", preprocess="auto"), TRAIN, TEST))
    assert failed.status == "failed"
    assert "infinity" in (failed.error or "")


def test_it_comes_before_all_steps_and_can_be_left_out() -> None:
    data = mixed()
    steps = ("sklearn.decomposition:PCA", "sklearn.linear_model:Ridge")
    auto = model(estimator(*steps, preprocess="auto"), data, {}, 1)
    assert [name for name, _ in auto.steps] == ["preprocess", "pca", "ridge"]
    assert [name for name, _ in model(estimator(*steps), data, {}, 1).steps] == ["pca", "ridge"]
    assert type(model(estimator(steps[1]), data, {}, 1)).__name__ == "Ridge"


def test_functions_get_the_names_of_categories() -> None:
    plan = AlgorithmPlan("a", HERE, function="toy_learners:with_prepared", preprocess="auto")
    for validation in ([5], None):
        fit_function(fit_of(mixed(color_red=B), plan, TRAIN, [4], validation=validation))
        train, test, other = toy_learners.OFFERED[-1]
        assert list(train.columns) == list(test.columns) == ["a", "b", "color_red", "color=blue", "color=red"]
        assert (len(train), len(test), other if other is None else len(other)) == (5, 1, validation and 1)
