"""The built-in metrics: against scikit-learn, over all pairs by brute force, at their edges; and how one is chosen."""

import pickle
from dataclasses import replace
from math import inf, log, nan, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from sklearn import metrics as peer

from benchkit.errors import BenchkitError
from benchkit.run.metrics import BUILT_IN
from benchkit.run.metrics.records import Judged, Metric, Undefined
from benchkit.run.metrics.resolve import built_in, resolve
from benchkit.run.plan import MetricPlan
from benchkit.tables.metrics import direction

NAMES = [entry.name for entry in BUILT_IN]
OF_NUMBERS = ("mse", "rmse", "mae", "r2")
TWO = np.array(["no", "yes"], dtype=object)
THREE = np.array(["a", "b", "c"], dtype=object)


def metric(name: str) -> Metric:
    found = built_in(name)
    assert found is not None
    return found


def numbers(n: int, weighted: bool, seed: int = 1) -> Judged:
    rng = np.random.default_rng(seed)
    truth = np.round(rng.normal(50, 20, n))
    return Judged(truth, np.round(truth + rng.normal(5, 15, n)), weight=_weight(rng, n, weighted))


def classes(n: int, names: np.ndarray, weighted: bool, seed: int = 2) -> Judged:
    rng = np.random.default_rng(seed)
    size = len(names)
    truth = rng.permutation(np.arange(n) % size)
    probabilities = rng.dirichlet(np.ones(size), n)
    if size == 2:  # ties
        first = np.round(probabilities[:, 0], 1)
        probabilities = np.column_stack((first, 1 - first))
    probabilities[0] = np.eye(size)[(truth[0] + 1) % size]
    binary = size == 2
    return Judged(
        names[truth], names[probabilities.argmax(axis=1)], probabilities, probabilities[:, 1] if binary else None, names,
        names[1] if binary else None, _weight(rng, n, weighted),
    )  # fmt: skip


def _weight(rng: np.random.Generator, n: int, weighted: bool) -> np.ndarray | None:
    return np.where(np.arange(n) % 7 == 3, 0.0, rng.gamma(1.0, 1.0, n)) if weighted else None


def theirs(name: str, judged: Judged) -> float:
    truth, prediction, weight = judged.truth, judged.prediction, judged.weight
    if name in OF_NUMBERS:
        function = {
            "mse": peer.mean_squared_error,
            "rmse": peer.root_mean_squared_error,
            "mae": peer.mean_absolute_error,
            "r2": peer.r2_score,
        }[name]
        return float(function(truth, prediction, sample_weight=weight))
    codes = np.searchsorted(judged.classes.astype(str), truth.astype(str))
    if name == "log_loss":
        return float(peer.log_loss(codes, judged.probabilities, sample_weight=weight))
    if name == "brier" and len(judged.classes) > 2:
        return float(peer.brier_score_loss(codes, judged.probabilities, sample_weight=weight, scale_by_half=False))
    if name in ("brier", "auc"):
        function = peer.brier_score_loss if name == "brier" else peer.roc_auc_score
        return float(function(truth == judged.positive, judged.scores, sample_weight=weight))
    if name == "f1":
        positives = truth == judged.positive, prediction == judged.positive
        return float(peer.f1_score(*positives, sample_weight=weight))
    truth, prediction = truth.astype(str), prediction.astype(str)
    if name == "balanced_accuracy":
        return float(peer.balanced_accuracy_score(truth, prediction, sample_weight=weight))
    accuracy = float(peer.accuracy_score(truth, prediction, sample_weight=weight))
    return accuracy if name == "accuracy" else 1 - accuracy


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("name", NAMES)
def test_built_in_metrics_agree_with_scikit_learn(name: str, weighted: bool) -> None:
    cases = [numbers(60, weighted)] if name in OF_NUMBERS else [classes(60, TWO, weighted)]
    if name not in OF_NUMBERS and not metric(name).binary:
        cases.append(classes(60, THREE, weighted))
    for judged in cases:
        assert metric(name).measure(judged) == pytest.approx(theirs(name, judged), rel=1e-12)


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("name", NAMES)
def test_no_information_is_the_metric_over_all_pairs(name: str, weighted: bool) -> None:
    cases = [numbers(41, weighted)] if name in OF_NUMBERS else [classes(41, TWO, weighted)]
    if name not in OF_NUMBERS and not metric(name).binary:
        cases.append(classes(41, THREE, weighted))
    for judged in cases:
        n = len(judged.truth)
        true, predicted = np.repeat(np.arange(n), n), np.tile(np.arange(n), n)
        pairs = replace(
            judged,
            truth=judged.truth[true],
            prediction=judged.prediction[predicted],
            probabilities=None if judged.probabilities is None else judged.probabilities[predicted],
            scores=None if judged.scores is None else judged.scores[predicted],
            weight=None if judged.weight is None else judged.weight[true] * judged.weight[predicted],
        )
        chance = metric(name).no_information
        assert chance is not None
        assert chance(judged) == pytest.approx(metric(name).measure(pairs), rel=1e-12)


def test_no_information_needs_no_matrix_of_pairs() -> None:
    # 300 000 rows make 9e10 pairs, 720 GB of numbers: only a rate from marginal counts or sorted values ends here
    n = 300_000
    rng = np.random.default_rng(3)
    truth = rng.normal(size=n)
    judged = Judged(truth, rng.normal(size=n))
    # two independent standard normals: E (y - p)^2 = 2, E |y - p| = 2 / sqrt(pi)
    assert metric("mse").no_information(judged) == pytest.approx(2.0, rel=0.02)
    assert metric("mae").no_information(judged) == pytest.approx(2 / sqrt(np.pi), rel=0.02)
    labels = Judged(truth > 0, judged.prediction > 0, classes=np.array([False, True]), positive=True)
    assert metric("error_rate").no_information(labels) == pytest.approx(0.5, rel=0.02)


def test_hand_computed_values() -> None:
    judged = Judged(np.array([1.0, 2.0, 6.0]), np.array([2.0, 2.0, 3.0]))
    assert metric("mse").measure(judged) == pytest.approx(10 / 3)
    assert metric("rmse").measure(judged) == pytest.approx(sqrt(10 / 3))
    assert metric("mae").measure(judged) == pytest.approx(4 / 3)
    assert metric("r2").measure(judged) == pytest.approx(1 - 10 / 14)
    # all pairs: 1 1 2, 0 0 1, 4 4 3
    assert metric("mae").no_information(judged) == pytest.approx(16 / 9)
    assert metric("mse").no_information(judged) == pytest.approx((1 + 1 + 4 + 0 + 0 + 1 + 16 + 16 + 9) / 9)
    probabilities = np.array([[0.75, 0.25], [0.5, 0.5], [1.0, 0.0]])
    labels = Judged(np.array([0, 1, 1]), np.array([0, 0, 0]), probabilities, probabilities[:, 1], np.array([0, 1]), 1)
    assert metric("accuracy").measure(labels) == pytest.approx(1 / 3)
    assert metric("balanced_accuracy").measure(labels) == 0.5
    assert metric("f1").measure(labels) == 0.0
    assert metric("brier").measure(labels) == pytest.approx((0.0625 + 0.25 + 1) / 3)
    assert metric("auc").measure(labels) == 0.5
    assert metric("log_loss").measure(labels) == pytest.approx(-(log(0.75) + log(0.5) + log(2**-52)) / 3, rel=1e-12)
    # Efron & Tibshirani 1997, equation 28: 1/3 positive among 3 predictions of none: p (1 - q) + (1 - p) q = 2/3
    assert metric("error_rate").no_information(labels) == pytest.approx(2 / 3)


def test_offsets_and_almost_certain_probabilities_keep_their_digits() -> None:
    judged = Judged(np.array([1.0, 2.0, 6.0]) + 1e9, np.array([2.0, 2.0, 3.0]) + 1e9)
    assert metric("mae").no_information(judged) == pytest.approx(16 / 9, rel=1e-12)
    assert metric("mse").no_information(judged) == pytest.approx(48 / 9, rel=1e-12)
    sure = np.array([[1 - 2e-9, 1e-9, 1e-9]])
    assert metric("brier").measure(Judged(THREE[:1], None, sure, None, THREE)) == pytest.approx(6e-18, rel=1e-6)


@given(
    some.lists(
        some.tuples(some.booleans(), some.sampled_from([-inf, -1.0, 0.0, 0.25, 1.0, inf]), some.integers(0, 3)), min_size=1
    ),
    some.booleans(),
)
def test_auc_counts_ties_one_half(rows: list[tuple[bool, float, int]], weighted: bool) -> None:
    positive, scores, weight = (np.array(column) for column in zip(*rows, strict=True))
    counted = weight.astype(float) if weighted else np.ones(len(rows))
    pairs = [
        (counted[i] * counted[j], (scores[i] > scores[j]) + 0.5 * (scores[i] == scores[j]))
        for i in np.flatnonzero(positive)
        for j in np.flatnonzero(~positive)
    ]
    total = sum(share for share, _ in pairs)
    judged = Judged(positive, scores=scores, classes=np.array([False, True]), positive=True, weight=counted if weighted else None)
    if total == 0:
        with pytest.raises(Undefined, match=r"^auc: (only one class among the rows|every row has weight 0)$"):
            metric("auc").measure(judged)
    else:
        assert metric("auc").measure(judged) == pytest.approx(sum(share * won for share, won in pairs) / total, rel=1e-13)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in OF_NUMBERS])
def test_the_type_of_the_classes_does_not_matter(name: str) -> None:
    texts = classes(40, TWO, False)
    code = {"no": 0, "yes": 1}
    for kind in (np.int64, np.bool_):
        truth, prediction = (
            np.array([code[value] for value in column], dtype=kind) for column in (texts.truth, texts.prediction)
        )
        other = replace(texts, truth=truth, prediction=prediction, classes=np.array([0, 1], dtype=kind), positive=kind(1))
        assert metric(name).measure(other) == metric(name).measure(texts)
        assert metric(name).no_information(other) == metric(name).no_information(texts)


def test_the_first_class_can_be_the_positive_one() -> None:
    judged = classes(40, TWO, False)
    turned = replace(judged, positive="no", scores=judged.probabilities[:, 0])
    assert metric("brier").measure(turned) == pytest.approx(metric("brier").measure(judged))
    assert metric("auc").measure(turned) == pytest.approx(metric("auc").measure(judged))
    assert metric("f1").measure(turned) == pytest.approx(peer.f1_score(judged.truth == "no", judged.prediction == "no"))


NO_SCORES = "the algorithm gives no scores (predict_proba or decision_function, or a column for each class)"
NO_PROBABILITIES = "the algorithm gives no probabilities (predict_proba, or a column for each class)"
ONE_CLASS = Judged(TWO[[0, 0]], TWO[[0, 1]], np.array([[0.6, 0.4], [0.3, 0.7]]), np.array([0.4, 0.7]), TWO, "yes")


@pytest.mark.parametrize(
    ("name", "judged", "reason"),
    [
        ("auc", ONE_CLASS, "only one class among the rows"),
        ("auc", replace(ONE_CLASS, truth=TWO, weight=np.array([1.0, 0.0])), "only one class among the rows"),
        ("auc", replace(ONE_CLASS, truth=TWO, scores=np.array([nan, 0.5])), "a score is missing"),
        ("auc", replace(ONE_CLASS, truth=TWO, scores=None), NO_SCORES),
        ("auc", replace(ONE_CLASS, positive=None), "no class counts as positive"),
        ("f1", ONE_CLASS, "no row is positive"),
        ("f1", replace(ONE_CLASS, positive=None), "no class counts as positive"),
        ("log_loss", replace(ONE_CLASS, probabilities=None), NO_PROBABILITIES),
        ("log_loss", replace(ONE_CLASS, truth=np.array(["no", "new"])), "the class 'new' has no probability"),
        ("log_loss", replace(ONE_CLASS, probabilities=np.full((2, 2), nan)), "no finite number comes out"),
        ("brier", replace(ONE_CLASS, classes=None), "the classes are not known"),
        ("r2", Judged(np.array([0.1, 0.1, 0.1]), np.array([1.0, 2.0, 3.0])), "the true values are all equal"),
        ("r2", Judged(np.array([0.1, 0.1, 7]), np.arange(3.0), weight=np.array([2.0, 1, 0])), "the true values are all equal"),
        ("r2", Judged(np.array([1.0]), np.array([1.0])), "the true values are all equal"),
        ("mse", Judged(np.array([1.0, 2.0])), "the algorithm gives no prediction"),
        ("mse", Judged(np.array([0.0]), np.array([1e200])), "no finite number comes out"),
        ("mae", Judged(np.array([0.0]), np.array([nan])), "no finite number comes out"),
        ("mae", Judged(np.array([]), np.array([])), "there are no rows"),
        ("mae", Judged(np.ones(2), np.ones(2), weight=np.zeros(2)), "every row has weight 0"),
    ],
)
def test_undefined_says_why(name: str, judged: Judged, reason: str) -> None:
    with pytest.raises(Undefined) as raised:
        metric(name).measure(judged)
    assert str(raised.value) == f"{name}: {reason}"


def test_a_missing_score_or_class_stops_the_rate_without_information_too() -> None:
    with pytest.raises(Undefined, match="auc: only one class"):
        metric("auc").no_information(ONE_CLASS)
    with pytest.raises(Undefined, match="f1: no row is positive"):
        metric("f1").no_information(ONE_CLASS)


def test_f1_is_zero_where_nothing_is_found() -> None:
    assert metric("f1").measure(replace(ONE_CLASS, truth=TWO, prediction=TWO[[0, 0]])) == 0.0


@pytest.mark.parametrize("name", NAMES)
def test_every_entry_keeps_the_contract(name: str) -> None:
    found = metric(name)
    entry = next(entry for entry in BUILT_IN if entry.name == name)
    assert (found.name, found.better, found.needs) == (name, direction(name), entry.needs)
    assert found.no_information is not None
    assert found.weighted
    judged = numbers(20, False) if found.task == "regression" else classes(20, TWO, False)
    assert pickle.loads(pickle.dumps(found)).measure(judged) == found.measure(judged)
    assert resolve(MetricPlan(name), None) == found  # type: ignore[arg-type]


def test_resolve_takes_scorers_of_scikit_learn(tmp_path) -> None:
    found = resolve(MetricPlan("neg_median_absolute_error"), tmp_path)
    assert (found.better, found.task, found.no_information) == ("higher", "regression", None)
    assert found.measure(Judged(np.array([1.0, 2.0, 9.0]), np.array([1.0, 4.0, 4.0]))) == -2.0


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("acuracy", "metric 'acuracy' is not known", "did you mean accuracy"),
        ("Log-Loss", "metric 'Log-Loss' is known by name, but run cannot compute it", "did you mean log_loss"),
        ("wer", "metric 'wer' is known by name, but run cannot compute it", "see benchkit list metrics"),
        ("zzz", "metric 'zzz' is not known", "see benchkit list metrics"),
        ("fit_seconds", "'fit_seconds' is no metric of predictions", "--value fit_seconds"),
    ],
)
def test_resolve_names_what_is_near(name: str, message: str, hint: str, tmp_path) -> None:
    with pytest.raises(BenchkitError) as raised:
        resolve(MetricPlan(name), tmp_path)
    assert raised.value.message.startswith(message)
    assert hint in raised.value.hint


def test_resolve_refuses_a_direction_that_is_wrong(tmp_path) -> None:
    with pytest.raises(BenchkitError, match="metric 'mse': better = \"higher\" is wrong, lower is better"):
        resolve(MetricPlan("mse", better="higher"), tmp_path)
    assert resolve(MetricPlan("mse", better="lower"), tmp_path).name == "mse"
