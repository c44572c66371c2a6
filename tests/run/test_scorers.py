"""Scorers of scikit-learn and functions of the user's own."""

import sys
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer, get_scorer_names
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor

from benchkit.errors import BenchkitError
from benchkit.run.metrics.own import own
from benchkit.run.metrics.records import Judged, Undefined
from benchkit.run.metrics.scorers import scorer
from benchkit.run.plan import MetricPlan

MULTILABEL = {"f1_samples", "jaccard_samples", "precision_samples", "recall_samples"}


@pytest.fixture(scope="module")
def fitted() -> dict[int, tuple[LogisticRegression | GaussianNB, np.ndarray, Judged]]:
    """Fitted classifiers of two and of three classes 0, 1 ..., with features and what they predict.

    That of three has no decision_function: there, one score for each row is not enough, and probabilities stand in.
    """
    made = {}
    for size in (2, 3):
        rng = np.random.default_rng(size)
        truth = rng.permutation(np.arange(60) % size)
        features = rng.normal(size=(60, 2)) + truth[:, None] * 0.7
        model = (LogisticRegression() if size == 2 else GaussianNB()).fit(features, truth)
        made[size] = (
            model,
            features,
            Judged(
                truth,
                model.predict(features),
                model.predict_proba(features),
                model.decision_function(features) if size == 2 else None,
                np.arange(size),
                1 if size == 2 else None,
            ),
        )
    return made


@pytest.mark.parametrize("name", sorted(set(get_scorer_names()) - MULTILABEL))
def test_a_scorer_says_what_it_says_of_the_estimator_itself(name: str, fitted) -> None:
    found = scorer(name)
    assert (found.better, found.unit, found.no_information) == ("higher", "", None)
    if found.task == "regression":
        rng = np.random.default_rng(1)
        truth = rng.gamma(5, 1, 30)
        prediction = truth * rng.gamma(50, 0.02, 30)
        rows = np.arange(30)[:, None]
        expected = get_scorer(name)(KNeighborsRegressor(1).fit(rows, prediction), rows, truth)
        assert found.measure(Judged(truth, prediction)) == pytest.approx(expected)
        return
    for size in (2,) if found.binary else (2, 3):
        if name == "top_k_accuracy" and size == 2:
            continue  # the right class is always among the first two
        model, features, judged = fitted[size]
        expected = get_scorer(name)(model, features, judged.truth)
        assert found.measure(judged) == pytest.approx(expected)
        only = {need: None for need in ("prediction", "probabilities", "scores") if need != found.needs}
        if found.needs != "scores" or size == 2:
            assert found.measure(replace(judged, **only)) == pytest.approx(expected)


def test_every_scorer_has_the_task_and_needs_of_its_name() -> None:
    cases = {
        "r2": ("regression", "prediction", False, True),
        "neg_max_error": ("regression", "prediction", False, False),
        "accuracy": ("classification", "prediction", False, True),
        "precision": ("classification", "prediction", True, True),
        "roc_auc": ("classification", "scores", True, True),
        "average_precision": ("classification", "scores", False, True),
        "neg_log_loss": ("classification", "probabilities", False, True),
        "top_k_accuracy": ("classification", "probabilities", False, True),
        "rand_score": ("classification", "prediction", False, False),
    }
    for name, facts in cases.items():
        found = scorer(name)
        assert (found.task, found.needs, found.binary, found.weighted) == facts, name


@pytest.mark.parametrize("name", sorted(MULTILABEL))
def test_a_scorer_of_many_labels_is_refused_in_its_own_words(name: str) -> None:
    with pytest.raises(BenchkitError, match=f"scorer '{name}' can judge neither numbers nor classes: Samplewise"):
        scorer(name)


@pytest.mark.parametrize("name", ["precision", "recall", "average_precision", "roc_auc", "neg_brier_score", "f1", "neg_log_loss"])
def test_scorers_take_classes_of_any_name_and_either_as_positive(name: str, fitted) -> None:
    judged = fitted[2][2]
    found = scorer(name)
    # named so that the positive class comes first, as it does not for scikit-learn
    texts = np.array(["well", "ill"], dtype=object)
    turned = Judged(
        texts[judged.truth],
        texts[judged.prediction],
        judged.probabilities[:, ::-1],
        judged.scores,
        np.array(["ill", "well"], dtype=object),
        "ill",
    )
    assert found.measure(turned) == pytest.approx(found.measure(judged))


def test_scorers_take_weights(fitted) -> None:
    model, features, judged = fitted[2]
    weight = np.random.default_rng(3).gamma(1, 1, 60)
    for name in ("roc_auc", "neg_log_loss", "recall"):
        expected = get_scorer(name)(model, features, judged.truth, sample_weight=weight)
        assert scorer(name).measure(replace(judged, weight=weight)) == pytest.approx(expected)
    with pytest.raises(Undefined, match=r"^rand_score: this scorer of scikit-learn takes no weights$"):
        scorer("rand_score").measure(replace(judged, weight=weight))


@pytest.mark.parametrize(
    ("name", "changed", "reason"),
    [
        ("roc_auc", {"truth": np.zeros(60, dtype=int)}, "roc_auc: Only one class is present in y_true."),
        ("neg_log_loss", {"truth": np.zeros(60, dtype=int)}, "neg_log_loss: "),
        ("neg_log_loss", {"probabilities": None}, "neg_log_loss: the algorithm gives no probabilities"),
        ("roc_auc", {"probabilities": None, "scores": None}, "roc_auc: the algorithm gives no scores"),
        ("accuracy", {"prediction": np.full(60, 7)}, "accuracy: 7 is none of the classes"),
        ("accuracy", {"classes": None}, "accuracy: the classes are not known"),
    ],
)
def test_what_a_scorer_refuses_is_undefined(name: str, changed: dict, reason: str, fitted) -> None:
    with pytest.raises(Undefined) as raised:
        scorer(name).measure(replace(fitted[2][2], **changed))
    assert str(raised.value).startswith(reason)
    assert "\n" not in str(raised.value)


def test_a_number_that_scikit_learn_gives_with_a_warning_counts(fitted) -> None:
    assert scorer("precision").measure(replace(fitted[2][2], prediction=np.zeros(60, dtype=int))) == 0.0


def test_a_scorer_for_two_classes_refuses_three(fitted) -> None:
    with pytest.raises(Undefined, match=r"^precision: Target is multiclass but average='binary'"):
        scorer("precision").measure(fitted[3][2])


NUMBERS = count()

FUNCTIONS = """
import numpy as np
from statistics import fmean
import {helper}

LIMIT = 3

def biggest(y_true, y_pred):
    return np.abs(y_true - y_pred).max()

def pinball(y_true, y_pred, *, weight=None):
    return float(np.average(np.maximum(y_true - y_pred, 0), weights=weight))

def separation(y_true, scores):
    return scores[y_true == 1].mean() - scores[y_true == 0].mean()

def everything(y_true, y_pred, scores, probabilities, weight):
    return len(y_true) + len(y_pred) + len(scores) + probabilities.size + (0 if weight is None else len(weight))

class Group:
    @staticmethod
    def inner(y_true, y_pred):
        from {later} import NUMBER
        return NUMBER

def gives(y_true, y_pred):
    return y_pred[0]

def raises(y_true, y_pred):
    raise ValueError("too few\\nrows")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch):
    """A folder with a module of metrics that imports its neighbours, under names of its own, and the module's name."""
    stem = f"metrics_{next(NUMBERS)}"
    (tmp_path / f"{stem}.py").write_text(FUNCTIONS.format(helper=f"{stem}_helper", later=f"{stem}_later"))
    (tmp_path / f"{stem}_helper.py").write_text("")
    (tmp_path / f"{stem}_later.py").write_text("NUMBER = 17")
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path, stem
    for name in [name for name in sys.modules if name.startswith(stem)]:
        del sys.modules[name]


def test_functions_of_the_users_own(folder) -> None:
    place, stem = folder
    judged = Judged(np.array([1.0, 5.0]), np.array([2.0, 2.0]))
    found = own(MetricPlan("worst", f"{stem}:biggest", "lower"), place)
    assert (found.name, found.better, found.needs, found.task, found.no_information) == (
        "worst",
        "lower",
        "prediction",
        None,
        None,
    )
    assert not found.weighted
    assert found.measure(judged) == 3.0


def test_functions_get_what_they_have_parameters_for(folder, fitted) -> None:
    place, stem = folder
    judged = Judged(np.array([1.0, 5.0]), np.array([2.0, 2.0]), weight=np.array([1.0, 3.0]))
    weighted = own(MetricPlan("pinball", f"{stem}:pinball", "lower"), place)
    assert weighted.weighted
    assert weighted.measure(judged) == 2.25
    assert weighted.measure(replace(judged, weight=None)) == 1.5
    binary = fitted[2][2]
    separation = own(MetricPlan("separation", f"{stem}:separation", "higher"), place)
    assert separation.needs == "scores"
    expected = binary.scores[binary.truth == 1].mean() - binary.scores[binary.truth == 0].mean()
    assert separation.measure(replace(binary, prediction=None)) == pytest.approx(expected)
    everything = own(MetricPlan("everything", f"{stem}:everything", "higher"), place)
    assert everything.needs == "probabilities"
    assert everything.measure(binary) == 300
    with pytest.raises(Undefined) as raised:
        everything.measure(replace(binary, scores=None))
    how = "(predict_proba or decision_function, or a column for each class)"
    assert str(raised.value) == f"everything: the algorithm gives no scores {how}"


def test_a_method_is_found_and_imports_its_neighbour_when_it_runs(folder) -> None:
    place, stem = folder
    found = own(MetricPlan("inner", f"{stem}:Group.inner", "higher"), place)
    assert sys.path[0] != str(place)
    assert found.measure(Judged(np.ones(1), np.ones(1))) == 17.0


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (np.nan, "no finite number comes out"),
        (-np.inf, "no finite number comes out"),
        ("3", "gave a str, not a number"),
        (None, "gave a NoneType, not a number"),
        (1j, "gave a complex, not a number"),
        (np.ones(1), "gave a ndarray, not a number"),
    ],
)
def test_what_is_no_finite_number_is_undefined(value: object, reason: str, folder) -> None:
    place, stem = folder
    found = own(MetricPlan("mine", f"{stem}:gives", "lower"), place)
    with pytest.raises(Undefined, match=rf"^mine: {reason}$"):
        found.measure(Judged(np.ones(1), [value]))


@pytest.mark.parametrize("value", [2, np.float32(2), np.array(2.0), np.int8(2)])
def test_numbers_of_any_type_count(value: object, folder) -> None:
    place, stem = folder
    assert own(MetricPlan("mine", f"{stem}:gives", "lower"), place).measure(Judged(np.ones(1), [value])) == 2.0


def test_an_exception_of_a_function_is_undefined(folder) -> None:
    place, stem = folder
    with pytest.raises(Undefined, match=r"^mine: ValueError: too few rows$"):
        own(MetricPlan("mine", f"{stem}:raises", "lower"), place).measure(Judged(np.ones(1), np.ones(1)))


def test_own_metrics_need_a_direction_and_a_function(folder) -> None:
    place, stem = folder
    with pytest.raises(BenchkitError, match="the direction of metric 'mae' is not known"):
        own(MetricPlan("mae", f"{stem}:biggest"), place)
    with pytest.raises(BenchkitError, match=f"metric 'mine': {stem}:LIMIT is no function"):
        own(MetricPlan("mine", f"{stem}:LIMIT", "lower"), place)


def test_functions_written_in_c_are_called_with_both(folder) -> None:
    assert own(MetricPlan("mine", "numpy:dot", "lower"), folder[0]).measure(Judged(np.ones(3), np.full(3, 2.0))) == 6.0
